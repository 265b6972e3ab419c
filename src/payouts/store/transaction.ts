import type { Database, Sql } from '../database.ts';
import type { PayoutState } from '../rules/payment.ts';

/** A payout that moved from one state to another. */
export interface PayoutChange {
  /** The month of the payroll, `YYYY-MM`. */
  readonly month: string;
  /** The payee, by your own name. */
  readonly employee: string;
  /** The idempotency key of the payout's payment now. */
  readonly requestId: string;
  /** The state before. */
  readonly from: PayoutState;
  /** The state now. */
  readonly to: PayoutState;
  /** The reason of the state, a code; null where there is none. */
  readonly reason: string | null;
  /** The transfer, where it is known. */
  readonly transferId?: string;
}

/**
 * Called with the payouts that a transaction moves, before it commits.
 *
 * @param sql - The transaction. What you write through it commits together with the payouts, or not at all.
 * @param changes - The payouts that moved, by month and employee.
 */
export type OnPayoutChange = (sql: Sql, changes: readonly PayoutChange[]) => Promise<void> | void;

/** The database, and who is told of the payouts that move. */
export interface Store {
  readonly db: Database;
  readonly onChange: OnPayoutChange | undefined;
}

/** A transaction that moves payouts. `before` holds their states as they were locked; undefined if nobody is told. */
export interface Tx extends Sql {
  readonly before: Map<string, Row> | undefined;
}

interface Row {
  readonly payer: string;
  readonly month: string;
  readonly employee: string;
  readonly request_id: string;
  readonly transfer_id: string | null;
  readonly state: PayoutState;
  readonly reason: string | null;
}

const keyOf = ({ payer, month, employee }: Row): string => JSON.stringify([payer, month, employee]);
const COLUMNS = 'payer, month, employee, request_id, transfer_id, state, reason';

/** Runs a transaction that moves payouts, and tells `onChange` of those that moved. */
export function moving<T>({ db, onChange }: Store, work: (sql: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (sql) => {
    const before = onChange === undefined ? undefined : new Map<string, Row>();
    const result = await work({ query: (text, values) => sql.query(text, values), before });
    if (onChange === undefined || before === undefined || before.size === 0) return result;
    const { rows } = await sql.query<Row>(
      `select ${COLUMNS} from payout join jsonb_to_recordset($1::jsonb) as c (payer text, month text, employee text)
         using (payer, month, employee) order by month, employee, payer`,
      [JSON.stringify([...before.values()])],
    );
    const changes = rows.flatMap((row): PayoutChange[] => {
      const { month, employee, request_id: requestId, transfer_id: transferId, state: to, reason } = row;
      const from = before.get(keyOf(row))?.state;
      if (from === undefined || from === to) return [];
      return [{ month, employee, requestId, from, to, reason, ...(transferId !== null && { transferId }) }];
    });
    if (changes.length > 0) await onChange(sql, changes);
    return result;
  });
}

/** Notes the states of the payouts of locked payments, as they are before the transaction moves them. */
export async function noteBefore({ before, query }: Tx, requestIds: readonly string[]): Promise<void> {
  if (before === undefined || requestIds.length === 0) return;
  const { rows } = await query<Row>(`select ${COLUMNS} from payout where request_id = any($1::uuid[])`, [
    requestIds,
  ]);
  for (const row of rows) if (!before.has(keyOf(row))) before.set(keyOf(row), row);
}

/**
 * Does work for all items in one transaction, or, if that fails, for each of them alone, so that one that fails holds up
 * no other. Returns those that failed alone, with their errors.
 *
 * @param patience - Items that fail, and none succeeds, before the others are not tried. They are returned first.
 */
export async function allOrEach<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<unknown>,
  patience = Number.POSITIVE_INFINITY,
): Promise<readonly { readonly item: Item; readonly error: unknown }[]> {
  if (items.length === 0) return [];
  const failing = async (some: readonly Item[]) => {
    try {
      await work(some);
      return [];
    } catch (error) {
      return some.map((item) => ({ item, error }));
    }
  };
  const failed = await failing(items);
  if (failed.length < 2) return failed;
  const alone: typeof failed = [];
  for (const [place, item] of items.entries()) {
    alone.push(...(await failing([item])));
    if (place + 1 === patience && alone.length === patience) return [...failed.slice(patience), ...alone];
  }
  return alone;
}

/** The errors of items that failed, each once. */
export const errorsOf = (failed: readonly { readonly error: unknown }[]): unknown[] => [
  ...new Set(failed.map(({ error }) => error)),
];
