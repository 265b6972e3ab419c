import type { Database, Sql } from 'stablecoin-payments/payouts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pausesFrom } from '../../../src/payouts/rules/pause.ts';
import { Worker } from '../../../src/payouts/worker/worker.ts';
import { many, pass, rig, served } from './worker-rig.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a worker takes jobs', () => {
  test('from an empty queue twice a second, and asks for nothing else', async () => {
    const at = rig();
    await pass(1400);
    expect(at.takes).toEqual([
      [0, 4],
      [500, 4],
      [1000, 4],
    ]);
    expect([at.statements, at.finished, at.added]).toEqual([[], [], []]);
    await at.worker.stop();
  });

  test('up to the calls that it may have, and the next when one has ended', async () => {
    const at = rig(many(6));
    await pass(100);
    expect([...at.calls.keys()]).toEqual(['p0', 'p1', 'p2', 'p3']);
    expect(at.takes).toEqual([[0, 4]]);
    at.end('p1');
    await pass(20);
    expect(at.finished).toEqual([['p1']]);
    expect([...at.calls.keys()]).toEqual(['p0', 'p2', 'p3', 'p4']);
    expect(at.takes[1]?.[1]).toBe(1);
    for (const id of many(6)) at.end(id);
    await pass(100);
    at.end('p5');
    await at.worker.stop();
    expect(at.finished.flat().sort()).toEqual(many(6));
  });

  test('again after 20 ms where the queue gave some, and after its time where it gave none', async () => {
    const at = rig(['p0']);
    await pass(600);
    expect(at.takes).toEqual([
      [0, 4],
      [20, 3],
      [520, 3],
    ]);
    const quick = rig(['p0'], { pollSeconds: 0.005 });
    await pass(6);
    expect(quick.takes).toEqual([
      [0, 4],
      [5, 3],
    ]);
    at.end('p0');
    quick.end('p0');
    await at.worker.stop();
    await quick.worker.stop();
  });

  test('beside calls that take longer than a second, up to eight times as many', async () => {
    const at = rig(many(40), { concurrency: 2 });
    await pass(990);
    expect(at.calls.size).toBe(2);
    for (let second = 2; second <= 8; second += 1) {
      await pass(1000);
      expect(at.calls.size).toBe(2 * second);
    }
    await pass(5000);
    expect(at.calls.size).toBe(16);
    for (const id of many(16)) at.end(id);
    await pass(0);
    const stopped = at.worker.stop(0);
    for (const id of many(40)) at.end(id);
    await pass(200);
    await stopped;
  });

  test('that have nothing to pay, or come too early, are finished and brought back', async () => {
    const at = rig(['idle1', 'p0', 'idle2']);
    await pass(0);
    expect(at.finished).toEqual([['idle1', 'idle2']]);
    expect([...at.calls.keys()]).toEqual(['p0']);
    expect(at.added).toEqual([]);
    at.end('p0');
    await at.worker.stop();
    expect(at.finished).toEqual([['idle1', 'idle2'], ['p0']]);
  });
});

describe('a worker whose database fails', () => {
  test('takes jobs again after longer and longer pauses, and after short ones once it is back', async () => {
    const at = rig();
    await at.worker.stop();
    const down = { left: 8 };
    const failing = rig([], { pollSeconds: 100 });
    await failing.worker.stop();
    const errors: number[] = [];
    const started = performance.now();
    const db: Database = {
      query: () => Promise.reject(new Error('down')),
      transaction: async (work) => {
        down.left -= 1;
        if (down.left >= 0) throw new Error('down');
        return work(db);
      },
    };
    const worker = new Worker(
      {
        db,
        rules: { pauses: pausesFrom(), maxFailures: 25 },
        queue: { take: async () => [], finish: async () => {}, add: async () => {} },
        request: async () => served,
      },
      {
        concurrency: 4,
        pollSeconds: 1,
        keepAliveSeconds: 3,
        onError: () => errors.push(Math.round(performance.now() - started)),
      },
    );
    await pass(16_500);
    expect(errors).toEqual([0, 200, 600, 1400, 3000, 6200, 11_200, 16_200]);
    await pass(5000);
    down.left = 2;
    await pass(2000);
    const [first = 0, second = 0] = errors.slice(8);
    expect(second - first).toBe(200);
    await worker.stop();
  });

  test('notes a result again after longer and longer pauses, one by one, the failed ones last', async () => {
    const at = rig(many(3));
    await pass(0);
    at.faults.fails = (text, values) =>
      text.includes('for update') && !text.startsWith('with') && values.includes('p0');
    at.end('p0');
    at.end('p1');
    at.end('p2');
    await pass(1600);
    expect(at.finished).toEqual([['p1'], ['p2']]);
    expect(at.errors.map(([when]) => when)).toEqual([0, 100, 200, 300, 500, 900]);
    at.faults.fails = () => false;
    await pass(1600);
    expect(at.finished).toEqual([['p1'], ['p2'], ['p0']]);
    await at.worker.stop();
  });
});

