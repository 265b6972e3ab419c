import { createWebhookReceiver, signWebhook, standardWebhooks } from 'stablecoin-payments/webhooks';
import { describe, expect, test } from 'vitest';
import { type Bench, bench, MONTH, refusal, responding, usingDatabase, watching } from './support.ts';

const db = usingDatabase();
const SECRET = `whsec_${Buffer.from('a secret for this test alone, 32 bytes').toString('base64')}`;

/** Delivers signed events to a receiver, as a service does. Each has an id of its own unless one is given. */
function sender({ payouts }: Bench) {
  const receive = createWebhookReceiver({ verifier: standardWebhooks({ secret: SECRET }) }).handler(
    payouts.webhookHandlers,
  );
  let count = 0;
  return async (eventType: string, data: Record<string, unknown>, id?: string) => {
    count += 1;
    const event = { eventId: id ?? `e${count}`, eventType, data };
    const { body, headers } = await signWebhook(event, { standardWebhooks: { secret: SECRET } });
    const response = await receive(new Request('https://receiver.test/', { method: 'POST', body, headers }));
    expect(response.status).toBe(200);
  };
}

/** A payout that was called for, its transfer, and how to deliver events about it. */
async function called(needsApproval = false) {
  const at = await bench(db());
  await at.enqueue([{ needsApproval }]);
  await at.work();
  const [row] = await at.rows();
  const transferId = row?.transfer_id ?? '';
  const send = sender(at);
  const update = (status: string, more: Record<string, unknown> = {}, eventId?: string) =>
    send('WALLET.TRANSFER.UPDATE', { transferId, status, ...more }, eventId);
  return { ...at, transferId, requestId: row?.request_id ?? '', send, update };
}

/** A payout whose response was lost, with the transfer that was made. */
async function unanswered(size = 1) {
  const at = await bench(db());
  await at.enqueue(
    Array.from({ length: size }, () => ({})),
    size,
  );
  await at.work(async (url, init) => {
    await at.emulator.fetch(url, init);
    throw new TypeError('fetch failed');
  });
  const [transfer] = at.emulator.state().transfers;
  return { ...at, send: sender(at), transferId: transfer?.id ?? '', requestId: transfer?.requestId ?? '' };
}

