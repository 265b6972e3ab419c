import { afterCall, mayCallFor, noBrake, type PayerBrake, type PayerEffect } from '../rules/brake.ts';
import type { Rules } from '../rules/rules.ts';
import { Again } from './again.ts';
import { noteCommand } from './book.ts';
import type { Sql } from './engine.ts';
import { select, write } from './query.ts';
import { brakeRow, payerRow } from './rows.ts';

/** The brake of a payer with its version; 0 where it is not stored yet. */
export interface StoredBrake {
  readonly brake: PayerBrake;
  readonly version: number;
}

/** What a call meant for the payer, whose pause the call had seen. */
export interface NotedEffect {
  readonly effect: PayerEffect;
  readonly seen: number;
}

export async function readBrake(sql: Sql, payer: string): Promise<StoredBrake> {
  const [row] = await select(
    sql,
    brakeRow,
    `select payer, brake, version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now
     from payout_payer where payer = $1`,
    [payer],
  );
  return row ?? { brake: noBrake, version: 0 };
}

/** Replaces a brake. Returns false if somebody else did so first. */
export async function replaceBrake(
  sql: Sql,
  payer: string,
  { version }: StoredBrake,
  brake: PayerBrake,
): Promise<boolean> {
  const text = JSON.stringify(brake);
  await write(
    sql,
    'insert into payout_payer (payer, brake, version) values ($1, $2, 0) on conflict (payer) do nothing',
    [payer, JSON.stringify(noBrake)],
  );
  const rows = await select(
    sql,
    payerRow,
    'update payout_payer set brake = $3, version = version + 1 where payer = $1 and version = $2 returning payer',
    [payer, version, text],
  );
  return rows.length > 0;
}

/**
 * Notes what a call means for its payer, whose brake was read; too many rejected payouts in a row hold the payer. Returns true where the call ended
 * what the payouts of the payer wait for.
 */
export async function noteEffect(
  rules: Rules,
  sql: Sql,
  payer: string,
  { effect, seen }: NotedEffect,
  read: StoredBrake,
  now: number,
): Promise<boolean> {
  for (let turn = 0; turn < 100; turn += 1) {
    const stored = turn === 0 ? read : await readBrake(sql, payer);
    const { brake, isHeld } = afterCall(stored.brake, effect, seen, now, rules);
    if (
      JSON.stringify(brake) !== JSON.stringify(stored.brake) &&
      !(await replaceBrake(sql, payer, stored, brake))
    )
      continue;
    if (isHeld) {
      const reason = `${rules.maxRefusals} payouts in a row were rejected`;
      await write(sql, 'insert into payout_hold (hold_id, payer, held_by, reason) values ($1, $2, $3, $4)', [
        crypto.randomUUID(),
        payer,
        'maxRefusals',
        reason,
      ]);
      await noteCommand(sql, { kind: 'hold', by: 'maxRefusals', reason, payer });
    }
    return isWaiting(stored.brake, now) && !isWaiting(brake, now);
  }
  throw new Again('The pause of the payer changed too often. The step is taken again.');
}

const isWaiting = (brake: PayerBrake, now: number): boolean => {
  const verdict = mayCallFor(brake, now);
  return verdict !== 'pay' && 'waitUntil' in verdict;
};
