import { createPayouts, type Sql } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import { type Bench, bench, MONTH, refusal, responding, usingDatabase } from './support.ts';

const db = usingDatabase();

const decision = (kind: string, transferId: string) => ({
  eventType: `TRANSFER.APPROVAL.${kind}`,
  data: { transferId },
});

/** Delivers an event to the handler of its kind, as a receiver does. */
async function deliver({ payouts }: Bench, kind: string, transferId: string, id: string): Promise<void> {
  const handlers = payouts.webhookHandlers;
  const event = JSON.parse(JSON.stringify(decision(kind, transferId)));
  const handler =
    kind === 'APPROVED'
      ? handlers['TRANSFER.APPROVAL.APPROVED']
      : kind === 'REJECTED'
        ? handlers['TRANSFER.APPROVAL.REJECTED']
        : handlers.otherwise;
  await handler(event, { id });
}

/** A payout that waits for approval, and its transfer. */
async function waiting(options: Parameters<typeof bench>[1] = {}) {
  const at = await bench(db(), options);
  await at.enqueue([{ needsApproval: true }]);
  await at.work();
  const [row] = await at.rows();
  return { ...at, transferId: row?.transfer_id ?? '', requestId: row?.request_id ?? '' };
}

describe('events', () => {
  test('a decision counts before the worker has noted the transfer, and after', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }, { needsApproval: true }]);
    let overtaken = false;
    await at.work(async (url, init) => {
      const response = await at.emulator.fetch(url, init);
      const [first] = at.emulator.state().transfers;
      if (!overtaken) await deliver(at, 'APPROVED', first?.id ?? '', 'e1');
      overtaken = true;
      return response;
    });
    const rows = await at.rows();
    expect(rows).toMatchObject([{ state: 'accepted', evidence: 'event' }, { state: 'awaiting_approval' }]);
    await deliver(at, 'REJECTED', rows[1]?.transfer_id ?? '', 'e2');
    expect((await at.states())[1]).toEqual(['rejected', 'APPROVAL_REJECTED']);
  });

  test('an event is handled once, and that it was commits with its effect', async () => {
    const at = await waiting();
    await deliver(at, 'REJECTED', 'another', 'e1');
    await deliver(at, 'REJECTED', at.transferId, 'e1');
    expect(await at.states()).toEqual([['awaiting_approval', null]]);
    const noted = [{ id: 'TRANSFER.APPROVAL.REJECTED:e1' }];
    expect((await db().query('select id from payout_event')).rows).toEqual(noted);
    // An effect that fails takes the note of the event along.
    await db().query('alter table payout_past rename to elsewhere');
    await expect(deliver(at, 'REJECTED', at.transferId, 'e2')).rejects.toThrow();
    await db().query('alter table elsewhere rename to payout_past');
    expect((await db().query('select id from payout_event')).rows).toEqual(noted);
  });

  test('the same decision under another id changes nothing; the opposite is for the approvers', async () => {
    const at = await waiting();
    await deliver(at, 'REJECTED', at.transferId, 'e1');
    await deliver(at, 'REJECTED', at.transferId, 'e2');
    // Both say that no money moved.
    await deliver(at, 'EXPIRED', at.transferId, 'e4');
    expect(await at.states()).toEqual([['rejected', 'APPROVAL_REJECTED']]);
    await deliver(at, 'APPROVED', at.transferId, 'e3');
    const [row] = await at.payouts.review(MONTH);
    expect(row).toMatchObject({ state: 'undecided', reason: 'CONTRADICTORY_DECISIONS', for: 'approvers' });
    expect(row?.since).toBeInstanceOf(Date);
  });

  test('an expiry is understood where the service announces it; other events are left alone', async () => {
    const at = await waiting();
    await deliver(at, 'PENDING', at.transferId, 'e1');
    expect(await at.states()).toEqual([['awaiting_approval', null]]);
    await deliver(at, 'EXPIRED', at.transferId, 'e2');
    expect(await at.states()).toEqual([['expired', 'APPROVAL_EXPIRED']]);
    const handle = at.payouts.webhookHandlers['TRANSFER.APPROVAL.APPROVED'];
    for (const data of [{}, { transferId: '' }, { transferId: 1 }]) {
      await handle(JSON.parse(JSON.stringify({ eventType: 'TRANSFER.APPROVAL.APPROVED', data })), {
        id: 'odd',
      });
    }
    expect((await db().query(`select id from payout_event where id = 'odd'`)).rows).toEqual([]);
  });

  test('a late event after a person’s decision is shown and changes nothing', async () => {
    const at = await waiting();
    await at.payouts.settleByHand(at.requestId, { state: 'rejected', by: 'Ada' });
    expect(await at.payouts.review(MONTH)).toEqual([]);
    await deliver(at, 'APPROVED', at.transferId, 'e1');
    const [row] = await at.payouts.review(MONTH);
    expect(row).toMatchObject({ state: 'rejected', notices: [`CONTRADICTION ${at.transferId} APPROVED`] });
    // Money may have moved, so nobody pays it again before somebody has looked.
    await expect(at.payouts.payAgain(at.requestId, 'derived')).rejects.toThrow('notices that nobody');
    expect(await at.payouts.acknowledge(at.requestId)).toBe(1);
    expect(await at.payouts.acknowledge(at.requestId)).toBe(0);
    expect(await at.payouts.review(MONTH)).toEqual([]);
    // The same for the next transfer of the payout is another fact.
    const { requestId } = await at.payouts.payAgain(at.requestId, 'derived');
    await at.work();
    await at.payouts.settleByHand(requestId, { state: 'rejected', by: 'Ada' });
    await deliver(at, 'APPROVED', (await at.rows())[0]?.transfer_id ?? '', 'e2');
    await expect(at.payouts.payAgain(requestId, 'derived')).rejects.toThrow('notices that nobody');
  });

  test('an event that agrees with a person is no news, whenever it arrives', async () => {
    const at = await waiting();
    await deliver(at, 'APPROVED', at.transferId, 'e1');
    await at.payouts.settleByHand(at.requestId, { state: 'paid', transferId: at.transferId, by: 'Ada' });
    await at.payouts.noteRecord({
      id: 'e2',
      record: { transferDetails: { id: at.transferId, status: 'COMPLETED' } },
    });
    expect(await at.payouts.review()).toEqual([]);
  });

  test('an event about the transfer that a person names is shown, also when it came first', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await at.giveUp(requestId);
    await at.payouts.noteRecord({ id: 'e1', record: { transferDetails: { id: 't9', status: 'FAILED' } } });
    await deliver(at, 'EXPIRED', 't9', 'e2');
    await at.payouts.settleByHand(requestId, { state: 'paid', transferId: 't9', by: 'Ada' });
    expect(await at.payouts.review()).toMatchObject([
      { state: 'paid', notices: ['CONTRADICTION t9 EXPIRED', 'CONTRADICTION t9 rejected by event'] },
    ]);
  });

  test('a decision whose transfer no database can store is nobody’s', async () => {
    const at = await bench(db());
    await deliver(at, 'APPROVED', 'a\u0000b', 'e1');
    expect((await db().query('select from payout_event')).rows).toEqual([]);
  });

  test('an event for the transfer of a payout that was paid again is shown', async () => {
    const at = await waiting();
    await deliver(at, 'REJECTED', at.transferId, 'e1');
    await at.payouts.payAgain(at.requestId, 'derived');
    await deliver(at, 'APPROVED', at.transferId, 'e2');
    const [row] = await at.payouts.review(MONTH);
    expect(row?.notices).toEqual([`EVENT_FOR_PAST_TRANSFER ${at.transferId} APPROVED`]);
    expect(row).toMatchObject({ state: 'undecided', reason: 'MADE_UNDER_PAST_KEY' });
    expect(await at.work()).toBe(0);
    // A person who knows better goes on.
    await at.payouts.acknowledge(row?.requestId ?? '');
    await at.payouts.payAgain(row?.requestId ?? '', 'same');
    expect(await at.work()).toBe(1);
  });

  test('such a transfer pays the payout, if a person finds out that it did', async () => {
    const at = await waiting();
    await deliver(at, 'REJECTED', at.transferId, 'e1');
    const { requestId } = await at.payouts.payAgain(at.requestId, 'derived');
    const { transferId } = at;
    const finding = { state: 'paid', transferId, by: 'Ada' } as const;
    // The workers still have it: nothing is settled, and the transfer stays where it is.
    expect(await at.payouts.settleByHand(requestId, finding).catch(String)).toContain('Nothing was changed');
    await deliver(at, 'APPROVED', transferId, 'e2');
    expect(await at.payouts.settleByHand(requestId, finding)).toBe(1);
    expect(await at.rows()).toMatchObject([
      { state: 'paid', evidence: 'person', request_id: requestId, transfer_id: transferId },
    ]);
  });

  test('an event that the approval of such a transfer expired stops nothing', async () => {
    const at = await waiting();
    await deliver(at, 'REJECTED', at.transferId, 'e1');
    await at.payouts.payAgain(at.requestId, 'derived');
    await deliver(at, 'EXPIRED', at.transferId, 'e2');
    expect(await at.states()).toEqual([['queued', null]]);
  });
});

