import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createEmulator, type Emulator, type EmulatorOptions } from 'stablecoin-payments/emulator';
import { signWebhook } from 'stablecoin-payments/webhooks';
import type { LedgerPayment } from './audit.ts';
import { disturb } from './disturb.ts';
import { type PlannedOrder, payroll } from './payroll.ts';
import { random } from './random.ts';

/** What the service's process is told, as JSON in its first argument. */
export interface ServiceSettings {
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  readonly payouts: number;
  readonly batches: boolean;
  readonly dialect: NonNullable<EmulatorOptions['dialect']>;
  readonly duplicates: 'replay' | 'refuse' | undefined;
  readonly lookup: boolean;
  readonly faultRate: number;
  /** Milliseconds by which every response is late. */
  readonly latency: number;
  /** What each payer holds. */
  readonly balance: number;
  readonly payers: number;
}

/** What the service says of itself once it listens. */
export interface ServiceReady {
  readonly url: string;
  readonly payers: readonly string[];
  readonly payees: readonly string[];
}

/** What is asked of the service's process. */
export type ServiceOrder =
  | { readonly ask: 'gateway' | 'away'; readonly milliseconds: number }
  | { readonly ask: 'calm' }
  | { readonly ask: 'finish' }
  | { readonly ask: 'redeliver' }
  | { readonly ask: 'ledger' };

/** The ledger with all that the service has seen. */
export interface ServiceLedger {
  readonly payments: readonly LedgerPayment[];
  readonly requests: number;
  readonly deliveries: number;
  /** What all payers hold. */
  readonly balance: number;
}

const settings: ServiceSettings = JSON.parse(process.argv[2] ?? '{}');
let calm = settings.faultRate === 0;
let gatewayUntil = 0;
let requests = 0;
let deliveries = 0;
/** Transfers whose events never arrive. */
const silent = new Set<string>();

const emulator: Emulator = createEmulator({
  dialect:
    typeof settings.dialect === 'string'
      ? { extends: settings.dialect, duplicates: settings.duplicates }
      : { ...settings.dialect, duplicates: settings.duplicates },
  webhook: {
    url: settings.webhookUrl,
    secret: settings.webhookSecret,
    retryDelays: Array.from({ length: 40 }, () => 500),
    fetch: deliver,
  },
});
const payers = Array.from({ length: settings.payers }, () => emulator.createUser({ rails: ['usd'] }).userId);
const payees = Array.from({ length: 50 }, () => emulator.createUser().userId);
for (const userId of payers)
  emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: settings.balance });
const plans = new Map<string, PlannedOrder>(
  payers
    .flatMap((payer, turn) => payroll(settings.payouts, payees, settings.batches, payer, turn))
    .map((order) => [Number(order.amount).toFixed(6), order]),
);

/**
 * Every delivery comes twice at the same time; of some transfers none comes. It is signed at the real time: the emulator's
 * clock is moved by days, and that of the receivers is not.
 */
async function deliver(url: string, init: RequestInit): Promise<Response> {
  const event = String(init.body);
  if ([...silent].some((id) => event.includes(id))) return new Response(null, { status: 200 });
  deliveries += 2;
  await wait(random() * 50);
  const { body, headers } = await signWebhook(event, {
    standardWebhooks: {
      secret: settings.webhookSecret,
      id: new Headers(init.headers).get('webhook-id') ?? '',
    },
  });
  const delivery = { ...init, body, headers };
  const [first, second] = await Promise.all([fetch(url, delivery), fetch(url, delivery)]);
  return first.ok ? first : second;
}

