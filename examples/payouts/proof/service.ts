import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createEmulator } from 'stablecoin-payments/emulator';
import type { LedgerPayment } from './audit.ts';
import { serveList } from './list.ts';

/** The emulated service on a port, with faults: a part of the responses is lost, before or after the transfer is made. */
export async function startService(options: {
  readonly faults: number;
  readonly duplicates: 'replay' | 'refuse';
}) {
  const emulator = createEmulator({ dialect: { duplicates: options.duplicates } });
  serveList(emulator);
  const payer = emulator.createUser({ rails: ['usd'] }).userId;
  const payee = emulator.createUser().userId;
  emulator.setBalance({ userId: payer, currency: 'usdc', chain: 'POLYGON', amount: 100_000_000 });
  let faults = options.faults;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url ?? '/', 'http://service.test');
    const isLost = incoming.method === 'POST' && Math.random() < faults;
    // Before it acts, or after it.
    if (isLost && Math.random() < 0.4) return void incoming.socket.resetAndDestroy();
    await wait(Math.random() * 200);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
    const body = Buffer.concat(chunks);
    const method = incoming.method ?? 'GET';
    const response = await emulator.fetch(url, { method, headers, ...(body.length > 0 && { body }) });
    const text = await response.text();
    await wait(Math.random() * 200);
    if (isLost) return void incoming.socket.resetAndDestroy();
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.resetAndDestroy());
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    payer,
    payee,
    calm: () => {
      faults = 0;
    },
    ledger: (): LedgerPayment[] =>
      emulator.state().transfers.flatMap(({ id, transferDetails: { status, source, destination, amount } }) =>
        partsOf(destination, amount).map((part) => ({
          transferId: id,
          payer: String(field(source, 'userId')),
          payee: String(field(part, 'userId')),
          amount: String(field(part, 'amount')),
          status,
        })),
      ),
    close: () => {
      emulator.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

function partsOf(destination: unknown, amount: unknown): unknown[] {
  const batch = field(destination, 'batch');
  return Array.isArray(batch) ? batch : [{ userId: field(destination, 'userId'), amount }];
}