describe('what a person does', () => {
  test('settles what has no end, with a name, and leaves what has one', async () => {
    const at = await bench(db(), { duplicates: 'refuse', dialect: 'field' });
    await at.enqueue([{}, { payee: 'nobody' }]);
    at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await at.work();
    await at.pass(2);
    await at.work();
    const [made, refused] = await at.rows();
    expect(made?.state).toBe('made');
    await expect(
      at.payouts.settleByHand(made?.request_id ?? '', { state: 'paid', by: 'Ada' }),
    ).rejects.toThrow('transferId must be');
    await expect(
      at.payouts.settleByHand(made?.request_id ?? '', { state: 'rejected', by: ' ' }),
    ).rejects.toThrow('by must name');
    const finding = { state: 'paid', transferId: 't9', by: 'Ada' } as const;
    expect(await at.payouts.settleByHand(made?.request_id ?? '', finding)).toBe(1);
    expect(await at.payouts.settleByHand(made?.request_id ?? '', finding)).toBe(0);
    expect(await at.payouts.settleByHand(refused?.request_id ?? '', { ...finding, transferId: 't8' })).toBe(
      0,
    );
    expect((await at.rows())[0]).toMatchObject({
      state: 'paid',
      evidence: 'person',
      settled_by: 'Ada',
      transfer_id: 't9',
      reason: 'SETTLED_BY_HAND',
    });
  });

  test('pays a rejected payout again under the same key', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    await at.work(responding(400, refusal('USER_FROZEN')));
    const [row] = await at.rows();
    const again = await at.payouts.payAgain(row?.request_id ?? '', 'same');
    expect(again).toEqual({ requestId: row?.request_id, payouts: 1 });
    expect(await at.work()).toBe(1);
    expect(await at.states()).toEqual([['accepted', null]]);
    expect(at.ledger()).toHaveLength(1);
  });

  test('a service that remembers the refusal of that key leaves the payout to a person', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    await at.work(responding(400, refusal('USER_FROZEN')));
    const [row] = await at.rows();
    await at.payouts.payAgain(row?.request_id ?? '', 'same');
    await at.work(responding(409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')));
    expect(await at.states()).toEqual([['undecided', 'KEY_KNOWN_AFTER_REFUSAL']]);
    await expect(at.payouts.payAgain(row?.request_id ?? '', 'derived')).rejects.toThrow('another key');
    await at.payouts.settleByHand(row?.request_id ?? '', { state: 'rejected', by: 'Ada' });
    await at.payouts.payAgain(row?.request_id ?? '', 'derived');
    expect(await at.work()).toBe(1);
    expect(await at.states()).toEqual([['accepted', null]]);
    expect(at.ledger()).toHaveLength(1);
  });

  test('pays all payouts again that fit a filter, after a preview', async () => {
    const at = await bench(db());
    await at.enqueue([{}, { amount: '2.5' }, { payee: 'nobody' }]);
    await at.work(responding(400, refusal('USER_FROZEN')));
    const filter = { month: MONTH, reason: 'USER_FROZEN' };
    const expected = { payments: 3, payouts: 3, amount: '22.500000', refused: [] };
    expect(await at.payouts.payAgain(filter, 'same', { preview: true })).toEqual(expected);
    expect((await at.states()).every(([state]) => state === 'rejected')).toBe(true);
    expect(await at.payouts.payAgain(filter, 'same')).toEqual(expected);
    await at.work();
    expect((await at.states()).map(([state]) => state)).toEqual(['accepted', 'accepted', 'rejected']);
    const again = await at.payouts.payAgain({ month: MONTH }, 'derived', { preview: true });
    expect(again).toMatchObject({ payouts: 1, refused: [{}, {}] });
    expect(again.refused[0]?.why).toContain('only rejected and expired payouts');
    const odd = JSON.parse('{ "reasons": "USER_FROZEN" }');
    await expect(at.payouts.payAgain(odd, 'same')).rejects.toThrow(
      '`reasons` is not a field. Did you mean `reason`? Nothing was changed.',
    );
  });

  test('settles by filter what did not move money, and one payment at a time what did', async () => {
    const at = await bench(db(), { maxFailures: 1 });
    await at.enqueue([{}, {}]);
    await at.work(async () => {
      throw new TypeError('terminated');
    });
    const filter = { month: MONTH, reason: 'RETRIES_USED_UP' };
    const paid = { state: 'paid', transferId: 't1', by: 'Ada' } as const;
    await expect(at.payouts.settleByHand(filter, paid)).rejects.toThrow('A transfer pays one payment');
    // A payout that a person put back as queued would be paid again, and its doubts forgotten.
    const queued = JSON.parse('{ "state": "queued", "by": "Ada" }');
    await expect(at.payouts.settleByHand(filter, queued)).rejects.toThrow('paid, rejected or expired');
    await expect(
      at.payouts.settleByHand({ payer: 'third' }, { state: 'rejected', by: 'Ada' }),
    ).rejects.toThrow('payer is not a payer of these payouts. Nothing was changed.');
    await at.pass(121);
    expect(await at.payouts.settleByHand({ employee: ' E1 ' }, { state: 'rejected', by: 'Ada' })).toBe(1);
    expect(await at.payouts.settleByHand(filter, { state: 'rejected', by: 'Ada' })).toBe(1);
  });

  test('settles by filter nothing that has moved on since it was selected', async () => {
    const at = await waiting();
    await at.pass(121);
    await db().query(`update payout_payment set state = 'undecided', reason = 'DECISION_NOT_HEARD'`);
    let isHeard = false;
    const hearing = (sql: Sql): Sql => ({
      async query<Row extends object>(text: string, values?: unknown[]) {
        const found = await sql.query<Row>(text, values);
        if (!isHeard && text.includes(`state <> 'replaced'`)) {
          // Another process hears of the decision at this moment.
          isHeard = true;
          const other = createPayouts({
            ...{ payments: at.client, userId: at.userId },
            db: { ...sql, transaction: (work) => work(sql) },
          });
          await other.noteDecision({ id: 'e1', transferId: at.transferId, decision: 'APPROVED' });
        }
        return found;
      },
    });
    const { settleByHand } = createPayouts({
      ...{ payments: at.client, userId: at.userId },
      db: { ...hearing(db()), transaction: (work) => db().transaction((sql) => work(hearing(sql))) },
    });
    const filter = { month: MONTH, reason: 'DECISION_NOT_HEARD' };
    expect(await settleByHand(filter, { state: 'rejected', by: 'Ada' })).toBe(0);
    expect(await at.states()).toEqual([['accepted', null]]);
  });

  test('one transfer settles one payment', async () => {
    const at = await bench(db(), { maxFailures: 1 });
    await at.enqueue([{}, {}]);
    await at.work(async () => {
      throw new TypeError('terminated');
    });
    const [first, second] = await at.rows();
    const paid = { state: 'paid', transferId: 't1', by: 'Ada' } as const;
    expect(await at.payouts.settleByHand(first?.request_id ?? '', paid)).toBe(1);
    for (const transferId of ['t1', ' t1\n']) {
      await expect(
        at.payouts.settleByHand(second?.request_id ?? '', { ...paid, transferId }),
      ).rejects.toThrow(`transferId is of the transfer that pays the payment ${first?.request_id}`);
    }
  });

  test('review shows all months unless one is asked for', async () => {
    const at = await bench(db(), { maxFailures: 1 });
    for (const month of ['2026-10', '2026-11']) {
      const orders = [{ employee: 'E1', payee: at.payee, amount: '1' }];
      await at.payouts.enqueue({ month, currency: 'usdc', chain: 'POLYGON', orders });
    }
    await at.work(async () => {
      throw new TypeError('terminated');
    });
    expect((await at.payouts.review()).map(({ month }) => month).sort()).toEqual(['2026-10', '2026-11']);
    expect(await at.payouts.review('2026-10')).toHaveLength(1);
  });

  test('pays a rejected approval again under a derived key only', async () => {
    const at = await waiting();
    await deliver(at, 'REJECTED', at.transferId, 'e1');
    await expect(at.payouts.payAgain(at.requestId, 'same')).rejects.toThrow('Use a derived key');
    const { requestId } = await at.payouts.payAgain(at.requestId, 'derived');
    expect(requestId).not.toBe(at.requestId);
    await at.work();
    expect(at.ledger()).toHaveLength(2);
    expect(await at.states()).toEqual([['awaiting_approval', null]]);
    // A third key differs from both.
    const [row] = await at.rows();
    await deliver(at, 'REJECTED', row?.transfer_id ?? '', 'e2');
    const third = await at.payouts.payAgain(requestId, 'derived');
    expect(new Set([at.requestId, requestId, third.requestId]).size).toBe(3);
  });

  test('gives an undecided payout back under the same key, and no other', async () => {
    const at = await bench(db(), { maxFailures: 1, duplicates: 'refuse', dialect: 'field' });
    await at.enqueue([{}]);
    at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await at.work();
    const [row] = await at.rows();
    expect(row).toMatchObject({ state: 'undecided', in_doubt: true });
    await expect(at.payouts.payAgain(row?.request_id ?? '', 'derived')).rejects.toThrow('another key');
    await at.payouts.payAgain(row?.request_id ?? '', 'same');
    await at.work();
    expect(await at.rows()).toMatchObject([{ state: 'made' }]);
    expect(at.ledger()).toHaveLength(1);
  });

  test.each(['queued', 'awaiting_approval', 'made', 'accepted', 'paid'])(
    'a payout that is %s is not paid again',
    async (state) => {
      const at = await bench(db());
      await at.enqueue([{}]);
      await db().query('update payout_payment set state = $1', [state]);
      const [row] = await at.rows();
      for (const key of ['same', 'derived'] as const) {
        await expect(at.payouts.payAgain(row?.request_id ?? '', key)).rejects.toThrow('Nothing was changed');
      }
      expect((await at.rows())[0]?.request_id).toBe(row?.request_id);
    },
  );

  test('pays an expired batch again as a whole, under a derived key', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await db().query(`update payout_payment set state = 'expired', transfer_id = 't1'`);
    const again = await at.payouts.payAgain(requestId, 'derived');
    expect(again.payouts).toBe(2);
    expect(again.requestId).not.toBe(requestId);
    expect(await at.states()).toEqual([
      ['queued', null],
      ['queued', null],
    ]);
  });

  test('an unknown key, and a key that is no choice, are refused', async () => {
    const at = await bench(db());
    const unknown = '00000000-0000-4000-8000-000000000000';
    await expect(at.payouts.payAgain(unknown, 'same')).rejects.toThrow('No payout has the requestId');
    await expect(Reflect.apply(at.payouts.payAgain, undefined, [unknown, 'new'])).rejects.toThrow('must be');
  });

  /** A payout that the queue gave up while the first call for it is under way. */
  async function underWay(options: Parameters<typeof bench>[1] = {}) {
    const at = await bench(db(), options);
    await at.enqueue([{}]);
    let release = (_response: Response): void => {};
    const held = new Promise<Response>((resolve) => {
      release = resolve;
    });
    const slow = at.work(() => held);
    for (let row = (await at.rows())[0]; row?.in_doubt !== true; row = (await at.rows())[0]);
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await at.giveUp(requestId);
    const end = async (status: number, code: string): Promise<void> => {
      release(new Response(JSON.stringify(refusal(code)), { status }));
      await slow;
    };
    return { ...at, requestId, end };
  }
  const rejected = { state: 'rejected', by: 'Ada' } as const;

  test('cannot say that a call under way pays nothing', async () => {
    const at = await underWay();
    await expect(at.payouts.settleByHand({ month: MONTH }, rejected)).rejects.toThrow(
      `A call for the payment ${at.requestId} may still pay it: settle it two minutes after`,
    );
    expect(await at.states()).toEqual([['undecided', 'RETRIES_USED_UP']]);
    // Of a payout that the workers have, nothing is settled, so their calls do not matter.
    await db().query(`update payout_payment set state = 'queued'`);
    expect(await at.payouts.settleByHand({ month: MONTH }, rejected)).toBe(0);
    await db().query(`update payout_payment set state = 'undecided'`);
    const paid = { state: 'paid', transferId: 't1', by: 'Ada' } as const;
    expect(await at.payouts.settleByHand(at.requestId, paid)).toBe(1);
    await at.end(404, 'USER_NOT_FOUND');
  });

  test('cannot say that a call whose response was lost pays nothing, while it may be on its way', async () => {
    const at = await bench(db(), { maxFailures: 1 });
    await at.enqueue([{}]);
    let arrive = (): unknown => undefined;
    await at.work(async (url, init) => {
      arrive = () => at.emulator.fetch(url, { ...init, signal: null });
      throw new TypeError('terminated');
    });
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await expect(at.payouts.settleByHand(requestId, rejected)).rejects.toThrow('may still pay it');
    expect(await at.states()).toEqual([['undecided', 'RETRIES_USED_UP']]);
    await arrive();
    expect(at.ledger()).toHaveLength(1);
    await at.pass(121);
    expect(await at.payouts.settleByHand(requestId, rejected)).toBe(1);
  });

  test('a stale refusal by a slow worker does not reject a payout that was given back by hand', async () => {
    const at = await underWay();
    // While the first worker waits for its response, a person settles the payout and gives it back.
    await at.pass(121);
    await at.payouts.settleByHand(at.requestId, rejected);
    await at.payouts.payAgain(at.requestId, 'same');
    await at.end(404, 'USER_NOT_FOUND');
    expect(await at.states()).toEqual([['queued', null]]);
    await at.work();
    expect(await at.states()).toEqual([['accepted', null]]);
  });

  test('such a refusal takes no doubt away from a call that began later', async () => {
    const at = await underWay();
    await at.pass(121);
    await at.payouts.settleByHand(at.requestId, rejected);
    await at.payouts.payAgain(at.requestId, 'same');
    await at.work(async (url, init) => {
      await at.emulator.fetch(url, init);
      throw new TypeError('terminated');
    });
    await at.end(404, 'USER_NOT_FOUND');
    expect(await at.rows()).toMatchObject([{ state: 'queued', in_doubt: true }]);
    expect(await at.payouts.cancel({ by: 'Ada' })).toEqual({ cancelled: 0, inDoubt: 1, tooLate: 0 });
    await expect(at.payouts.payAgain(at.requestId, 'derived')).rejects.toThrow('another key');
    expect(at.ledger()).toHaveLength(1);
  });

  test('a slow worker that finds the key known shows that the payout may be paid', async () => {
    const at = await underWay();
    await at.pass(121);
    await at.payouts.settleByHand(at.requestId, rejected);
    await at.end(409, 'TRANSACTION_REQUEST_ALREADY_EXISTS');
    expect(await at.payouts.review()).toMatchObject([
      { state: 'rejected', notices: [`LATE_RESULT ${at.requestId} TRANSACTION_REQUEST_ALREADY_EXISTS`] },
    ]);
    await expect(at.payouts.payAgain(at.requestId, 'derived')).rejects.toThrow('notices that nobody');
  });

  test.each([
    ['given up', async () => {}],
    ['cancelled', ({ payouts }: Bench) => payouts.cancel({ by: 'Ada' })],
  ])(
    'a slow worker that finds the key of a payout known that was %s is not forgotten',
    async (_name, act) => {
      const at = await underWay({ lookup: async () => null });
      await act(at);
      await at.end(409, 'TRANSACTION_REQUEST_ALREADY_EXISTS');
      expect(await at.states()).toEqual([['made', 'TRANSACTION_REQUEST_ALREADY_EXISTS']]);
      await at.pass(121);
      await at.payouts.sweep();
      expect(await at.states()).toEqual([['undecided', 'NOT_FOUND_BY_LOOKUP']]);
      await expect(at.payouts.payAgain(at.requestId, 'derived')).rejects.toThrow('another key');
    },
  );

  test('a slow worker that finds the key known is stronger than a lookup that found nothing', async () => {
    const at = await underWay({ lookup: async () => null, keyLifetime: 3_600_000 });
    await at.pass(121);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['undecided', 'NOT_FOUND_BY_LOOKUP']]);
    await at.end(409, 'TRANSACTION_REQUEST_ALREADY_EXISTS');
    expect(await at.states()).toEqual([['made', 'TRANSACTION_REQUEST_ALREADY_EXISTS']]);
    // A lookup that finds nothing again does not make the key one that the service surely still has.
    await at.pass(3601);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['undecided', 'NOT_FOUND_BY_LOOKUP']]);
    await expect(at.payouts.payAgain(at.requestId, 'same')).rejects.toThrow('keyLifetime');
  });
});

