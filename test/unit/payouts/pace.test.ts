import { describe, expect, test } from 'vitest';
import { Pace, type Signal } from '../../../src/payouts/worker/pace.ts';

/** Runs a fleet against a service in simulated time. Returns the calls and the served calls of every second. */
function simulate(
  seconds: number,
  serve: (at: number, call: number) => { signal: Signal; subject?: string },
  { demand = 20, paces = 1 } = {},
) {
  let now = 0;
  const all = Array.from({ length: paces }, () => new Pace(() => now));
  const calls: number[] = [];
  const served: number[] = [];
  let count = 0;
  for (let second = 0; second < seconds; second += 1) {
    calls.push(0);
    served.push(0);
    for (let tick = 0; tick < 100; tick += 1) {
      for (const pace of all) {
        const room = Math.min(demand, pace.room());
        if (room >= 1) pace.start(room);
        for (let call = 0; call < Math.floor(room); call += 1) {
          count += 1;
          const { signal, subject = `p${count}` } = serve(now, count);
          pace.end(signal, subject);
          calls[second] = (calls[second] ?? 0) + 1;
          if (signal === 'served') served[second] = (served[second] ?? 0) + 1;
        }
      }
      now += 10;
    }
  }
  return { calls, served, paces: all };
}

/** A service that takes so many calls in each second and refuses the others. */
function limit(perSecond: number) {
  let second = -1;
  let taken = 0;
  return (at: number): { signal: Signal } => {
    if (Math.floor(at / 1000) !== second) {
      second = Math.floor(at / 1000);
      taken = 0;
    }
    taken += 1;
    return { signal: taken <= perSecond ? 'served' : 'refused' };
  };
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

describe('the pace of a worker', () => {
  test('is not limited while the service takes everything', () => {
    const { calls, paces } = simulate(3, () => ({ signal: 'served' }));
    expect(calls).toEqual([2000, 2000, 2000]);
    expect(paces[0]?.rate).toBe(Number.POSITIVE_INFINITY);
    expect(paces[0]?.wait()).toBe(0);
  });

  test.each([1, 4])('finds a limit of 50 a second that only refusals announce, with %i workers', (paces) => {
    const { calls, served } = simulate(60, limit(50), { paces });
    const later = served.slice(5);
    expect(sum(later) / later.length).toBeGreaterThanOrEqual(45);
    for (const second of later) expect(second).toBeGreaterThanOrEqual(30);
    // It does not press on against the refusals.
    expect(sum(calls.slice(5))).toBeLessThan(sum(later) * 1.25);
  });

  test('follows a limit that is lifted', () => {
    const before = limit(50);
    const { calls } = simulate(90, (at) => (at < 20_000 ? before(at) : { signal: 'served' }));
    expect(calls.at(-1)).toBeGreaterThan(500);
  });

  test('is not slowed by one payee that is always refused', () => {
    const { calls } = simulate(20, (_at, call) =>
      call % 3 === 0 ? { signal: 'refused', subject: 'poison' } : { signal: 'served' },
    );
    expect(sum(calls)).toBe(40_000);
  });

  test('asks a service that takes nothing about once a second, and is back at once', () => {
    const { calls, served } = simulate(60, (at) => ({
      signal: at > 5000 && at < 35_000 ? 'refused' : 'served',
    }));
    for (const second of calls.slice(12, 34)) expect(second).toBeLessThanOrEqual(2);
    expect(sum(calls.slice(12, 34))).toBeGreaterThanOrEqual(15);
    expect(served.at(-1)).toBe(2000);
    expect(sum(served.slice(36, 50))).toBeGreaterThan(2000);
  });

  test.each([0.04, 0.25])('is back within 20 seconds where the worker comes by every %d seconds', (every) => {
    let now = 0;
    const pace = new Pace(() => now);
    const calls: number[] = [];
    for (; now < 45_000; now += every * 1000) {
      const room = Math.min(Math.floor(pace.room()), 64);
      if (room > 0) pace.start(room);
      const second = Math.floor(now / 1000);
      calls[second] = (calls[second] ?? 0) + room;
      for (let call = 0; call < room; call += 1) {
        // An outage, and a service that comes back slowly.
        const refused = (now > 5000 && now < 15_000) || (now < 18_000 && now > 15_000 && call % 2 === 1);
        pace.end(refused ? 'refused' : 'served', `p${now}-${call}`);
      }
    }
    expect(Math.min(...calls.slice(38))).toBeGreaterThan(200);
  });

  test('treats a service of which nothing comes back alike', () => {
    const { calls } = simulate(30, (at) => ({ signal: at > 5000 ? 'lost' : 'served' }));
    for (const second of calls.slice(15)) expect(second).toBeLessThanOrEqual(2);
  });

  test('is not slowed by lost responses while others arrive', () => {
    const { calls } = simulate(20, (_at, call) => ({ signal: call % 3 === 0 ? 'lost' : 'served' }));
    expect(sum(calls)).toBe(40_000);
  });

  test('does not starve where refusals have nothing to do with the pace', () => {
    const { served } = simulate(120, (_at, call) => ({ signal: call % 10 < 3 ? 'refused' : 'served' }));
    expect(sum(served.slice(60)) / 60).toBeGreaterThan(700);
  });
});
