import type { PayoutState } from '../rules/situation.ts';
import { planLooks, type Sql } from './engine.ts';
import { select } from './query.ts';
import { type LoadedRow, type Store, storeRow } from './row.ts';
import { keyRow } from './rows.ts';

/** A recipient of a payout who moved from one state to another. */
export interface PayoutChange {
  /** The order, by your own name. */
  readonly id: string;
  /** Your own name of the set that it belongs to; null where it has none. */
  readonly group: string | null;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** The recipient, by your own name. */
  readonly recipient: string;
  /** Decimal text. */
  readonly amount: string;
  /** The idempotency key of the payment. */
  readonly requestId: string;
  /** The state before. */
  readonly from: PayoutState;
  /** The state now. */
  readonly to: PayoutState;
  /** The reason of the state, a code; null where there is none. */
  readonly reason: string | null;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
}

/**
 * Told of a recipient who moved.
 *
 * @param sql - The transaction. What you write through it commits together with the step, or not at all.
 * @param change - The move.
 */
export type OnPayoutChange = (sql: Sql, change: PayoutChange) => Promise<void> | void;

/** While `onChange` throws, it is told again after this, in milliseconds. */
const AGAIN = 30_000;

/**
 * Tells the moves of a row, and stores that they were told in the same transaction. Returns true where the job goes on with
 * the row. Without `onChange` nobody is to be told: the moves are those of a command, which does not know that.
 */
export async function tellChanges(
  store: Store,
  row: LoadedRow,
  onChange: OnPayoutChange | undefined,
  jobId: string,
  onError: (error: unknown) => void,
): Promise<boolean> {
  const { situation } = row;
  const { order } = situation;
  const tell = async (sql: Sql) => {
    for (const { place, requestId, from, to, reason, transferId } of situation.news) {
      const recipient = order.recipients[place];
      if (recipient === undefined) continue;
      const { id, group, payer } = order;
      const { id: name, amount } = recipient;
      await onChange?.(sql, {
        id,
        group,
        payer,
        recipient: name,
        amount,
        requestId,
        from,
        to,
        reason,
        transferId,
      });
    }
  };
  try {
    const also = { write: tell, goesOn: jobId };
    return (await storeRow(store, row, { ...situation, news: [] }, also)) !== undefined;
  } catch (error) {
    // Not where the row has changed: then the commit may have succeeded without its answer, and this job comes again.
    if (!(await noteProblem(store, row, error))) throw error;
    onError(error);
    return false;
  }
}

/** What was proved stays stored. `review` shows that nobody could be told of it. Returns false if the row has changed. */
const noteProblem = (
  { db, boss }: Store,
  { key, version, situation }: LoadedRow,
  error: unknown,
): Promise<boolean> =>
  db.transaction(async (sql) => {
    const jobId = crypto.randomUUID();
    const name = error instanceof Error ? error.name : typeof error;
    const rows = await select(
      sql,
      keyRow,
      `update payout set problem = $3, needs_review = true, job_id = $4,
         next_at = clock_timestamp() + $5 * interval '1 millisecond'
       where key = $1 and version = $2 returning key`,
      [key, version, `onChange: ${name}`, jobId, AGAIN],
    );
    if (rows.length > 0)
      await planLooks(boss, sql, [{ key, payer: situation.order.payer, jobId, wait: AGAIN }]);
    return rows.length > 0;
  });
