import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createEmulator } from 'stablecoin-payments/emulator';
import { type LedgerPayment, nameOfPayment } from './audit.ts';

/** What the service does wrong, each as a share of the payments or requests. */
export interface Trouble {
  /** Responses that are lost, before or after the service acts. */
  readonly lost: number;
  /** Requests that are refused by name before the service looks at the key. */
  readonly refused: number;
  /** Requests whose response is lost, and that the service carries out 40 seconds later. */
  readonly late: number;
  /** Events that are never sent. */
  readonly unsent?: number;
  /** The most milliseconds before the service acts, and again before it responds. Default 200. */
  readonly latency?: number;
}

/** Longer than it takes to be refused three times, and less than the minute and the quiet time of the proof. */
const LATE = 40_000;

/** What happened at the service. */
export interface ServiceCounts {
  /** Requests for payments, and those of them that are under way. */
  calls: number;
  underWay: number;
  lost: number;
  late: number;
  refused: number;
  /** Known keys that were refused under a misleading name, and those that got the record again. */
  misled: number;
  replayed: number;
  /** Retries whose bytes differ from those of the first request. */
  changed: number;
  events: number;
  /** Requests that were refused, and carried out after all. */
  afterAll: number;
}

/**
 * The emulated service on a port. It is strict about bytes, refuses half of the known keys under a misleading name, and sends
 * each event twice, in any order.
 */
