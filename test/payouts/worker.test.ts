import type { Database } from 'stablecoin-payments/payouts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Bench, bench, refusal, responding, usingDatabase } from './support.ts';

const db = usingDatabase();
const quick = { pollInterval: 10 };
const silent = { onError: () => {} };

afterEach(() => void vi.restoreAllMocks());

/** Runs a worker until every payout has left the queue. */
async function drain(at: Bench, options = {}): Promise<void> {
  const worker = at.payouts.startWorker({ ...quick, ...options });
  try {
    await vi.waitFor(
      async () => {
        const states = (await at.rows()).map(({ state }) => state);
        expect(states).not.toContain('queued');
      },
      { timeout: 40_000, interval: 20 },
    );
  } finally {
    await worker.stop(1);
  }
}

describe('a worker', () => {
  test('pays what is enqueued, each once', async () => {
    const at = await bench(db());
    await at.enqueue(Array.from({ length: 100 }, (_, place) => ({ amount: String(place + 1) })));
    await drain(at);
    const amounts = at.emulator.state().transfers.map(({ transferDetails: { amount } }) => amount);
    expect(amounts.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, place) => place + 1));
  });

  test('takes and notes many payouts with few commits', async () => {
    let commits = 0;
    const counting: Database = {
      query: (text, values) => db().query(text, values),
      transaction: (work) => {
        commits += 1;
        return db().transaction(work);
      },
    };
    const at = await bench(counting);
    await at.enqueue(Array.from({ length: 200 }, () => ({})));
    commits = 0;
    await drain(at, { concurrency: 50, pollInterval: 1000 });
    expect(commits).toBeLessThan(100);
  });

  test('goes on after failures of the database, and forgets no result', async () => {
    const failing: { left: number } = { left: 0 };
    const errors: unknown[] = [];
    const unsteady: Database = {
      query: (text, values) => db().query(text, values),
      transaction: async (work) => {
        if (failing.left > 0) {
          failing.left -= 1;
          throw new Error('the connection is gone');
        }
        return db().transaction(work);
      },
    };
    const at = await bench(unsteady);
    await at.enqueue([{}, {}, {}]);
    failing.left = 3;
    await drain(at, { onError: (error: unknown) => errors.push(error) });
    expect(errors).toHaveLength(3);
    expect(at.ledger()).toHaveLength(3);
    expect((await at.rows()).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });

  test('sends the same bytes in every attempt', async () => {
    const bodies: string[] = [];
    const at = await bench(db(), {
      pause: { first: 10, most: 20 },
      through: (emulator) => async (url, init) => {
        bodies.push(
          init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : String(init?.body),
        );
        if (bodies.length < 4) throw new TypeError('terminated');
        return emulator.fetch(url, init);
      },
    });
    await at.enqueue([{ amount: '1' }]);
    const worker = at.payouts.startWorker({ ...quick, ...silent });
    await vi.waitFor(
      async () => {
        await at.pass(1);
        expect(await at.states()).toEqual([['accepted', null]]);
      },
      { timeout: 20_000 },
    );
    await worker.stop();
    expect(bodies).toHaveLength(4);
    expect(new Set(bodies).size).toBe(1);
  });

  test('a transfer whose id cannot be stored is made, and blocks no other', async () => {
    const at = await bench(db(), {
      lookup: async () => null,
      through: (emulator) => async (url, init) => {
        const response = await emulator.fetch(url, init);
        const body = await response.text();
        const isFirst = body.includes('"amount":1,');
        return new Response(isFirst ? body.replace(/"id":"[^"]+"/, '"id":"a\\u0000b"') : body, response);
      },
    });
    await at.enqueue([{ amount: '1' }, { amount: '2' }]);
    await drain(at);
    expect(await at.states()).toEqual([
      ['made', 'RESPONSE_WITHOUT_TRANSFER_ID'],
      ['accepted', null],
    ]);
    // The service said that it made the transfer. A lookup that finds nothing is no proof that it did not.
    await at.pass(121);
    await at.payouts.sweep();
    const [row] = await at.rows();
    await expect(at.payouts.payAgain(row?.request_id ?? '', 'derived')).rejects.toThrow('another key');
  });

  test('calls again as soon as somebody ends a pause that the service asked for', async () => {
    let calls = 0;
    const busy = responding(429, refusal('SLOW_DOWN'), { 'retry-after': '60' });
    const at = await bench(db(), {
      through: (emulator) => (url, init) => {
        calls += 1;
        return calls === 1 ? busy(url, init) : emulator.fetch(url, init);
      },
    });
    await at.enqueue([{}, {}]);
    const worker = at.payouts.startWorker({ ...quick, concurrency: 1 });
    await vi.waitFor(async () => expect((await db().query('select from payout_payer')).rows).toHaveLength(1));
    await at.payouts.resume();
    await vi.waitFor(() => expect(at.ledger()).toHaveLength(1), { timeout: 10_000 });
    await worker.stop();
  });

  test('stops within its patience while the database is away', async () => {
    let isAway = false;
    const gone = new Promise<never>(() => {});
    const flaky: Database = {
      query: (text, values) => (isAway ? gone : db().query(text, values)),
      transaction: (work) => (isAway ? gone : db().transaction(work)),
    };
    const at = await bench(flaky);
    await at.enqueue([{}]);
    isAway = true;
    const worker = at.payouts.startWorker({ ...quick, ...silent });
    const started = performance.now();
    await worker.stop(0.5);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('one poisonous payee does not stop the others', async () => {
    let poison = 0;
    const at = await bench(db(), {
      through: (emulator) => async (url, init) => {
        if (String(init?.body).includes('poison')) {
          poison += 1;
          return new Response(JSON.stringify(refusal('SLOW_DOWN')), {
            status: 429,
            headers: { 'retry-after': '0' },
          });
        }
        return emulator.fetch(url, init);
      },
    });
    await at.enqueue(Array.from({ length: 60 }, (_, place) => (place % 3 === 0 ? { payee: 'poison' } : {})));
    const started = performance.now();
    const worker = at.payouts.startWorker(quick);
    await vi.waitFor(
      async () => {
        const states = (await at.rows()).map(({ state }) => state);
        expect(states.filter((state) => state === 'accepted')).toHaveLength(40);
      },
      { timeout: 40_000 },
    );
    await worker.stop(1);
    // Pauses of 1, 2, 4 seconds and so on: the calls for a payout grow with the logarithm of the time.
    const seconds = (performance.now() - started) / 1000;
    expect(poison).toBeLessThanOrEqual(20 * (Math.ceil(Math.log2(seconds + 2)) + 1));
    const poisoned = (await at.rows()).filter(({ state }) => state === 'queued');
    for (const { failures, reason } of poisoned) expect([failures, reason]).toEqual([0, 'SLOW_DOWN']);
  });

  test('stopped, it waits for the calls under way, and aborts them when its patience ends', async () => {
    let aborted = false;
    const at = await bench(db(), {
      through: () => (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => {
            aborted = true;
            reject(init.signal?.reason);
          });
        }),
    });
    await at.enqueue([{}]);
    const worker = at.payouts.startWorker(quick);
    await vi.waitFor(async () => expect((await at.rows())[0]?.in_doubt).toBe(true), { timeout: 40_000 });
    await worker.stop(0.01);
    expect(aborted).toBe(true);
    expect((await at.rows())[0]).toMatchObject({
      state: 'queued',
      in_doubt: true,
      reason: 'ABORTED',
      failures: 0,
    });
    await at.enqueue([{}, {}]);
    expect((await at.rows())[1]).toMatchObject({ state: 'queued', attempts: 0 });
  });
});
