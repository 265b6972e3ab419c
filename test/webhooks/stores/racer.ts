import { createWebhookReceiver, standardWebhooks } from '../../../src/webhooks/index.ts';
import { clients, connect } from './connect.ts';

/** One of two receivers in processes of their own. It handles the delivery that the parent sends, when it says so. */
export interface Race {
  readonly at: number;
  readonly body: string;
  readonly headers: Record<string, string>;
}

export interface Finish {
  readonly status: number;
  readonly handled: boolean;
}

const [client] = clients.filter((name) => name === process.argv[2]);
const secret = process.argv[3] ?? '';
if (client === undefined) throw new Error(`there is no client ${process.argv[2]}`);
const server = await connect(client);
const hangs = process.argv[4] === 'hang';
let handled = false;
const handle = createWebhookReceiver({
  verifier: standardWebhooks({ secret }),
  dedupe: server.store(hangs ? { claimTtl: 2000 } : {}),
}).handler({
  otherwise: () => {
    handled = true;
    if (!hangs) return;
    process.send?.('handling');
    return new Promise(() => {});
  },
});

process.on('message', async ({ at, body, headers }: Race) => {
  handled = false;
  const request = new Request('http://receiver.test/', { method: 'POST', body, headers });
  // Both processes begin within the same fraction of a millisecond.
  while (Date.now() < at);
  const { status } = await handle(request);
  process.send?.({ status, handled } satisfies Finish);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
