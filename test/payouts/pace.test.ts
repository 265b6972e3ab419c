import type { Database } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bench, makeBench, makeBenchByHand, openBoss } from './bench.ts';

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
  // The queues of pg-boss itself.
  await makeBench(opened);
});
afterAll(() => opened.close());

const slowDown = (headers = {}) => Response.json({ error: 'slow down' }, { status: 429, headers });

describe('the pause of a payer', () => {
  it('is not forgotten for a call that began while the pause was being stored', async () => {
    let calls = 0;
    let beforeStore: (() => Promise<void>) | undefined;
    const db: Database = {
      ...opened.db,
      transaction: async (work) => {
        const before = beforeStore;
        beforeStore = undefined;
        await before?.();
        return opened.db.transaction(work);
      },
    };
    let answerSecond = () => {};
    let secondIsCalled = () => {};
    const secondCall = new Promise<void>((resolve) => {
      secondIsCalled = resolve;
    });
    const made = await makeBenchByHand(opened, {
      db,
      pause: { first: 100, most: 60_000, mostRetryAfter: 900_000 },
      through: (emulator) => async (url, init) => {
        calls += 1;
        if (calls === 1) {
          // The call of the second payout begins after the response, and before its pause is stored.
          beforeStore = async () => {
            second = made.run(made.planned[1]);
            await secondCall;
          };
          return slowDown({ 'retry-after': '60' });
        }
        secondIsCalled();
        await new Promise<void>((resolve) => {
          answerSecond = resolve;
        });
        return emulator.fetch(url, init);
      },
    });
    let second: Promise<unknown> | undefined;
    ({ bench } = made);
    await bench.payouts.enqueue(['a', 'b', 'c'].map((id) => bench.order(id)));
    await made.run(made.planned[0]);
    answerSecond();
    await second;
    expect(await bench.states()).toEqual(['queued HTTP_429', 'accepted -', 'queued -']);
    await made.run(made.planned[2]);
    expect([calls, (await bench.states())[2]]).toEqual([2, 'queued HTTP_429']);
    const { pauses } = await bench.payouts.summary();
    expect(pauses[0]?.until.getTime()).toBeGreaterThan(Date.now() + 50_000);
  });

  it('of one refused token lasts as long as it was set, also for those that wait for the call that is tried', async () => {
    let calls = 0;
    let answer = () => {};
    let isCalled = () => {};
    const trial = new Promise<void>((resolve) => {
      isCalled = resolve;
    });
    const made = await makeBenchByHand(opened, {
      pause: { first: 2000, most: 60_000 },
      through: (emulator) => async (url, init) => {
        calls += 1;
        if (calls === 1) return Response.json({ error: 'INVALID_API_KEY' }, { status: 401 });
        isCalled();
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return emulator.fetch(url, init);
      },
    });
    ({ bench } = made);
    await bench.payouts.enqueue(['a', 'b', 'c'].map((id) => bench.order(id)));
    await made.run(made.planned[0]);
    await bench.pass(3000);
    const tried = made.run(made.planned[1]);
    await trial;
    await made.run(made.planned[2]);
    // Not the two minutes after which a call that is tried is lost.
    const waits = made.planned.slice(3).map(({ startAfter = 0 }) => startAfter);
    expect(Math.max(...waits)).toBeLessThan(5);
    answer();
    await tried;
    expect([calls, await bench.states()]).toEqual([
      2,
      ['queued INVALID_API_KEY', 'accepted -', 'queued INVALID_API_KEY'],
    ]);
    expect((await bench.payouts.summary()).pauses).toEqual([]);
  });

  it('is set by a 429 without Retry-After, too, and halves the pace', async () => {
    let calls = 0;
    const {
      bench: made,
      planned,
      run,
    } = await makeBenchByHand(opened, {
      pause: { first: 30_000 },
      through: () => async () => {
        calls += 1;
        return slowDown();
      },
    });
    bench = made;
    await bench.payouts.enqueue(['a', 'b'].map((id) => bench.order(id)));
    await run(planned[0]);
    await run(planned[1]);
    expect([calls, await bench.states()]).toEqual([1, ['queued HTTP_429', 'queued HTTP_429']]);
    const { rows } = await bench.db.query<{ brake: string }>('select brake from payout_payer');
    expect(JSON.parse(rows[0]?.brake ?? '')).toMatchObject({ pace: 128, pauses: 0 });
  });
});

