import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { field, partsOf } from '../service.ts';
import type { Clock } from './clock.ts';

/** A transfer that the service made. */
interface Made {
  readonly id: string;
  readonly requestId: string;
  readonly status: 'COMPLETED';
  readonly createdAt: string;
  readonly source: unknown;
  readonly destination: unknown;
  readonly amount: unknown;
  readonly currency: unknown;
  readonly chain: unknown;
}

/** What the service does wrong, each as a share of the requests. */
const LOST = 0.1;
const LATE = 0.05;
/** A request whose response is lost, and that is carried out later: milliseconds. */
const MOST_LATE = 400;
/** The most milliseconds of a call. */
const LATENCY = 60;

/** The most transfers of a page. */
const PAGE = 4;

/** The list of transfers: whole, one that fails after its first page, or none at all. */
export type List = 'whole' | 'cut' | 'none';

/** Payees that do not exist: the service refuses whoever pays them. */
export const NOBODY = 'nobody';
/** Payees who are refused the first time. */
export const REFUSED_ONCE = 'refused-once';

/**
 * A service that pays, loses responses, acts late, lists what it paid, and forgets its idempotency keys when the proof says so.
 * Then it pays whatever comes. It has the ledger that the audit believes.
 */
export async function startForgettingService(clock: Clock, kind: List) {
  const ledger: Made[] = [];
  const known = new Map<string, Made>();
  const refused = new Set<string>();
  let busy = 0;
  let last = 0;

  const wrap = (made: Made) => ({ transferType: 'WALLET.TRANSFER', transferDetails: made });

  function act(body: unknown): readonly [status: number, answer: unknown] {
    const requestId = String(field(body, 'requestId'));
    const replayed = known.get(requestId);
    if (replayed !== undefined) return [200, wrap(replayed)];
    const destination = field(body, 'destination');
    const payees = payeesOf(destination);
    if (payees.some((payee) => payee.startsWith(NOBODY))) return refusal('USER_NOT_FOUND');
    const first = payees.filter((payee) => payee.startsWith(REFUSED_ONCE) && !refused.has(payee));
    if (first.length > 0) {
      for (const payee of first) refused.add(payee);
      return refusal('USER_COMPLIANCE_VERIFICATION_FAILED');
    }
    // Each in a millisecond of its own: the list goes by time.
    last = Math.max(clock.now(), last + 1);
    const [source, amount, currency, chain] = ['source', 'amount', 'currency', 'chain'].map((name) =>
      field(body, name),
    );
    const createdAt = new Date(last).toISOString();
    const id = crypto.randomUUID();
    const made: Made = {
      id,
      requestId,
      status: 'COMPLETED',
      createdAt,
      source,
      destination,
      amount,
      currency,
      chain,
    };
    ledger.push(made);
    known.set(requestId, made);
    return [200, wrap(made)];
  }

  /** Undefined where the response is lost: before the service acts, after it, or long before. */
  async function pay(body: unknown): Promise<readonly [number, unknown] | undefined> {
    await wait(Math.random() * LATENCY);
    if (Math.random() < LATE) {
      busy += 1;
      void wait(Math.random() * MOST_LATE).then(() => {
        act(body);
        busy -= 1;
      });
      return undefined;
    }
    const isLost = Math.random() < LOST;
    if (isLost && Math.random() < 0.3) return undefined;
    const answer = act(body);
    await wait(Math.random() * LATENCY);
    return isLost ? undefined : answer;
  }

  function list({ searchParams }: URL): unknown {
    if (kind === 'cut' && searchParams.has('createdBefore')) return { records: null };
    const before = searchParams.get('createdBefore') ?? '9999';
    const userId = searchParams.get('userId');
    const records = ledger
      .filter((made) => field(made.source, 'userId') === userId && made.createdAt < before)
      .toReversed()
      .slice(0, Math.min(PAGE, Number(searchParams.get('limit'))))
      .map(wrap);
    return { records };
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url ?? '/', 'http://service.test');
    const answer =
      incoming.method === 'POST'
        ? await counted(() => pay(JSON.parse(Buffer.concat(chunks).toString())))
        : ([200, list(url)] as const);
    if (answer === undefined) return void incoming.socket.resetAndDestroy();
    const [status, body] = answer;
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async function counted<T>(call: () => Promise<T>): Promise<T> {
    busy += 1;
    try {
      return await call();
    } finally {
      busy -= 1;
    }
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
    refused,
    /** False while a request is under way, or is still carried out. */
    isIdle: () => busy === 0,
    forget: () => known.clear(),
    payments: () => ledger.length,
    /** How often each payee was paid. */
    timesPaid: () => {
      const times = new Map<string, number>();
      for (const { destination } of ledger)
        for (const payee of payeesOf(destination)) times.set(payee, (times.get(payee) ?? 0) + 1);
      return times;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const refusal = (error: string) => [400, { code: 400, error }] as const;

const payeesOf = (destination: unknown): string[] =>
  partsOf(destination, undefined).map((part) => String(field(part, 'userId')));
