import type { Database, Sql } from '../database.ts';
import type { NewPayoutJob, PayoutQueue } from '../queue.ts';
import type { PayoutRow } from '../rules/row.ts';
import { type AttemptRules, type CallResult, seeResult } from '../rules/see-result.ts';
import type { Attempt } from './begin.ts';
import { applyDecisions, lockTransfers } from './decisions.ts';
import { againRequestId, partRequestId } from './keys.ts';
import { type ChangedRow, lockRows, writeChanges } from './rows.ts';

/** An attempt with what came of it. */
export interface Attempted {
  readonly attempt: Attempt;
  readonly result: CallResult;
}

/** Notes what came of a group of attempts, and what becomes of their jobs, in one transaction. */
export async function settle(
  db: Database,
  queue: PayoutQueue,
  attempted: readonly Attempted[],
  rules: AttemptRules,
): Promise<void> {
  const transferIds = attempted.flatMap(({ attempt, result }) =>
    'reading' in result && result.reading !== undefined && attempt.recipients[0].needs_approval
      ? [result.reading.transferId]
      : [],
  );
  await db.transaction(async (sql) => {
    // Before the rows: the receiver of events takes its locks in the same order.
    await lockTransfers(sql, transferIds);
    const locked = await lockRows(
      sql,
      'request_id',
      attempted.map(({ attempt }) => attempt.job.requestId),
    );
    const byId = Map.groupBy(locked, (row) => row.request_id);
    const changed: ChangedRow[] = [];
    const jobs: NewPayoutJob[] = [];
    for (const { attempt, result } of attempted) {
      const [first, ...others] = byId.get(attempt.job.requestId) ?? [];
      // The payout was given another key meanwhile.
      if (first === undefined) continue;
      const rows: SharedRows = [first, ...others];
      const resolution = seeResult(rows, attempt.number, result, rules);
      if (resolution.action === 'split') jobs.push(...(await split(sql, rows)));
      else if (resolution.action === 'rekey') jobs.push(await rekey(sql, rows));
      else {
        const mine = rows.flatMap((row, place) => {
          const change = resolution.changes[place];
          return change === undefined ? [] : [{ row, change }];
        });
        changed.push(...mine);
        const due = mine.find(({ change }) => change.due_in !== undefined)?.change.due_in;
        if (due !== undefined) jobs.push({ requestId: attempt.job.requestId, afterSeconds: due });
      }
    }
    await writeChanges(sql, changed);
    await applyDecisions(sql, transferIds);
    if (jobs.length > 0) await queue.add(sql, jobs);
    await queue.finish(
      sql,
      attempted.map(({ attempt }) => attempt.job),
    );
  });
}

/** Rows that share a key: at least one. */
export type SharedRows = readonly [PayoutRow, ...PayoutRow[]];

/** Splits a batch that surely did nothing into two halves, each with a key of its own. */
async function split(sql: Sql, rows: SharedRows): Promise<NewPayoutJob[]> {
  const [{ month, batch, request_id }] = rows;
  const middle = Math.ceil(rows.length / 2);
  const jobs: NewPayoutJob[] = [];
  for (const [part, half] of [
    [1, rows.slice(0, middle)],
    [2, rows.slice(middle)],
  ] as const) {
    const requestId = partRequestId(request_id, part);
    await moveToKey(sql, month, half, requestId, `${batch}.${part}`);
    jobs.push({ requestId, afterSeconds: 0 });
  }
  return jobs;
}

/** Gives rows that surely were not paid a new key. Returns the job for it. */
export async function rekey(sql: Sql, rows: SharedRows): Promise<NewPayoutJob> {
  const [{ month, batch, request_id, again }] = rows;
  const requestId = againRequestId(request_id, again + 1);
  await moveToKey(sql, month, rows, requestId, batch);
  return { requestId, afterSeconds: 0 };
}

async function moveToKey(
  sql: Sql,
  month: string,
  rows: readonly PayoutRow[],
  requestId: string,
  batch: string | null,
): Promise<void> {
  const values = [month, rows.map(({ employee }) => employee)];
  await sql.query(
    `insert into payout_past (month, employee, request_id, transfer_id, state, reason)
     select month, employee, request_id, transfer_id, state, reason from payout
     where month = $1 and employee = any($2::text[]) on conflict do nothing`,
    values,
  );
  await sql.query(
    `update payout set request_id = $3, batch = $4, again = again + 1, state = 'queued', reason = null,
       evidence = null, settled_by = null, doubts = 0, refused_before = false, fence = attempts, failures = 0,
       pauses = 0, transfer_id = null, approval_id = null, expires_at = null, missing_since = null,
       looked_up_at = null, undecided_since = null, undecided_for = null, settled_at = null,
       due_at = clock_timestamp()
     where month = $1 and employee = any($2::text[])`,
    [...values, requestId, batch],
  );
}
