import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runSchedule } from './machine.ts';
import { schedule } from './schedule.ts';
import type { Planted } from './service.ts';

/** CI runs 60,000; a failure prints the shortest schedule that shows it, and the seed. */
const numRuns = Number(process.env.PAYMENTS_STATE_MACHINE_RUNS ?? 300);

test('the outcome told is never contradicted by the ledger, and nothing is made twice', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(schedule, (one) => runSchedule(one)),
    { numRuns },
  );
});

describe('the machine notices', () => {
  test.each<Planted>(['new id on retry', 'known id read as a refusal'])(
    'a client that makes a mistake: %s',
    async (planted) => {
      const result = await fc.check(
        fc.asyncProperty(schedule, (one) => runSchedule(one, planted)),
        { numRuns: 2_000, seed: 2 },
      );
      expect(result.failed).toBe(true);
      // Shrunk to the few steps that show it.
      expect(result.counterexample?.[0].steps.length).toBeLessThanOrEqual(3);
    },
  );
});
