import type { TransferList } from 'stablecoin-payments';
import { type Database, payoutsOnPgBoss, type Sql, type TransferRecord } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bench, bossByHand, makeBench, makeBenchByHand, openBoss } from './bench.ts';
import { backUp, benchesOf, DAY, HOUR, idOf } from './went-back-bench.ts';

/**
 * design.md, *A database that went back*: what counts as evidence of a payment in question, and of a database that went back.
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
beforeAll(async () => {
  opened = await openBoss();
  // Makes the queues of pg-boss.
  await makeBench(opened);
});
afterAll(() => opened.close());

const { setUp } = benchesOf(() => opened);
const by = { by: 'Ada' };

/** A database in which `before` runs before each statement. */
function databaseWith(before: (text: string) => void): Database {
  const over = (sql: Sql): Sql => ({
    async query(text, values) {
      before(text);
      return sql.query(text, values);
    },
  });
  return {
    ...over(opened.db),
    transaction: (work) => opened.db.transaction((sql) => work(over(sql))),
  };
}

const situationOf = async ({ db }: Bench): Promise<string> => {
  const { rows } = await db.query<{ situation: string }>('select situation from payout');
  return rows[0]?.situation ?? '';
};

const failing = (code: string): Error => Object.assign(new Error('failed'), { code });

describe('a database that has said who it is', () => {
  it.each(['57P01', '08006', '42501'])(
    'is not called for where the question fails once (%s)',
    async (code) => {
      let isDown = false;
      const db = databaseWith((text) => {
        if (!isDown || !text.includes('known_timeline')) return;
        isDown = false;
        throw failing(code);
      });
      const { bench, planned, run } = await makeBenchByHand(opened, { db });
      await bench.payouts.enqueue([bench.order('a')]);
      await bench.db.query(`update payout_restored set timeline = '0000000F'`);
      isDown = true;
      expect(await run(planned[0])).toBe('failed');
      expect(bench.emulator.requests()).toEqual([]);
      await run(planned[0]);
      expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued -']]);
    },
  );

  it.each(['57P01', '53300', '08006', 'EPIPE', undefined])(
    'is not called for by a worker whose questions fail from its start on (%s)',
    async (code) => {
      const db = databaseWith((text) => {
        if (text.includes('pg_control_system')) throw Object.assign(new Error('failed'), { code });
      });
      const { bench, planned } = await makeBenchByHand(opened);
      await bench.payouts.enqueue([bench.order('a')]);
      await bench.db.query(`update payout_restored set timeline = '0000000F'`);
      const { boss, run } = bossByHand();
      const { payments } = bench;
      const work = payoutsOnPgBoss({ boss, db, payments, onError: () => {} }).work();
      // A worker that starts all the same pays.
      const refused = await work.then(() => run(planned[0])).catch((error: Error) => error.message);
      expect([refused, bench.emulator.requests()]).toEqual(['failed', []]);
    },
  );

  it('is known by its earlier name where whoever gives the command may not ask', async () => {
    const { bench } = await makeBenchByHand(opened);
    const db = databaseWith((text) => {
      if (text.includes('pg_control_system')) throw failing('42501');
    });
    await payoutsOnPgBoss({ boss: opened.boss, db, payments: bench.payments }).restored(by);
    const { rows } = await bench.db.query<{ number: number; timeline: string }>(
      'select number, timeline from payout_restored order by number',
    );
    expect(rows.map(({ timeline }) => timeline)).toEqual(['00000001', '00000001']);
  });
});

