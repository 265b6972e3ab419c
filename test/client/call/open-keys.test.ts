import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenKeys } from '../../../src/client/call/open-keys.ts';
import type { Outcome } from '../../../src/shared/outcome/outcome.ts';

const outcomes: readonly Outcome[] = ['not-sent', 'rejected', 'unknown', 'succeeded'];

/** True if a further call under the key would meet another entry. The call takes its own entry back. */
function isOpen(keys: OpenKeys, requestId = 'k1'): boolean {
  const entry = keys.begin(requestId);
  const stands = entry.isContested();
  entry.settle('not-sent');
  return stands;
}

describe('the entry of a call', () => {
  it.each(outcomes)('stands for later calls unless it came to nothing: %s', (outcome) => {
    const keys = new OpenKeys();
    keys.begin('k1').settle(outcome);
    expect(isOpen(keys)).toBe(outcome === 'unknown' || outcome === 'succeeded');
    expect(isOpen(keys, 'k2')).toBe(false);
  });

  it('stands for the others while the call is under way, and never for itself', () => {
    const keys = new OpenKeys();
    const one = keys.begin('k1');
    expect(one.isContested()).toBe(false);
    const two = keys.begin('k1');
    expect([one.isContested(), two.isContested()]).toEqual([true, true]);
    one.settle('rejected');
    expect(two.isContested()).toBe(false);
    two.settle('rejected');
    expect(isOpen(keys)).toBe(false);
  });

  it('stands for two others while a third call ends', () => {
    const keys = new OpenKeys();
    const one = keys.begin('k1');
    const two = keys.begin('k1');
    const three = keys.begin('k1');
    one.settle('rejected');
    expect([two.isContested(), three.isContested()]).toEqual([true, true]);
    two.settle('rejected');
    expect(three.isContested()).toBe(false);
  });

  it('of a call that is in doubt is a second one, which counts for the call itself and stays', () => {
    const keys = new OpenKeys();
    const entry = keys.begin('k1', true);
    expect(entry.isContested()).toBe(true);
    entry.settle('rejected');
    expect(isOpen(keys)).toBe(true);
  });

  it('is found without case and hyphens', () => {
    const keys = new OpenKeys();
    keys.begin('6FA459EA-EE8A-4CA4-894E-DB77E160355E').settle('unknown');
    expect(isOpen(keys, '6fa459eaee8a4ca4894edb77e160355e')).toBe(true);
  });

  it('agrees with a plain account of all calls, whatever their order', () => {
    const step = fc.record({
      key: fc.nat({ max: 1 }),
      ends: fc.nat({ max: 3 }),
      outcome: fc.constantFrom(...outcomes),
      isInDoubt: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const keys = new OpenKeys();
        const running: { key: number; entry: ReturnType<OpenKeys['begin']>; outcome: Outcome }[] = [];
        const standing = [0, 0];
        for (const { key, ends, outcome, isInDoubt } of steps) {
          running.push({ key, entry: keys.begin(`k${key}`, isInDoubt), outcome });
          if (isInDoubt) standing[key] = (standing[key] ?? 0) + 1;
          for (const one of running.splice(0, ends)) {
            one.entry.settle(one.outcome);
            if (one.outcome === 'unknown' || one.outcome === 'succeeded')
              standing[one.key] = (standing[one.key] ?? 0) + 1;
          }
          for (const one of running) {
            const others = running.filter((other) => other !== one && other.key === one.key).length;
            expect(one.entry.isContested()).toBe(others + (standing[one.key] ?? 0) > 0);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the memory', () => {
  const fill = (keys: OpenKeys, outcome: Outcome, from: number, to: number) => {
    for (let index = from; index < to; index += 1) keys.begin(`k${index}`).settle(outcome);
  };

  it.each(['unknown', 'succeeded'] as const)('keeps 10,000 keys, and forgets the oldest: %s', (outcome) => {
    const keys = new OpenKeys();
    fill(keys, outcome, 0, 10_000);
    expect(isOpen(keys, 'k0')).toBe(true);
    fill(keys, outcome, 10_000, 10_001);
    expect([0, 1, 2, 10_000].map((index) => isOpen(keys, `k${index}`))).toEqual([false, true, true, true]);
    // A key that is used again is the newest.
    fill(keys, outcome, 1, 2);
    fill(keys, outcome, 10_001, 10_002);
    expect([1, 2, 3].map((index) => isOpen(keys, `k${index}`))).toEqual([true, false, true]);
  });

  it('counts undecided and succeeded keys by themselves', () => {
    const keys = new OpenKeys();
    fill(keys, 'unknown', 0, 10_000);
    fill(keys, 'succeeded', 10_000, 30_000);
    expect([0, 9_999, 10_000, 20_000].map((index) => isOpen(keys, `k${index}`))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  it('never forgets the key of a running call', () => {
    const keys = new OpenKeys();
    const inDoubt = keys.begin('k0', true);
    fill(keys, 'unknown', 1, 25_000);
    expect(inDoubt.isContested()).toBe(true);
    inDoubt.settle('rejected');
    expect(isOpen(keys, 'k0')).toBe(true);
    fill(keys, 'unknown', 25_000, 45_000);
    expect(isOpen(keys, 'k0')).toBe(false);
  });

  it('keeps the keys of running calls, however many, in their order', () => {
    const keys = new OpenKeys();
    const running = Array.from({ length: 10_002 }, (_one, index) => keys.begin(`k${index}`, true));
    expect(running.every((entry) => entry.isContested())).toBe(true);
    for (const entry of running) entry.settle('rejected');
    // Each new key takes the place of the oldest one.
    fill(keys, 'unknown', 20_000, 20_001);
    expect([0, 1, 2].map((index) => isOpen(keys, `k${index}`))).toEqual([false, true, true]);
  });

  it('does not grow with the calls under one key', () => {
    const keys = new OpenKeys();
    keys.begin('first').settle('unknown');
    for (let index = 0; index < 20_000; index += 1)
      keys.begin('k1').settle(index % 2 === 0 ? 'unknown' : 'succeeded');
    expect([isOpen(keys, 'first'), isOpen(keys, 'k1')]).toEqual([true, true]);
  });
});
