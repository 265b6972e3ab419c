import { describe, expect, it } from 'vitest';
import { type ReconciledPayment, reconcile } from '../../../src/client/index.ts';
import { cases } from '../../cases.ts';
import { dayOf, type RecordOrder } from './day.ts';

const orders: readonly RecordOrder[] = ['as the rows', 'later by up to an hour', 'in any order'];

/** What each item says to a person, in one line, and how many say nothing. */
async function close(items: AsyncIterable<ReconciledPayment<unknown, unknown>>) {
  const findings: string[] = [];
  let quiet = 0;
  for await (const { kind, result, paths, advice } of items) {
    if (advice === undefined) quiet += 1;
    else findings.push([kind, result ?? '-', ...paths].join(' '));
  }
  return { findings: findings.toSorted(), quiet };
}

describe('a day of many payments, from an hour before to an hour after, in any zone', () => {
  it.each(orders)('has the twelve findings that were planted, and no other: records %s', async (order) => {
    for (let seed = 1; seed <= cases(2, 4); seed += 1) {
      const day = dayOf({ payments: cases(3_000, 20_000), order, seed });
      const first = await close(reconcile(day.rows(), day.records(), day.window));
      expect(first.findings).toEqual(day.expected.toSorted());
      // Closed again, it says the same.
      expect(await close(reconcile(day.rows(), day.records(), day.window))).toEqual(first);
    }
  });

  it('has nothing to see where nothing is planted', async () => {
    const day = dayOf({ payments: cases(3_000, 20_000), order: 'in any order', isPlanted: false });
    const { findings, quiet } = await close(reconcile(day.rows(), day.records(), day.window));
    expect(findings).toEqual([]);
    expect(quiet).toBeGreaterThan(2_900);
  });

  it('is told as it is read: of records in the order of the rows none is kept', async () => {
    const day = dayOf({ payments: 2_000, order: 'as the rows' });
    let read = 0;
    async function* rows() {
      for (const row of day.rows()) {
        read += 1;
        yield row;
      }
    }
    let told = 0;
    let waiting = 0;
    for await (const { rows: own, advice } of reconcile(rows(), day.records(), day.window)) {
      told += own.length;
      if (advice === undefined && read < 1_900) waiting = Math.max(waiting, read - told);
    }
    // Those that the service has not, and those that have not ended.
    expect(waiting).toBeLessThan(30);
  });
});
