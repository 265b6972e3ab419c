import * as fc from 'fast-check';
import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it, vi } from 'vitest';
import { parseDuration } from '../../src/emulator/state/clock.ts';
import { Ids } from '../../src/emulator/state/ids.ts';
import { decimalOf, microsOf, numberOfMicros, rateText } from '../../src/emulator/state/money.ts';
import { type Task, Tasks } from '../../src/emulator/state/tasks.ts';

describe('amounts', () => {
  it.each<[number, string | undefined]>([
    [0.1, '0.10'],
    [100, '100.00'],
    [1e21, '1000000000000000000000.00'],
    [1.5e-6, undefined],
    [1e-6, '0.000001'],
    [0.123456, '0.123456'],
    [-2.5, '-2.50'],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('read %d exactly', (number, text) => {
    const micros = microsOf(number);
    expect(micros === undefined ? undefined : decimalOf(micros)).toBe(text);
  });

  it('survive the way to a number and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (micros) => {
        expect(microsOf(numberOfMicros(micros))).toBe(micros);
      }),
    );
  });

  it('write rates without needless zeros', () => {
    expect([rateText(10_000_000_000n), rateText(2_695_418n), rateText(37_100_000_000_000n)]).toEqual([
      '1',
      '0.0002695418',
      '3710',
    ]);
  });
});

describe('durations', () => {
  it.each<[unknown, number | undefined]>([
    ['10s', 10_000],
    ['1.5h', 5_400_000],
    [' 7d ', 604_800_000],
    ['2w', 1_209_600_000],
    ['250ms', 250],
    [12, 12],
    ['7', undefined],
    ['7 days', undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [null, undefined],
  ])('read %j as %j ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });
});

describe('the clock', () => {
  it('follows the real time, from its start, and stops and goes on', () => {
    let real = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => real);
    const start = Date.parse('2026-03-04T12:00:00.000Z');
    const { clock } = createEmulator({ clock: { start } });
    const passed = () => clock.now().getTime() - start;
    real += 10;
    expect([passed(), clock.frozen]).toEqual([10, false]);
    clock.advance(90);
    clock.freeze();
    real += 1_000;
    expect(passed()).toBe(100);
    clock.resume();
    real += 5;
    expect(passed()).toBe(105);
    expect(() => clock.advance(-1)).toThrow(RangeError);
    vi.restoreAllMocks();
  });
});

describe('what is yet to happen', () => {
  it('happens in the order of its time, each record once, and not when cancelled', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(30), fc.nat(1000), fc.boolean()), { maxLength: 300 }), (plans) => {
        const tasks = new Tasks();
        const expected = new Map<string, Task>();
        for (const [record, at, cancelled] of plans) {
          const task: Task = { id: String(record), kind: 'transfer.step', at };
          tasks.plan(task);
          expected.set(task.id, task);
          if (!cancelled) continue;
          tasks.cancel(task.id);
          expected.delete(task.id);
        }
        const early = [...tasks.due(500)];
        const late = [...tasks.due(1000)];
        expect(early.every(({ at }) => at <= 500) && late.every(({ at }) => at > 500)).toBe(true);
        const happened = [...early, ...late];
        expect(happened.map(({ at }) => at)).toEqual(
          [...expected.values()].map(({ at }) => at).sort((a, b) => a - b),
        );
        expect(new Set(happened)).toEqual(new Set(expected.values()));
        expect(tasks.list()).toEqual([]);
      }),
    );
  });
});

describe('ids', () => {
  it('differ within a kind and between kinds', () => {
    const ids = new Ids('seed');
    const made = Array.from({ length: 20_000 }, (_, i) => ids.uuid(i % 2 === 0 ? 'a' : 'b'));
    expect(new Set(made).size).toBe(20_000);
  });

  it('choose evenly', () => {
    const ids = new Ids('seed');
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i += 1)
      counts[ids.integer(`choice/${i}`, 4)] = (counts[ids.integer(`choice/${i}`, 4)] ?? 0) + 1;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
