import { type Database, type PayoutOrder, payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bench, bossByHand, type Job, lookupIn, makeBench, makeBenchByHand, openBoss } from './bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
  // The queues of pg-boss itself.
  await makeBench(opened);
});
afterAll(() => opened.close());

const ada = { by: 'Ada' };
const who = { ...ada, reason: 'test' };
const QUIET = 200_000;

async function byHand(options: Parameters<typeof makeBench>[1] = {}) {
  const made = await makeBenchByHand(opened, options);
  bench = made.bench;
  return made;
}
const bad = (id: string, more: Partial<PayoutOrder> = {}): PayoutOrder =>
  bench.order(id, { recipients: [{ userId: 'nobody', amount: '1' }], ...more });
const keyOf = async (place = 0): Promise<string> => (await bench.rows())[place]?.requestId ?? '';
const completed = (requestId: string) => ({
  type: 'record' as const,
  record: { transferDetails: { id: 'late', requestId, status: 'COMPLETED' } },
});

/** Another process on the same database, whose worker is run by hand. */
async function anotherProcess(options: Partial<Parameters<typeof payoutsOnPgBoss>[0]> = {}) {
  const { boss, planned, run } = bossByHand();
  const { db, payments } = bench;
  const pause = { first: 100, most: 100, mostRetryAfter: 1000 };
  const payouts = payoutsOnPgBoss({ boss, db, payments, pause, onError: () => {}, ...options });
  await payouts.work();
  return { payouts, planned, run };
}

describe('a command between the attempt and its call', () => {
  it.each([
    ['hold', () => bench.payouts.hold({}, who), 'queued HELD'],
    ['cancel', () => bench.payouts.cancel({}, who), 'cancelled CANCELLED'],
  ] as const)('%s stops it', async (_name, command, state) => {
    let asked = 0;
    const { planned, run } = await byHand({
      mayCall: async () => {
        asked += 1;
        if (asked === 2) await command();
        return 'pay';
      },
    });
    await bench.payouts.enqueue([bench.order('a')]);
    await run(planned[0]);
    expect([asked, await bench.states(), bench.emulator.requests()]).toEqual([2, [state], []]);
  });

  it('cancel wins over a mayCall that waits', async () => {
    let asked = 0;
    const { planned, run } = await byHand({
      mayCall: async () => {
        asked += 1;
        if (asked === 2) await bench.payouts.cancel({}, who);
        return asked === 2 ? 'wait' : 'pay';
      },
    });
    await bench.payouts.enqueue([bench.order('a')]);
    await run(planned[0]);
    expect(await bench.states()).toEqual(['cancelled CANCELLED']);
  });
});

describe('two processes', () => {
  it('with one attempt call once, and the response of the first is no evidence once another step is stored', async () => {
    const answers: ((response: Response) => void)[] = [];
    const { planned, run } = await byHand({
      maxFailures: 1,
      through: () => () =>
        new Promise((resolve, reject) => {
          if (answers.length > 0) reject(new TypeError('reset'));
          else answers.push(resolve);
        }),
    });
    await bench.payouts.enqueue([bench.order('a')]);
    const requestId = await keyOf();
    const first = run(planned[0]);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    // The heartbeat of the first worker was late: pg-boss gives its job to another one.
    const other = await anotherProcess({ maxFailures: 1 });
    await other.run(planned[0]);
    await other.run(other.planned[0]);
    expect(await bench.states()).toEqual(['undecided RETRIES_USED_UP']);
    await bench.pass(QUIET);
    await bench.payouts.settle(requestId, { state: 'rejected', by: 'Ada' });
    answers[0]?.(
      Response.json({
        transferType: 'WALLET.TRANSFER',
        transferDetails: { id: 'late', status: 'COMPLETED' },
      }),
    );
    await first;
    expect(await bench.states()).toEqual(['rejected SETTLED_BY_A_PERSON']);
    // What the service tells later is a notice, and then nobody can pay it again.
    await bench.payouts.message(requestId, 'm', completed(requestId));
    await other.run(planned.at(-1));
    expect(await bench.states()).toEqual(['rejected SETTLED_BY_A_PERSON']);
    expect(await bench.review()).toMatchObject([{ kind: 'notice', notice: 'CONTRADICTION' }]);
    await expect(bench.payouts.payAgain(requestId, ada)).rejects.toThrow('may have moved money');
  });

  it('payAgain at the same moment make one round', async () => {
    let isLost = false;
    const over = (sql: Sql): Sql => ({
      query: async (statement, values) => {
        if (isLost || !statement.includes('update payout set version = version + 1'))
          return sql.query(statement, values);
        isLost = true;
        return { rows: [] };
      },
    });
    const db: Database = {
      ...over(opened.db),
      transaction: (work) => opened.db.transaction((sql) => work(over(sql))),
    };
    bench = await makeBench(opened, { db });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.cancel({}, who);
    const again = await bench.payouts.payAgain(await keyOf(), ada);
    expect([isLost, await keyOf()]).toEqual([true, again.requestId]);
  });
});

