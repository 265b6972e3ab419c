import type { Sql } from '../database.ts';
import type { Resolution } from '../rules/payment.ts';
import { type Finding, type Pauses, pauseOf } from '../rules/see-attempt.ts';
import type { PaymentRow } from './payments.ts';

/** The pauses, the holds and the refusals in a row of payers. */
export interface Brakes {
  /** The payers that may be called for now. */
  readonly payers: readonly string[];
  /** The calls that may be under way for each of these payers. */
  readonly rooms: readonly number[];
  /** The number of the last command. */
  readonly command: string;
  /** Returns the calls that may begin now for each payer with a limit, and makes other workers wait until they began. */
  claim(sql: Sql): Promise<Map<string, number>>;
}

interface Limits {
  readonly refusals: number;
  readonly pauses: number;
}

interface PayerRow extends Limits {
  readonly payer: string;
  readonly command: string;
  readonly rests: boolean;
}

/** No worker has as many calls at once. */
const UNLIMITED = 1_000_000;

/** Lets commands wait for this transaction, or waits for them: what is read afterwards is not older than they are. */
export const waitForCommands = (sql: Sql): Promise<unknown> =>
  sql.query(`select pg_advisory_xact_lock_shared(hashtextextended('payout commands', 3))`);

/** Reads the brakes of payers. One statement. */
export async function readBrakes(sql: Sql, payers: readonly string[], maxRefusals: number): Promise<Brakes> {
  const { rows } = await sql.query<PayerRow>(
    `select payer, coalesce(b.refusals, 0) as refusals, coalesce(b.pauses, 0) as pauses,
       coalesce((select number from payout_command), 0)::text as command,
       coalesce(b.paused_until > clock_timestamp(), false) or exists (select from payout_hold h
         where h.payer = asked.payer and coalesce(h.month, h.employee, h.request_id::text) is null) as rests
     from unnest($1::text[]) as asked (payer) left join payout_payer b using (payer)
     order by random()`,
    [payers],
  );
  const going = rows.filter(({ rests }) => !rests);
  // After a pause one call shows whether the payer can pay again. After refusals no more calls may be under way than
  // refusals are left.
  const roomOf = ({ pauses, refusals }: Limits): number =>
    pauses > 0 ? 1 : refusals > 2 ? Math.max(1, maxRefusals - refusals) : UNLIMITED;
  return {
    payers: going.map(({ payer }) => payer),
    rooms: going.map(roomOf),
    command: rows[0]?.command ?? '0',
    async claim(sql) {
      const limited = going.filter((row) => roomOf(row) < UNLIMITED).map(({ payer }) => payer);
      if (limited.length === 0) return new Map();
      // In the order in which `noteBrakes` takes the locks. What it noted meanwhile counts.
      const { rows: locked } = await sql.query<Limits & { payer: string; paused: boolean }>(
        `select payer, pauses, refusals, coalesce(paused_until > clock_timestamp(), false) as paused
         from payout_payer where payer = any($1::text[]) order by payer collate "C" for update`,
        [limited],
      );
      // A statement of its own sees the calls that others began before they gave the lock away. None lasts longer.
      const { rows: busy } = await sql.query<{ payer: string; calls: number }>(
        `select p.payer, count(*)::int as calls from payout_attempt a join payout_payment p using (request_id)
         where a.settled_at is null and p.payer = any($1::text[]) and p.state = 'queued'
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
  readonly payment: PaymentRow;
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
    const retryAfter = Math.max(...paused.map(({ wait }) => wait));
    const { rows } = await sql.query<{ pauses: number }>('select pauses from payout_payer where payer = $1', [
      payer,
    ]);
    const seconds = pauseOf(pauses, rows[0]?.pauses ?? 0, retryAfter, random) / 1000;
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
function pauseIn(finding: Finding): { wait: number; reason: string }[] {
  if (finding.finding === 'refused' && finding.about === 'payer')
    return [{ wait: 0, reason: finding.reason }];
  if (finding.finding !== 'not-reached' && finding.finding !== 'open') return [];
  const { retryAfter = 0, reason } = finding;
  return retryAfter > 0 ? [{ wait: retryAfter, reason }] : [];
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
