import * as z from 'zod/mini';
import { functionOf } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, wholeNumber } from '../../shared/schema/schema.ts';
import { isRecord } from '../../shared/values.ts';
import { mayCallFor } from '../rules/brake.ts';
import { checkedSettings } from '../rules/checks.ts';
import type { PayoutMessage } from '../rules/hear.ts';
import type { PayoutOrder } from '../rules/order.ts';
import { type PayoutPart, type PayoutSituation, SITUATION_VERSION } from '../rules/situation.ts';
import { type Gate, type StepContext, stepperFrom, waiting } from '../step.ts';
import { type PayoutOptions, stepFields } from '../step-options.ts';
import { Again, patient } from './again.ts';
import { archivePayouts, type PayoutArchive } from './archive.ts';
import { type PayoutBook, readCommands } from './book.ts';
import { type NotedEffect, readBrake, replaceBrake } from './brakes.ts';
import { type OnPayoutChange, tellChanges } from './changes.ts';
import { commandsOf, type PayoutCommands } from './commands.ts';
import { identityAsker, isAnother } from './database-identity.ts';
import { type Boss, createQueues, type Database, planLooks, type Sql } from './engine.ts';
import { enqueueOrders } from './enqueue.ts';
import { checkTables, makeTables } from './make-tables.ts';
import { hearEvents, namingPayment, type PayoutWebhookHandlers, storeMessage } from './messages.ts';
import { ownQueues } from './own-queues.ts';
import { probe } from './probe.ts';
import { select, write } from './query.ts';
import { repair } from './repair.ts';
import { type PayoutReports, reportsOf } from './reports.ts';
import { noticeAnother, type PayoutRestore, restoredBy } from './restored.ts';
import { askRounds } from './rounds.ts';
import { type LoadedRow, readRow, type Store, storeRow } from './row.ts';
import { gateRow, keyRow } from './rows.ts';
import { FOR_LONG, isAsleep, PAYER, wakePayer } from './waiting.ts';
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

/** A hold is about a payout. */
const COVERS = `(h.payer is null or h.payer = p.payer)
  and (h.group_name is null or h.group_name = p.group_name) and (h.id is null or h.id = p.id)`;

