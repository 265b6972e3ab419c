import type { TransferList } from 'stablecoin-payments';
import type { TransferRecord } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, makeBench, makeBenchByHand, openBoss } from './bench.ts';
import { backUp, benchesOf, DAY, HOUR, idOf } from './went-back-bench.ts';

/**
 * design.md, *A database that went back*: "unpaid is said of all these". A person who decides after the command: what `review`
 * names, and what the records say first.
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
beforeAll(async () => {
  opened = await openBoss();
  // Makes the queues of pg-boss.
  await makeBench(opened);
});
afterAll(() => opened.close());

const { setUp } = benchesOf(() => opened);
type Set = Awaited<ReturnType<typeof setUp>>;
const by = { by: 'Ada' };
const users = ['one', 'two', 'three', 'bad'];
const once = { one: 1, two: 1, three: 1 };
const batchOf = ({ bench }: Set, amount = '1') =>
  bench.order('batch', { recipients: users.map((userId) => ({ userId, amount })) });

/** A list that fails until `up` is called. */
async function setUpWithLateList() {
  let isDown = true;
  let shown: TransferList<TransferRecord> | undefined;
  const transfers: TransferList<TransferRecord> = {
    find: async () => Promise.reject(new Error('no lookup')),
    async *between(range) {
      if (isDown) throw new Error('down');
      yield* shown?.between(range) ?? [];
    },
  };
  const set = await setUp(false, { transfers });
  shown = set.transfers;
  const up = () => {
    isDown = false;
  };
  /** For an hour the list fails. */
  const waitForList = async () => {
    await set.workAfterQuiet();
    await set.bench.pass(HOUR);
    await set.workAfterQuiet();
  };
  return { ...set, up, waitForList };
}

/** Pays a batch in halves, as one recipient is refused, and loses it. */
async function loseHalves<Given extends Set>(set: Given) {
  const { bench, service } = set;
  await bench.payouts.enqueue([batchOf(set)]);
  const restore = await backUp(bench);
  service.bad.add('bad');
  await bench.work();
  service.bad.clear();
  expect(service.timesPaid()).toEqual(once);
  await restore();
  await bench.pass(2 * DAY);
  service.forget();
  await bench.payouts.restored(by);
  const requestId = await idOf(bench, 'batch');
  const [half] = service.ledger;
  return { ...set, requestId, half };
}

/** The webhook event of a transfer. */
const tell = (bench: Bench, made: Set['service']['ledger'][number] | undefined) =>
  bench.payouts.webhookHandlers['WALLET.TRANSFER.*'](
    {
      eventType: 'WALLET.TRANSFER.COMPLETED',
      data: { transferId: made?.id, requestId: made?.requestId, status: 'COMPLETED' },
    },
    { id: `event of ${made?.id}` },
  );

/** A person gives the record of a half, and then calls the batch unpaid. */
async function callUnpaidAfterHalf({ bench, requestId, half }: Awaited<ReturnType<typeof loseHalves>>) {
  await bench.payouts.message(requestId, 'found', { type: 'record', record: { transferDetails: half } });
  const unpaid = { type: 'person', requestId, state: 'cancelled', ...by } as const;
  await bench.payouts.message(requestId, 'unpaid', unpaid);
  await bench.work();
}

/** A batch whose call was lost before it reached the service, and what a backup has of it. */
async function lostBeforeTheService() {
  let service: Set['service'] | undefined;
  let isDown = true;
  const set = await setUp(true, {
    maxFailures: 1,
    through: () => async (url, init) => {
      if (isDown && init?.method === 'POST') throw new TypeError('fetch failed');
      return service?.fetch(url, init) ?? Response.error();
    },
  });
  service = set.service;
  await set.bench.payouts.enqueue([batchOf(set)]);
  await set.bench.work();
  expect(new Set(await set.bench.states())).toEqual(new Set(['undecided RETRIES_USED_UP']));
  isDown = false;
  return { ...set, restore: await backUp(set.bench) };
}

