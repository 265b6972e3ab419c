import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Alarm } from '../../../src/payouts/worker/alarm.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether the wait has ended by now. */
async function ended(wait: Promise<void>): Promise<boolean> {
  let done = false;
  void wait.then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return done;
}

describe('a wait', () => {
  test('ends after its time', async () => {
    const wait = new Alarm().wait(100);
    await vi.advanceTimersByTimeAsync(99);
    expect(await ended(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended(wait)).toBe(true);
  });

  test('ends at a ring, and leaves no timer behind', async () => {
    const alarm = new Alarm();
    const wait = alarm.wait(100);
    alarm.ring();
    expect(await ended(wait)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    // The ring is used up.
    expect(await ended(alarm.wait(100))).toBe(false);
  });

  test('does not start after a ring, unless it waits for a new one', async () => {
    const alarm = new Alarm();
    alarm.ring();
    expect(await ended(alarm.wait(100))).toBe(true);
    alarm.ring();
    const anew = alarm.wait(100, true);
    expect(await ended(anew)).toBe(false);
    alarm.ring();
    expect(await ended(anew)).toBe(true);
  });
});
