import { ListNotWholeError, type TransferList } from 'stablecoin-payments';
import type { Database, Sql, TransferRecord } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBench, makeBenchByHand, openBoss } from './bench.ts';
import { backUp, benchesOf, DAY, HOUR, idOf } from './went-back-bench.ts';

/**
 * design.md, *A database that went back*: "A restored backup, or a failover with a lost tail, pays nobody twice."
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const { setUp, lose } = benchesOf(() => opened);

type Transfers = TransferList<TransferRecord>;

const ten = Array.from({ length: 10 }, (_none, place) => `S-${place}`);
const once = Object.fromEntries(ten.map((id) => [`to-${id}`, 1]));

describe('ten payouts that were enqueued, backed up and paid, in a database that is restored two days later', () => {
  const loseTwoDays = async (hasList: boolean) => {
    const set = await setUp(hasList);
    const { bench, service, single } = set;
    await bench.payouts.enqueue(ten.map(single));
    const restore = await backUp(bench);
    await bench.work();
    expect(service.ledger).toHaveLength(10);
    await restore();
    await bench.pass(2 * DAY);
    service.forget();
    return set;
  };

  it('are not paid again, by the list: each is found', async () => {
    const { bench, service, workAfterQuiet } = await loseTwoDays(true);
    const { payments } = await bench.payouts.restored({ by: 'Ada' });
    expect(payments).toBe(10);
    await bench.work();
    expect(service.requests()).toBe(10);
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual(once);
    expect(new Set(await bench.states())).toEqual(new Set(['paid -']));
    expect(await bench.review()).toEqual([]);
  });

  it('are not paid again where a service showed characters that `jsonb` refuses', async () => {
    const { bench, service, single, workAfterQuiet } = await setUp(true);
    await bench.payouts.enqueue(ten.map(single));
    const requestId = crypto.randomUUID();
    const record = { transferDetails: { requestId, id: 't-odd', status: 'ODD\u0000\ud800' } };
    for await (const row of bench.payouts.list({ id: 'S-0' }))
      await bench.payouts.message(row.requestId, 'odd', { type: 'record', record });
    await bench.work();
    expect(JSON.stringify(await bench.review())).toContain('ODD\\u0000');
    await bench.payouts.restored({ by: 'Ada' });
    await bench.payouts.enqueue([single('S-11')]);
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual({ ...once, 'to-S-11': 1 });
  });

  it('are not paid again without a list: `review` names each', async () => {
    const { bench, service, reviewed, workAfterQuiet } = await loseTwoDays(false);
    await bench.payouts.restored({ by: 'Ada' });
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual(once);
    const lines = await reviewed();
    expect(lines.map(({ id, reason }) => `${id} ${reason}`).sort()).toEqual(
      ten.map((id) => `${id} DATABASE_WENT_BACK`),
    );
  });
});

const by = { by: 'Ada' };

describe('after `restored`', () => {
  const batchOf = ({ bench }: Awaited<ReturnType<typeof setUp>>, ...users: string[]) =>
    bench.order('batch', { recipients: users.map((userId) => ({ userId, amount: '1' })) });

  it.each([true, false])(
    'an order of the lost time is enqueued again and not paid again (a list: %s)',
    async (hasList) => {
      const { bench, service, single, reviewed, workAfterQuiet } = await lose(
        hasList,
        ({ single: order }) => [order('a')],
        async (set) => {
          await set.bench.payouts.enqueue([set.single('b')]);
          await set.bench.work();
        },
      );
      await bench.payouts.restored(by);
      expect(await bench.payouts.enqueue([single('a'), single('b'), single('c')])).toEqual({
        added: 2,
        known: 1,
      });
      await workAfterQuiet();
      expect(service.timesPaid()).toEqual({ 'to-a': 1, 'to-b': 1, ...(hasList && { 'to-c': 1 }) });
      expect((await reviewed()).map(({ id }) => id)).toEqual(hasList ? [] : ['a', 'b', 'c']);
    },
  );

  it('the halves of a batch that was split in the lost time are found', async () => {
    const { bench, service, workAfterQuiet } = await lose(
      true,
      (set) => [batchOf(set, 'one', 'two', 'three', 'bad')],
      async (set) => {
        set.service.bad.add('bad');
        await set.bench.work();
        set.service.bad.clear();
      },
    );
    expect(service.timesPaid()).toEqual({ one: 1, two: 1, three: 1 });
    await bench.payouts.restored(by);
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual({ one: 1, two: 1, three: 1, bad: 1 });
    expect(new Set(await bench.states())).toEqual(new Set(['paid -']));
  });

  it('a payment whose later round was paid in the lost time is not called', async () => {
    const { bench, service, reviewed, workAfterQuiet } = await lose(
      true,
      ({ single }) => [single('a')],
      async ({ bench: lost, service: at }) => {
        at.bad.add('to-a');
        await lost.work();
        at.bad.clear();
        await lost.payouts.payAgain(await idOf(lost, 'a'), by);
        await lost.work();
      },
    );
    expect(service.timesPaid()).toEqual({ 'to-a': 1 });
    await bench.payouts.restored(by);
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual({ 'to-a': 1 });
    const [line] = await reviewed();
    expect(line).toMatchObject({ id: 'a', reason: 'DATABASE_WENT_BACK' });
    const [made] = service.ledger;
    expect(line?.following).toContain(made?.requestId);
    // A person finds its own key unpaid. The next round asks the records, and finds itself.
    await bench.payouts.settle(line?.requestId ?? '', { state: 'rejected', ...by });
    expect(await bench.payouts.payAgain(line?.requestId ?? '', by)).toEqual({ requestId: made?.requestId });
    await bench.work();
    expect(service.timesPaid()).toEqual({ 'to-a': 1 });
    expect(await bench.states()).toEqual(['paid -']);
  });

  it('a person who calls a payment unpaid frees its next round, until the next command', async () => {
    const { bench, service, reviewed, workAfterQuiet } = await lose(
      false,
      ({ single }) => [single('a'), single('b')],
      async () => {},
    );
    await bench.payouts.restored(by);
    const early = bench.payouts.settle(await idOf(bench, 'a'), { state: 'rejected', ...by });
    await expect(early).rejects.toThrow('only an undecided payment can be called unpaid');
    await workAfterQuiet();
    const [a, b] = await reviewed();
    for (const one of [a, b]) await bench.payouts.settle(one?.requestId ?? '', { state: 'rejected', ...by });
    await bench.payouts.payAgain(a?.requestId ?? '', by);
    await bench.work();
    expect(service.timesPaid()).toEqual({ 'to-a': 1 });
    await bench.payouts.restored(by);
    await bench.payouts.payAgain(b?.requestId ?? '', by);
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual({ 'to-a': 1 });
    expect((await reviewed()).map(({ id }) => id)).toEqual(['b']);
  });

  it('a person without a list gives the record of a half, or of a later round, and the rest is asked', async () => {
    const { bench, service, reviewed, workAfterQuiet } = await lose(
      false,
      (set) => [batchOf(set, 'one', 'two', 'bad')],
      async (set) => {
        set.service.bad.add('bad');
        await set.bench.work();
        set.service.bad.clear();
      },
    );
    const [made] = service.ledger;
    expect(service.timesPaid()).toEqual({ one: 1, two: 1 });
    await bench.payouts.restored(by);
    await workAfterQuiet();
    const [batch] = await reviewed();
    expect(batch?.following).toContain(made?.requestId);
    await bench.payouts.message(batch?.requestId ?? '', 'found', {
      type: 'record',
      record: { transferDetails: made },
    });
    const shown = bench.payouts.settle(batch?.requestId ?? '', { state: 'rejected', ...by });
    await expect(shown).rejects.toThrow('A message about payout "batch" has not been read yet');
    await bench.work();
    expect(await bench.states()).toEqual(['paid -', 'paid -', 'undecided DATABASE_WENT_BACK']);
    const [bad] = await reviewed();
    await bench.payouts.settle(bad?.requestId ?? '', { state: 'rejected', ...by });
    await bench.payouts.payAgain(bad?.requestId ?? '', by);
    await bench.work();
    // The record of the half was kept: it says nothing of the next round, which a person freed.
    expect(service.timesPaid()).toEqual({ one: 1, two: 1, bad: 1 });
  });

  it.each<[string, (transfers: Transfers) => Transfers]>([
    [
      'that ends before its end',
      ({ find, between }) => ({
        find,
        async *between(range) {
          for await (const one of between(range)) yield one;
          throw new ListNotWholeError('too many pages');
        },
      }),
    ],
    [
      'with a transfer without its key',
      ({ find, between }) => ({
        find,
        async *between(range) {
          yield { transferDetails: { id: 'x', status: 'COMPLETED' } };
          yield* between(range);
        },
      }),
    ],
  ])('a walk %s proves no absence, and its records count', async (_name, change) => {
    let transfers: Transfers | undefined;
    const set = await lose(
      false,
      ({ single }) => [single('a'), single('b')],
      async ({ bench, single }) => {
        await bench.payouts.cancel({ id: 'b' }, { ...by, reason: 'wrong' });
        await bench.payouts.enqueue([single('c')]);
        await bench.work();
      },
      {
        transfers: {
          find: async () => Promise.reject(new Error('no lookup')),
          between: (range) => transfers?.between(range) ?? { async *[Symbol.asyncIterator]() {} },
        },
      },
    );
    transfers = change(set.transfers);
    await set.bench.payouts.restored(by);
    await set.bench.payouts.enqueue([set.single('c')]);
    await set.workAfterQuiet();
    expect(set.service.timesPaid()).toEqual({ 'to-a': 1, 'to-c': 1 });
    expect((await set.reviewed()).map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      'b DATABASE_WENT_BACK',
    ]);
  });

  it('a list that fails is read again before anything is decided', async () => {
    let isDown = true;
    const { bench, service, transfers, workAfterQuiet } = await setUp(false, {
      transfers: {
        find: async () => Promise.reject(new Error('no lookup')),
        async *between(range) {
          if (isDown) throw new Error('down');
          yield* transfers.between(range);
        },
      },
    });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.restored(by);
    await workAfterQuiet();
    expect(await bench.states()).toEqual(['queued -']);
    isDown = false;
    await workAfterQuiet();
    expect([await bench.states(), service.requests()]).toEqual([['paid -'], 1]);
  });

  it('a list that fails for an hour shows nothing', async () => {
    let walks = 0;
    const { bench, reviewed, workAfterQuiet } = await setUp(false, {
      transfers: {
        find: async () => Promise.reject(new Error('no lookup')),
        // biome-ignore lint/correctness/useYield: it fails before its first record.
        async *between() {
          walks += 1;
          throw new Error('down');
        },
      },
    });
    await bench.payouts.enqueue(['a', 'b', 'c'].map((id) => bench.order(id)));
    await bench.payouts.restored(by);
    await workAfterQuiet();
    expect([await reviewed(), walks]).toEqual([[], 1]);
    await bench.pass(HOUR);
    await workAfterQuiet();
    expect((await reviewed()).map(({ id, reason }) => `${id} ${reason}`)).toEqual(
      ['a', 'b', 'c'].map((id) => `${id} DATABASE_WENT_BACK`),
    );
  });

  it('a record of a payment that is final is heard like an event', async () => {
    const { bench, service, single, workAfterQuiet } = await setUp(true);
    service.bad.add('to-a');
    await bench.payouts.enqueue([single('a')]);
    await bench.work();
    expect(await bench.states()).toEqual(['rejected USER_NOT_FOUND']);
    const requestId = await idOf(bench, 'a');
    service.bad.clear();
    const paid = {
      requestId,
      source: { userId: bench.payer },
      destination: { userId: 'to-a' },
      amount: 25.5,
      currency: 'usdc',
    };
    await service.fetch('https://service.test', { method: 'POST', body: JSON.stringify(paid) });
    await bench.payouts.restored(by);
    await bench.payouts.enqueue([single('b')]);
    await workAfterQuiet();
    expect((await bench.review()).map((line) => (line.kind === 'notice' ? line.notice : line.kind))).toEqual([
      'CONTRADICTION',
    ]);
    await expect(bench.payouts.payAgain(requestId, by)).rejects.toThrow('may have moved money');
  });

  it('a payment that was in a call is queued, and a cancelled one ends as cancelled', async () => {
    const { bench, service, single, workAfterQuiet } = await setUp(true);
    await bench.payouts.enqueue([single('a'), single('b')]);
    await bench.db.query(
      `update payout set situation = replace(situation, '"phase":"begin"', '"phase":"call"')
       where id = 'a'`,
    );
    await bench.payouts.restored(by);
    await bench.payouts.cancel({ id: 'b' }, { ...by, reason: 'wrong' });
    await workAfterQuiet();
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual({ 'to-a': 1 });
    expect((await bench.states()).toSorted()).toEqual(['cancelled CANCELLED', 'paid -']);
  });
});

describe('the command', () => {
  it('has `since` from the newest call, less an hour; a second one keeps the earliest', async () => {
    const { bench, single } = await setUp(true);
    await bench.payouts.enqueue([single('a')]);
    expect(await bench.payouts.restored(by)).toEqual({ since: new Date(0), payments: 1 });
    await bench.pass(3 * 60_000);
    await bench.work();
    await bench.db.query('delete from payout_restored');
    const { rows } = await bench.db.query<{ situation: string }>('select situation from payout');
    const { begun } = JSON.parse(rows[0]?.situation ?? '').parts[0];
    const sinceOf = async (since?: Date) =>
      Number((await bench.payouts.restored({ ...by, ...(since && { since }) })).since);
    expect(Math.abs((await sinceOf(new Date())) - (begun - HOUR))).toBeLessThan(1);
    expect(await sinceOf(new Date(begun - HOUR))).toBe(Math.floor(begun) - 2 * HOUR);
    expect(await sinceOf()).toBe(Math.floor(begun) - 2 * HOUR);
    const commands: string[] = [];
    for await (const { kind, by: who } of bench.payouts.commands({ kind: 'restored' }))
      commands.push(`${kind} ${who}`);
    expect(commands).toEqual(Array.from({ length: 4 }, () => 'restored Ada'));
  });

  it.each([
    [{}, '`by` mu'],
    [{ by: ' ' }, '`by` must name the person who decides'],
    [{ by: 'Ada', since: '2026-11-20' }, '`since` must be a valid Date'],
    [{ by: 'Ada', since: new Date('2999-01-01') }, '`since` is in the future'],
    [{ by: 'Ada', until: new Date() }, '`until` is not'],
  ])('refuses %j', async (given, message) => {
    const { bench } = await setUp(false);
    const refused = await bench.payouts.restored(given as never).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
    expect(String(refused)).toContain('Nothing was changed.');
  });
});

describe('a worker', () => {
  it.each(['system_identifier', 'timeline'])(
    'notices another %s, and gives the command itself',
    async (column) => {
      const { bench, service, workAfterQuiet } = await lose(
        true,
        ({ single }) => ten.map(single),
        ({ bench: lost }) => lost.work(),
      );
      // The backup was made before a worker said who the database is.
      await bench.db.query(`insert into payout_restored (number, ${column}) values (0, 'another')`);
      await bench.work();
      await workAfterQuiet();
      expect([service.timesPaid(), service.requests()]).toEqual([once, 10]);
      const commands: string[] = [];
      for await (const { kind, by: who } of bench.payouts.commands()) commands.push(`${kind} ${who}`);
      expect(commands).toEqual(['restored worker']);
    },
  );

  it('notices it before a call, while it runs', async () => {
    const { bench, planned, run } = await makeBenchByHand(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.db.query(`update payout_restored set timeline = '0000000F'`);
    await run(planned[0]);
    expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued -']]);
    const { rows } = await bench.db.query('select timeline from payout_restored order by number');
    expect(rows).toEqual([{ timeline: '0000000F' }, { timeline: '00000001' }]);
  });

  it('calls nothing where another process gives the command in the moment of its question', async () => {
    let gates = 0;
    const over = (sql: Sql): Sql => ({
      async query(text, values) {
        const isGate = text.includes('cancelled_by is not null');
        if (isGate) gates += 1;
        const isCall = isGate && gates === 2;
        if (isCall) await opened.db.query(`update payout_restored set timeline = '0000000F'`);
        const result = await sql.query(text, values);
        if (isCall) await bench.payouts.restored(by);
        return result as never;
      },
    });
    const db: Database = { ...over(opened.db), transaction: opened.db.transaction };
    const { bench, planned, run } = await makeBenchByHand(opened, { db });
    await bench.payouts.enqueue([bench.order('a')]);
    await run(planned[0]);
    expect([gates, bench.emulator.requests(), await bench.states()]).toEqual([2, [], ['queued -']]);
  });

  it('does not take the attempt with which it notices for a call that the database knew before', async () => {
    const { bench, service, single, planned, run } = await (async () => {
      const set = await setUp(true);
      const made = await makeBenchByHand(opened, {
        through: () => set.service.fetch,
        transfers: set.transfers,
      });
      return { ...set, ...made };
    })();
    await bench.payouts.enqueue([single('a')]);
    await bench.db.query(`update payout_restored set timeline = '0000000F'`);
    await run(planned[0]);
    expect(service.requests()).toBe(0);
    const { rows } = await bench.db.query<{ since: Date }>(
      'select since from payout_restored where number > 0',
    );
    expect(Number(rows[0]?.since)).toBe(0);
  });

  it('is not first: a person who cancels before it is told what is certain', async () => {
    const { bench, service, workAfterQuiet } = await lose(
      true,
      ({ single }) => [single('a')],
      ({ bench: lost }) => lost.work(),
    );
    await bench.db.query(`insert into payout_restored (number, timeline) values (0, 'another')`);
    expect(await bench.payouts.cancel({}, { ...by, reason: 'wrong' })).toMatchObject({ inDoubt: 1 });
    await workAfterQuiet();
    expect([await bench.states(), service.requests()]).toEqual([['paid -'], 1]);
  });

  it.each(['42883', '42501', '55000'])(
    'pays where the database does not say who it is (%s)',
    async (code) => {
      let asked = 0;
      const over = (sql: Sql): Sql => ({
        async query(text, values) {
          if (text.includes('pg_control_system')) {
            asked += 1;
            throw Object.assign(new Error('no such function'), { code });
          }
          return sql.query(text, values);
        },
      });
      const db: Database = {
        ...over(opened.db),
        transaction: (work) => opened.db.transaction((sql) => work(over(sql))),
      };
      const bench = await makeBench(opened, { db });
      await bench.payouts.enqueue([bench.order('a')]);
      await bench.work();
      expect(await bench.states()).toEqual(['accepted -']);
      if (code !== '55000') expect(asked).toBe(1);
    },
  );
});
