import { createPayouts, type Database, type TransferRecord } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/payouts/rules/see-attempt.ts';
import { pausesFrom } from '../../../src/payouts/rules/see-attempt.ts';
import { type FleetRules, settle } from '../../../src/payouts/store/attempts.ts';
import { type Bench, begin, bench, MONTH, refusal, responding, usingDatabase } from '../support.ts';

const db = usingDatabase();
const rulesOf = ({ userId }: Bench): FleetRules => ({
  pauses: pausesFrom(),
  maxFailures: 3,
  random: 0,
  keyLifetime: 86_400_000,
  maxRefusals: 25,
  payers: [userId],
});

const beginAll = (at: Bench) => begin(at.db, rulesOf(at));

const note = (at: Bench, attempts: Awaited<ReturnType<typeof beginAll>>['attempts'], finding: Finding) =>
  settle(
    { db: at.db, onChange: undefined },
    attempts.map((attempt) => ({ attempt, finding })),
    rulesOf(at),
  );

const busy: Finding = { finding: 'not-reached', reason: 'BUSY' };
const refused: Finding = { finding: 'refused', reason: 'NO', about: 'payment' };
const lost: Finding = { finding: 'open', reason: 'LOST', counts: true };
const paid: Finding = { finding: 'made', reading: { transferId: 't1', state: 'paid' } };

describe('an attempt', () => {
  test('counts once, however often its result is noted', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const first = await beginAll(at);
    await note(at, first.attempts, lost);
    await at.pass(10);
    const second = await beginAll(at);
    // The answer to the COMMIT was lost, so the worker notes the pause again: one doubt is left, not none.
    for (let time = 0; time < 3; time += 1) await note(at, second.attempts, busy);
    expect(await at.rows()).toMatchObject([{ doubts: 1, attempts: 2, pauses: 2 }]);
    await at.pass(10);
    await note(at, (await beginAll(at)).attempts, refused);
    expect(await at.states()).toEqual([['undecided', 'REFUSED_AFTER_LOST_RESPONSE NO']]);
  });

  test('of a batch that was lost, paused and noted again never splits it', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}, {}, {}], 4);
    await note(at, (await beginAll(at)).attempts, lost);
    await at.pass(10);
    const { attempts } = await beginAll(at);
    await note(at, attempts, busy);
    await note(at, attempts, busy);
    await at.pass(10);
    await note(at, (await beginAll(at)).attempts, refused);
    expect(new Set((await at.rows()).map(({ request_id }) => request_id)).size).toBe(1);
    expect(new Set((await at.states()).map(([state]) => state))).toEqual(new Set(['undecided']));
  });

  test('is a row of its own, with what it proved', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    await note(at, (await beginAll(at)).attempts, busy);
    await at.pass(10);
    await note(at, (await beginAll(at)).attempts, paid);
    const { rows } = await db().query('select number, finding, reason from payout_attempt order by number');
    expect(rows).toEqual([
      { number: 1, finding: 'not-reached', reason: 'BUSY' },
      { number: 2, finding: 'made', reason: null },
    ]);
  });

  test('of all payouts of a batch pauses as one, and sends the whole batch again', async () => {
    const at = await bench(db());
    await at.enqueue(
      Array.from({ length: 20 }, () => ({})),
      20,
    );
    const sent: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      await at.work(async (_url, init) => {
        const body: { destination: { batch: unknown[] } } = JSON.parse(
          init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : String(init?.body),
        );
        sent.push(body.destination.batch.length);
        return responding(429, refusal('SLOW_DOWN'))('', {});
      });
      await at.pass(0.7 * 2 ** time);
    }
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent)).toEqual(new Set([20]));
  });

  test('whose result comes after its batch was split is a notice for all who were in it, and stops both halves', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const { attempts } = await beginAll(at);
    await note(at, attempts, refused);
    await db().query('update payout_attempt set settled_at = null');
    await note(at, attempts, paid);
    const review = await at.payouts.review();
    const reason = 'MADE_UNDER_PAST_KEY';
    expect(review.toSorted((a, b) => (a.employee < b.employee ? -1 : 1))).toMatchObject([
      {
        employee: 'E1',
        state: 'undecided',
        reason,
        notices: [`LATE_RESULT ${attempts[0]?.requestId} t1`],
      },
      {
        employee: 'E2',
        state: 'undecided',
        reason,
        notices: [`LATE_RESULT ${attempts[0]?.requestId} t1`],
      },
    ]);
  });

  test('that splits its batch while somebody cancels the payroll leaves no half to be paid', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const { attempts } = await beginAll(at);
    let settled = false;
    const racing: Database = {
      query: (text, values) => db().query(text, values),
      transaction: (work) =>
        db().transaction((sql) =>
          work({
            async query(text, values) {
              // The result is noted while the cancellation waits for the lock of the payment.
              if (!settled && text.includes('for update')) {
                settled = true;
                await note({ ...at, db: { ...sql, transaction: (inner) => inner(sql) } }, attempts, refused);
              }
              return sql.query(text, values);
            },
          }),
        ),
    };
    const { cancel } = createPayouts({ db: racing, payments: at.client, userId: at.userId });
    expect(await cancel({ by: 'Ada' })).toEqual({ cancelled: 2, inDoubt: 0, tooLate: 0 });
    expect(await at.work()).toBe(0);
  });

  test('that shows the transfer of another payment pays nothing', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}]);
    const { attempts } = await beginAll(at);
    await note(at, attempts.slice(0, 1), paid);
    await note(at, attempts.slice(1), paid);
    const states = (await at.rows()).map(({ state, reason }) => [state, reason]).sort();
    expect(states).toEqual([
      ['paid', null],
      ['undecided', 'RECORD_OF_ANOTHER_PAYMENT'],
    ]);
  });

  test.each(['made', 'accepted', 'paid', 'rejected', 'expired', 'awaiting_approval'])(
    'never begins for a payment that is %s',
    async (state) => {
      const at = await bench(db());
      await at.enqueue([{}]);
      await db().query('update payout_payment set state = $1', [state]);
      expect((await beginAll(at)).attempts).toEqual([]);
    },
  );
});