describe('a payment in question', () => {
  it.each([
    ['nobody looks it up', undefined],
    ['the lookup fails', () => Promise.reject(new Error('down'))],
  ])('stays accepted by an event where %s', async (_name, lookup) => {
    const { bench, workAfterQuiet } = await setUp(false, { patience: 30 * DAY, ...(lookup && { lookup }) });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.restored(by);
    const requestId = await idOf(bench, 'a');
    const record = { transferDetails: { id: 't1', requestId, status: 'PENDING' } };
    await bench.payouts.message(requestId, 'event', { type: 'record', record });
    await bench.work();
    await bench.pass(2 * DAY);
    await workAfterQuiet();
    expect(await bench.states()).toEqual(['accepted -']);
  });

  it('is read by a list that shows a transfer twice', async () => {
    let shown: TransferList<TransferRecord> | undefined;
    const { bench, service, transfers, single, workAfterQuiet } = await setUp(false, {
      transfers: {
        find: async () => null,
        async *between(range) {
          for await (const one of shown?.between(range) ?? []) {
            yield one;
            yield one;
          }
        },
      },
    });
    shown = transfers;
    await bench.payouts.enqueue([single('a')]);
    const restore = await backUp(bench);
    await bench.work();
    await restore();
    service.forget();
    await bench.payouts.restored(by);
    await workAfterQuiet();
    expect([await bench.states(), service.timesPaid()]).toEqual([['paid -'], { 'to-a': 1 }]);
  });

  it('is not ended by a person who spoke before the command, in a message that the backup has', async () => {
    const { bench, service, single, workAfterQuiet } = await setUp(false);
    await bench.payouts.enqueue([single('a')]);
    const requestId = await idOf(bench, 'a');
    await bench.db.query(
      `update payout set situation = replace(replace(situation, '"phase":"begin"', '"phase":"look"'),
         '"state":"queued","reason":null', '"state":"undecided","reason":"RETRIES_USED_UP"')`,
    );
    await bench.payouts.message(requestId, 'm', { type: 'person', requestId, state: 'rejected', by: 'Bob' });
    const restore = await backUp(bench);
    await bench.work();
    await bench.payouts.payAgain(requestId, by);
    await bench.work();
    expect(service.timesPaid()).toEqual({ 'to-a': 1 });
    await restore();
    await bench.pass(2 * DAY);
    service.forget();
    await bench.payouts.restored(by);
    await workAfterQuiet();
    expect((await bench.review()).map((one) => (one.kind === 'notice' ? one.notice : one.kind))).toEqual([
      'undecided',
      'PERSON_NOT_HEARD',
    ]);
    await expect(bench.payouts.payAgain(requestId, by)).rejects.toThrow('is undecided');
  });
});

describe('a payment that is undecided for another reason, too', () => {
  it('names what to ask about all keys that follow from it', async () => {
    const { bench, single, reviewed, workAfterQuiet } = await setUp(false);
    await bench.payouts.enqueue([single('a'), single('b')]);
    await bench.payouts.restored(by);
    await bench.payouts.cancel({ id: 'a' }, { ...by, reason: 'wrong' });
    await workAfterQuiet();
    const [cancelled, other] = await reviewed();
    expect([cancelled?.reason, other?.reason]).toEqual(['CANCELLED_IN_DOUBT', 'DATABASE_WENT_BACK']);
    expect(cancelled?.following).toHaveLength(10);
    // A person who calls it unpaid says so of all of them.
    expect(cancelled?.whatToDo).toMatch(/^A lookup settles it\./);
    expect(cancelled?.whatToDo.endsWith(` ${other?.whatToDo}`)).toBe(true);
    expect(other?.whatToDo).toMatch(/^The database went back/);
  });
});