describe('a person who reads `review` before a worker has looked', () => {
  it('is named all keys, and the quiet time', async () => {
    const set = await lostBeforeTheService();
    const { bench, service, reviewed, workAfterQuiet, restore } = set;
    service.bad.add('bad');
    // An absence splits it, and its halves are paid.
    await workAfterQuiet();
    service.bad.clear();
    expect(service.timesPaid()).toEqual(once);
    await restore();
    await bench.pass(2 * DAY);
    service.forget();
    await bench.payouts.restored(by);
    const [line] = await reviewed();
    const { rows } = await bench.db.query<{ at: Date }>('select max(at) as at from payout_restored');
    expect(line?.lookFrom).toEqual(new Date(Number(rows[0]?.at) + 180_000));
    expect(line?.whatToDo).toMatch(/ The database went back, /);
    const named = new Set([line?.requestId, ...(line?.following ?? [])]);
    expect(service.ledger.filter(({ requestId }) => named.has(requestId))).not.toEqual([]);
  });
});

describe('a half that is shown after its batch was called unpaid', () => {
  it.each(['by its record', 'by the list', 'by an event of its own'])(
    'is not paid again: %s',
    async (how) => {
      const set = await loseHalves(await setUpWithLateList());
      const { bench, service, workAfterQuiet, waitForList, requestId, half, up } = set;
      await waitForList();
      await bench.payouts.settle(requestId, { state: 'rejected', ...by });
      if (how === 'by the list') {
        up();
        await bench.payouts.restored(by);
        await bench.payouts.enqueue([
          bench.order('other', { recipients: [{ userId: 'other', amount: '1' }] }),
        ]);
      } else if (how === 'by its record')
        await bench.payouts.message(requestId, 'found', {
          type: 'record',
          record: { transferDetails: half },
        });
      else await tell(bench, half);
      await workAfterQuiet();
      if (how === 'by its record') expect(await bench.review()).toMatchObject([{ notice: 'CONTRADICTION' }]);
      await expect(bench.payouts.payAgain(requestId, by)).rejects.toThrow('may have moved money');
      const corrected =
        how === 'by its record' ? 'differs from the enqueued order' : 'a record of a half of it';
      await expect(bench.payouts.enqueue([batchOf(set, '2')])).rejects.toThrow(corrected);
      await workAfterQuiet();
      expect(service.timesPaid()).toMatchObject(once);
    },
  );

  it('stops the round that was ordered before', async () => {
    const set = await loseHalves(await setUpWithLateList());
    const { bench, service, workAfterQuiet, waitForList, requestId, half } = set;
    await waitForList();
    await bench.payouts.settle(requestId, { state: 'rejected', ...by });
    await bench.payouts.payAgain(requestId, by);
    await bench.payouts.message(requestId, 'found', { type: 'record', record: { transferDetails: half } });
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual(once);
    expect(new Set(await bench.states())).toEqual(new Set(['undecided ANOTHER_ROUND_MAY_BE_PAID']));
  });
});

describe('a half of a round that a person freed', () => {
  it.each(['given to the round before', 'given to it', 'of its own event'])(
    'stops it where it is shown before the call: %s',
    async (how) => {
      const set = await setUpWithLateList();
      const { bench, service, waitForList, workAfterQuiet } = set;
      await bench.payouts.enqueue([batchOf(set)]);
      const restore = await backUp(bench);
      await bench.payouts.cancel({ id: 'batch' }, { ...by, reason: 'wrong' });
      const first = await idOf(bench, 'batch');
      const { requestId: second } = await bench.payouts.payAgain(first, by);
      service.bad.add('bad');
      await bench.work();
      service.bad.clear();
      expect(service.timesPaid()).toEqual(once);
      await restore();
      await bench.pass(2 * DAY);
      service.forget();
      await bench.payouts.restored(by);
      await waitForList();
      await bench.payouts.settle(first, { state: 'rejected', ...by });
      await bench.payouts.payAgain(first, by);
      const [half] = service.ledger;
      if (how === 'of its own event') await tell(bench, half);
      else
        await bench.payouts.message(how === 'given to it' ? second : first, 'found', {
          type: 'record',
          record: { transferDetails: half },
        });
      await workAfterQuiet();
      expect(service.timesPaid()).toEqual(once);
      expect(new Set(await bench.states())).toEqual(new Set(['undecided ANOTHER_ROUND_MAY_BE_PAID']));
      expect(JSON.stringify(await bench.review())).toContain(`${half?.requestId} accepted`);
    },
  );
});