describe('the calls of a worker', () => {
  test('keep their jobs alive every few seconds, until their results are noted', async () => {
    const at = rig(['p0', 'p1'], { keepAliveSeconds: 2 });
    await pass(1999);
    expect(at.alive).toEqual([]);
    await pass(1);
    expect(at.alive).toEqual([[2000, ['p0', 'p1']]]);
    at.end('p0');
    at.faults.keepAlive = true;
    await pass(2000);
    expect(at.alive[1]).toEqual([4000, ['p1']]);
    expect(at.errors).toEqual([[4000, 'no life']]);
    at.end('p1');
    await pass(2000);
    expect(at.alive).toHaveLength(2);
    await at.worker.stop();
  });

  test('are kept alive by no queue that needs no sign of life', async () => {
    const errors: unknown[] = [];
    const sql: Sql = { query: async () => JSON.parse('{ "rows": [] }') };
    const worker = new Worker(
      {
        db: { ...sql, transaction: (work) => work(sql) },
        rules: { pauses: pausesFrom(), maxFailures: 25 },
        queue: { take: async () => [], finish: async () => {}, add: async () => {} },
        request: async () => served,
      },
      { concurrency: 1, pollSeconds: 1, keepAliveSeconds: 1, onError: (error) => errors.push(error) },
    );
    await pass(2500);
    await worker.stop();
    expect(errors).toEqual([]);
  });

  test('end before the worker has stopped, and leave no timer', async () => {
    const at = rig(['p0', 'p1', 'p2']);
    await pass(0);
    let stopped = false;
    const stop = at.worker.stop().then(() => {
      stopped = true;
    });
    await pass(29_000);
    expect(stopped).toBe(false);
    expect(at.signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
    for (const id of ['p0', 'p1', 'p2']) at.end(id);
    await pass(100);
    await stop;
    expect(at.finished.flat()).toEqual(['p0', 'p1', 'p2']);
    expect(at.takes).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    [undefined, 30_000],
    [0.5, 500],
  ])('are aborted after a patience of %j seconds', async (patience, milliseconds) => {
    const at = rig(['p0']);
    await pass(0);
    const stop = at.worker.stop(patience);
    await pass(milliseconds - 1);
    expect(at.signals[0]?.aborted).toBe(false);
    await pass(1);
    expect(at.signals[0]?.aborted).toBe(true);
    at.end('p0');
    await pass(100);
    await stop;
  });

  test('of one payout are noted one after the other, and up to 200 results together', async () => {
    const at = rig([...many(250), ...many(1)], { concurrency: 300 });
    await pass(0);
    // The second job of the first payout has nothing to begin with.
    expect(at.calls.size).toBe(250);
    for (const id of many(250)) at.end(id);
    await pass(0);
    const sizes = at.finished.map(({ length }) => length);
    expect(sizes.slice(1).reduce((a, b) => a + b, 0)).toBe(250);
    expect(Math.max(...sizes)).toBe(200);
    await at.worker.stop();
  });

  test.each([
    [{ verdict: { action: 'wait', reason: 'BUSY' } }, 1],
    [{ verdict: { action: 'retry', reason: 'LOST', counts: true } }, 1],
    [{ verdict: { action: 'reject', reason: 'NO' } }, 4],
    [served, 4],
  ] as const)('that all come to %j leave room for %i', async (result, room) => {
    const at = rig(['p0', 'p1', 'p2', 'p3'], { pollSeconds: 0.1 });
    await pass(0);
    for (const id of many(4)) at.end(id, result);
    await pass(3000);
    expect(at.takes.at(-1)?.[1]).toBe(room);
    await at.worker.stop();
  });

  test('of one payee that are always refused do not slow the others; those of two batches do', async () => {
    const busy = { verdict: { action: 'wait', reason: 'BUSY' } } as const;
    const one = rig(['p0 a', 'p0 b', 'p0 c'], { pollSeconds: 0.1 });
    const two = rig(['batch a', 'batch b', 'batch c'], { pollSeconds: 0.1 });
    await pass(0);
    for (const at of [one, two]) for (const id of [...at.calls.keys()]) at.end(id, busy);
    await pass(3000);
    expect([one.takes.at(-1)?.[1], two.takes.at(-1)?.[1]]).toEqual([4, 1]);
    await one.worker.stop();
    await two.worker.stop();
  });
});
