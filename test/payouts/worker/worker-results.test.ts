import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { many, pass, rig, served } from './worker-rig.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const rejected = { finding: 'refused', reason: 'NO', about: 'payment' } as const;
const busy = { finding: 'not-reached', reason: 'BUSY' } as const;

describe('a result', () => {
  test.each(Array.from({ length: 60 }, (_, steps) => steps))(
    'that arrives %i steps after another is noted without waiting for a third',
    async (steps) => {
      const at = rig(['p0', 'p1']);
      await pass(0);
      at.end('p0');
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      at.end('p1');
      await pass(100);
      expect(at.finished.flat()).toEqual(['p0', 'p1']);
      await at.worker.stop();
    },
  );

  test('that is being noted shows no life; the calls under way do', async () => {
    const at = rig(['p0', 'p1']);
    await pass(2990);
    at.delays.finish = 20;
    at.end('p0');
    await pass(10);
    expect(at.alive).toEqual([[3000, ['p1']]]);
    at.end('p1');
    await pass(100);
    await at.worker.stop();
  });

  test.each([
    ['served', served],
    ['rejected', rejected],
  ])('of a refused call does not slow a worker whose other calls are %s', async (_name, result) => {
    const at = rig(many(20), { concurrency: 20, pollInterval: 100 });
    await pass(0);
    for (const id of many(20)) at.end(id, id === 'p7' ? busy : result);
    await pass(3000);
    expect(at.takes.at(-1)?.[1]).toBe(20);
    await at.worker.stop();
  });
});

describe('a queue', () => {
  test('that is away for a while costs no result', async () => {
    const at = rig(['p0', 'p1']);
    await pass(0);
    const noted: string[] = [];
    at.faults.fails = (text, values) => {
      if (/^update payout_attempt/.test(text.trim())) noted.push(values);
      return false;
    };
    at.faults.finish = true;
    at.end('p0');
    at.end('p1');
    await pass(120_000);
    expect(at.finished).toEqual([]);
    at.faults.finish = false;
    noted.splice(0);
    await pass(20_000);
    expect(at.finished.flat().sort()).toEqual(['p0', 'p1']);
    expect(noted.join()).toMatch(/made.*made/);
    expect(noted.join()).not.toContain('RESULT_NOT_STORABLE');
    await at.worker.stop();
  });

  test('without signs of life is asked for none while calls are under way', async () => {
    const at = rig(['p0'], {}, {});
    await pass(3500);
    expect(at.errors).toEqual([]);
    at.end('p0');
    await at.worker.stop();
  });

  test('whose sign of life throws at once is reported, and the worker goes on', async () => {
    const broken = (): Promise<void> => {
      throw new Error('no connection');
    };
    const at = rig(['p0'], {}, { keepAlive: broken });
    await pass(3500);
    expect(at.errors).toEqual([[3000, 'no connection']]);
    at.end('p0');
    await pass(100);
    expect(at.finished).toEqual([['p0']]);
    await at.worker.stop();
  });
});

describe('a worker asks the queue', () => {
  test.each([
    [16, 'once for two slots where one is less than an eighth', [[12, 2]]],
    [
      8,
      'for each slot where one is an eighth',
      [
        [9, 1],
        [12, 1],
      ],
    ],
  ])('while results are noted, with %i calls at once: %s', async (concurrency, _name, takes) => {
    const at = rig(many(40), { concurrency });
    at.delays.finish = 3;
    await pass(6);
    at.end('p0');
    await pass(1);
    at.end('p1');
    await pass(30);
    expect(at.takes.slice(1)).toEqual(takes);
    await stopAll(at);
  });

  test('as soon as the last result is noted', async () => {
    const at = rig(many(40), { concurrency: 16 });
    await pass(12);
    at.end('p0');
    await pass(1);
    expect(at.takes.slice(1)).toEqual([[12, 1]]);
    await stopAll(at);
  });

  test('within 5 ms after a call has taken a second', async () => {
    const at = rig(many(9), { concurrency: 2, pollInterval: 3 });
    await pass(2);
    at.end('p0');
    await pass(299);
    at.end('p2');
    await pass(1100);
    expect(at.takes).toEqual([
      [0, 2],
      [2, 1],
      [301, 1],
      [1001, 1],
      [1301, 1],
    ]);
    await stopAll(at);
  });
});

/** Stops a worker whose calls end at once. */
async function stopAll(at: ReturnType<typeof rig>): Promise<void> {
  const stopped = at.worker.stop();
  for (const id of [...at.calls.keys()]) at.end(id);
  await pass(200);
  await stopped;
}
