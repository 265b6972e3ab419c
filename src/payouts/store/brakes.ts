import type { Sql } from '../database.ts';
import type { Payment, Resolution } from '../rules/payment.ts';
import { type Finding, type Pauses, pauseSeconds } from '../rules/see-attempt.ts';

/** The pauses, the holds and the refusals in a row of payers. */
export interface Brakes {
  /** Seconds until a payer may be called for again; infinite while all of the payer's payouts are held. */
  pausedFor(payer: string): number;
  /** Calls that may be under way for these payers. */
  readonly room: number;
  /** Returns the calls that may begin now for each payer with a limit, and makes other workers wait until they began. */
  claim(sql: Sql): Promise<Map<string, number>>;
}

interface Limits {
  readonly refusals: number;
  readonly pauses: number;
}

interface PayerRow extends Limits {
  readonly payer: string;
  readonly seconds: number;
  readonly stopped: boolean;
}

/** Reads the brakes of payers. One statement. */
export async function readBrakes(sql: Sql, payers: readonly string[], maxRefusals: number): Promise<Brakes> {
  const { rows } = await sql.query<PayerRow>(
    `select payer, coalesce(extract(epoch from b.paused_until - clock_timestamp()), 0)::float8 as seconds,
       coalesce(b.refusals, 0) as refusals, coalesce(b.pauses, 0) as pauses,
       exists (select from payout_hold h where h.payer = asked.payer
         and coalesce(h.month, h.employee, h.request_id::text) is null) as stopped
     from unnest($1::text[]) as asked (payer) left join payout_payer b using (payer)`,
    [payers],
  );
  const byPayer = new Map(rows.map((row) => [row.payer, row]));
  const going = rows.filter(({ stopped, seconds }) => !stopped && seconds <= 0);
  // After a pause one call shows whether the payer can pay again. After refusals no more calls may be under way than
  // refusals are left.
  const roomOf = ({ pauses, refusals }: Limits): number =>
    pauses > 0 ? 1 : refusals > 2 ? Math.max(1, maxRefusals - refusals) : Number.POSITIVE_INFINITY;
  return {
    pausedFor(payer) {
      const row = byPayer.get(payer);
      if (row === undefined) return 0;
      return row.stopped ? Number.POSITIVE_INFINITY : Math.max(0, row.seconds);
    },
    room: going.reduce((sum, row) => sum + roomOf(row), 0),
    async claim(sql) {
      const limited = going.filter((row) => Number.isFinite(roomOf(row))).map(({ payer }) => payer);
      if (limited.length === 0) return new Map();
      // In the order in which `noteBrakes` takes the locks. What it noted meanwhile counts.
      const { rows: locked } = await sql.query<Limits & { payer: string; paused: boolean }>(
        `select payer, pauses, refusals, coalesce(paused_until > clock_timestamp(), false) as paused
         from payout_payer where payer = any($1::text[]) order by payer collate "C" for update`,
        [limited],
      );
      // A statement of its own sees the calls that others began before they gave the lock away. None lasts longer.
      const { rows: busy } = await sql.query<{ payer: string; calls: number }>(
        `select p.payer, count(*)::int as calls from payout_payment p join payout_attempt a using (request_id)
         where p.payer = any($1::text[]) and p.state = 'queued' and a.settled_at is null
           and least(p.last_attempt_at, a.began_at) > clock_timestamp() - interval '2 minutes' group by p.payer`,
        [limited],
      );
      const calls = new Map(busy.map((row) => [row.payer, row.calls]));
      return new Map(
        locked.map((row) => [row.payer, row.paused ? 0 : roomOf(row) - (calls.get(row.payer) ?? 0)]),
      );
    },
  };
}

interface Noted {
  readonly payment: Payment;
  readonly finding: Finding;
  readonly resolution: Resolution;
}

/**
 * Notes for each payer what the results of a group mean for its other payouts: a refusal of the payer and a pause that
 * the service asks for hold all of them, and too many rejected payouts in a row stop them until a person resumes.
 */
