import { memoryQueue } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';

const sql = { query: () => Promise.reject(new Error('the queue in memory asks no database')) };
const keys = (jobs: readonly { requestId: string }[]) => jobs.map(({ requestId }) => requestId);

describe('the queue in memory', () => {
  test('gives each due job once, with an id of its own, as many as are asked for', async () => {
    let now = 1000;
    const queue = memoryQueue(() => now);
    await queue.add(sql, [
      { requestId: 'a', afterSeconds: 2 },
      { requestId: 'b', afterSeconds: 0 },
      { requestId: 'c', afterSeconds: 0 },
      { requestId: 'd', afterSeconds: 0 },
    ]);
    const first = await queue.take(sql, 2);
    expect(keys(first)).toEqual(['b', 'c']);
    expect(new Set(first.map(({ id }) => id)).size).toBe(2);
    expect(first[0]).toStrictEqual({ id: first[0]?.id, requestId: 'b' });
    expect(keys(await queue.take(sql, 10))).toEqual(['d']);
    now = 2999;
    expect(await queue.take(sql, 10)).toEqual([]);
    now = 3000;
    expect(keys(await queue.take(sql, 10))).toEqual(['a']);
    expect(await queue.take(sql, 10)).toEqual([]);
  });

  test('gives a job again that was neither finished nor kept alive, as after a transaction that failed', async () => {
    let now = 0;
    const queue = memoryQueue(() => now);
    await queue.add(
      sql,
      ['a', 'b', 'c'].map((requestId) => ({ requestId, afterSeconds: 0 })),
    );
    const [first, second, third] = await queue.take(sql, 10);
    if (first === undefined || second === undefined || third === undefined) throw new Error('no jobs');
    now = 20_000;
    await queue.finish(sql, [first]);
    await queue.keepAlive?.([first, second]);
    now = 29_999;
    expect(await queue.take(sql, 10)).toEqual([]);
    now = 30_000;
    expect(await queue.take(sql, 10)).toEqual([third]);
    now = 50_000;
    expect(await queue.take(sql, 10)).toEqual([second]);
  });

  test('has a job pending until it is finished', async () => {
    const queue = memoryQueue();
    await queue.add(sql, [
      { requestId: 'a', afterSeconds: 60 },
      { requestId: 'b', afterSeconds: 0 },
    ]);
    const pending = async () => [...((await queue.pending?.(['a', 'b', 'c'])) ?? [])];
    expect(await pending()).toEqual(['a', 'b']);
    const taken = await queue.take(sql, 10);
    expect(await pending()).toEqual(['a', 'b']);
    await queue.finish(sql, taken);
    expect(await pending()).toEqual(['a']);
  });
});
