import { mayCallFor, noBrake, type PayerBrake } from '../rules/brake.ts';
import type { PayoutPart, PayoutSituation } from '../rules/situation.ts';
import { type Gate, waiting } from '../step.ts';
import type { PayoutOptions } from '../step-options.ts';
import { Again } from './again.ts';
import { readBrake, replaceBrake, type StoredBrake } from './brakes.ts';
import { type IdentityAsker, isAnother } from './database-identity.ts';
import { select } from './query.ts';
import { noticeAnother } from './restored.ts';
import { askBeforeCall } from './rounds.ts';
import { GATE_COLUMNS, GATE_JOINS, type LoadedRow, type Store, timeOf } from './row.ts';
import { gateRow } from './rows.ts';
import { PAYER } from './waiting.ts';

/** Whether a call may begin; where it waits to be woken, by what. */
export interface WakingGate extends Gate {
  readonly waitsFor?: string;
}

/** What speaks against a call, as the database says. */
interface Against {
  readonly is_cancelled: boolean;
  readonly is_held: boolean;
  readonly hold_id: string | null;
  readonly brake: PayerBrake | null;
  readonly brake_version: number | null;
  readonly now: number;
}

/** Asks the caller, the holds, the cancellations, the other rounds and the payer's brake whether a payment may be called. */
export function gateOf(store: Store, identity: IdentityAsker, mayCall: PayoutOptions['mayCall']) {
  /**
   * @param isCall - False before the attempt is stored: what was read with the row counts. True before it is sent: then the
   * database is asked, together with its time.
   */
  return async (
    row: LoadedRow,
    situation: PayoutSituation,
    part: PayoutPart,
    isCall: boolean,
  ): Promise<WakingGate> => {
    const { order } = situation;
    const asked = (await mayCall?.(order, part.requestId)) ?? 'pay';
    const against = isCall ? await askDatabase(store, identity, row) : { ...row.against, now: timeOf(row) };
    if (against === undefined) return { may: 'wait', now: timeOf(row), until: timeOf(row) };
    const { now, hold_id } = against;
    // A cancellation is stronger than your own hold.
    if (against.is_cancelled) return { may: 'cancel', now };
    if (asked !== 'pay') return { may: asked, now };
    if (against.is_held)
      return { may: 'wait', now, ...(hold_id !== null && { isWoken: true, waitsFor: hold_id }) };
    if (isCall) {
      // Evidence that came after the attempt was stored: the next attempt is refused, and says why.
      const { inTheWay, isUnread } = await askBeforeCall(store.db, row.key, situation, part);
      if (inTheWay !== undefined || isUnread) return { may: 'wait', now, until: now };
    }
    return askBrake(store, order.payer, against, isCall);
  };
}

/** Undefined where the row is another one than was read: whoever changed it goes on with it. */
async function askDatabase(
  store: Store,
  identity: IdentityAsker,
  { key, version, wentBack }: LoadedRow,
): Promise<Against | undefined> {
  const [row] = await identity.with((columns) =>
    select(
      store.db,
      gateRow,
      `select ${GATE_COLUMNS}, p.version, coalesce(r.number, 0) as command, r.system_identifier as known_identifier,
         r.timeline as known_timeline, ${columns}, (extract(epoch from clock_timestamp()) * 1000)::float8 as now
       from payout p ${GATE_JOINS}
         left join (select number, system_identifier, timeline from payout_restored order by number desc limit 1) r on true
       where p.key = $1`,
      [key],
    ),
  );
  if (row === undefined) throw new Again('The row of the payout was not found. Nothing was called.');
  // The database went back since the row was read: the row is read again.
  if (row.version !== version || row.command !== (wentBack?.number ?? 0)) return undefined;
  const known = { system_identifier: row.known_identifier, timeline: row.known_timeline };
  if (!isAnother(row, known)) return row;
  // Whoever is first gives the command: what was read here is older in any case.
  await noticeAnother(store, identity);
  return undefined;
}

/** Of two that take the same place at once one is first, and the other reads the brake again. */
async function askBrake(
  { db }: Store,
  payer: string,
  { brake: read, brake_version, now }: Against,
  isCall: boolean,
): Promise<WakingGate> {
  let stored: StoredBrake = { brake: read ?? noBrake, version: brake_version ?? 0 };
  for (let turn = 0; ; turn += 1) {
    const { brake } = stored;
    const verdict = mayCallFor(brake, now);
    const seen = brake.since;
    if (verdict === 'pay') return { may: 'pay', now, seen };
    if ('waitUntil' in verdict)
      return { ...waiting(brake, now, verdict.waitUntil), isWoken: true, waitsFor: PAYER };
    if (!isCall || (await replaceBrake(db, payer, stored, verdict.take))) return { may: 'pay', now, seen };
    if (turn === 20) return waiting(brake, now, now);
    stored = await readBrake(db, payer);
  }
}