describe('a half that a second command finds', () => {
  it('is heard of what an absence ended after the first', async () => {
    const set = await setUp(true);
    const { bench, service, workAfterQuiet } = set;
    const other = bench.order('other', { recipients: [{ userId: 'other', amount: '1' }] });
    await bench.payouts.enqueue([batchOf(set), other]);
    await bench.payouts.hold({ id: 'other' }, { ...by, reason: 'wait' });
    const restore = await backUp(bench);
    service.bad.add('bad');
    await bench.work();
    service.bad.clear();
    expect(service.timesPaid()).toEqual(once);
    await restore();
    service.forget();
    // Made three days ago: the first command does not look so far back.
    const age = 3 * DAY;
    for (const [place, one] of service.ledger.entries())
      service.ledger[place] = { ...one, createdAt: new Date(Date.parse(one.createdAt) - age).toISOString() };
    await bench.payouts.resume({}, by);
    await bench.payouts.hold({ id: 'batch' }, { ...by, reason: 'wait' });
    await bench.work();
    await bench.payouts.restored(by);
    await bench.payouts.cancel({ id: 'batch' }, { ...by, reason: 'wrong' });
    await workAfterQuiet();
    const requestId = await idOf(bench, 'batch');
    expect(await bench.states()).toContain('cancelled CANCELLED');
    await bench.payouts.restored({ ...by, since: new Date(Date.now() - 2 * age) });
    await bench.payouts.enqueue([bench.order('third', { recipients: [{ userId: 'third', amount: '1' }] })]);
    await workAfterQuiet();
    await expect(bench.payouts.payAgain(requestId, by)).rejects.toThrow('a record of a half of it');
    expect(service.timesPaid()).toMatchObject(once);
  });
});

