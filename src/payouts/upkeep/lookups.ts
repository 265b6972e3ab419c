import type { Database } from '../database.ts';
import { readTransfer, type TransferRecord } from '../rules/read-transfer.ts';
import type { RowChange } from '../rules/row.ts';
import { seeNoTransfer, seeTransfer } from '../rules/see-transfer.ts';
import { applyDecisions, lockTransfers } from '../store/decisions.ts';
import { lockRows, writeChanges } from '../store/rows.ts';

/** Which transfer is looked for. */
export interface TransferLookupQuery {
  /** The idempotency key that the transfer was requested with. */
  readonly requestId: string;
  /** The id of the transfer, where it is known. */
  readonly transferId: string | undefined;
}

/**
 * Reads a transfer from the service. Resolves with null only where the service says that there is none, and throws
 * where the service does not say.
 */
export type TransferLookup = (query: TransferLookupQuery) => PromiseLike<TransferRecord | null>;

/** How the sweep looks transfers up. */
export interface LookupOptions {
  /** Seconds after the last attempt before a missing transfer counts. */
  readonly quietSeconds: number;
  /** Milliseconds for all lookups of a sweep. */
  readonly budget: number;
}

const GROUP = 200;
const AT_ONCE = 16;

interface Open {
  readonly request_id: string;
  readonly transfer_id: string | null;
  readonly quiet: boolean;
}

/** Looks up every payout whose end is not known, the longest unseen first. */
export async function lookUpOpen(
  db: Database,
  lookup: TransferLookup,
  { quietSeconds, budget }: LookupOptions,
): Promise<void> {
  const deadline = performance.now() + budget;
  const { rows: clock } = await db.query<{ at: string }>('select clock_timestamp()::text as at');
  const started = clock[0]?.at;
  const failures: unknown[] = [];
  while (performance.now() < deadline) {
    const { rows } = await db.query<Open>(
      `select request_id, max(transfer_id) as transfer_id,
         bool_and(coalesce(last_attempt_at, created_at) <= clock_timestamp() - make_interval(secs => $1)) as quiet
       from payout
       where (state in ('made', 'accepted', 'undecided') or (state = 'awaiting_approval' and missing_since is not null))
         and (looked_up_at is null or looked_up_at < $2::timestamptz)
       group by request_id order by min(looked_up_at) nulls first limit ${GROUP}`,
      [quietSeconds, started],
    );
    if (rows.length === 0) break;
    const waiting = [...rows];
    const one = async (): Promise<void> => {
      for (let open = waiting.pop(); open !== undefined; open = waiting.pop()) {
        await lookUpOne(db, lookup, open).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    await db.query('update payout set looked_up_at = clock_timestamp() where request_id = any($1::uuid[])', [
      rows.map(({ request_id }) => request_id),
    ]);
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} lookups failed`);
}

async function lookUpOne(db: Database, lookup: TransferLookup, open: Open): Promise<void> {
  const transfer = await lookup({ requestId: open.request_id, transferId: open.transfer_id ?? undefined });
  const reading = transfer === null ? undefined : readTransfer(transfer);
  if (transfer !== null && reading === undefined) throw new Error('A lookup gave a record without an id.');
  if (reading === undefined && !open.quiet) return;
  await db.transaction(async (sql) => {
    if (reading !== undefined) await lockTransfers(sql, [reading.transferId]);
    const rows = await lockRows(sql, 'request_id', [open.request_id]);
    await writeChanges(
      sql,
      rows.flatMap((row) => {
        const change: RowChange | undefined =
          reading === undefined ? seeNoTransfer(row) : seeTransfer(row, reading, 'lookup');
        return change === undefined ? [] : [{ row, change }];
      }),
    );
    if (reading !== undefined) await applyDecisions(sql, [reading.transferId]);
  });
}