describe('an order that is enqueued again with other recipients', () => {
  /** Pays a batch in halves, as one recipient is refused, and loses it. */
  const lose = async ({ bench, service }: Awaited<ReturnType<typeof setUp>>, users: readonly string[]) => {
    const orderOf = (all: readonly string[]) =>
      bench.order('batch', { recipients: all.map((userId) => ({ userId, amount: '1' })) });
    const restore = await backUp(bench);
    service.bad.add('bad');
    await bench.payouts.enqueue([orderOf(users)]);
    await bench.work();
    service.bad.clear();
    await restore();
    await bench.pass(2 * DAY);
    service.forget();
    await bench.payouts.restored(by);
    return { orderOf };
  };

  const paidBefore = async (users: readonly string[], again: readonly string[]) => {
    const set = await setUp(true);
    const { bench, service, workAfterQuiet } = set;
    const { orderOf } = await lose(set, users);
    await bench.payouts.enqueue([orderOf(again)]);
    const before = service.timesPaid();
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual(before);
    return set;
  };

  it.each([
    ['in another order', ['A', 'B', 'C', 'bad'], ['bad', 'C', 'B', 'A']],
    ['as a single payment', ['A', 'bad'], ['A']],
    ['as a smaller batch', ['A', 'B', 'C', 'bad'], ['A', 'B']],
  ])('pays nobody twice: %s', async (_name, users, again) => {
    const { reviewed, bench } = await paidBefore(users, again);
    const [line] = await reviewed();
    expect(line).toMatchObject({ id: 'batch', reason: 'DATABASE_WENT_BACK' });
    // A person decides.
    await bench.payouts.settle(line?.requestId ?? '', { state: 'rejected', ...by });
    expect(await reviewed()).toEqual([]);
    // Some of its recipients may have been paid under the same name.
    await expect(bench.payouts.payAgain(line?.requestId ?? '', by)).rejects.toThrow('may have moved money');
  });

  it('pays nobody twice where an event shows less of a half than the list did', async () => {
    const set = await setUp(true);
    const { bench, service, single, workAfterQuiet } = set;
    await bench.payouts.enqueue([single('other')]);
    const { orderOf } = await lose(set, ['A', 'B', 'bad', 'C']);
    await workAfterQuiet();
    const before = service.timesPaid();
    // The events of the lost time come once more.
    for (const { id, requestId, status } of service.ledger)
      await bench.payouts.webhookHandlers['WALLET.TRANSFER.*'](
        { eventType: 'WALLET.TRANSFER.COMPLETED', data: { transferId: id, requestId, status } },
        { id },
      );
    await bench.payouts.enqueue([orderOf(['bad', 'C', 'A', 'B'])]);
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual(before);
    expect(await bench.states()).toEqual(Array(4).fill('undecided DATABASE_WENT_BACK').concat('paid -'));
  });

  it('is closed by a person where its key has the record of another payment', async () => {
    const { reviewed, bench } = await paidBefore(['A'], ['B']);
    const [line] = await reviewed();
    expect(line).toMatchObject({ id: 'batch', reason: 'RECORD_OF_ANOTHER_PAYMENT' });
    await bench.payouts.settle(line?.requestId ?? '', { state: 'rejected', ...by });
    expect(await bench.states()).toEqual(['rejected SETTLED_BY_A_PERSON']);
  });
});

describe('the command', () => {
  it('knows the calls of payouts that are archived', async () => {
    const { bench, single } = await setUp(true);
    await bench.payouts.enqueue([single('a')]);
    await bench.work();
    await bench.payouts.archive({ before: new Date(Date.now() + 1000) });
    expect(await bench.states()).toEqual([]);
    const { since } = await bench.payouts.restored(by);
    expect(Number(since)).toBeGreaterThan(Date.now() - 2 * HOUR);
  });
});

describe('a database that goes back a second time', () => {
  it('does not count a walk that began after the first command', async () => {
    let walks = 0;
    let questions = 0;
    let goOn = () => {};
    const wait = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { service, transfers, single } = await setUp(false);
    const db = databaseWith((text) => {
      if (text.startsWith('select is_over')) questions += 1;
    });
    const { bench, planned, run } = await makeBenchByHand(opened, {
      db,
      through: () => service.fetch,
      transfers: {
        find: async () => null,
        async *between(range) {
          walks += 1;
          const shown: TransferRecord[] = [];
          for await (const one of transfers.between(range)) shown.push(one);
          if (walks === 1) await wait;
          yield* shown;
        },
      },
    });
    await bench.payouts.enqueue([single('a')]);
    const restore = await backUp(bench);
    const asked = async (minutes: number) => {
      await bench.payouts.restored(by);
      const job = planned.at(-1);
      await bench.pass(minutes * 60_000);
      return run(job);
    };
    const first = asked(4);
    await vi.waitFor(() => expect(walks).toBe(1));
    // Another worker pays it; then the database goes back again.
    const { body } = JSON.parse(await situationOf(bench)).parts[0];
    await service.fetch('https://service.test', { method: 'POST', body });
    service.forget();
    await restore();
    const second = asked(3);
    // It asks whether the list was walked, and begins a walk of its own.
    await vi.waitFor(() => expect(questions).toBe(2), 10_000);
    await bench.db.query('select 1');
    goOn();
    await Promise.all([first, second]);
    for (const job of planned.splice(0)) await run(job);
    expect([service.timesPaid(), walks]).toEqual([{ 'to-a': 1 }, 2]);
  });
});
