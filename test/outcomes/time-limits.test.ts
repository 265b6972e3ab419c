import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Cancellation,
  Interrupted,
  monotonicNow,
  TimeLimits,
} from '../../src/transport/limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => undefined);
const settled = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Lets time pass and tells how a wait stands. */
async function stateAfter(milliseconds: number, work: Promise<unknown>): Promise<unknown> {
  const open = 'still waiting';
  const state = Promise.race([settled(work), vi.advanceTimersByTimeAsync(milliseconds).then(() => open)]);
  return state;
}

describe('the limit of an attempt', () => {
  it('ends the attempt, cancels its work, and leaves the next one its own time', async () => {
    const limits = new TimeLimits(undefined, undefined);
    let cancellation = new Cancellation();
    const first = limits.attempt(100, (given) => {
      cancellation = given;
      return never();
    });
    first.catch(() => undefined);
    expect(await stateAfter(99, first)).toBe('still waiting');
    expect(cancellation.cancelled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const ended = await settled(first);
    expect(ended).toMatchObject({ error: { by: 'attempt', reason: undefined, message: 'attempt' } });
    expect('error' in ended && ended.error instanceof Interrupted).toBe(true);
    expect(cancellation.cancelled).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(
      await stateAfter(
        90,
        limits.attempt(100, async () => 'late'),
      ),
    ).toEqual({ value: 'late' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives what the work gives, or throws what it throws, and keeps no timer', async () => {
    const limits = new TimeLimits(undefined, undefined);
    const broken = new Error('broken');
    expect(await settled(limits.attempt(100, async () => 7))).toEqual({ value: 7 });
    expect(vi.getTimerCount()).toBe(0);
    expect(await settled(limits.attempt(100, () => Promise.reject(broken)))).toEqual({ error: broken });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not touched by what an earlier attempt brings late', async () => {
    const limits = new TimeLimits(undefined, undefined);
    let finish = (_value: string) => undefined as unknown;
    const first = settled(
      limits.attempt(100, () => new Promise((resolve) => (finish = (value) => resolve(value)))),
    );
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toMatchObject({ error: { by: 'attempt' } });
    let cancelled = false;
    const second = settled(
      limits.attempt(100, (given) => {
        given.whenCancelled(() => {
          cancelled = true;
        });
        return never();
      }),
    );
    finish('late');
    await vi.advanceTimersByTimeAsync(99);
    expect(cancelled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await second).toMatchObject({ error: { by: 'attempt' } });
    expect(cancelled).toBe(true);
  });
});

describe('the deadline of a call', () => {
  it('counts down, and ends the attempt and all later waits', async () => {
    let now = 1_000;
    const limits = new TimeLimits(undefined, 250, () => now);
    expect(limits.remaining).toBe(250);
    now = 1_100;
    expect(limits.remaining).toBe(150);
    const work = settled(limits.attempt(1_000, never));
    await vi.advanceTimersByTimeAsync(249);
    expect(vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await work).toMatchObject({ error: { by: 'deadline' } });
    expect(vi.getTimerCount()).toBe(0);
    for (const wait of [limits.attempt(1, never), limits.within(never()), limits.sleep(5)]) {
      expect(await settled(wait)).toMatchObject({ error: { by: 'deadline' } });
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is infinite where there is none', () => {
    expect(new TimeLimits(undefined, undefined).remaining).toBe(Number.POSITIVE_INFINITY);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends no work after the call was disposed of', async () => {
    const limits = new TimeLimits(undefined, 100);
    const work = settled(limits.attempt(50, never));
    limits.dispose();
    expect(vi.getTimerCount()).toBe(0);
    expect(await stateAfter(500, work)).toBe('still waiting');
  });

  it('is measured by a clock that does not jump', async () => {
    const before = monotonicNow();
    vi.setSystemTime(0);
    expect(monotonicNow() - before).toBeLessThan(1_000);
    await vi.advanceTimersByTimeAsync(500);
    expect(monotonicNow() - before).toBeGreaterThanOrEqual(500);
  });
});

describe('the caller’s signal', () => {
  it('that is aborted already sends nothing, and holds no listener', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    controller.abort(reason);
    const add = vi.spyOn(controller.signal, 'addEventListener');
    const run = vi.fn(never);
    const limits = new TimeLimits(controller.signal, undefined);
    expect(await settled(limits.attempt(100, run))).toMatchObject({ error: { by: 'aborted', reason } });
    expect(run).not.toHaveBeenCalled();
    expect(add).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends the attempt and all later waits, also after the deadline would have', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const limits = new TimeLimits(controller.signal, 100);
    let cancellation = new Cancellation();
    const work = settled(
      limits.attempt(50, (given) => {
        cancellation = given;
        return never();
      }),
    );
    controller.abort(reason);
    expect(await work).toMatchObject({ error: { by: 'aborted', reason } });
    expect(cancellation.cancelled).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(await settled(limits.sleep(1))).toMatchObject({ error: { by: 'aborted', reason } });
  });

  it('has no listener of a call that was disposed of', () => {
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, 'addEventListener');
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    const limits = new TimeLimits(controller.signal, undefined);
    expect(add.mock.calls).toEqual([['abort', expect.any(Function), { once: true }]]);
    limits.dispose();
    expect(remove.mock.calls).toEqual([['abort', add.mock.calls[0]?.[1]]]);
  });

  it('has no reason to tell where it was the deadline', async () => {
    const controller = new AbortController();
    const limits = new TimeLimits(controller.signal, 10);
    const work = settled(limits.within(never()));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(new Error('later'));
    expect(await work).toMatchObject({ error: { by: 'deadline', reason: undefined } });
    expect(await settled(limits.within(never()))).toMatchObject({
      error: { by: 'deadline', reason: undefined },
    });
  });
});

describe('a wait', () => {
  it('ends after its time, and leaves no timer when a limit ends it first', async () => {
    const controller = new AbortController();
    const limits = new TimeLimits(controller.signal, undefined);
    const wait = limits.sleep(100);
    expect(await stateAfter(99, wait)).toBe('still waiting');
    expect(await stateAfter(1, wait)).toEqual({ value: undefined });
    const cut = settled(limits.sleep(100));
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    expect(await cut).toMatchObject({ error: { by: 'aborted' } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of no time needs no timer', async () => {
    const limits = new TimeLimits(undefined, undefined);
    const wait = limits.sleep(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(await settled(wait)).toEqual({ value: undefined });
  });

  it('passes as the caller says, within the limits', async () => {
    const limits = new TimeLimits(undefined, 10_000);
    const sleep = vi.fn(async () => 'slept');
    expect(await settled(limits.sleep(7_000, sleep))).toEqual({ value: undefined });
    expect(sleep.mock.calls).toEqual([[7_000]]);
    expect(vi.getTimerCount()).toBe(1);
    const broken = new Error('broken');
    const failing = limits.sleep(1, () => {
      throw broken;
    });
    expect(await settled(failing)).toEqual({ error: broken });
    const endless = settled(limits.sleep(1, never));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await endless).toMatchObject({ error: { by: 'deadline' } });
  });

  it('counts against the deadline although it returns at once', async () => {
    const limits = new TimeLimits(undefined, 10_000);
    await limits.sleep(7_000, () => undefined);
    expect(limits.remaining).toBeLessThanOrEqual(3_000);
    expect(await settled(limits.sleep(3_000, () => undefined))).toMatchObject({ error: { by: 'deadline' } });
    expect(await settled(limits.sleep(0))).toMatchObject({ value: undefined });
  });
});

describe('a cancellation', () => {
  it('calls the listener that was named last, once, and at once where it is over', () => {
    const cancellation = new Cancellation();
    const calls: string[] = [];
    cancellation.whenCancelled(() => calls.push('first'));
    cancellation.whenCancelled(() => calls.push('second'));
    expect(calls).toEqual([]);
    cancellation.cancel();
    cancellation.cancel();
    expect(calls).toEqual(['second']);
    cancellation.whenCancelled(() => calls.push('third'));
    expect(calls).toEqual(['second', 'third']);
  });

  it('is one signal, made before or after', () => {
    const early = new Cancellation();
    const { signal } = early;
    expect(signal.aborted).toBe(false);
    expect(early.signal).toBe(signal);
    early.cancel();
    expect(signal.aborted).toBe(true);
    const late = new Cancellation();
    late.cancel();
    expect(late.cancelled).toBe(true);
    expect(late.signal.aborted).toBe(true);
  });
});