/** Whether a call may begin; where it waits to be woken, by what. */
interface WakingGate extends Gate {
  readonly waitsFor?: string;
}

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
   * not at all. If `enqueue` throws, nothing of it stays in the transaction.
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
   * @param messageId - The message: a second one with the same id changes nothing.
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
  const askRecords = recordAsker({ ...store, transfers: checked.transfers, onError });
  // A process that only commands may have neither `lookup` nor `onChange`: what the workers have counts.
  const commanding: Store = { ...store, tells: true, rules: { ...rules, hasLookup: true } };

  /** A job looks at its row, and takes it a step further. */
  async function look(jobId: string, key: string): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) {
      const row = await readRow(db, key);
      if (row === undefined) return;
      const { situation, messages } = row;
      if (situation.version > SITUATION_VERSION)
        return row.jobId === jobId ? lookLater(row, 60_000) : undefined;
      const isInCall = situation.parts.some(({ phase }) => phase === 'call');
      // The row's own job goes on with a call. Another one would only put it in doubt.
      if (isInCall && row.jobId !== jobId && turn === 0)
        return messages.length === 0 ? undefined : wakeLater(row);
      if (situation.news.length > 0) {
        if (!(await tellChanges(store, row, onChange, jobId, onError))) return;
        continue;
      }
      const [heard] = isInCall ? [] : messages;
      const isDue = situation.parts.some(({ phase, due }) => phase !== 'done' && due <= row.now);
      if (heard === undefined && !isDue && !isInCall) {
        const next = Math.min(
          ...situation.parts.filter(({ phase }) => phase !== 'done').map(({ due }) => due),
        );
        if (row.jobId !== jobId || situation.done) return;
        if (isAsleep(situation)) return sleepOn(row);
        return lookLater(row, Math.min(86_400_000, next - row.now));
      }
      if (!(await takeStep(row, heard, jobId, isInCall))) return;
    }
    // More news than one job tells: another one goes on.
    const row = await readRow(db, key);
    if (row !== undefined) await lookLater(row, 0);
  }

  /** Takes and stores one step. Returns true where this job goes on with the row. */
  async function takeStep(
    row: LoadedRow,
    heard: LoadedRow['messages'][number] | undefined,
    jobId: string,
    isInCall: boolean,
  ) {
    let noted: NotedEffect | undefined;
    let waitsFor: string | undefined;
    const loaded = performance.now();
    const world: StepContext = {
      // The database's clock, for all workers.
      now: () => row.now + (performance.now() - loaded),
      gate: async (situation, part, isCall) => {
        const gate = await mayCall(row, situation, part, isCall);
        waitsFor = gate.waitsFor ?? waitsFor;
        return gate;
      },
      told: async (situation, part) =>
        row.wentBack === null ? { kind: 'unknown' } : askRecords(row.wentBack, situation, part, world.now),
      note: async (_payer, effect, seen) => {
        noted = { effect, seen };
      },
    };
    const after = await stepper.step(world, row.situation, heard?.message);
    // An attempt that was stored is called by this job. Whatever follows a call is another job's.
    const goesOn = after.news.length > 0 || (after.wait === 0 && !after.done && !isInCall);
    const stored = await storeRow(store, { ...row, now: world.now() }, after, {
      noted,
      waitsFor,
      ...(heard !== undefined && { messageId: heard.id }),
      ...(goesOn && { goesOn: jobId }),
    });
    return stored !== undefined && goesOn;
  }

  /** Asks the holds, the cancellations and the payer's brake, together with the database's time. */
  async function mayCall(
    { key, wentBack }: LoadedRow,
    situation: PayoutSituation,
    part: PayoutPart,
    isCall: boolean,
  ): Promise<WakingGate> {
    const { order } = situation;
    const asked = (await checked.mayCall?.(order, part.requestId)) ?? 'pay';
    const [row] = await identity.with((columns) =>
      select(
        db,
        gateRow,
        `select cancelled_by is not null as is_cancelled,
           exists (select 1 from payout_hold h where ${COVERS}) as is_held,
           (select h.hold_id from payout_hold h where ${COVERS} order by h.hold_id limit 1) as hold_id,
           coalesce(r.number, 0) as command, r.system_identifier as known_identifier, r.timeline as known_timeline, ${columns},
           (extract(epoch from clock_timestamp()) * 1000)::float8 as now
         from payout p left join (select number, system_identifier, timeline from payout_restored order by number desc limit 1) r
           on true where key = $1`,
        [key],
      ),
    );
    if (row === undefined) throw new Again('The row of the payout was not found. Nothing was called.');
    const { now } = row;
    // The database went back since the row was read, or is found to have gone back now: the row is read again.
    const known = { system_identifier: row.known_identifier, timeline: row.known_timeline };
    if (
      row.command !== (wentBack?.number ?? 0) ||
      (isAnother(row, known) && (await noticeAnother(store, identity)))
    )
      return { may: 'wait', now, until: now };
    // A cancellation is stronger than your own hold.
    if (row.is_cancelled) return { may: 'cancel', now };
    if (asked !== 'pay') return { may: asked, now };
    if (row.is_held)
      return { may: 'wait', now, ...(row.hold_id !== null && { isWoken: true, waitsFor: row.hold_id }) };
    if (isCall) {
      // Evidence that came after the attempt was stored: the next attempt is refused, and says why.
      const { inTheWay, isUnread } = await askRounds(db, key, situation, part);
      if (inTheWay !== undefined || isUnread) return { may: 'wait', now, until: now };
    }
    return askBrake(order.payer, isCall, now);
  }

  /** Of two that take the same place at once one is first, and the other reads the brake again. */
  async function askBrake(payer: string, isCall: boolean, now: number): Promise<WakingGate> {
    for (let turn = 0; ; turn += 1) {
      const stored = await readBrake(db, payer);
      const { brake } = stored;
      const verdict = mayCallFor(brake, now);
      const seen = brake.since;
      if (verdict === 'pay') return { may: 'pay', now, seen };
      if ('waitUntil' in verdict)
        return { ...waiting(brake, now, verdict.waitUntil), isWoken: true, waitsFor: PAYER };
      if (!isCall || (await replaceBrake(db, payer, stored, verdict.take))) return { may: 'pay', now, seen };
      if (turn === 20) return waiting(brake, now, now);
    }
  }

  /** Plans the next look of a row that does not change. */
  async function lookLater({ key, version, situation }: LoadedRow, wait: number): Promise<void> {
    await db.transaction(async (sql) => {
      const jobId = crypto.randomUUID();
      const rows = await select(
        sql,
        keyRow,
        `update payout set job_id = $3, next_at = clock_timestamp() + $4 * interval '1 millisecond'
         where key = $1 and version = $2 returning key`,
        [key, version, jobId, wait],
      );
      if (rows.length > 0) await planLooks(boss, sql, [{ key, payer: situation.order.payer, jobId, wait }]);
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
