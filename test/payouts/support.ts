import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator, type Emulator } from 'stablecoin-payments/emulator';
import {
  createPayouts,
  type Database,
  type PayoutOrder,
  type PayoutState,
  type Payouts,
  type PayoutsOptions,
} from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { readableBody } from '../../src/payouts/rules/body.ts';
import { pausesFrom } from '../../src/payouts/rules/see-attempt.ts';
import { endKeys, type FleetRules, settle, take } from '../../src/payouts/store/attempts.ts';
import { readBrakes, waitForCommands } from '../../src/payouts/store/brakes.ts';
import { requestPayment } from '../../src/payouts/worker/call.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';

export const MONTH = '2026-11';

/** A database that tells of each statement in a transaction before it runs. */
export const watching = (db: Database, tell: (text: string, values: unknown) => void): Database => ({
  query: (text, values) => db.query(text, values),
  transaction: (work) =>
    db.transaction((sql) =>
      work({
        query: (text, values) => {
          tell(text, values);
          return sql.query(text, values);
        },
      }),
    ),
});

interface Row {
  readonly payer: string;
  readonly employee: string;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly evidence: string | null;
  readonly in_doubt: boolean;
  readonly doubts: number;
  readonly attempts: number;
  readonly failures: number;
  readonly pauses: number;
  readonly batch: string | null;
  readonly request_id: string;
  readonly transfer_id: string | null;
}

type Fetch = typeof globalThis.fetch;

export interface BenchOptions extends Partial<PayoutsOptions> {
  readonly duplicates?: 'replay' | 'refuse';
  readonly settlementStep?: number;
  readonly dialect?: NonNullable<Parameters<typeof createEmulator>[0]>['dialect'];
  /** Stands between the client and the emulator. */
  readonly through?: (emulator: Emulator) => Fetch;
}

export interface Bench {
  readonly db: Database;
  readonly emulator: Emulator;
  readonly payouts: Payouts;
  readonly client: PaymentsClient;
  readonly rules: FleetRules;
  readonly userId: string;
  readonly payee: string;
  /** Moves the payouts' times into the past. */
  pass(seconds: number): Promise<void>;
  enqueue(orders: Partial<PayoutOrder>[], batchSize?: number): Promise<number>;
  /** Takes every payment that is due and pays it, once. Returns how many. */
  work(through?: Fetch): Promise<number>;
  /** Leaves a payment to a person, as after too many failures. */
  giveUp(requestId: string | undefined): Promise<unknown>;
  rows(): Promise<Row[]>;
  /** State and reason of every payout. */
  states(): Promise<(string | null)[][]>;
  /** The transfers of the emulator: payee, amount, status. */
  ledger(): string[];
}

/** One embedded PostgreSQL for a file of tests, with empty tables before each. */
export function usingDatabase(): () => Database {
  // A database in WebAssembly is slow on a busy machine.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  let db: OpenDatabase | undefined;
  beforeAll(async () => {
    db = await openDatabase();
  });
  beforeEach(() => db?.empty());
  afterAll(() => db?.close());
  return () => {
    if (db === undefined) throw new Error('the database is not open yet');
    return db;
  };
}

export async function bench(db: Database, options: BenchOptions = {}): Promise<Bench> {
  const { duplicates, settlementStep = 0, through, dialect = 'spec', ...others } = options;
  const emulator = createEmulator({
    dialect: typeof dialect === 'string' ? { extends: dialect, duplicates } : { ...dialect, duplicates },
    settlementStep,
  });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const payee = emulator.createUser().userId;
  const clientThrough = (fetch: Fetch) =>
    new PaymentsClient({
      baseUrl: 'https://emulator.test',
      accessToken: () => 'token',
      timeout: 5000,
      fetch,
    });
  const fetch: Fetch = through?.(emulator) ?? ((input, init) => emulator.fetch(input, init));
  const pause = { first: 1000, most: 60_000 };
  const maxFailures = options.maxFailures ?? 25;
  const payouts = createPayouts({
    db,
    payments: clientThrough(fetch),
    userId,
    pause,
    maxFailures,
    ...others,
  });
  await payouts.migrate();
  const rules: FleetRules = {
    pauses: pausesFrom(pause),
    maxFailures,
    random: 0,
    keyLifetime: options.keyLifetime ?? 86_400_000,
    maxRefusals: options.maxRefusals ?? 25,
    payers: [userId, ...(options.payers ?? [])],
  };
  return {
    db,
    emulator,
    client: clientThrough(fetch),
    payouts,
    rules,
    userId,
    payee,
    async pass(seconds) {
      const columns = ['due_at', 'doubt_since', 'look_at', 'last_attempt_at', 'created_at'];
      const moved = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`).join();
      await db.query(
        `with payments as (update payout_payment set ${moved}),
         attempts as (update payout_attempt set began_at = began_at - make_interval(secs => $1))
         update payout_payer set paused_until = paused_until - make_interval(secs => $1)`,
        [seconds],
      );
    },
    enqueue: (orders, batchSize = 1) =>
      payouts.enqueue({
        month: MONTH,
        currency: 'usdc',
        chain: 'POLYGON',
        batchSize,
        orders: orders.map((order, place) => ({
          employee: `E${place + 1}`,
          payee,
          amount: '10',
          ...order,
        })),
      }),
    async work(own = fetch) {
      const store = { db, onChange: options.onChange };
      const begun = await begin(db, rules);
      await endKeys(store, begun.over, rules.keyLifetime);
      const signal = new AbortController().signal;
      const client = clientThrough(own);
      for (const attempt of begun.attempts) {
        const body = readableBody(attempt.body);
        if (body === undefined) throw new Error('The body cannot be read.');
        const finding = await requestPayment(client, body, signal);
        await settle(store, [{ attempt, finding }], rules);
      }
      return begun.attempts.length;
    },
    giveUp: (requestId) =>
      db.query(
        `update payout_payment set state = 'undecided', reason = 'RETRIES_USED_UP', state_at = clock_timestamp()
         where request_id = $1 and state = 'queued'`,
        [requestId],
      ),
    async rows() {
      const { rows } = await db.query<Row>('select * from payout order by month, employee');
      return rows;
    },
    async states() {
      const { rows } = await db.query<Row>('select * from payout order by month, employee');
      return rows.map(({ state, reason }) => [state, reason]);
    },
    ledger: () =>
      emulator.state().transfers.flatMap(({ transferDetails: { status, destination, amount } }) => {
        const one = typeof destination === 'object' && destination !== null && 'userId' in destination;
        return [`${one ? destination.userId === payee && 'payee' : 'batch'} ${amount} ${status}`];
      }),
  };
}

/** Takes what is due, as a worker does. */
export const begin = (db: Database, rules: FleetRules, most = 1000) =>
  db.transaction(async (sql) => {
    await waitForCommands(sql);
    return take(sql, most, await readBrakes(sql, rules.payers, rules.maxRefusals), rules);
  });

/** A response of a service or of what stands before it. */
export const responding =
  (status: number, body: unknown, headers: Record<string, string> = {}): Fetch =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), {
      status,
      headers: { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json', ...headers },
    });

/** A refusal in one of the service's documented forms. */
export const refusal = (code: string) => ({ status: 'error', error: { code, message: 'not possible' } });
