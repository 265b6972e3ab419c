import { connect, createServer, type Socket } from 'node:net';

/** A simple query of the PostgreSQL protocol that says `commit`. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');

/**
 * A proxy before PostgreSQL that loses some answers to COMMIT: the server commits, and the connection of the client breaks
 * before the client is told. It can move to another server.
 */
export async function lossyProxy(connectionString: string, share: number) {
  let target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let lost = 0;
  const server = createServer((client) => {
    const socketFolder = target.searchParams.get('host');
    const port = Number(target.port || 5432);
    const upstream =
      socketFolder === null ? connect(port, target.hostname) : connect(`${socketFolder}/.s.PGSQL.${port}`);
    let isLost = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    client.on('data', (data) => {
      if (data.includes(COMMIT) && Math.random() < share) isLost = true;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (!isLost) client.write(data);
      else {
        lost += 1;
        client.destroy();
        upstream.end();
      }
    });
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const proxied = new URL(connectionString);
  proxied.searchParams.delete('host');
  proxied.hostname = '127.0.0.1';
  proxied.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    connectionString: proxied.href,
    lost: () => lost,
    /** New connections go to another server. */
    moveTo: (other: string) => {
      target = new URL(other);
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