const server = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch(() => incoming.socket.resetAndDestroy());
});

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  if (Date.now() < gatewayUntil) {
    outgoing.writeHead(403, { 'content-type': 'text/html' }).end('<html><h1>403 Forbidden</h1></html>');
    return;
  }
  const url = new URL(incoming.url ?? '/', 'https://service.test');
  if (url.pathname === '/v2/wallets/transfers' && incoming.method === 'GET') return list(url, outgoing);
  if (incoming.method === 'POST') requests += 1;
  if (!calm) disturb(emulator, settings.faultRate);
  if (settings.latency > 0) await wait(settings.latency);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === 'string' && !['connection', 'content-length', 'host', 'expect'].includes(name))
      headers.set(name, value);
  }
  const body = Buffer.concat(chunks);
  const request = new Request(url, {
    method: incoming.method ?? 'GET',
    headers,
    signal: gone.signal,
    ...(body.length > 0 && { body }),
  });
  const response = await emulator.fetch(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

let index = new Map<string, readonly Listed[]>();
let indexedAt = 0;
type Listed = { readonly transferDetails: { readonly createdAt: string } };

/** A list by user, newest first, as services have one outside of the documented interface. */
function list(url: URL, outgoing: ServerResponse): void {
  if (Date.now() - indexedAt > 250) {
    const newest = [...emulator.state().transfers].reverse();
    index = Map.groupBy(newest, ({ transferDetails: { source } }) => String(toRecord(source).userId));
    indexedAt = Date.now();
  }
  const { userId = '', limit = '10', createdBefore } = Object.fromEntries(url.searchParams);
  const records = (index.get(userId) ?? [])
    .filter(({ transferDetails: { createdAt } }) => createdBefore === undefined || createdAt < createdBefore)
    .slice(0, Number(limit));
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ records }));
}

/** The approvers decide what is pending, as planned. */
function decide(late: boolean): void {
  const { approvals, transfers } = emulator.state();
  const amounts = new Map(transfers.map(({ id, transferDetails }) => [id, transferDetails.amount]));
  for (const { id, transferId, status } of approvals) {
    if (status !== 'PENDING') continue;
    const plan = plans.get((amounts.get(transferId) ?? 0).toFixed(6))?.plan ?? 'approve';
    if (plan === 'late' && late) silent.add(transferId);
    if (plan === 'approve' || (plan === 'late' && late)) emulator.approve(id);
    else if (plan === 'reject') emulator.reject(id);
  }
}
const deciding = setInterval(() => decide(false), 300);

function ledger(): ServiceLedger {
  const { transfers, balances } = emulator.state();
  const payments = transfers.flatMap(({ id, transferDetails: { status, source, destination, amount } }) => {
    const parts: unknown[] = batchIn(destination) ?? [{ ...toRecord(destination), amount }];
    return parts.map((part): LedgerPayment => {
      const { userId, amount: own } = toRecord(part);
      const payer = String(toRecord(source).userId);
      return { transferId: id, payer, payee: String(userId), amount: Number(own).toFixed(6), status };
    });
  });
  const balance = balances
    .filter(({ userId }) => payers.includes(userId))
    .reduce((sum, { amount }) => sum + Number(amount), 0);
  return { payments, requests, deliveries, balance };
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
const batchIn = (value: unknown): unknown[] | undefined => {
  const { batch } = toRecord(value);
  return Array.isArray(batch) ? batch : undefined;
};

process.on('message', async (order: ServiceOrder) => {
  if (order.ask === 'gateway') gatewayUntil = Date.now() + order.milliseconds;
  else if (order.ask === 'away') goAway(order.milliseconds);
  else if (order.ask === 'calm') {
    calm = true;
    emulator.faults.clear();
  } else if (order.ask === 'finish') {
    // Minutes before the deadline some are approved, and nobody is told. Then the others expire. The run has lasted for
    // up to seven minutes, for which the clock went on.
    clearInterval(deciding);
    emulator.clock.advance('6d');
    emulator.clock.advance('23h');
    emulator.clock.advance('48m');
    decide(true);
    emulator.clock.advance('1d');
    await emulator.delivered();
    process.send?.('finished');
  } else if (order.ask === 'redeliver') {
    // Everything once more, long after the end.
    for (const { id } of emulator.deliveries.list()) emulator.deliveries.redeliver(id);
    await emulator.delivered();
    process.send?.('redelivered');
  } else process.send?.(ledger());
});
process.once('disconnect', () => process.exit(0));

const portOf = (address: ReturnType<typeof server.address>): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

/** Nothing listens for a while: connections are refused. */
function goAway(milliseconds: number): void {
  const port = portOf(server.address());
  server.close();
  server.closeAllConnections();
  setTimeout(() => server.listen(port, '127.0.0.1'), milliseconds);
}

server.listen(0, '127.0.0.1');
server.once('listening', () => {
  const port = portOf(server.address());
  process.send?.({ url: `http://127.0.0.1:${port}`, payers, payees } satisfies ServiceReady);
});
