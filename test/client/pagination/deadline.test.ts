import { afterEach, describe, expect, it, vi } from 'vitest';
import { TimeoutError } from '../../../src/client/index.ts';
import { failure } from '../support.ts';
import { itemsOf, scriptedLists } from './scripted-list.ts';

const steps = ['ab', 'bc', 'c'].map((letters) => ({ items: itemsOf(letters) }));

afterEach(() => vi.useRealTimers());

describe('the deadline of a walk', () => {
  it.each([
    ['of the call', { deadline: 60_000 }, { deadline: 100 }],
    ['of the client', { deadline: 100 }, {}],
  ])('covers all pages and what the caller does between them: %s', async (_whose, own, options) => {
    const { client, asked } = scriptedLists(steps, own);
    const promise = client.approvals.list({ limit: 2 }, options);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const error = await failure(async () => {
      for await (const { id } of promise) {
        if (id !== 'b') continue;
        setTimeout(resolve, 110);
        await over;
      }
    });
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      limit: 'deadline',
      operation: 'approvals.list',
      outcome: 'not-sent',
      message: 'approvals.list: the walk through the pages took longer than 100 ms (`deadline`).',
    });
    expect(asked()).toEqual([]);
  });

  it('ends the wait for a later page after the rest of it, and tells the deadline that was given', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const startedAt = performance.now();
    const pages = [Response.json({ approvals: itemsOf('ab') })];
    const fetch = async () => pages.shift() ?? new Promise<never>(() => {});
    const { client } = scriptedLists([], { deadline: 10_000, fetch });
    const page = await client.approvals.list({ limit: 2 });
    await vi.advanceTimersByTimeAsync(4000);
    const ended = failure(() => page.nextPage()).then((error) => ({
      error,
      after: performance.now() - startedAt,
    }));
    await vi.advanceTimersByTimeAsync(60_000);
    const { error, after } = await ended;
    expect(after).toBe(10_000);
    expect(error).toMatchObject({
      limit: 'deadline',
      message: expect.stringContaining('within 10000 ms (`deadline`)'),
    });
  });

  it('leaves the rest to later pages', async () => {
    const { client } = scriptedLists(steps, { deadline: 10_000 });
    expect(await client.approvals.list({ limit: 2 }).toArray()).toHaveLength(3);
    const { client: other } = scriptedLists(steps);
    expect(await other.approvals.list({ limit: 2 }, { deadline: 10_000 }).toArray()).toHaveLength(3);
  });
});
