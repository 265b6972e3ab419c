import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { InterruptibleWait } from '../../../src/payouts/worker/time.ts';

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
    const wait = new InterruptibleWait().wait(100);
    await vi.advanceTimersByTimeAsync(99);
    expect(await ended(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended(wait)).toBe(true);
  });

  test('ends at an interruption, and leaves no timer behind', async () => {
    const pause = new InterruptibleWait();
    const wait = pause.wait(100);
    pause.end();
    expect(await ended(wait)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    // The interruption is used up.
    expect(await ended(pause.wait(100))).toBe(false);
  });

  test('does not start after an interruption, unless it waits for a new one', async () => {
    const pause = new InterruptibleWait();
    pause.end();
    expect(await ended(pause.wait(100))).toBe(true);
    pause.end();
    const anew = pause.wait(100, true);
    expect(await ended(anew)).toBe(false);
    pause.end();
    expect(await ended(anew)).toBe(true);
  });
});
