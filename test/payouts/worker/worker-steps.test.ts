import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { many, pass, rig, served } from './worker-rig.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a worker takes payments', () => {
  test('up to the calls that it may have, and the next when one has ended', async () => {
    const at = rig(many(6));
    await pass(100);
    expect([...at.calls.keys()]).toEqual(['p0', 'p1', 'p2', 'p3']);
    expect(at.takes).toEqual([[0, 4]]);
    at.end('p1');
    await pass(20);
    expect(at.noted).toEqual([['p1']]);
    expect([...at.calls.keys()]).toEqual(['p0', 'p2', 'p3', 'p4']);
    expect(at.takes[1]?.[1]).toBe(1);
    for (const id of many(6)) at.end(id);
    await pass(100);
    at.end('p5');
    await at.worker.stop();
    expect(at.noted.flat().sort()).toEqual(many(6));
  });

  test('again after 20 ms where some were due, and after its time where none was', async () => {
    const at = rig(['p0']);
    await pass(600);
    expect(at.takes).toEqual([
      [0, 4],
      [20, 3],
      [520, 3],
    ]);
    const quick = rig(['p0'], { pollInterval: 5 });
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

  describe('and sends nothing that was noted more than a minute ago', () => {
    /** Takes a job, lets time pass until its COMMIT, and returns what was sent. */
    async function sentAfter(commit: number, pause: () => Promise<unknown>): Promise<string[]> {
      const at = rig(['p0']);
      at.delays.commit = commit;
      await pause();
      at.delays.commit = 0;
      await pass(200);
      const sent = [...at.calls.keys()];
      at.end('p0');
      await pass(1000);
      expect(at.noted).toEqual([['p0']]);
      await at.worker.stop();
      return sent;
    }

    test('where the worker stood still', async () => {
      expect(await sentAfter(60_000, () => pass(59_999))).toEqual(['p0']);
      expect(await sentAfter(60_001, () => pass(60_000))).toEqual([]);
    });

    test('where the machine slept, during which the monotonic clock stands still', async () => {
      const sleep = (milliseconds: number) => async () => {
        await pass(400);
        vi.setSystemTime(Date.now() + milliseconds);
      };
      expect(await sentAfter(500, sleep(59_000))).toEqual(['p0']);
      expect(await sentAfter(500, sleep(60_001))).toEqual([]);
    });
  });

  test('and aborts a call that lasts longer than 90 seconds, as it may not have been sent yet', async () => {
    const at = rig(['p0', 'p1']);
    await pass(0);
    at.end('p0');
    await pass(89_999);
    expect(at.signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    await pass(1);
    expect(at.signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    at.end('p1');
    await at.worker.stop();
  });

  test('and aborts it 90 seconds after it was noted, however long its COMMIT took', async () => {
    const at = rig(['p0']);
    at.delays.commit = 50_000;
    await pass(50_001);
    at.delays.commit = 0;
    await pass(39_998);
    expect(at.signals.map(({ aborted }) => aborted)).toEqual([false]);
    await pass(2);
    expect(at.signals.map(({ aborted }) => aborted)).toEqual([true]);
    at.end('p0');
    await at.worker.stop();
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
});

describe('the calls of a worker', () => {
  test('are noted up to 200 together', async () => {
    const at = rig(many(250), { concurrency: 300 });
    await pass(0);
    expect(at.calls.size).toBe(250);
    for (const id of many(250)) at.end(id);
    await pass(0);
    const sizes = at.noted.map(({ length }) => length);
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(250);
    expect(Math.max(...sizes)).toBe(200);
    await at.worker.stop();
  });

  test.each([
    [{ finding: 'not-reached', reason: 'BUSY' }, 1],
    [{ finding: 'open', reason: 'LOST', counts: true }, 1],
    [{ finding: 'refused', reason: 'NO', about: 'payment' }, 4],
    [served, 4],
  ] as const)('that all come to %j leave room for %i', async (result, room) => {
    const at = rig(['p0', 'p1', 'p2', 'p3'], { pollInterval: 100 });
    await pass(0);
    for (const id of many(4)) at.end(id, result);
    await pass(3000);
    expect(at.takes.at(-1)?.[1]).toBe(room);
    await at.worker.stop();
  });

  test('whose results the database refuses keep them until it takes them, and hold up no other', async () => {
    const at = rig(['p0', 'p1', 'p2']);
    await pass(0);
    let isAway = true;
    at.faults.fails = (text, values) =>
      text.includes('a.settled_at is null') && (isAway || values.includes('p1'));
    for (const id of ['p0', 'p1', 'p2']) at.end(id);
    await pass(30_000);
    expect(at.noted).toEqual([]);
    isAway = false;
    await pass(6000);
    expect(at.noted.flat().sort()).toEqual(['p0', 'p2']);
    at.faults.fails = () => false;
    await pass(6000);
    expect(at.noted.flat().sort()).toEqual(['p0', 'p1', 'p2']);
    await at.worker.stop();
  });
});