describe('a lookup', () => {
  const lookedUp = async (record: (requestId: string) => TransferRecord) => {
    const at = await bench(db(), {
      settlementStep: 60_000,
      lookup: async ({ requestId }) => record(requestId),
    });
    await at.enqueue([{}, {}, {}]);
    await at.work(async () => {
      throw new TypeError('terminated');
    });
    for (const { request_id } of await at.rows()) await at.giveUp(request_id);
    await at.payouts.sweep();
    return at;
  };

  test('that gives one foreign transfer for three payouts pays none of them', async () => {
    const at = await lookedUp(() => ({
      transferDetails: { id: 'foreign', requestId: 'other', status: 'COMPLETED' },
    }));
    expect((await at.rows()).map(({ state }) => state)).toEqual(['undecided', 'undecided', 'undecided']);
    expect((await at.payouts.review())[0]?.notices).toEqual(['RECORD_OF_ANOTHER_PAYMENT lookup: requestId']);
  });

  test('that gives one transfer under three keys pays one of them', async () => {
    const at = await lookedUp((requestId) => ({
      transferDetails: { id: 't1', requestId, status: 'COMPLETED' },
    }));
    expect((await at.rows()).map(({ state }) => state).sort()).toEqual(['paid', 'undecided', 'undecided']);
  });

  test('that shows a transfer under a wrong key leaves it to the payment whose it is', async () => {
    const at = await bench(db(), {
      lookupMany: async (queries) => {
        const record = {
          transferDetails: { id: 't1', requestId: queries[1]?.requestId, status: 'COMPLETED' },
        };
        return new Map(queries.map(({ requestId }) => [requestId, record]));
      },
    });
    await at.enqueue([{}, {}]);
    for (const { request_id } of await at.rows()) await at.giveUp(request_id);
    await at.payouts.sweep();
    expect((await at.rows()).map(({ state, reason }) => [state, reason]).sort()).toEqual([
      ['paid', null],
      ['undecided', 'RETRIES_USED_UP'],
    ]);
  });

  test.each(['paid', 'replaced'])(
    'of another payment, for one that is %s meanwhile, is only shown',
    async (state) => {
      const at = await bench(db(), {
        lookup: async ({ requestId }) => {
          await db().query(`update payout_payment set state = $1, transfer_id = 't1'`, [state]);
          return { transferDetails: { id: 't1', requestId, amount: 11, status: 'COMPLETED' } };
        },
      });
      await at.enqueue([{}]);
      const [row] = await at.rows();
      await at.giveUp(row?.request_id ?? '');
      await at.payouts.sweep();
      const { rows } = await db().query('select state from payout_payment');
      expect(rows).toEqual([{ state }]);
      const { rows: notices } = await db().query('select kind, detail from payout_notice');
      expect(notices).toEqual([{ kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: 'lookup: amount' }]);
    },
  );

  test('that finds the transfer of a key that was replaced meanwhile stops the payment under the new key', async () => {
    let isThere = false;
    const at = await bench(db(), {
      lookup: async ({ requestId }) => {
        if (!isThere) return null;
        await at.payouts.payAgain(requestId, 'derived');
        return { transferDetails: { id: 't1', requestId, status: 'COMPLETED' } };
      },
    });
    await at.enqueue([{}]);
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await at.giveUp(requestId);
    await at.pass(121);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['undecided', 'NOT_FOUND_BY_LOOKUP']]);
    isThere = true;
    await at.pass(121);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['undecided', 'MADE_UNDER_PAST_KEY']]);
    expect((await at.payouts.review())[0]?.notices).toEqual([`LATE_RESULT ${requestId} t1`]);
    expect(await at.work()).toBe(0);
  });

  test.each([
    ['amount', { amount: 11 }],
    ['payee', { destination: { userId: 'somebody else' } }],
    ['payer', { source: { userId: 'somebody else' } }],
  ])('whose record has another %s pays nothing', async (field, details) => {
    const at = await lookedUp((requestId) => ({
      transferDetails: { id: `t-${requestId}`, requestId, status: 'COMPLETED', ...details },
    }));
    expect((await at.rows()).map(({ state }) => state)).toEqual(['undecided', 'undecided', 'undecided']);
    expect((await at.payouts.review())[0]?.notices).toEqual([`RECORD_OF_ANOTHER_PAYMENT lookup: ${field}`]);
  });

  test('that finds nothing after a refusal splits a batch, and rejects only the bad payee', async () => {
    const at = await bench(db(), {
      lookup: async ({ requestId }) =>
        at.emulator.state().transfers.find((one) => one.requestId === requestId) ?? null,
    });
    await at.enqueue(
      Array.from({ length: 20 }, (_, place) => (place === 7 ? { payee: 'nobody' } : {})),
      20,
    );
    at.emulator.faults.inject({ operation: 'transfers.createBatch', kind: 'reset-before-commit' });
    await at.work();
    await at.pass(2);
    await at.work();
    expect(new Set((await at.states()).map(([state]) => state))).toEqual(new Set(['undecided']));
    await at.pass(121);
    await at.payouts.sweep();
    while ((await at.work()) > 0);
    const states = (await at.rows()).map(({ state }) => state);
    expect(states.filter((state) => state === 'rejected')).toHaveLength(1);
    expect(states.filter((state) => state === 'accepted')).toHaveLength(19);
  });

  test('of many finds a transfer under its key in another form, also where the key itself has none', async () => {
    const at = await bench(db(), {
      settlementStep: 60_000,
      lookupMany: async (queries) =>
        new Map([
          ...queries.map(({ requestId }) => {
            const id = requestId.toUpperCase();
            return [id, { transferDetails: { id, requestId: id, status: 'COMPLETED' } }] as const;
          }),
          ...queries.map(({ requestId }) => [requestId, null] as const),
        ]),
    });
    await at.enqueue([{}]);
    await at.work(async () => {
      throw new TypeError('terminated');
    });
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await at.giveUp(requestId);
    await at.pass(121);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['paid', null]]);
  });

  test('of many transfers at once reads all that are open in a few calls', async () => {
    const asked: number[] = [];
    const at = await bench(db(), {
      settlementStep: 60_000,
      lookupMany: async (queries) => {
        asked.push(queries.length);
        return new Map(
          queries.map(({ requestId }) => [
            requestId,
            { transferDetails: { id: `t-${requestId}`, requestId, status: 'COMPLETED' } },
          ]),
        );
      },
    });
    const orders = Array.from({ length: 1100 }, (_, place) => ({
      employee: `E${place}`,
      payee: at.payee,
      amount: '1',
    }));
    await at.payouts.enqueue({ month: MONTH, currency: 'usdc', chain: 'POLYGON', orders });
    await db().query(`update payout_payment set state = 'made'`);
    await at.payouts.sweep();
    expect(asked).toEqual([500, 500, 100]);
    expect((await at.payouts.summary(MONTH)).lines.find(({ state }) => state === 'paid')?.payouts).toBe(1100);
    await at.payouts.sweep();
    expect(asked).toHaveLength(3);
  });

  test('keeps a pace, and stops where the service asks for a pause', async () => {
    let asked = 0;
    const tooMany = Object.assign(new Error('slow down'), { status: 429 });
    const at = await bench(db(), {
      settlementStep: 60_000,
      lookup: async () => {
        asked += 1;
        throw tooMany;
      },
    });
    await at.enqueue(Array.from({ length: 40 }, () => ({})));
    await db().query(`update payout_payment set state = 'made'`);
    await expect(at.payouts.sweep({ lookupsPerSecond: 20 })).rejects.toThrow('lookups: AggregateError');
    expect(asked).toBeLessThan(40);
  });
});
