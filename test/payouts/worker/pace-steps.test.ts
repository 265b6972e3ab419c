import { describe, expect, test, vi } from 'vitest';
import { Pace } from '../../../src/payouts/worker/pace.ts';

/** A pace with a clock of its own. */
function paced() {
  let now = 5000;
  const pace = new Pace(() => now);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return {
    pace,
    pass,
    /** So many calls of each kind within a window. Gives the rate after it. */
    window({ served = 0, refused = 0, lost = 0, subjects = 100, milliseconds = 1000 }) {
      pace.start(served + refused + lost);
      for (let call = 0; call < served; call += 1) pace.end('served', 'served');
      for (let call = 0; call < refused; call += 1) pace.end('refused', `p${call % subjects}`);
      for (let call = 0; call < lost; call += 1) pace.end('lost', `p${call % subjects}`);
      pass(milliseconds);
      pace.room();
      return pace.rate;
    },
  };
}
const unlimited = Number.POSITIVE_INFINITY;

describe('a window', () => {
  test('with one refusal in ten leaves the pace; with more, the pace is what was served', () => {
    const { window } = paced();
    expect(window({ served: 90, refused: 10 })).toBe(unlimited);
    expect(window({ served: 89, refused: 11 })).toBe(89);
  });

  test('takes a second; a longer one is counted by the second', () => {
    const { window, pace, pass } = paced();
    expect(window({ served: 50, refused: 50, milliseconds: 999 })).toBe(unlimited);
    pass(1);
    pace.room();
    expect(pace.rate).toBe(50);
    expect(paced().window({ served: 50, refused: 50, milliseconds: 2000 })).toBe(25);
    expect(paced().window({ refused: 80, milliseconds: 2000 })).toBe(10);
    const long = paced();
    expect(long.window({ served: 100, refused: 100 })).toBe(100);
    expect(long.window({ refused: 60, milliseconds: 2000 })).toBe(7.5);
  });

  test('ends with the call that is noted after it, too', () => {
    const { pace, pass } = paced();
    pace.end('served', 'a');
    pace.end('refused', 'b');
    pace.end('refused', 'c');
    pass(1000);
    pace.end('served', 'a');
    expect(pace.rate).toBe(1);
  });

  test('of refusals for one payee leaves the pace; for two it does not', () => {
    expect(paced().window({ served: 10, refused: 10, subjects: 1 })).toBe(unlimited);
    expect(paced().window({ served: 10, refused: 10, subjects: 2 })).toBe(10);
  });

  test('without an end leaves the pace', () => {
    const { window } = paced();
    window({ served: 40, refused: 40 });
    expect(window({})).toBe(40);
  });

  test('that serves nothing slows to a quarter of what was asked or allowed, and at least to one a second', () => {
    const { window } = paced();
    expect(window({ refused: 80 })).toBe(20);
    expect(window({ refused: 40 })).toBe(5);
    expect(window({ refused: 8 })).toBe(1.25);
    expect(window({ refused: 1 })).toBe(1);
    expect(paced().window({ refused: 3 })).toBe(1);
  });

  test('counts lost calls only where nothing is served', () => {
    expect(paced().window({ served: 1, lost: 80 })).toBe(unlimited);
    expect(paced().window({ lost: 80 })).toBe(20);
    expect(paced().window({ lost: 80, subjects: 1 })).toBe(unlimited);
    expect(paced().window({ refused: 40, lost: 40 })).toBe(20);
    expect(paced().window({ served: 90, refused: 5, lost: 40 })).toBe(unlimited);
  });

  test('of a service that is back doubles the pace, whoever it served', () => {
    const { window } = paced();
    expect(window({ refused: 80 })).toBe(20);
    expect(window({ served: 20 })).toBe(40);
    expect(window({ served: 40 })).toBe(80);
    // It is no longer down: refusals of one payee slow nothing.
    expect(window({ served: 40, refused: 40, subjects: 1 })).toBe(160);
  });

  test('at the limit that refusals showed raises the pace, each time by a twentieth of the limit more', () => {
    const { window } = paced();
    expect(window({ served: 100, refused: 100 })).toBe(100);
    expect(window({ served: 100 })).toBe(105);
    expect(window({ served: 105 })).toBe(115);
    // What is tolerated does not hold the pace back.
    expect(window({ served: 90, refused: 10 })).toBe(130);
    // However little of it is used: a worker with a slow database uses little, and must get more.
    expect(window({ served: 1 })).toBe(150);
    expect(window({ served: 150, refused: 50 })).toBe(150);
    expect(window({ served: 150 })).toBe(157.5);
  });

  test('raises the slowest pace by a quarter of a call', () => {
    const { window } = paced();
    expect(window({ served: 2, refused: 2 })).toBe(2);
    expect(window({ served: 2 })).toBe(2.25);
    expect(window({ served: 2 })).toBe(2.75);
  });

  test('far below the limit doubles the pace up to the limit', () => {
    const { window } = paced();
    expect(window({ served: 100, refused: 100 })).toBe(100);
    expect(window({ refused: 100 })).toBe(25);
    expect(window({ served: 25 })).toBe(50);
    expect(window({ served: 50 })).toBe(100);
  });

  test('at four fifths of the limit feels its way', () => {
    const { window } = paced();
    expect(window({ served: 10, refused: 10 })).toBe(10);
    expect(window({ served: 10 })).toBe(10.5);
    expect(window({ refused: 32 })).toBe(2.625);
    expect(window({ served: 2 })).toBe(5.25);
    expect(window({ served: 5 })).toBe(10);
    expect(window({ served: 8 })).toBe(10.5);
    const almost = paced();
    expect(almost.window({ served: 10, refused: 10 })).toBe(10);
    expect(almost.window({ served: 10 })).toBe(10.5);
    expect(almost.window({ refused: 8 })).toBe(2);
    expect(almost.window({ refused: 4 })).toBe(1);
    for (const rate of [2, 4, 8, 8.5]) expect(almost.window({ served: 1 })).toBe(rate);
  });

  test('of an outage forgets what was taken as it began, and finds the former limit', () => {
    const { window } = paced();
    // Two calls were taken before the service went down.
    expect(window({ served: 2, refused: 98 })).toBe(2);
    expect(window({ refused: 2 })).toBe(1);
    for (const rate of [2, 4, 8, 16, 32]) expect(window({ served: 1 })).toBe(rate);
    const limited = paced();
    expect(limited.window({ served: 100, refused: 100 })).toBe(100);
    expect(limited.window({ served: 100 })).toBe(105);
    expect(limited.window({ served: 3, refused: 97 })).toBe(3);
    expect(limited.window({ refused: 40 })).toBe(1);
    for (const rate of [2, 4, 8, 16, 32, 64, 100, 105]) expect(limited.window({ served: 1 })).toBe(rate);
  });

  test('is a second of the clock of the process, where no other is given', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const pace = new Pace();
    for (const payee of ['a', 'b', 'c']) {
      pace.end('served', payee);
      pace.end('refused', payee);
    }
    expect(pace.rate).toBe(unlimited);
    vi.advanceTimersByTime(1000);
    pace.room();
    expect(pace.rate).toBe(3);
    vi.useRealTimers();
  });

  test('of refusals that no slowing changes ends the slowing after four others, for thirty windows', () => {
    const { window } = paced();
    for (const served of [70, 49, 35, 28]) expect(window({ served, refused: (served * 3) / 7 })).toBe(served);
    expect(window({ served: 21, refused: 9 })).toBe(100);
    for (let time = 0; time < 30; time += 1) expect(window({ served: 70, refused: 30 })).toBe(100);
    expect(window({ served: 70, refused: 30 })).toBe(70);
  });

  test('of refusals while the calls did not halve goes on slowing', () => {
    const { window } = paced();
    for (let time = 0; time < 4; time += 1) expect(window({ served: 70, refused: 30 })).toBe(70);
    expect(window({ served: 35, refused: 15 })).toBe(35);
    expect(window({ served: 28, refused: 12 })).toBe(100);
  });

  test('of refusals that grow fewer keeps the limit', () => {
    const { window } = paced();
    for (let time = 0; time < 4; time += 1) expect(window({ served: 70, refused: 30 })).toBe(70);
    expect(window({ served: 32, refused: 8 })).toBe(32);
  });

  test('without refusals starts the patience anew', () => {
    const { window } = paced();
    for (let time = 0; time < 4; time += 1) window({ served: 70, refused: 30 });
    window({ served: 70 });
    expect(window({ served: 70, refused: 30 })).toBe(70);
  });

  test('without refusals shortens the time for which refusals are ignored', () => {
    const { window } = paced();
    for (const served of [70, 49, 35, 28, 21]) window({ served, refused: (served * 3) / 7 });
    for (let time = 0; time < 29; time += 1) window({ served: 70 });
    const grown = window({ served: 70, refused: 30 });
    expect(grown).toBeGreaterThan(100);
    expect(window({ served: 70, refused: 30 })).toBe(70);
  });
});