describe('a person who speaks by a message to a database that went back, before anybody has noticed', () => {
  it.each(['person', 'cancel'] as const)('is heard after the command: %s', async (type) => {
    const { bench, planned, run } = await makeBenchByHand(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    const requestId = await idOf(bench, 'a');
    const isPerson = type === 'person';
    if (isPerson)
      await bench.db.query(
        `update payout set situation = replace(replace(situation, '"phase":"begin"', '"phase":"look"'),
           '"state":"queued","reason":null', '"state":"undecided","reason":"RETRIES_USED_UP"')`,
      );
    await bench.db.query(`update payout_restored set timeline = '0000000F'`);
    const message = isPerson
      ? ({ type, requestId, state: 'rejected', ...by } as const)
      : ({ type, ...by } as const);
    await bench.payouts.message(requestId, 'm', message);
    await run(planned[0]);
    const { rows } = await bench.db.query<{ timeline: string }>(
      'select timeline from payout_restored order by number desc limit 1',
    );
    expect(rows).toEqual([{ timeline: '00000001' }]);
    const stored = async () => {
      const { rows: found } = await bench.db.query<{ situation: string }>('select situation from payout');
      const { parts } = JSON.parse(found[0]?.situation ?? '{}');
      return `${parts[0].state} ${parts[0].reason}`;
    };
    // The step that heard it stores nothing.
    const before = isPerson ? 'undecided RETRIES_USED_UP' : 'queued null';
    expect(await stored()).toBe(before);
    for (const job of planned.slice(1)) await run(job);
    // A person who spoke before the quiet time is not heard, and what was in question is cancelled in doubt.
    expect(await stored()).toBe(isPerson ? before : 'undecided CANCELLED_IN_DOUBT');
    expect((await bench.review()).map(({ kind }) => kind)).toEqual(
      isPerson ? ['undecided', 'notice'] : ['undecided'],
    );
  });
});

describe('a person who calls a batch unpaid of which a half has a record', () => {
  it('leaves no notice that nobody can confirm', async () => {
    const set = await loseHalves(await setUpWithLateList());
    const { bench, workAfterQuiet, waitForList, up } = set;
    await waitForList();
    await callUnpaidAfterHalf(set);
    up();
    await bench.payouts.restored(by);
    await workAfterQuiet();
    const [notice] = await bench.review();
    expect(notice).toMatchObject({ kind: 'notice', notice: 'PERSON_NOT_HEARD' });
    const named = notice !== undefined && 'requestId' in notice ? notice.requestId : '';
    const row = (await bench.rows()).find((one) => one.requestId === named);
    if (row?.state !== 'paid') throw new Error(`the half is ${row?.state}`);
    await bench.payouts.settle(named, { state: 'paid', transferId: row.transferId ?? '', ...by });
    expect(await bench.review()).toEqual([]);
  });

  it('is not heard by a message', async () => {
    const set = await loseHalves(await setUpWithLateList());
    const { bench, service, workAfterQuiet, waitForList, requestId, up } = set;
    await bench.payouts.message(requestId, 'c', { type: 'cancel', ...by });
    await waitForList();
    await callUnpaidAfterHalf(set);
    expect((await bench.review()).map((one) => (one.kind === 'notice' ? one.notice : one.kind))).toContain(
      'PERSON_NOT_HEARD',
    );
    up();
    await bench.payouts.restored(by);
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual(once);
    expect((await bench.states()).toSorted()).toEqual(['cancelled CANCELLED', 'paid -', 'paid -', 'paid -']);
  });

  it('is refused by the command, and a worker looks at once', async () => {
    const { bench, workAfterQuiet, requestId, half } = await loseHalves(await setUp(false));
    await workAfterQuiet();
    // Of its key no row knows.
    await tell(bench, half);
    await expect(bench.payouts.settle(requestId, { state: 'rejected', ...by })).rejects.toThrow(
      `A record shows a transfer of payment ${requestId}`,
    );
    await bench.work();
    expect(await bench.states()).toContain('paid -');
    expect((await bench.review()).filter(({ kind }) => kind === 'notice')).toEqual([]);
  });
});

describe('the command `cancel` of what is undecided', () => {
  it('ends as cancelled by the absence, and is not listed as what `payAgain` pays', async () => {
    const { bench, service, workAfterQuiet, restore } = await lostBeforeTheService();
    await restore();
    await bench.payouts.restored(by);
    expect(await bench.payouts.cancel({ id: 'batch' }, { ...by, reason: 'wrong' })).toMatchObject({
      inDoubt: 1,
    });
    expect(new Set(await bench.states())).toEqual(new Set(['undecided CANCELLED_IN_DOUBT']));
    await workAfterQuiet();
    expect(new Set(await bench.states())).toEqual(new Set(['cancelled CANCELLED']));
    expect(service.timesPaid()).toEqual({});
  });

  it('ends as cancelled by the absence without a command `restored`, too', async () => {
    const { bench, service, workAfterQuiet } = await lostBeforeTheService();
    await bench.payouts.cancel({ id: 'batch' }, { ...by, reason: 'wrong' });
    await workAfterQuiet();
    expect([new Set(await bench.states()), service.timesPaid()]).toEqual([
      new Set(['cancelled CANCELLED']),
      {},
    ]);
  });
});
