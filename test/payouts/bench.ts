import type { PGlite } from '@electric-sql/pglite';
import { fromPglite, PgBoss } from 'pg-boss';
import type { ClientOptions, PaymentsClient } from 'stablecoin-payments';
import { createEmulator, type Emulator, type EmulatorOptions } from 'stablecoin-payments/emulator';
import {
  type Boss,
  type Database,
  type PayoutOrder,
  type PayoutReview,
  type PayoutRow,
  type PgBossPayoutOptions,
  type PgBossPayouts,
  payoutsOnPgBoss,
  type TransferLookup,
} from 'stablecoin-payments/payouts';
import { WHEN_WOKEN } from '../../src/payouts/rules/situation.ts';
import { clientOf } from '../client/support.ts';
import { openPglite } from './open-database.ts';

type Fetch = typeof globalThis.fetch;

/** pg-boss on a PostgreSQL in this process, for all tests of a file. */
export async function openBoss() {
  const lite = await openPglite();
  const boss = new PgBoss({ db: fromPglite(lite), backend: 'pglite', schedule: false, supervise: false });
  boss.on('error', () => {});
  await boss.start();
  const close = async () => {
    await boss.stop({ graceful: false });
    await lite.close();
  };
  return { lite, boss, db: databaseOf(lite), close };
}

const databaseOf = (lite: PGlite): Database => ({
  query: (text, values) => lite.query(text, values),
  transaction: (work) => lite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
});

export interface Bench {
  readonly emulator: Emulator;
  readonly payments: PaymentsClient;
  readonly payouts: PgBossPayouts;
  readonly db: Database;
  readonly payer: string;
  readonly payee: string;
  order(id: string, more?: Partial<PayoutOrder>): PayoutOrder;
  /** Pays with one worker until each payout has come to rest, and is due no sooner than in a second. */
  work(): Promise<void>;
  rows(): Promise<PayoutRow[]>;
  /** What a person must look at. */
  review(): Promise<PayoutReview[]>;
  /** State and reason of each recipient. */
  states(): Promise<string[]>;
  /** Lets time pass for the rows. */
  pass(milliseconds: number): Promise<void>;
  /** The transfers of the service: payee or batch, amount, status. */
  ledger(): string[];
}

export interface BenchOptions extends Partial<Omit<PgBossPayoutOptions, 'payments'>> {
  readonly emulator?: EmulatorOptions;
  readonly client?: Partial<ClientOptions>;
  /** Stands between the client and the emulator. */
  readonly through?: (emulator: Emulator) => Fetch;
}

type Opened = Awaited<ReturnType<typeof openBoss>>;