export async function startService(trouble: Trouble, receiver?: string) {
  const secret = `whsec_${Buffer.from('a secret for this run alone, of 32 bytes').toString('base64')}`;
  const counts: ServiceCounts = {
    calls: 0,
    underWay: 0,
    lost: 0,
    late: 0,
    refused: 0,
    misled: 0,
    replayed: 0,
    changed: 0,
    events: 0,
    afterAll: 0,
  };

  const { latency = 200 } = trouble;

  /** Until the receiver takes it: it may be restarting. */
  async function deliver(url: string, init: RequestInit): Promise<void> {
    for (let attempt = 0; attempt < 60; attempt += 1) {
      await wait(Math.random() * 3000);
      const { ok } = await fetch(url, init).catch(() => ({ ok: false }));
      if (ok) return;
    }
  }
  const emulator = createEmulator({
    dialect: { eventKinds: 'all' },
    ...(receiver !== undefined && {
      webhook: {
        url: receiver,
        secret,
        fetch: async (_url: string, init: RequestInit) => {
          if (Math.random() < unsent) return new Response();
          counts.events += 1;
          void deliver(receiver, init);
          void deliver(receiver, init);
          return new Response();
        },
      },
    }),
  });
  // `maxRefusals` and pauses are those of a payer.
  const payers = Array.from({ length: 4 }, () => {
    const { userId } = emulator.createUser({ rails: ['usd'] });
    emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 1_000_000_000 });
    return userId;
  });
  const payee = emulator.createUser().userId;
  /** The first body under each key, and what it came to. */
  const known = new Map<string, { readonly body: string; response?: Answer }>();
  /** Payments that the service refused at some time. */
  const refused = new Set<string>();
  /** The requests that it refused, by their keys. */
  const refusedRequests = new Map<string, { readonly url: URL; readonly init: RequestInit }>();
  let unsent = trouble.unsent ?? 0;

  /** One at a time, and each in a millisecond of its own: the list of transfers goes by time. */
  let last = 0;
  let queue = Promise.resolve();
  function act(url: URL, init: RequestInit): Promise<Answer> {
    const answer = queue.then(async () => {
      while (Date.now() <= last) await wait(1);
      last = Date.now();
      const response = await emulator.fetch(url, init);
      return { status: response.status, text: await response.text() };
    });
    queue = answer.then(() => {});
    return answer;
  }

  /** A payment: the key, the bytes, the refusals and the act. Undefined where the response is lost. */
  async function pay(url: URL, init: RequestInit, body: string): Promise<Answer | undefined> {
    const sent: unknown = JSON.parse(body);
    const key = String(field(sent, 'requestId'));
    const isLost = Math.random() < trouble.lost;
    if (isLost) counts.lost += 1;
    // It does not reach the service.
    if (isLost && Math.random() < 0.3) return undefined;
    await wait(Math.random() * latency);
    const first = known.get(key);
    if (first !== undefined && first.body !== body) {
      counts.changed += 1;
      return refusalOf('FIELD_VALIDATION_ERROR');
    }
    if (Math.random() < trouble.refused) {
      counts.refused += 1;
      refusedRequests.set(key, { url, init });
      for (const one of paymentsOf(sent)) refused.add(one);
      return refusalOf('USER_COMPLIANCE_VERIFICATION_FAILED');
    }
    if (first !== undefined) {
      const isReplayed = first.response !== undefined && Math.random() < 0.5;
      counts[isReplayed ? 'replayed' : 'misled'] += 1;
      return isReplayed ? first.response : refusalOf('INVALID_TRANSACTION_ROUTE');
    }
    const entry: { readonly body: string; response?: Answer } = { body };
    known.set(key, entry);
    if (Math.random() < trouble.late) {
      counts.late += 1;
      void wait(LATE).then(async () => {
        entry.response = await act(url, init);
      });
      return undefined;
    }
    entry.response = await act(url, init);
    await wait(Math.random() * latency);
    return isLost ? undefined : entry.response;
  }

  async function counted<T>(call: () => Promise<T>): Promise<T> {
    counts.calls += 1;
    counts.underWay += 1;
    try {
      return await call();
    } finally {
      counts.underWay -= 1;
    }
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(incoming.url ?? '/', 'http://service.test');
    const method = incoming.method ?? 'GET';
    const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
    const init = { method, headers, ...(body !== '' && { body }) };
    const answer = method === 'POST' ? await counted(() => pay(url, init, body)) : await act(url, init);
    if (answer === undefined) return void incoming.socket.resetAndDestroy();
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
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
    secret,
    payers,
    payee,
    counts,
    refused,
    /** Carries out a request that was refused, and tells of it. False where the service did not refuse it, or has paid since. */
    payAfterAll: async (key: string): Promise<boolean> => {
      const request = refusedRequests.get(key);
      if (request === undefined || known.has(key)) return false;
      unsent = 0;
      counts.afterAll += 1;
      await act(request.url, request.init);
      return true;
    },
    /** An approver decides: two of three are approved. */
    decide: () => {
      for (const [place, { id, status }] of emulator.state().approvals.entries()) {
        if (status !== 'PENDING') continue;
        if (place % 3 === 2) emulator.reject(id);
        else emulator.approve(id);
      }
    },
    ledger: (): LedgerPayment[] =>
      emulator
        .state()
        .transfers.filter(
          ({ transferDetails: { status } }) => !['REJECTED', 'CANCELLED', 'FAILED'].includes(status),
        )
        .flatMap(({ id, transferDetails: { source, destination, amount } }) =>
          partsOf(destination, amount).map((part) => ({
            transferId: id,
            payer: String(field(source, 'userId')),
            payee: String(field(part, 'userId')),
            amount: String(field(part, 'amount')),
          })),
        ),
    close: () => {
      emulator.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const refusalOf = (error: string): Answer => ({ status: 400, text: JSON.stringify({ code: '400', error }) });

const paymentsOf = (body: unknown): string[] =>
  partsOf(field(body, 'destination'), field(body, 'amount')).map((part) =>
    nameOfPayment(
      String(field(field(body, 'source'), 'userId')),
      String(field(part, 'userId')),
      String(field(part, 'amount')),
    ),
  );

/** Reads a field of JSON. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

/** The recipients of a request or a transfer. */
export function partsOf(destination: unknown, amount: unknown): unknown[] {
  const batch = field(destination, 'batch');
  return Array.isArray(batch) ? batch : [{ userId: field(destination, 'userId'), amount }];
}
