import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  type DedupeStore,
  memoryDedupe,
  sqliteDedupe,
  standardWebhooks,
  type WebhookErrorContext,
} from '../../src/webhooks/index.ts';
import { secret, signedRequest } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => vi.useRealTimers());

const down = () => Promise.reject(Object.assign(new Error('secret words'), { code: '57P01' }));
const never = () => new Promise<never>(() => {});

function receiving(dedupe: DedupeStore) {
  const handled: unknown[] = [];
  const reports: [string, WebhookErrorContext][] = [];
  const receive = createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    dedupe,
    onError: (error, context) => reports.push([String(error), context]),
  }).handler({ otherwise: (event) => handled.push(event.eventId) });
  const deliver = async (platform?: unknown) => (await receive(await signedRequest(), platform)).status;
  return { deliver, handled, reports };
}

/** A store in memory whose methods can be replaced for a while. */
function breakable(claimTtl = 60_000) {
  const working = memoryDedupe({ claimTtl });
  const broken: Partial<DedupeStore> = {};
  const store: DedupeStore = {
    claimTtl,
    claim: (...args) => (broken.claim ?? working.claim)(...args),
    commit: (...args) => (broken.commit ?? working.commit)(...args),
    release: (...args) => (broken.release ?? working.release)(...args),
  };
  return { store, broken };
}

describe('a commit that fails', () => {
  it('is tried again until it succeeds; the response stays 200, and the event is not handled again', async () => {
    const { store, broken } = breakable();
    const [here, elsewhere] = [receiving(store), receiving(store)];
    broken.commit = down;
    expect(await here.deliver()).toBe(200);
    // This process knows that the event is handled. Another one finds the claim.
    expect([await here.deliver(), await elsewhere.deliver()]).toEqual([200, 503]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect([await here.deliver(), await elsewhere.deliver()]).toEqual([200, 503]);
    delete broken.commit;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([await here.deliver(), await elsewhere.deliver()]).toEqual([200, 200]);
    expect([here.handled, elsewhere.handled]).toEqual([['evt_1'], []]);
    expect(vi.getTimerCount()).toBe(0);
    const [[words, context] = []] = here.reports;
    expect(words).toMatch(/the dedupe store failed to commit evt_1 \(57P01\)/);
    expect(words).toMatch(/was handled.*may come again/);
    expect(context).toMatchObject({ status: 200, id: 'evt_1', step: 'commit' });
    // The attempts are not logged one by one.
    expect(here.reports).toHaveLength(1);
  });

  it.each([1000, 60_000])('keeps a claim of %d ms meanwhile, also past its end', async (claimTtl) => {
    const { store, broken } = breakable(claimTtl);
    const [here, elsewhere] = [receiving(store), receiving(store)];
    broken.commit = down;
    await here.deliver();
    for (let count = 0; count < 10; count += 1) {
      await vi.advanceTimersByTimeAsync(25_000);
      expect(await elsewhere.deliver()).toBe(503);
    }
    delete broken.commit;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([await elsewhere.deliver(), elsewhere.handled]).toEqual([200, []]);
  });

  it('survives an outage that is longer than the claim', async () => {
    const { store, broken } = breakable(1000);
    const { deliver, handled } = receiving(store);
    broken.commit = async () => {
      broken.claim = down;
      return down();
    };
    expect(await deliver()).toBe(200);
    await vi.advanceTimersByTimeAsync(20_000);
    delete broken.claim;
    // The store is up again, and the claim has ended. Its commit has not been tried yet.
    expect(await deliver()).toBe(200);
    delete broken.commit;
    await vi.advanceTimersByTimeAsync(2000);
    expect([await deliver(), handled]).toEqual([200, ['evt_1']]);
  });

  it('is given up after five minutes, and the log says that the event may be handled twice', async () => {
    const { store, broken } = breakable();
    const { deliver, reports } = receiving(store);
    broken.commit = down;
    await deliver();
    await vi.advanceTimersByTimeAsync(400_000);
    expect(reports.map(([text]) => text)).toEqual([
      expect.stringContaining('tried again'),
      expect.stringMatching(/evt_1 \(57P01\).*given up.*handled twice/),
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not hold up the response for longer than storeTimeout where the store does not respond', async () => {
    const { store, broken } = breakable();
    const { deliver, handled } = receiving(store);
    broken.commit = never;
    const status = deliver();
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await status).toBe(200);
    delete broken.commit;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await deliver()).toBe(200);
    expect(handled).toHaveLength(1);
  });

  it('is finished under waitUntil where the platform has it', async () => {
    const { store, broken } = breakable();
    const { deliver } = receiving(store);
    broken.commit = down;
    const waited: Promise<unknown>[] = [];
    expect(await deliver({ waitUntil: (promise: Promise<unknown>) => waited.push(promise) })).toBe(200);
    expect(waited).toHaveLength(1);
    delete broken.commit;
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(waited);
    expect(await deliver()).toBe(200);
  });

  it('ends where the store says that the event is committed, or that another delivery has it', async () => {
    for (const found of ['committed', 'in-progress'] as const) {
      const { store, broken } = breakable();
      const { deliver, reports } = receiving(store);
      broken.commit = async () => {
        broken.claim = async () => found;
        return down();
      };
      expect(await deliver()).toBe(200);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(vi.getTimerCount()).toBe(0);
      expect(reports).toHaveLength(found === 'committed' ? 1 : 2);
    }
  });
});

it('of an event in a SQLite file that another connection has locked is tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  const [ours, other] = [new DatabaseSync(join(folder, 'e.db')), new DatabaseSync(join(folder, 'e.db'))];
  try {
    ours.exec('pragma busy_timeout = 1');
    const reports: string[] = [];
    const receive = createWebhookReceiver({
      verifier: standardWebhooks({ secret }),
      dedupe: sqliteDedupe({ database: ours }),
      onError: (error) => reports.push(String(error)),
    }).handler({ otherwise: () => other.exec('begin immediate') });
    expect((await receive(await signedRequest())).status).toBe(200);
    expect(reports).toEqual([expect.stringContaining('failed to commit evt_1 (ERR_SQLITE_ERROR 5)')]);
    other.exec('rollback');
    await vi.advanceTimersByTimeAsync(1000);
    expect(ours.prepare('select handled from webhook_event').all()).toEqual([{ handled: 1 }]);
  } finally {
    ours.close();
    other.close();
    rmSync(folder, { recursive: true });
  }
});