/** Makes payouts on empty tables, with an emulated service. */
export async function makeBench(
  { lite, boss, db }: Opened,
  { emulator: emulated = {}, client = {}, through, ...options }: BenchOptions = {},
): Promise<Bench> {
  const emulator = createEmulator({ settlementStep: 0, ...emulated });
  const payer = emulator.createUser({ rails: ['usd'] }).userId;
  const payee = emulator.createUser().userId;
  const payments = clientOf(through?.(emulator) ?? ((url, init) => emulator.fetch(url, init)), client);
  await lite.exec(`drop table if exists payout, payout_recipient, payout_request, payout_transfer, payout_name,
    payout_message, payout_payer, payout_hold, payout_command,
    payout_archive, payout_recipient_archive, payout_migration, payout_restored, payout_walk, payout_record`);
  const pause = { first: 100, most: 100, mostRetryAfter: 1000 };
  const payouts = payoutsOnPgBoss({ boss, db, payments, pause, onError: () => {}, ...options });
  await payouts.migrate();
  await boss.deleteAllJobs('payouts');
  const rows = async () => {
    const found: PayoutRow[] = [];
    for await (const row of payouts.list()) found.push(row);
    return found;
  };
  return {
    emulator,
    payments,
    payouts,
    db,
    payer,
    payee,
    order: (id, more = {}) => ({
      id,
      payer,
      recipients: [{ userId: payee, amount: '25.5' }],
      currency: 'usdc',
      chain: 'POLYGON',
      ...more,
    }),
    async work() {
      const worker = await payouts.work({ concurrency: 8 });
      for (let isBusy = true; isBusy; ) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        const { rows: busy } = await db.query(
          `select 1 from pgboss.job where name = 'payouts'
             and (state in ('active', 'retry') or (state = 'created' and start_after < now() + interval '1 second')) limit 1`,
        );
        isBusy = busy.length > 0;
      }
      await worker.stop();
    },
    rows,
    async review() {
      const found: PayoutReview[] = [];
      for await (const one of payouts.review()) found.push(one);
      return found;
    },
    states: async () => (await rows()).map(({ state, reason }) => `${state} ${reason ?? '-'}`),
    async pass(milliseconds) {
      const { rows: stored } = await db.query<{ key: string; situation: string }>(
        'select key, situation from payout',
      );
      // What waits to be woken is due at no time.
      const earlier = (value: unknown) =>
        typeof value === 'number' && value < WHEN_WOKEN ? value - milliseconds : value;
      const times: readonly string[] = [
        'due',
        'since',
        'heard',
        'begun',
        'firstBegun',
        'doubtSince',
        'wentBack',
      ];
      for (const { key, situation } of stored) {
        const moved = JSON.stringify(JSON.parse(situation), (name, value) =>
          times.includes(name) ? earlier(value) : value,
        );
        await db.query(
          "update payout set situation = $2, next_at = next_at - $3 * interval '1 millisecond' where key = $1",
          [key, moved, milliseconds],
        );
      }
      await db.query(
        `update payout_restored set at = at - $1 * interval '1 millisecond', since = since - $1 * interval '1 millisecond'`,
        [milliseconds],
      );
      // A command has the second in which it was given.
      const seconds = Math.floor(milliseconds / 1000);
      for (const [table, column] of [
        ['payout_restored', 'number'],
        ['payout_walk', 'number'],
        ['payout', 'restored'],
      ])
        await db.query(`update ${table} set ${column} = ${column} - $1::int where ${column} > 0`, [seconds]);
      await db.query(`update payout_message set at = at - $1 * interval '1 millisecond'`, [milliseconds]);
      await db.query(`update payout_walk set begun_at = begun_at - $1 * interval '1 millisecond'`, [
        milliseconds,
      ]);
      await db.query(
        `update pgboss.job set start_after = start_after - $1 * interval '1 millisecond' where name = 'payouts'`,
        [milliseconds],
      );
      await db.query(
        `update payout_payer set brake = regexp_replace(brake, '"pausedUntil":[0-9.]+', '"pausedUntil":0')`,
      );
    },
    ledger: () =>
      emulator.state().transfers.map(({ transferDetails: { amount, status } }) => `${amount} ${status}`),
  };
}

/** A job of the queue of payouts. */
export interface Job {
  readonly id: string;
  readonly data?: unknown;
  readonly startAfter?: number;
  readonly priority?: number;
}

type Handler = (jobs: Job[]) => Promise<{ status: string }[]>;

/** A pg-boss whose jobs are run by hand, one at a time. */
export function bossByHand() {
  const planned: Job[] = [];
  const handlers: Handler[] = [];
  const boss = {
    createQueue: async () => {},
    updateQueue: async () => {},
    insert: async (name: string, jobs: Job[]) => void (name === 'payouts' && planned.push(...jobs)),
    work: async (name: string, _settings: object, run: Handler) => {
      if (name === 'payouts') handlers.push(run);
      return name;
    },
    offWork: async () => {},
    notifyWorker: () => {},
    findJobs: async () => [],
  } as unknown as Boss;
  const run = async (job: Job | undefined) => {
    const [handler] = handlers;
    if (job === undefined || handler === undefined) throw new Error('no job');
    return (await handler([job]))[0]?.status;
  };
  return { boss, planned, run };
}

/** A bench with a worker whose jobs are run by hand. */
export async function makeBenchByHand(opened: Opened, options: BenchOptions = {}) {
  const { boss, planned, run } = bossByHand();
  const bench = await makeBench(opened, { boss, ...options });
  await bench.payouts.work();
  return { bench, planned, run };
}

/** Looks a transfer up in the emulator's state, as a service with such an operation would. */
export const lookupIn =
  (emulator: () => Emulator): TransferLookup =>
  async ({ requestId }) =>
    emulator()
      .state()
      .transfers.find(({ transferDetails }) => transferDetails.requestId === requestId) ?? null;
