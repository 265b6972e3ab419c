import { once } from 'node:events';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An address of this machine. */
export interface Address {
  /** The host with the port. */
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

/** Makes a server of any protocol listen on a free port. It is closed, with its connections, when the test ends. */
export async function listening(server: Server): Promise<Address> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  const host = `127.0.0.1:${address.port}`;
  return { host, port: address.port, url: `http://${host}` };
}

/** A real HTTP server on a free port, with the number of its requests. */
export async function serve(
  handler: (request: IncomingMessage, response: ServerResponse, count: number) => unknown,
): Promise<Address & { readonly server: HttpServer; readonly count: () => number }> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    handler(request, response, count);
  });
  return { ...(await listening(server)), server, count: () => count };
}

/** An address at which nothing listens. */
export async function closedAddress(): Promise<Address> {
  const server = createSocketServer();
  const address = await listening(server);
  server.close();
  await once(server, 'close');
  return address;
}