describe('the job of a payer', () => {
  it('wakes as many payouts as the pace lets be called, and then the next ones', async () => {
    const made = await makeBenchByHand(opened, {
      pause: { first: 30_000 },
      through: () => async () => slowDown(),
    });
    const { planned, run } = made;
    ({ bench } = made);
    await bench.payouts.enqueue(Array.from({ length: 12 }, (_, place) => bench.order(`o${place}`)));
    for (const job of planned.slice(0, 12)) await run(job);
    // One was called. The eleven others wait for the payer, and for nothing else.
    const jobs = planned.slice(12);
    expect(jobs.filter(({ data }) => 'payer' in (data as object))).toHaveLength(1);
    expect(jobs).toHaveLength(2);
    await bench.db.query(`update payout_payer set brake = '{"pace":5}'`);
    const payerJob = () => planned.findLast(({ data }) => 'payer' in (data as object));
    const woken: (number | undefined)[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const before = planned.length;
      await run(payerJob());
      const added = planned.slice(before);
      woken.push(added.filter(({ data }) => 'key' in (data as object)).length);
      woken.push(added.find(({ data }) => 'payer' in (data as object))?.startAfter);
    }
    expect(woken).toEqual([5, 1, 5, 1, 1, undefined, 0, undefined]);
  });

  it.each([
    ['the trial of a pause', '{"pauses":1}', 1, 1],
    ['a payer without a pace', '{}', 11, undefined],
    ['a payer at the slowest pace', `{"pace":${1 / 60}}`, 1, 60],
  ])('wakes those for %s', async (_name, brake, count, next) => {
    const made = await makeBenchByHand(opened, {
      pause: { first: 30_000 },
      through: () => async () => slowDown(),
    });
    const { planned, run } = made;
    ({ bench } = made);
    await bench.payouts.enqueue(Array.from({ length: 12 }, (_, place) => bench.order(`o${place}`)));
    for (const job of planned.slice(0, 12)) await run(job);
    const payerJob = planned.findLast(({ data }) => 'payer' in (data as object));
    await bench.db.query('update payout_payer set brake = $1', [brake]);
    const before = planned.length;
    await run(payerJob);
    const added = planned.slice(before);
    expect(added.filter(({ data }) => 'key' in (data as object))).toHaveLength(count);
    expect(added.find(({ data }) => 'payer' in (data as object))?.startAfter).toBe(next);
    // A second run of the same job is of a payer who has another one.
    await run(payerJob);
    expect(planned).toHaveLength(before + added.length);
  });
});

