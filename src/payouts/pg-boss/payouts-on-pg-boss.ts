import * as z from 'zod/mini';
import { functionOf } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, wholeNumber } from '../../shared/schema/schema.ts';
import { isRecord } from '../../shared/values.ts';
import { checkedSettings } from '../rules/checks.ts';
import type { PayoutMessage } from '../rules/hear.ts';
import type { PayoutOrder } from '../rules/order.ts';
import { SITUATION_VERSION } from '../rules/situation.ts';
import { type StepContext, stepperFrom } from '../step.ts';
import { type PayoutOptions, stepFields } from '../step-options.ts';
import { patient } from './again.ts';
import { archivePayouts, type PayoutArchive } from './archive.ts';
import { type PayoutBook, readCommands } from './book.ts';
import type { NotedEffect } from './brakes.ts';
import { type OnPayoutChange, tellChanges } from './changes.ts';
import { commandsOf, type PayoutCommands } from './commands.ts';
import { identityAsker } from './database-identity.ts';
import { type Boss, createQueues, type Database, planLooks, type Sql } from './engine.ts';
import { enqueueOrders } from './enqueue.ts';
import { gateOf } from './gate.ts';
import { toldByKept } from './kept-records.ts';
import { checkTables, makeTables } from './make-tables.ts';
import { hearEvents, namingPayment, type PayoutWebhookHandlers, storeMessage } from './messages.ts';
import { ownQueues } from './own-queues.ts';
import { probe } from './probe.ts';
import { select, write } from './query.ts';
import { repair } from './repair.ts';
import { type PayoutReports, reportsOf } from './reports.ts';
import { noticeAnother, type PayoutRestore, restoredBy } from './restored.ts';
import { isForLookup, type LoadedRow, readRow, type Store, storeRow, timeOf } from './row.ts';
import { keyRow } from './rows.ts';
import { FOR_LONG, isAsleep, wakePayer } from './waiting.ts';
import { recordAsker } from './walk-payer.ts';
import { type PayoutWorker, startWorker } from './worker.ts';

/** The parts of payouts on pg-boss. */
export interface PgBossPayoutOptions extends Omit<PayoutOptions, 'once'> {
  /** Your `PgBoss`, version 12, started. Its tables are in the database of `db`. */
  readonly boss: Boss;
  /** The database of pg-boss: a payout and its job commit together. */
  readonly db: Database;
  /**
   * Told of every move of a recipient, whoever caused it, once, in a transaction with the step that says so. If it throws, it
   * is tried again, and `review` shows the payout. The workers tell: give it to each of them.
   */
  readonly onChange?: OnPayoutChange;
}

const isOfPerson = (message: unknown): boolean =>
  isRecord(message) && (message.type === 'person' || message.type === 'cancel');

const missingIn = (value: unknown, names: readonly string[]): string | undefined =>
  names.find((name) => !(isRecord(value) && typeof value[name] === 'function'));

/** An object with these functions. */
const withMethods = <T>(what: string, ...names: readonly string[]) =>
  z.custom<T>((value) => missingIn(value, names) === undefined, {
    error: ({ input }) => `must ${what}: the function \`${missingIn(input, names)}\` is missing`,
    params: { kind: 'rule' },
  });

const pgBossOptions = /* @__PURE__ */ lazy(() =>
  matching<PgBossPayoutOptions>()(
    strictObject({
      ...stepFields(),
      boss: withMethods<Boss>(
        'be a PgBoss of pg-boss 12.38 or later',
        'createQueue',
        'updateQueue',
        'insert',
        'work',
        'offWork',
        'notifyWorker',
        'findJobs',
      ),
      db: withMethods<Database>('have the functions `query` and `transaction`', 'query', 'transaction'),
      onChange: z.optional(functionOf<OnPayoutChange>()),
    }),
  ),
);

/** The options of `work`. */
interface WorkOptions {
  /** Payouts at once, 1 to 1,000. Default 32. */
  readonly concurrency?: number;
}

const workOptions = /* @__PURE__ */ lazy(() =>
  matching<WorkOptions>()(strictObject({ concurrency: z.optional(wholeNumber(1, 1000)) })),
);

/** The options of `enqueue`. */
interface EnqueueOptions {
  /** Your own transaction. */
  readonly sql?: Sql;
}

const enqueueOptions = /* @__PURE__ */ lazy(() =>
  matching<EnqueueOptions>()(
    strictObject({
      sql: z.optional(withMethods<Sql>('be the transaction, with the function `query`', 'query')),
    }),
  ),
);