describe('the calls that may start', () => {
  test('are a tenth of a second’s worth at most, and at least one', () => {
    const { pace, window, pass } = paced();
    expect(pace.room()).toBe(unlimited);
    expect(pace.wait()).toBe(0);
    window({ served: 50, refused: 50 });
    expect(pace.room()).toBe(0);
    expect(pace.wait()).toBe(20);
    pass(60);
    expect(pace.room()).toBe(3);
    expect(pace.wait()).toBe(0);
    pace.start(3);
    expect(pace.room()).toBe(0);
    expect(pace.wait()).toBe(20);
    pass(10);
    expect(pace.room()).toBe(0);
    expect(pace.wait()).toBe(10);
    pass(500);
    expect(pace.room()).toBe(5);
    const slow = paced();
    slow.window({ served: 2, refused: 2 });
    expect(slow.pace.wait()).toBe(500);
    slow.pass(900);
    expect(slow.pace.room()).toBe(1);
  });

  test('do not pile up across a change of the pace', () => {
    const { pace, window, pass } = paced();
    window({ served: 100, refused: 100 });
    pass(990);
    expect(pace.room()).toBe(10);
    for (const payee of ['a', 'b', 'c', 'd']) pace.end('refused', payee);
    for (let call = 0; call < 6; call += 1) pace.end('served', 's');
    pass(10);
    pace.end('served', 's');
    expect(pace.rate).toBe(6);
    // Three calls of before the change start after it: the next must wait for them.
    pace.start(3);
    expect(pace.wait()).toBe(500);
  });
});