describe('a worker', () => {
  it('pays past the calls that hang, as long as a place is free', async () => {
    const slow: (() => void)[] = [];
    bench = await makeBench(opened, {
      through: (emulator) => async (url, init) => {
        if (String(init?.body).includes('77.25')) await new Promise<void>((resolve) => slow.push(resolve));
        return emulator.fetch(url, init);
      },
    });
    const hangs = [{ userId: bench.payee, amount: '77.25' }];
    const orders = Array.from({ length: 28 }, (_, place) =>
      bench.order(`o${place}`, place % 2 === 0 && place < 8 ? { recipients: hangs } : {}),
    );
    await bench.payouts.enqueue(orders);
    const worker = await bench.payouts.work({ concurrency: 8 });
    await vi.waitFor(() => expect([slow.length, bench.ledger().length]).toEqual([4, 24]), {
      timeout: 20_000,
    });
    for (const answer of slow) answer();
    await worker.stop();
    expect(bench.ledger()).toHaveLength(28);
  });

  it.each([
    ['as they are planned', {}, false],
    ['after `onChange` was told of the call', { onChange: () => {} }, false],
    ['for events that prove nothing', {}, true],
  ])(
    'has places for calls while every lookup hangs, and the lookups take the others, %s',
    async (_name, options, isWoken) => {
      const slow: (() => void)[] = [];
      bench = await makeBench(opened, {
        ...options,
        emulator: { settlementStep: 3_600_000 },
        look: isWoken ? 3_600_000 : 100,
        lookup: async () => {
          await new Promise<void>((resolve) => slow.push(resolve));
          return undefined;
        },
      });
      const orders = (name: string) =>
        Array.from({ length: 12 }, (_, place) => bench.order(`${name}${place}`));
      await bench.payouts.enqueue(orders('early'));
      const worker = await bench.payouts.work({ concurrency: 4 });
      try {
        await vi.waitFor(() => expect(bench.ledger()).toHaveLength(12), { timeout: 20_000 });
        for (const { requestId } of isWoken ? await bench.rows() : [])
          await bench.payouts.message(requestId, `event of ${requestId}`, { type: 'wake' });
        await vi.waitFor(() => expect(slow).toHaveLength(2), { timeout: 20_000 });
        await bench.payouts.enqueue(orders('late'));
        await vi.waitFor(() => expect(bench.ledger()).toHaveLength(24), { timeout: 20_000 });
        expect(slow).toHaveLength(2);
      } finally {
        for (const answer of slow) answer();
        await worker.stop(1000);
      }
    },
  );

  it('of one place calls before it looks anything up', async () => {
    const looked: string[] = [];
    const boss = await makeBenchByHand(opened, {
      look: 100,
      lookup: async ({ requestId }) => void looked.push(requestId),
    });
    ({ bench } = boss);
    await bench.payouts.enqueue([bench.order('a')]);
    const [call] = boss.planned;
    await boss.run(call);
    await bench.payouts.enqueue([bench.order('b')]);
    // pg-boss gives the job of the higher priority first.
    expect(boss.planned.map(({ priority = 0 }) => priority)).toEqual([0, -1, 0]);
    await bench.pass(1000);
    await boss.run(boss.planned[1]);
    expect([looked.length, boss.planned[3]?.priority]).toEqual([1, -1]);
  });

  it('finds the next payout soon while the place that asks most often is in a call', async () => {
    let answer = () => {};
    let isCalled = false;
    bench = await makeBench(opened, {
      through: (emulator) => async (url, init) => {
        if (String(init?.body).includes('77.25')) {
          isCalled = true;
          await new Promise<void>((resolve) => {
            answer = resolve;
          });
        }
        return emulator.fetch(url, init);
      },
    });
    await bench.payouts.enqueue([
      bench.order('slow', { recipients: [{ userId: bench.payee, amount: '77.25' }] }),
    ]);
    const worker = await bench.payouts.work({ concurrency: 256 });
    try {
      await vi.waitFor(() => expect(isCalled).toBe(true), { timeout: 20_000 });
      await bench.payouts.enqueue([bench.order('next')]);
      // Each of the other places asks by itself every 16 seconds.
      await vi.waitFor(() => expect(bench.ledger()).toHaveLength(1), { timeout: 8000 });
    } finally {
      answer();
      await worker.stop();
    }
  });

  it('asks pg-boss for its next job as soon as it is free', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue(Array.from({ length: 40 }, (_, place) => bench.order(`o${place}`)));
    const start = performance.now();
    const worker = await bench.payouts.work({ concurrency: 1 });
    await vi.waitFor(() => expect(bench.ledger()).toHaveLength(40), { timeout: 30_000 });
    await worker.stop();
    // pg-boss itself polls twice a second: that would take 20 seconds.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