describe('a commit', () => {
  const commits = [1, 2, 3, 4, 5, 6, 7];
  it.each([
    ['whose answer is lost', true, 'the same process'],
    ['whose answer is lost', true, 'another process'],
    ['that fails', false, 'the same process'],
    ['that fails', false, 'another process'],
  ] as const)('%s pays and tells once (%s, %s)', async (_name, isDone, next) => {
    for (const lost of commits) {
      // Those of the start do not count.
      let commit = Number.NaN;
      const failing: Database = {
        ...opened.db,
        async transaction(work) {
          commit += 1;
          if (commit !== lost) return opened.db.transaction(work);
          if (isDone) await opened.db.transaction(work);
          throw new Error('connection lost');
        },
      };
      bench = await makeBench(opened);
      await bench.db.query('drop table if exists told');
      await bench.db.query('create table told (line text)');
      const options = {
        look: 100,
        lookup: lookupIn(() => bench.emulator),
        onChange: async (sql: Sql, { to }: { to: string }) => {
          await sql.query('insert into told values ($1)', [to]);
        },
      };
      const one = await anotherProcess({ ...options, db: failing });
      commit = 0;
      const two = await anotherProcess(options);
      await one.payouts.enqueue([bench.order('a')]).catch(() => one.payouts.enqueue([bench.order('a')]));
      for (let turn = 0; turn < 12; turn += 1) {
        const planned: Job[] = [...one.planned.splice(0), ...two.planned.splice(0)];
        for (const job of planned) {
          await bench.pass(1000 * (job.startAfter ?? 0));
          const status = await one.run(job);
          if (status === 'failed') await (next === 'the same process' ? one : two).run(job);
        }
      }
      expect([lost, await bench.states(), bench.ledger()]).toEqual([lost, ['paid -'], ['25.5 COMPLETED']]);
      const { rows } = await bench.db.query<{ line: string }>('select line from told order by line');
      expect(rows.map(({ line }) => line).join()).toMatch(/^(accepted,)?paid$/);
    }
  });
});

describe('onChange', () => {
  it('is told by a worker of what a command of a process without it has moved', async () => {
    const told: string[] = [];
    const { planned, run } = await byHand();
    const worker = await anotherProcess({ onChange: (_sql, { id, to }) => void told.push(`${id} ${to}`) });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.cancel({}, who);
    for (const job of planned) await worker.run(job);
    expect(told).toEqual(['a cancelled']);
    // A worker without it goes on.
    await bench.payouts.enqueue([bench.order('b')]);
    await bench.payouts.cancel({}, who);
    for (const job of [...planned]) await run(job);
    const { rows } = await bench.db.query('select id from payout where not is_done');
    expect(rows).toEqual([]);
  });
});

describe('evidence that was stored and not read yet', () => {
  it('comes before a person who calls the payment unpaid', async () => {
    const { planned, run } = await byHand({
      maxFailures: 1,
      through: () => () => Promise.reject(new TypeError('reset')),
    });
    await bench.payouts.enqueue([bench.order('a')]);
    await run(planned[0]);
    await bench.pass(QUIET);
    const requestId = await keyOf();
    await bench.payouts.message(requestId, 'm', completed(requestId));
    const settlement = { state: 'rejected', by: 'Ada' } as const;
    await expect(bench.payouts.settle(requestId, settlement)).rejects.toThrow('has not been read yet');
    await run(planned.at(-1));
    expect(await bench.states()).toEqual(['paid -']);
  });

  it('comes before another round, and before a corrected order', async () => {
    const { planned, run } = await byHand();
    await bench.payouts.enqueue([bad('a')]);
    await run(planned[0]);
    const requestId = await keyOf();
    await bench.payouts.message(requestId, 'm', completed(requestId));
    await expect(bench.payouts.payAgain(requestId, ada)).rejects.toThrow('has not been read yet');
    await expect(bench.payouts.enqueue([bench.order('a')])).rejects.toThrow('has not been read yet');
    await run(planned.at(-1));
    await expect(bench.payouts.payAgain(requestId, ada)).rejects.toThrow('may have moved money');
    await expect(bench.payouts.enqueue([bench.order('a')])).rejects.toThrow(
      'differs from the enqueued order',
    );
    expect(bench.ledger()).toEqual([]);
  });
});

describe('rounds', () => {
  it('payAgain after a corrected order does not take that one for its own', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.cancel({}, who);
    const requestId = await keyOf();
    await bench.payouts.enqueue([bench.order('a', { recipients: [{ userId: bench.payee, amount: '9' }] })]);
    await expect(bench.payouts.payAgain(requestId, ada)).rejects.toThrow('is not of the latest round');
  });

  it('a recipient whom the record of a later round calls unpaid may be paid by an order of its own', async () => {
    const recipients = (more: object) => [
      { userId: bench.payee, amount: '1', status: 'COMPLETED' },
      { userId: 'other', amount: '2', ...more },
    ];
    const { planned, run } = await byHand({
      through: () => async () =>
        Response.json({
          transferType: 'WALLET.TRANSFER',
          transferDetails: { id: 't', status: 'COMPLETED', recipients: recipients({ status: 'FAILED' }) },
        }),
    });
    const bob = { id: 'Bob', userId: 'other', amount: '2' };
    const batch = [{ id: 'Ann', userId: bench.payee, amount: '1' }, bob];
    await bench.payouts.enqueue([bench.order('a', { group: 'g', recipients: batch })]);
    await bench.payouts.cancel({}, who);
    await bench.payouts.payAgain(await keyOf(), ada);
    await run(planned.at(-1));
    expect(await bench.states()).toEqual(['paid -', 'rejected RECIPIENT_NOT_PAID']);
    const own = bench.order('b', { group: 'g', recipients: [bob] });
    expect(await bench.payouts.enqueue([own])).toEqual({ added: 1, known: 0 });
  });
});