describe('a key under which a transfer may exist that nobody has seen', () => {
  /** A payout whose response shows another amount than was sent. */
  async function mixedUp(options: Parameters<typeof bench>[1] = {}) {
    const at = await bench(db(), options);
    await at.enqueue([{}]);
    await at.work(async (url, init) => {
      const response = await at.emulator.fetch(url, init);
      return new Response((await response.text()).replace('"amount":10', '"amount":11'), response);
    });
    const [row] = await at.rows();
    expect(row).toMatchObject({ state: 'undecided', reason: 'RECORD_OF_ANOTHER_PAYMENT' });
    const requestId = row?.request_id ?? '';
    await at.payouts.acknowledge(requestId);
    return { ...at, requestId };
  }

  test('is not refused for good by a service that refuses it later', async () => {
    const at = await mixedUp();
    await at.payouts.payAgain(at.requestId, 'same');
    await at.work(responding(400, refusal('USER_FROZEN')));
    expect(await at.states()).toEqual([['undecided', 'REFUSED_AFTER_LOST_RESPONSE USER_FROZEN']]);
    await expect(at.payouts.payAgain(at.requestId, 'derived')).rejects.toThrow('another key');
    expect(at.ledger()).toHaveLength(1);
  });

  test('is not used again once the service may have forgotten it', async () => {
    const at = await mixedUp({ keyLifetime: 3_600_000 });
    await at.pass(3601);
    await expect(at.payouts.payAgain(at.requestId, 'same')).rejects.toThrow(
      'keyLifetime of 3600000 milliseconds',
    );
  });

  test('is not used again then, also where the service only said that it has the key', async () => {
    const at = await bench(db(), { keyLifetime: 3_600_000, lookup: async () => null });
    await at.enqueue([{}]);
    await at.work(responding(409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')));
    expect((await at.states())[0]?.[0]).toBe('made');
    await at.pass(3700);
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['undecided', 'NOT_FOUND_BY_LOOKUP']]);
    const [row] = await at.rows();
    await expect(at.payouts.payAgain(row?.request_id ?? '', 'same')).rejects.toThrow('keyLifetime');
  });
});

test('the summary counts and adds up without rounding', async () => {
  const at = await bench(db());
  await at.enqueue([{ amount: '0.000001' }, { amount: '999999999.999999' }, { payee: 'nobody' }]);
  await at.work();
  const summary = await at.payouts.summary(MONTH);
  expect(summary).toMatchObject({
    payouts: 3,
    amount: '1000000010.000000',
    reasons: [{ state: 'rejected', reason: 'USER_NOT_FOUND', payouts: 1 }],
    sweptAt: null,
    sweepProblems: [],
  });
  expect(summary.lines.filter(({ payouts }) => payouts > 0)).toEqual([
    { state: 'accepted', payouts: 2, amount: '1000000000.000000' },
    { state: 'rejected', payouts: 1, amount: '10.000000' },
  ]);
  expect(await at.payouts.summary('1999-01')).toMatchObject({ payouts: 0, amount: '0.000000' });
});
