import { describe, expect, it } from 'vitest';
import { cases } from '../cases.ts';
import { Model, type ModelSettings } from './model.ts';

const first = Number(process.env.PAYMENTS_TEST_SEED ?? 1);
const schedules = Number(process.env.PAYOUTS_SCHEDULES ?? cases(600, 4000));

/** Each combination of a service's habits gets a share of the schedules. */
const settingsOf = (seed: number): ModelSettings => ({
  seed,
  strict: seed % 2 === 0,
  remembersRefusals: seed % 3 === 0,
  hasLookup: seed % 5 !== 0,
  recipients: [1, 1, 2, 3][seed % 4] ?? 1,
  isHurried: seed % 7 < 4,
  actions: 250,
});

/** Ends that the schedules must meet, each by a way of its own. */
const met = [
  'paid null',
  'paid SETTLED_BY_A_PERSON',
  'rejected USER_NOT_FOUND',
  'rejected NOT_FOUND_BY_LOOKUP',
  'rejected APPROVAL_REJECTED',
  'rejected SETTLED_BY_A_PERSON',
  'cancelled CANCELLED',
  'undecided KEY_LIFETIME_OVER',
  'undecided RETRIES_USED_UP',
  'undecided NOT_FOUND_BY_LOOKUP',
  'accepted KEY_KNOWN',
];

describe('payouts in any order of workers, commands, faults and late requests', () => {
  it(`end in no false state and pay nobody twice, in ${schedules.toLocaleString('en-US')} schedules`, {
    timeout: 1_800_000,
  }, async () => {
    const wrong: string[] = [];
    let calls = 0;
    const ends = new Set<string>();
    for (let seed = first; seed < first + schedules; seed += 1) {
      const model = new Model(settingsOf(seed));
      const problems = await model.run();
      calls += model.calls;
      for (const { parts } of model.situations())
        for (const { state, reason } of parts) ends.add(`${state} ${reason}`);
      if (problems.length > 0) wrong.push(`seed ${seed}: ${[...new Set(problems)].join('; ')}`);
      if (wrong.length >= 5) break;
    }
    expect(wrong).toEqual([]);
    // A model in which nothing happens proves nothing.
    expect(calls).toBeGreaterThan(schedules);
    for (const end of met) expect(ends).toContain(end);
  });
});
