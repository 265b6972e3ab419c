import type { Sql } from '../database.ts';
import type { NewPayoutJob, PayoutJob } from '../queue.ts';

/** One recipient of a payment that a worker is about to request. */
export interface Recipient {
  readonly employee: string;
  readonly batch: string | null;
  readonly payee: string;
  readonly amount: string;
  readonly currency: string;
  readonly chain: string;
  readonly needs_approval: boolean;
}

/** An attempt that has begun. It is stored first: if the worker dies now, the next one sees that it may have paid. */
export interface Attempt {
  readonly job: PayoutJob;
  /** Counts the attempts of the payout. */
  readonly number: number;
  /** In the same order each time: the service holds a retry against the first request. */
  readonly recipients: readonly [Recipient, ...Recipient[]];
}

/** What was begun for a group of jobs. */
export interface Begun {
  readonly attempts: readonly Attempt[];
  /** Jobs of payouts that have ended, or that are not due. */
  readonly idle: readonly PayoutJob[];
  /** Jobs to add for payouts that are not due. */
  readonly later: readonly NewPayoutJob[];
}

/** The row's clock and the queue's may differ by this much. */
const EARLY_SECONDS = 0.1;

/** Notes that the calls for these jobs are about to be made, before they are. One statement, whatever the number. */
export async function begin(sql: Sql, jobs: readonly PayoutJob[]): Promise<Begun> {
  const ids = [...new Set(jobs.map(({ requestId }) => requestId))];
  const { rows } = await sql.query<Recipient & { request_id: string; attempts: number }>(
    `with mine as (
       select month, employee from payout
       where request_id = any($1::uuid[]) and state = 'queued'
         and due_at <= clock_timestamp() + make_interval(secs => ${EARLY_SECONDS})
       order by month, employee for update
     )
     update payout p set doubts = p.doubts + 1, attempts = p.attempts + 1, last_attempt_at = clock_timestamp()
     from mine where p.month = mine.month and p.employee = mine.employee
     returning p.request_id, p.employee, p.batch, p.payee, p.amount::text, p.currency, p.chain, p.needs_approval,
       p.attempts`,
    [ids],
  );
  const byId = Map.groupBy(rows, (row) => row.request_id);
  const attempts: Attempt[] = [];
  const idle: PayoutJob[] = [];
  for (const job of jobs) {
    const [first, ...others] = (byId.get(job.requestId) ?? []).sort(byEmployee);
    // Of two jobs for one payout, the second has nothing to do.
    byId.delete(job.requestId);
    if (first === undefined) idle.push(job);
    else attempts.push({ job, number: first.attempts, recipients: [first, ...others] });
  }
  return { attempts, idle, later: idle.length === 0 ? [] : await notDue(sql, idle) };
}

const byEmployee = (a: Recipient, b: Recipient): number => (a.employee < b.employee ? -1 : 1);

/** A job that comes before its payout is due must not be lost, and must not shorten the pause. */
async function notDue(sql: Sql, jobs: readonly PayoutJob[]): Promise<NewPayoutJob[]> {
  const { rows } = await sql.query<{ request_id: string; seconds: number }>(
    `select request_id, greatest(0, extract(epoch from max(due_at) - clock_timestamp()))::float8 as seconds
     from payout where request_id = any($1::uuid[]) and state = 'queued'
       and due_at > clock_timestamp() + make_interval(secs => ${EARLY_SECONDS})
     group by request_id`,
    [jobs.map(({ requestId }) => requestId)],
  );
  return rows.map(({ request_id: requestId, seconds }) => ({ requestId, afterSeconds: seconds }));
}
