import { describe, expect, it } from 'vitest';
import { cases } from '../cases.ts';
import { RestoreModel } from './went-back-model.ts';

const first = Number(process.env.PAYMENTS_TEST_SEED ?? 1);
const schedules = Number(process.env.PAYOUTS_RESTORE_SCHEDULES ?? cases(1_000, 3_000));

/** Ends that the schedules must meet, each by a way of its own. The rarest is that of one in a hundred. */
const met = [
  'paid null',
  'queued null',
  'rejected NOT_FOUND_BY_LOOKUP',
  'rejected TRANSFER_FAILED',
  'rejected USER_NOT_FOUND',
  'cancelled CANCELLED',
  'undecided CANCELLED_IN_DOUBT',
  'undecided DATABASE_WENT_BACK',
];

/** design.md: "A restored backup, or a failover with a lost tail, pays nobody twice." Every eighth switch loses nothing. */
describe('a database that goes back, in any order of calls, backups, restores, persons and lists', () => {
  it(`pays nobody twice and loses nobody in silence, in ${schedules.toLocaleString('en-US')} schedules`, {
    timeout: 10_800_000,
  }, async () => {
    const wrong: string[] = [];
    const ends = new Set<string>();
    let calls = 0;
    let leftToPerson = 0;
    for (let seed = first; seed < first + schedules && wrong.length < 5; seed += 1) {
      const model = new RestoreModel({ seed, isLossless: seed % 8 === 0 });
      const problems = await model.run();
      calls += model.calls;
      leftToPerson += model.leftToPerson;
      for (const end of model.ends) ends.add(end);
      if (problems.length > 0) wrong.push(`seed ${seed}: ${[...new Set(problems)].join('; ')}`);
    }
    expect(wrong).toEqual([]);
    // A model in which nothing happens proves nothing.
    expect(calls).toBeGreaterThan(schedules);
    expect(leftToPerson).toBeGreaterThan(schedules / 10);
    for (const end of met) expect(ends).toContain(end);
  });
});