/** Payouts on pg-boss. */
export interface PgBossPayouts
  extends PayoutArchive,
    PayoutBook,
    PayoutCommands,
    PayoutReports,
    PayoutRestore {
  /**
   * Makes the tables and the queues. Again, it changes nothing.
   *
   * @throws ConfigurationError when the driver changes rows, or when something else has the name of a table or an index of
   * payouts. Then nothing is made.
   */
  migrate(): Promise<void>;
  /**
   * Enqueues orders, whole or not at all. Again, it changes nothing.
   *
   * @param orders - The orders.
   * @param options - `sql`: your own transaction on the database of `db`. The payouts and what you write commit together, or
   * not at all. If `enqueue` throws, nothing of it stays in the transaction. A deadlock (`40P01`) or a serialization failure
   * (`40001`) is retried only without `sql`: run your own transaction again from its beginning.
   * @throws InvalidRequestError that names the order that is not valid, or that differs from its enqueued payout; and for
   * `sql` without a transaction.
   * @example
   * ```ts
   * await db.transaction(async (sql) => {
   *   await sql.query('insert into invoice (id, amount) values ($1, $2)', [invoice.id, invoice.amount]);
   *   await payouts.enqueue([orderOf(invoice)], { sql });
   * });
   * ```
   */
  enqueue(
    orders: readonly PayoutOrder[],
    options?: {
      /** Your own transaction. */
      readonly sql?: Sql;
    },
  ): Promise<{
    /** Payouts that are new. */
    readonly added: number;
    /** Payouts that were enqueued before. */
    readonly known: number;
  }>;
  /**
   * Pays, in this process. Start any number of workers, on any number of machines.
   *
   * @param options - `concurrency`: payouts at once, 1 to 1,000. Default 32.
   * @throws ConfigurationError before `migrate`, and when the driver changes rows. Then no worker runs.
   */
  work(options?: {
    /** Payouts at once, 1 to 1,000. Default 32. */
    readonly concurrency?: number;
  }): Promise<PayoutWorker>;
  /** The handlers of approvals, expiries and transfers for `createWebhookReceiver`. */
  readonly webhookHandlers: PayoutWebhookHandlers;
  /**
   * Stores a message from elsewhere: an event, a decision or a person.
   *
   * @param requestId - The payment that it is about.
   * @param messageId - The message: a second one with the same id changes nothing, even if it is about another payment.
   * @param message - The message.
   */
  message(requestId: string, messageId: string, message: PayoutMessage): Promise<void>;
}

/**
 * Pays on pg-boss. The row of a payout is the only truth; a job says only "look now", and commits with the row. Nothing here
 * leases, polls or locks: pg-boss hands out the jobs, and of two that look at one row the first to store its step wins.
 *
 * @param options - pg-boss, its database, the client and the limits.
 * @throws ConfigurationError when an option is out of its limits.
 * @example
 * ```ts
 * import { payoutsOnPgBoss } from 'stablecoin-payments/payouts';
 *
 * const payouts = payoutsOnPgBoss({ boss, db, payments });
 * await payouts.migrate();
 * await payouts.enqueue([{ id: 'S-1', payer, recipients: [{ userId, amount: '25.50' }], currency: 'usdc', chain: 'POLYGON' }]);
 * const worker = await payouts.work();
 * ```
 */