describe('an event about a transfer', () => {
  test('of its completion makes the payout paid, also when it comes twice', async () => {
    const at = await called();
    expect(await at.states()).toEqual([['accepted', null]]);
    await at.update('COMPLETED', {}, 'same');
    await at.update('FAILED', {}, 'same');
    expect(await at.rows()).toMatchObject([{ state: 'paid', evidence: 'event', reason: null }]);
    expect(await at.payouts.review(MONTH)).toEqual([]);
  });

  test('of another kind is no duplicate, also where the sender gives both the id of the transfer', async () => {
    const at = await called(true);
    await at.send('TRANSFER.APPROVAL.APPROVED', { transferId: at.transferId }, at.transferId);
    expect(await at.states()).toEqual([['accepted', null]]);
    await at.update('COMPLETED', {}, at.transferId);
    expect(await at.states()).toEqual([['paid', null]]);
  });

  test('in the form of a whole record counts, too', async () => {
    const at = await called();
    await at.send('WALLET.TRANSFER.UPDATE', {
      transferType: 'WALLET.TRANSFER',
      transferDetails: { id: at.transferId, requestId: at.requestId, status: 'COMPLETED', amount: 10 },
    });
    expect(await at.states()).toEqual([['paid', null]]);
  });

  test('counts, also where one of the two names of its id is null', async () => {
    const at = await called();
    await at.send('WALLET.TRANSFER.UPDATE', { id: at.transferId, transferId: null, status: 'COMPLETED' });
    expect(await at.states()).toEqual([['paid', null]]);
  });

  test('of its failure makes the payout rejected', async () => {
    const at = await called();
    await at.update('FAILED');
    expect(await at.rows()).toMatchObject([
      { state: 'rejected', reason: 'TRANSFER_FAILED', evidence: 'event' },
    ]);
  });

  test.each(['REJECTED', 'CANCELLED'])(
    'that shows an approval as %s ends no transfer that executes',
    async (status) => {
      const at = await called(true);
      await at.send('TRANSFER.APPROVAL.APPROVED', { transferId: at.transferId });
      expect(await at.states()).toEqual([['accepted', null]]);
      await at.update('PENDING_APPROVAL', { approval: { status } });
      expect(await at.states()).toEqual([['accepted', null]]);
      const [row] = await at.payouts.review(MONTH);
      expect(row?.notices).toEqual([`CONTRADICTION ${at.transferId} rejected by event`]);
      await at.update('COMPLETED');
      expect(await at.states()).toEqual([['paid', null]]);
    },
  );

  test('that comes out of order never takes a payout back', async () => {
    const at = await called(true);
    await at.update('COMPLETED');
    await at.update('PENDING');
    await at.send('TRANSFER.APPROVAL.APPROVED', { transferId: at.transferId });
    expect(await at.states()).toEqual([['paid', null]]);
    expect(await at.payouts.review(MONTH)).toEqual([]);
    // What contradicts it is shown to a person.
    await at.update('FAILED');
    await at.send('TRANSFER.APPROVAL.EXPIRED', { transferId: at.transferId });
    expect(await at.states()).toEqual([['paid', null]]);
    const [row] = await at.payouts.review(MONTH);
    expect(row?.notices).toEqual([
      `CONTRADICTION ${at.transferId} rejected by event`,
      `CONTRADICTION ${at.transferId} APPROVED and REJECTED`,
    ]);
  });

  test.each(['before', 'after'])(
    'of its failure %s that of its approval is no contradiction',
    async (order) => {
      const at = await called(true);
      if (order === 'before') await at.update('FAILED');
      await at.send('TRANSFER.APPROVAL.APPROVED', { transferId: at.transferId });
      await at.update('FAILED');
      expect(await at.states()).toEqual([['rejected', 'TRANSFER_FAILED']]);
      expect(await at.payouts.review()).toEqual([]);
    },
  );

  test('with the key lets count what was told before of the transfer without it', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }, {}]);
    await at.work(async (url, init) => {
      await at.emulator.fetch(url, init);
      throw new TypeError('terminated');
    });
    const send = sender(at);
    const [refused, completed] = at.emulator.state().transfers;
    await send('TRANSFER.APPROVAL.REJECTED', { transferId: refused?.id });
    await send('WALLET.TRANSFER.UPDATE', { transferId: completed?.id, status: 'COMPLETED' });
    for (const { transferDetails } of at.emulator.state().transfers)
      await send('WALLET.TRANSFER.CREATE', { transferDetails });
    expect(await at.states()).toEqual([
      ['rejected', 'APPROVAL_REJECTED'],
      ['paid', null],
    ]);
    expect(await at.payouts.review()).toEqual([]);
  });

  test('counts when it comes before the worker has noted the transfer, without the key in it', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const send = sender(at);
    await at.work(async (url, init) => {
      const response = await at.emulator.fetch(url, init);
      const transferId = at.emulator.state().transfers[0]?.id;
      await send('WALLET.TRANSFER.UPDATE', { transferId, status: 'COMPLETED', source: { user: 'A. Name' } });
      await send('WALLET.TRANSFER.CREATE', { transferId, status: 'CREATED' });
      const { rows } = await db().query<{ record: string }>(
        'select record from payout_event where record is not null',
      );
      expect(rows).toHaveLength(2);
      expect(JSON.stringify(rows)).not.toContain('A. Name');
      return response;
    });
    expect(await at.rows()).toMatchObject([{ state: 'paid', evidence: 'event' }]);
    expect((await db().query('select from payout_event where record is not null')).rows).toEqual([]);
  });

  test('that comes first is compared, under whatever name it lists the recipients', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const send = sender(at);
    await at.work(async (url, init) => {
      const response = await at.emulator.fetch(url, init);
      const transferId = at.emulator.state().transfers[0]?.id;
      const recipients = [{ userId: 'somebody', amount: 1 }];
      await send('WALLET.TRANSFER.UPDATE', { transferId, status: 'COMPLETED', recipients });
      return response;
    });
    expect(await at.states()).toEqual([
      ['accepted', null],
      ['accepted', null],
    ]);
    const [row] = await at.payouts.review(MONTH);
    expect(row?.notices).toEqual(['RECORD_OF_ANOTHER_PAYMENT event: recipients']);
  });

  const mixed = { destination: { batch: [{ status: 'FAILED' }, { status: 'COMPLETED' }] } };
  test.each([
    [mixed, 'RECIPIENT_UNCLEAR'],
    [{ ...mixed, status: 'FAILED' }, 'RECIPIENT_UNCLEAR'],
    [{ destination: { batch: [{ status: 'COMPLETED', failedReason: 'frozen' }] } }, 'RECIPIENT_UNCLEAR'],
  ])('that comes first with %j leaves to a person who was paid', async (fields, reason) => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const send = sender(at);
    await at.work(async (url, init) => {
      const response = await at.emulator.fetch(url, init);
      const transferId = at.emulator.state().transfers[0]?.id;
      await send('WALLET.TRANSFER.UPDATE', { transferId, status: 'COMPLETED', ...fields });
      return response;
    });
    expect(await at.states()).toEqual(Array(2).fill(['undecided', reason]));
  });

  test('of a failure may come before the response that the transfer is made, and after it', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const send = sender(at);
    let transferId: string | undefined;
    await at.work(async (url, init) => {
      const response = await at.emulator.fetch(url, init);
      const [transfer] = at.emulator.state().transfers;
      transferId = transfer?.id;
      const { requestId } = transfer ?? {};
      await send('WALLET.TRANSFER.UPDATE', { transferId, requestId, status: 'FAILED' });
      return response;
    });
    await send('WALLET.TRANSFER.CREATE', { transferId, status: 'CREATED' });
    expect(await at.states()).toEqual([['rejected', 'TRANSFER_FAILED']]);
    expect(await at.payouts.review(MONTH)).toEqual([]);
  });

  test('that comes first and names another key is shown, also if the key is no UUID', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const send = sender(at);
    await at.work(async (url, init) => {
      const response = await at.emulator.fetch(url, init);
      const transferId = at.emulator.state().transfers[0]?.id;
      await send('WALLET.TRANSFER.UPDATE', { transferId, status: 'COMPLETED', requestId: 'order-7' });
      return response;
    });
    expect(await at.states()).toEqual([['accepted', null]]);
    const [row] = await at.payouts.review(MONTH);
    expect(row?.notices).toEqual(['RECORD_OF_ANOTHER_PAYMENT event: requestId']);
  });

  test('that comes first shows the end of an approval, wherever the record has it', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    const send = sender(at);
    await at.work(async (url, init) => {
      const response = await at.emulator.fetch(url, init);
      const transferId = at.emulator.state().transfers[0]?.id;
      const receipt = { approval: { id: 'a1', status: 'EXPIRED' } };
      await send('WALLET.TRANSFER.UPDATE', { transferId, status: 'CANCELLED', receipt });
      return response;
    });
    expect((await at.rows())[0]).toMatchObject({ state: 'expired', evidence: 'event' });
  });

  test('takes turns with the worker, by the lock of its transfer', async () => {
    const statements: string[] = [];
    const watched = watching(db(), (text, values) => statements.push(`${text} ${JSON.stringify(values)}`));
    const at = await bench(watched);
    statements.splice(0);
    await at.payouts.noteRecord({
      id: 'e1',
      record: { transferDetails: { id: 't7', status: 'COMPLETED' } },
    });
    expect(statements[0]).toMatch(/pg_advisory_xact_lock[\s\S]*\[\["t7"\]\]$/);
  });

  test.each([
    ['in capitals', (key: string) => key.toUpperCase()],
    ['without hyphens', (key: string) => key.replaceAll('-', '')],
  ])(
    'with the key %s settles a payout whose response was lost, and no call follows',
    async (_form, write) => {
      const at = await unanswered();
      await at.send('WALLET.TRANSFER.UPDATE', {
        transferId: at.transferId,
        requestId: write(at.requestId),
        status: 'COMPLETED',
        amount: 10,
        source: { userId: at.userId },
      });
      expect(await at.rows()).toMatchObject([
        { state: 'paid', evidence: 'event', transfer_id: at.transferId, doubts: 0 },
      ]);
      await at.pass(10);
      expect(await at.work()).toBe(0);
    },
  );

  test('that waits for approval is shown, where a person has rejected the payout without having seen it', async () => {
    const at = await unanswered();
    const { transferId, requestId } = at;
    await at.giveUp(requestId);
    await at.pass(121);
    await at.payouts.settleByHand(requestId, { state: 'rejected', by: 'Ada' });
    await at.send('WALLET.TRANSFER.CREATE', { transferId, requestId, status: 'PENDING_APPROVAL' });
    const [row] = await at.payouts.review(MONTH);
    expect(row).toMatchObject({
      state: 'rejected',
      notices: [`CONTRADICTION ${transferId} awaiting_approval by event`],
    });
    // It may be approved: another transfer would pay the payout twice.
    await expect(at.payouts.payAgain(requestId, 'derived')).rejects.toThrow('notices that nobody');
  });

  test('about a batch settles all of its payouts', async () => {
    const at = await unanswered(3);
    const { transferId, requestId } = at;
    await at.send('WALLET.TRANSFER.BATCH', { transferId, requestId, status: 'COMPLETED', amount: 30 });
    expect(await at.states()).toEqual([
      ['paid', null],
      ['paid', null],
      ['paid', null],
    ]);
  });

  test.each([
    ['payer', { source: { userId: 'somebody else' } }],
    ['amount', { amount: 10.5 }],
    ['payee', { destination: { userId: 'somebody else' } }],
    ['requestId', { requestId: '00000000-0000-4000-8000-000000000001' }],
  ])('with another %s changes no state, and is shown', async (field, data) => {
    const at = await called();
    await at.update('COMPLETED', data);
    expect(await at.states()).toEqual([['accepted', null]]);
    const [row] = await at.payouts.review(MONTH);
    expect(row?.notices).toEqual([`RECORD_OF_ANOTHER_PAYMENT event: ${field}`]);
  });

  test('of another payer that comes first does not settle the payout that its key names', async () => {
    const at = await unanswered();
    const { transferId, requestId } = at;
    await at.send('WALLET.TRANSFER.UPDATE', {
      ...{ transferId, requestId, status: 'COMPLETED' },
      source: { userId: 'somebody else' },
    });
    expect((await at.rows())[0]).toMatchObject({ state: 'queued', in_doubt: true, transfer_id: null });
  });

  test('of a transfer that is nobody’s, or without an id, changes nothing', async () => {
    const at = await called();
    await at.send('WALLET.TRANSFER.UPDATE', {
      transferId: 'foreign',
      requestId: 'no uuid',
      status: 'COMPLETED',
    });
    await at.send('WALLET.TRANSFER.UPDATE', { status: 'COMPLETED' });
    await at.send('WALLET.TRANSFER.UPDATE', { transferId: 7, status: 'COMPLETED', transferDetails: null });
    expect(await at.states()).toEqual([['accepted', null]]);
    expect(await at.payouts.review(MONTH)).toEqual([]);
    // It is forgotten with the events.
    await db().query(`update payout_event set handled_at = handled_at - interval '31 days'`);
    await at.payouts.sweep();
    expect((await db().query('select from payout_event where record is not null')).rows).toEqual([]);
  });

  test('of a cancellation leaves it to the approval’s own event whether it was rejected or has expired', async () => {
    const at = await called(true);
    await at.update('CANCELLED');
    expect(await at.states()).toEqual([['awaiting_approval', null]]);
    await at.send('TRANSFER.APPROVAL.EXPIRED', { transferId: at.transferId });
    expect(await at.states()).toEqual([['expired', 'APPROVAL_EXPIRED']]);
  });

  test('of the cancellation of a transfer without an approval rejects the payout', async () => {
    const at = await called();
    await at.update('CANCELLED');
    expect(await at.states()).toEqual([['rejected', 'TRANSFER_CANCELLED']]);
  });

  test('of a transfer that was paid again under another key is shown, if it was completed after all', async () => {
    const at = await called();
    await at.update('FAILED');
    await at.payouts.payAgain(at.requestId, 'derived');
    await at.update('PENDING');
    expect(await at.payouts.review(MONTH)).toEqual([]);
    await at.update('COMPLETED');
    const [row] = await at.payouts.review(MONTH);
    expect(row).toMatchObject({ notices: [`EVENT_FOR_PAST_TRANSFER ${at.transferId} paid`] });
    expect(await at.states()).toEqual([['undecided', 'MADE_UNDER_PAST_KEY']]);
    expect(await at.work()).toBe(0);
  });

  test('of a refused transfer that was paid again under another key is shown, if it executes after all', async () => {
    const at = await called(true);
    await at.send('TRANSFER.APPROVAL.REJECTED', { transferId: at.transferId });
    await at.payouts.payAgain(at.requestId, 'derived');
    // It waited for its approval before.
    await at.update('PENDING_APPROVAL');
    expect(await at.states()).toEqual([['queued', null]]);
    await at.update('PENDING');
    const [row] = await at.payouts.review(MONTH);
    expect(row).toMatchObject({ notices: [`EVENT_FOR_PAST_TRANSFER ${at.transferId} accepted`] });
    expect(await at.states()).toEqual([['undecided', 'MADE_UNDER_PAST_KEY']]);
    expect(await at.work()).toBe(0);
  });

  test('that a failed transfer was approved stops no payment under another key', async () => {
    const at = await called(true);
    await at.update('FAILED');
    await at.payouts.payAgain(at.requestId, 'derived');
    await at.send('TRANSFER.APPROVAL.APPROVED', { transferId: at.transferId });
    expect(await at.states()).toEqual([['queued', null]]);
    expect(await at.payouts.review(MONTH)).toEqual([]);
  });

  test('that shows the transfer of a key that was replaced is shown', async () => {
    const at = await called();
    await db().query(
      `update payout_payment set transfer_id = null, state = 'rejected', reason = 'NO', evidence = 'response'`,
    );
    await at.payouts.payAgain(at.requestId, 'derived');
    await at.send('WALLET.TRANSFER.UPDATE', {
      transferId: 'late',
      requestId: at.requestId,
      status: 'FAILED',
    });
    expect(await at.payouts.review(MONTH)).toEqual([]);
    await at.send('WALLET.TRANSFER.UPDATE', {
      transferId: 'late',
      requestId: at.requestId,
      status: 'PENDING',
    });
    const [row] = await at.payouts.review(MONTH);
    expect(row).toMatchObject({ notices: ['EVENT_FOR_PAST_TRANSFER late accepted'] });
    expect(await at.states()).toEqual([['undecided', 'MADE_UNDER_PAST_KEY']]);
  });

  test('that shows another transfer of a replaced payment is shown, and the payment stays replaced', async () => {
    const at = await called();
    await at.update('FAILED');
    await at.payouts.payAgain(at.requestId, 'derived');
    const other = { transferId: 'other', requestId: at.requestId, status: 'COMPLETED' };
    await at.send('WALLET.TRANSFER.UPDATE', other);
    const { rows } = await db().query(`select 1 from payout_payment where state = 'replaced'`);
    expect(rows).toHaveLength(1);
    const [row] = await at.payouts.review(MONTH);
    expect(row).toMatchObject({
      state: 'undecided',
      reason: 'MADE_UNDER_PAST_KEY',
      notices: [`TWO_TRANSFERS ${at.transferId} other`],
    });
  });

  test('that a payment was made after all stops one that a lookup would give a new key', async () => {
    const at = await bench(db(), { lookup: async () => null });
    await at.enqueue([{}, {}], 2);
    const send = sender(at);
    const keyKnown = async () => {
      await at.work(responding(400, refusal('INSUFFICIENT_BALANCE')));
      await at.pass(70);
      await at.work(responding(409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')));
      await at.pass(130);
      return (await at.rows())[0]?.request_id;
    };
    const requestId = await keyKnown();
    await at.payouts.sweep();
    await keyKnown();
    expect((await at.states())[0]).toEqual(['undecided', 'KEY_KNOWN_AFTER_REFUSAL']);
    await send('WALLET.TRANSFER.UPDATE', { transferId: 'late', requestId, status: 'COMPLETED' });
    await at.payouts.sweep();
    expect((await at.states())[0]).toEqual(['undecided', 'MADE_UNDER_PAST_KEY']);
    expect(await at.work()).toBe(0);
  });

  test('that a payment was made after all stops the split of the batch that took it over', async () => {
    const at = await called();
    await at.enqueue(
      [{}, {}].map((_, place) => ({ employee: `B${place}` })),
      2,
    );
    const batch = (await at.rows())[0]?.request_id ?? '';
    await db().query(
      `update payout_payment set state = 'rejected', reason = 'NO', evidence = 'response' where request_id = $1`,
      [batch],
    );
    await at.payouts.payAgain(batch, 'derived');
    await at.work(async () => {
      throw new TypeError('terminated');
    });
    await at.pass(2);
    await at.work(responding(400, refusal('USER_NOT_FOUND')));
    expect((await at.states())[0]).toEqual(['undecided', 'REFUSED_AFTER_LOST_RESPONSE USER_NOT_FOUND']);
    await at.send('WALLET.TRANSFER.BATCH', { transferId: 'late', requestId: batch, status: 'COMPLETED' });
    expect((await at.states())[0]).toEqual(['undecided', 'MADE_UNDER_PAST_KEY']);
  });

  test('that a payment was made after all stops no other one that has been paid since', async () => {
    const at = await called();
    await at.update('FAILED');
    await at.payouts.payAgain(at.requestId, 'derived');
    await at.work();
    await at.update('COMPLETED');
    expect(await at.states()).toEqual([['accepted', null]]);
    expect(await at.payouts.review(MONTH)).toHaveLength(1);
  });
});