describe('a row of a later release', () => {
  it('is left alone by every command', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.db.query(`update payout set situation = replace(situation, '"version":1', '"version":99')`);
    const stored = async () => (await bench.db.query('select situation, version from payout')).rows;
    const queued = await stored();
    const requestId = await keyOf();
    const settlement = { state: 'paid', by: 'Ada', transferId: 't' } as const;
    await expect(bench.payouts.settle(requestId, settlement)).rejects.toThrow('later release');
    await expect(bench.payouts.payAgain(requestId, ada)).rejects.toThrow('later release');
    expect(await bench.payouts.cancel({}, who)).toEqual({ cancelled: 0, inDoubt: 0, inCall: 1, tooLate: 0 });
    expect(await stored()).toEqual(queued);
    await bench.db.query(
      `update payout set situation = replace(situation, '"state":"queued"', '"state":"cancelled"')`,
    );
    const cancelled = await stored();
    await expect(bench.payouts.enqueue([bench.order('a', { chain: 'BASE' })])).rejects.toThrow(
      'chain differs',
    );
    expect(await stored()).toEqual(cancelled);
  });

  it('has one job, however many messages come', async () => {
    const { planned, run } = await byHand();
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.db.query(`update payout set situation = replace(situation, '"version":1', '"version":99')`);
    const requestId = await keyOf();
    await bench.payouts.message(requestId, 'm', { type: 'wake', requestId });
    for (const job of [...planned]) await run(job);
    expect(planned).toHaveLength(3);
  });
});

it('a payout that a process without a lookup cancels in doubt is looked up by a worker that has one', async () => {
  const lookups: string[] = [];
  const { planned, run } = await byHand({
    pause: { first: 60_000, most: 60_000 },
    through: () => () => Promise.reject(new TypeError('reset')),
  });
  await bench.payouts.enqueue([bench.order('a')]);
  await run(planned[0]);
  await bench.payouts.cancel({}, who);
  const worker = await anotherProcess({
    lookup: async ({ requestId }) => {
      lookups.push(requestId);
      return null;
    },
  });
  await bench.pass(QUIET);
  await worker.run(planned.at(-1));
  expect([lookups, await bench.states()]).toEqual([[await keyOf()], ['cancelled CANCELLED']]);
});

describe('reports of commands', () => {
  it('cancel says that an undecided payout is in doubt, also the second time', async () => {
    const { planned, run } = await byHand({
      pause: { first: 60_000, most: 60_000 },
      through: () => () => Promise.reject(new TypeError('reset')),
    });
    await bench.payouts.enqueue([bench.order('a')]);
    await run(planned[0]);
    const report = { cancelled: 0, inDoubt: 1, inCall: 0, tooLate: 0 };
    expect(await bench.payouts.cancel({}, who)).toEqual(report);
    expect(await bench.payouts.cancel({}, who)).toEqual(report);
  });
});

describe('a batch that was split', () => {
  it('of which the service has a half is too late to cancel, and only the other half is cancelled', async () => {
    let calls = 0;
    const { planned, run } = await byHand({
      pause: { first: 60_000, most: 60_000 },
      through: (emulator) => (url, init) => {
        calls += 1;
        return calls === 3
          ? Promise.resolve(Response.json({ error: 'slow down' }, { status: 429 }))
          : emulator.fetch(url, init);
      },
    });
    const recipients = [bench.payee, 'nobody'].map((userId) => ({ userId, amount: '2' }));
    await bench.payouts.enqueue([bench.order('a', { recipients })]);
    // Whatever follows a call is another job's.
    for (const place of [0, 1, 2]) await run(planned[place]);
    expect(await bench.states()).toEqual(['accepted -', 'queued HTTP_429']);
    expect(await bench.payouts.cancel({}, who)).toEqual({ cancelled: 0, inDoubt: 0, inCall: 0, tooLate: 1 });
    expect(await bench.states()).toEqual(['accepted -', 'cancelled CANCELLED']);
  });
});

describe('messages', () => {
  it('are about the payment that they are stored for', async () => {
    const { planned, run } = await byHand();
    await bench.payouts.enqueue([bench.order('a', { requireApproval: true })]);
    await run(planned[0]);
    expect(await bench.states()).toEqual(['awaiting_approval -']);
    await bench.payouts.message(await keyOf(), 'm', { type: 'decision', decision: 'REJECTED' });
    await run(planned.at(-1));
    expect(await bench.states()).toEqual(['rejected APPROVAL_REJECTED']);
  });
});