export function payoutsOnPgBoss(options: PgBossPayoutOptions): PgBossPayouts {
  const checked = checkedSettings(pgBossOptions(), options, 'The options of `payoutsOnPgBoss`');
  const { onChange } = checked;
  const db = patient(checked.db);
  const boss = ownQueues(checked.boss, db);
  const stepper = stepperFrom(checked);
  const { rules, onError } = stepper;
  const store: Store = { db, boss, rules, tells: onChange !== undefined };
  const identity = identityAsker();
  const gateFor = gateOf(store, identity, checked.mayCall);
  const askRecords = recordAsker({ ...store, transfers: checked.transfers, onError });
  // A process that only commands may have neither `lookup` nor `onChange`: what the workers have counts.
  const commanding: Store = { ...store, tells: true, rules: { ...rules, hasLookup: true } };

  /** A job looks at its row, and takes it a step further. */
  async function look(jobId: string, key: string, leavesLookups: boolean): Promise<void> {
    let row = await readRow(db, key);
    for (let turn = 0; turn < 20; turn += 1) {
      if (row === undefined) return;
      const { situation, messages, now } = row;
      if (situation.version > SITUATION_VERSION)
        return row.jobId === jobId ? lookLater(row, 60_000) : undefined;
      const isInCall = situation.parts.some(({ phase }) => phase === 'call');
      // The row's own job goes on with a call. Another one would only put it in doubt.
      if (isInCall && row.jobId !== jobId && turn === 0)
        return messages.length === 0 ? undefined : wakeLater(row);
      if (situation.news.length > 0) {
        if (!(await tellChanges(store, row, onChange, jobId, onError))) return;
        row = await readRow(db, key);
        continue;
      }
      const [heard] = isInCall ? [] : messages;
      const isDue = situation.parts.some(({ phase, due }) => phase !== 'done' && due <= now);
      if (heard === undefined && !isDue && !isInCall) {
        const next = Math.min(
          ...situation.parts.filter(({ phase }) => phase !== 'done').map(({ due }) => due),
        );
        if (row.jobId !== jobId || situation.done) return;
        if (isAsleep(situation)) return sleepOn(row);
        return lookLater(row, Math.min(86_400_000, next - now));
      }
      // A job for a message, or of a repair, may find a lookup due.
      if (leavesLookups && isForLookup(situation, heard !== undefined)) return lookLater(row, 0);
      const stored = await takeStep(row, heard, jobId, isInCall);
      if (stored === undefined) return;
      // A call follows its attempt at once: the gate asks whether the row is still the same.
      const isCalled = stored.situation.parts.some(({ phase }) => phase === 'call');
      row = isCalled ? stored : await readRow(db, key);
    }
    // More news than one job tells: another one goes on.
    if (row !== undefined) await lookLater(row, 0);
  }

  /** Takes and stores one step. Returns the row where this job goes on with it. */
  async function takeStep(
    row: LoadedRow,
    heard: LoadedRow['messages'][number] | undefined,
    jobId: string,
    isInCall: boolean,
  ): Promise<LoadedRow | undefined> {
    let noted: NotedEffect | undefined;
    let waitsFor: string | undefined;
    const world: StepContext = {
      // The database's clock, for all workers.
      now: () => timeOf(row),
      gate: async (situation, part, isCall) => {
        const gate = await gateFor(row, situation, part, isCall);
        waitsFor = gate.waitsFor ?? waitsFor;
        return gate;
      },
      told: async (situation, part) =>
        row.wentBack === null ? { kind: 'unknown' } : askRecords(row.wentBack, situation, part, world.now),
      kept: async (situation, part) =>
        row.wentBack === null ? { kind: 'unknown' } : toldByKept(db, row.wentBack, situation, part),
      note: async (_payer, effect, seen) => {
        noted = { effect, seen };
      },
      said: heard?.at,
    };
    // A person speaks of the database as it was: where it is another one, the command comes first, and changes the row.
    if (heard !== undefined && isOfPerson(heard.message)) await noticeAnother(store, identity);
    const after = await stepper.step(world, row.situation, heard?.message);
    // An attempt that was stored is called by this job. Whatever follows a call is another job's.
    const isTold = store.tells && after.news.length > 0;
    const goesOn = isTold || (after.wait === 0 && !after.done && !isInCall);
    const stored = await storeRow(store, { ...row, now: world.now(), readAt: performance.now() }, after, {
      noted,
      waitsFor,
      ...(heard !== undefined && { messageId: heard.id }),
      ...(goesOn && { goesOn: jobId }),
    });
    return goesOn ? stored : undefined;
  }

  /** Plans the next look of a row that does not change. */
  async function lookLater({ key, version, situation, messages }: LoadedRow, wait: number): Promise<void> {
    const isLookup = isForLookup(situation, messages.length > 0);
    const look = { key, payer: situation.order.payer, wait, isLookup };
    await db.transaction(async (sql) => {
      const jobId = crypto.randomUUID();
      const rows = await select(
        sql,
        keyRow,
        `update payout set job_id = $3, next_at = clock_timestamp() + $4 * interval '1 millisecond'
         where key = $1 and version = $2 returning key`,
        [key, version, jobId, wait],
      );
      if (rows.length > 0) await planLooks(boss, sql, [{ ...look, jobId }]);
    });
  }

  /** A row that waits to be woken needs no job. */
  const sleepOn = async ({ key, version }: LoadedRow) =>
    void (await write(
      db,
      `update payout set next_at = clock_timestamp() + $3 * interval '1 millisecond' where key = $1 and version = $2`,
      [key, version, FOR_LONG],
    ));

  /** A message waits for the end of the call. */
  const wakeLater = ({ key, situation }: LoadedRow) =>
    planLooks(boss, db, [{ key, payer: situation.order.payer, jobId: crypto.randomUUID(), wait: 5000 }]);

  /** A person may be first at a database that went back: what it says of a payment is not certain then. */
  function afterNotice(commands: PayoutCommands): PayoutCommands {
    const notice = () => noticeAnother(commanding, identity, 'command');
    return {
      ...commands,
      settle: (...given) => notice().then(() => commands.settle(...given)),
      payAgain: (...given) => notice().then(() => commands.payAgain(...given)),
      cancel: (...given) => notice().then(() => commands.cancel(...given)),
    };
  }

  async function work(given: WorkOptions = {}): Promise<PayoutWorker> {
    const { concurrency = 32 } = checkedSettings(workOptions(), given, 'The options of `work`');
    await probe(db);
    await checkTables(db);
    await noticeAnother(store, identity);
    return startWorker(boss, {
      concurrency,
      look,
      wake: (jobId, payer) => wakePayer(store, jobId, payer),
      repair: () => repair(store),
      onError,
    });
  }

  return {
    async migrate() {
      await probe(db);
      await makeTables(db);
      await createQueues(boss);
    },
    async enqueue(orders, given = {}) {
      const { sql } = checkedSettings(enqueueOptions(), given, 'The options of `enqueue`');
      return enqueueOrders(store, orders, sql);
    },
    work,
    webhookHandlers: hearEvents(store),
    message: (requestId, messageId, message) => {
      const named = namingPayment(message, requestId);
      return storeMessage(store, messageId, { requestId, transferId: undefined, message: named });
    },
    ...afterNotice(commandsOf(commanding)),
    commands: (filter) => readCommands(db, filter),
    archive: (given) => archivePayouts(db, given),
    ...reportsOf(store),
    restored: restoredBy(commanding, identity),
  };
}