export async function noteBrakes(
  sql: Sql,
  noted: readonly Noted[],
  { pauses, maxRefusals, random }: { pauses: Pauses; maxRefusals: number; random?: number },
): Promise<void> {
  // In one order, so that two transactions never wait for each other.
  const byPayer = [...Map.groupBy(noted, ({ payment }) => payment.payer)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  for (const [payer, results] of byPayer) {
    const accepted = results.some(({ finding }) => hasPayment(finding));
    const served =
      accepted || results.some(({ finding }) => finding.finding === 'refused' && finding.about === 'payment');
    const refusals = rejectedInARow(results);
    if (served) {
      await sql.query(
        `update payout_payer set refusals = case when $2 then 0 else refusals end, pauses = 0
         where payer = $1 and (($2 and refusals > 0) or pauses > 0)`,
        [payer, accepted],
      );
    }
    if (refusals.length > 0) await countRefusals(sql, payer, refusals, maxRefusals);
    const paused = results.flatMap(({ finding }) => pauseIn(finding));
    if (paused.length === 0) continue;
    const retryAfter = Math.max(...paused.map(({ seconds }) => seconds));
    const { rows } = await sql.query<{ pauses: number }>('select pauses from payout_payer where payer = $1', [
      payer,
    ]);
    const seconds = pauseSeconds(pauses, rows[0]?.pauses ?? 0, retryAfter, random);
    await sql.query(
      `insert into payout_payer as b (payer, pauses, paused_until, reason)
       values ($1, 1, clock_timestamp() + make_interval(secs => $2), $3)
       on conflict (payer) do update set reason = excluded.reason,
         pauses = b.pauses + case when b.paused_until > clock_timestamp() then 0 else 1 end,
         paused_until = greatest(b.paused_until, case when b.paused_until > clock_timestamp() and $4 = 0
           then b.paused_until else excluded.paused_until end)`,
      [payer, seconds, paused[0]?.reason ?? null, retryAfter],
    );
  }
}

/** The pause that a result asks for, for all payouts of the payer. */
function pauseIn(finding: Finding): { seconds: number; reason: string }[] {
  if (finding.finding === 'refused' && finding.about === 'payer')
    return [{ seconds: 0, reason: finding.reason }];
  if (finding.finding !== 'not-reached' && finding.finding !== 'open') return [];
  const { retryAfter = 0, reason } = finding;
  return retryAfter > 0 ? [{ seconds: retryAfter, reason }] : [];
}

/** Returns true if the service has the payment. Then the payer can pay. */
const hasPayment = ({ finding }: Finding): boolean => finding === 'made' || finding === 'known';

/**
 * The reasons of rejections after the last payout that the service took. A batch that is tried in halves is not yet, nor
 * is a payout that a person cancelled.
 */
function rejectedInARow(results: readonly Noted[]): string[] {
  const reasons: string[] = [];
  for (const { finding, resolution } of results) {
    const { state, reason, evidence } = resolution.action === 'change' ? resolution.change : {};
    if (hasPayment(finding)) reasons.length = 0;
    else if (state === 'rejected' && evidence !== 'person') reasons.push(reason ?? '');
  }
  return reasons;
}

async function countRefusals(
  sql: Sql,
  payer: string,
  reasons: readonly string[],
  maxRefusals: number,
): Promise<void> {
  const { rows } = await sql.query<{ refusals: number }>(
    `insert into payout_payer as b (payer, refusals) values ($1, $2)
     on conflict (payer) do update set refusals = b.refusals + excluded.refusals returning refusals`,
    [payer, reasons.length],
  );
  if ((rows[0]?.refusals ?? 0) < maxRefusals) return;
  await sql.query(
    `insert into payout_hold (payer, reason, by) select $1, $2, 'maxRefusals'
     where not exists (select from payout_hold where payer = $1 and by = 'maxRefusals')`,
    [payer, `TOO_MANY_REFUSALS ${reasons.at(-1)}`],
  );
}
