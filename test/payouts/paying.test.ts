import { PaymentsClient } from 'stablecoin-payments';
import {
  createPayouts,
  migratePayouts,
  payoutMigrations,
  payoutRequestId,
  type TransferRecord,
} from 'stablecoin-payments/payouts';
import { describe, expect, test, vi } from 'vitest';
import { type Bench, begin, bench, MONTH, refusal, responding, usingDatabase, watching } from './support.ts';

const db = usingDatabase();
const HOUR = 3_600_000;

describe('enqueueing', () => {
  test('the key follows from the payer, the month and the employee, and differs for each', () => {
    const key = (payer: string, month: string, employee: string) =>
      payoutRequestId({ payer, month, employee });
    expect(key('P1', '2026-11', 'E1')).toBe(key(' P1', '2026-11\n', 'E1 '));
    expect(key('P1', '2026-11', 'Jos\u00e9')).toBe(key('P1', '2026-11', 'Jose\u0301'));
    const keys = [
      key('P1', '2026-11', 'E1'),
      key('P2', '2026-11', 'E1'),
      key('P1', '2026-12', 'E1'),
      key('P1', '2026-11', 'E2'),
      payoutRequestId({ payer: 'P1', month: '2026-11', batch: '1' }),
      payoutRequestId({ payer: 'P2', month: '2026-11', batch: '1' }),
      payoutRequestId({ payer: 'P1', month: '2026-12', batch: '1' }),
      key('P1', '2026-11', '1'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(['2026-11\n', ' 2026-11', '2026-11 '])(
    'the month %j is the month without white space',
    async (month) => {
      const { enqueue, payouts, payee } = await bench(db());
      await enqueue([{}]);
      const orders = [{ employee: 'E1', payee, amount: '10' }];
      expect(await payouts.enqueue({ month, currency: 'usdc', chain: 'POLYGON', orders })).toBe(0);
    },
  );

  test.each([
    '2026-1',
    '2026-13',
    '2026-00',
    '2026-11-01',
    '2026/11',
    '202611',
    '11-2026',
    '\uff12026-11',
    '',
  ])('the month %j is refused', async (month) => {
    const { payouts } = await bench(db());
    const payroll = { month, currency: 'usdc', chain: 'POLYGON', orders: [] };
    await expect(payouts.enqueue(payroll)).rejects.toThrow(/month must.*Nothing was enqueued/);
  });

  test.each([
    ['Jos\u00e9', 'Jos\u00e9 '],
    ['Jos\u00e9', 'Jose\u0301'],
  ])('the employee %j is the employee %j', async (first, second) => {
    const { enqueue, rows } = await bench(db());
    await enqueue([{ employee: first }]);
    expect(await enqueue([{ employee: second }])).toBe(0);
    expect(await rows()).toHaveLength(1);
  });

  test.each([
    ['E1', 'e1'],
    ['E1', 'E 1'],
    ['E1', 'E\u200b1'],
    ['E1', '\uff251'],
  ])('after %j, the employee %j is refused: it is no new payout', async (first, second) => {
    const { enqueue, rows } = await bench(db());
    await enqueue([{ employee: first }]);
    await expect(enqueue([{ employee: second }])).rejects.toThrow('another name ("E1")');
    await expect(enqueue([{ employee: first }, { employee: second }])).rejects.toThrow(
      'in the payroll twice',
    );
    expect(await rows()).toHaveLength(1);
  });

  test.each([{ employee: 'E\u00001' }, { payee: 'p\n1' }, { employee: '\ud800' }])(
    '%j is refused for its control characters',
    async (order) => {
      const { enqueue } = await bench(db());
      await expect(enqueue([order])).rejects.toThrow('control characters');
    },
  );

  test('two payers have payments of their own, and each worker pays only for its payers', async () => {
    const at = await bench(db());
    const other = at.emulator.createUser({ rails: ['usd'] }).userId;
    const theirs = createPayouts({ db: at.db, payments: never2(), userId: other });
    const orders = [{ employee: 'E1', payee: at.payee, amount: '10' }];
    const payroll = { month: MONTH, currency: 'usdc', chain: 'POLYGON', orders };
    expect(await at.payouts.enqueue(payroll)).toBe(1);
    expect(await theirs.enqueue(payroll)).toBe(1);
    expect(await at.work()).toBe(1);
    await at.pass(5);
    expect(await at.work()).toBe(0);
    const listed = async (payouts: typeof theirs) => {
      const found: unknown[] = [];
      for await (const { payer, state } of payouts.list({ month: MONTH })) found.push([payer, state]);
      return found;
    };
    expect(await listed(at.payouts)).toEqual([[at.userId, 'accepted']]);
    expect(await listed(theirs)).toEqual([[other, 'queued']]);
    expect((await theirs.summary(MONTH)).payouts).toBe(1);
  });

  test('payouts of another payer are not paid again', async () => {
    const at = await bench(db());
    const other = at.emulator.createUser({ rails: ['usd'] }).userId;
    const theirs = createPayouts({ db: at.db, payments: never2(), userId: other });
    const orders = [{ employee: 'E1', payee: at.payee, amount: '10' }];
    await theirs.enqueue({ month: MONTH, currency: 'usdc', chain: 'POLYGON', orders });
    await at.db.query(`update payout_payment set state = 'rejected'`);
    const requestId = payoutRequestId({ payer: other, month: MONTH, employee: 'E1' });
    await expect(at.payouts.payAgain(requestId, 'same')).rejects.toThrow('No payout has the requestId');
    expect(await theirs.payAgain(requestId, 'same')).toEqual({ requestId, payouts: 1 });
  });

  test('an order may name one of several payers, and no other', async () => {
    const at = await bench(db(), { payers: ['second'] });
    await at.enqueue([{}, { payer: 'second' }]);
    expect((await at.rows()).map(({ payer }) => payer)).toEqual([at.userId, 'second']);
    await expect(at.enqueue([{ payer: 'third' }])).rejects.toThrow('payer is not a payer of these payouts');
  });

  test('two months of one person are two payments', async () => {
    const { payouts, payee, work, rows, ledger } = await bench(db());
    for (const month of ['2026-11', '2026-12']) {
      const orders = [{ employee: 'E1', payee, amount: '10' }];
      expect(await payouts.enqueue({ month, currency: 'usdc', chain: 'POLYGON', orders })).toBe(1);
    }
    expect(await work()).toBe(2);
    expect((await rows()).map(({ state }) => state)).toEqual(['accepted', 'accepted']);
    expect(ledger()).toHaveLength(2);
  });

  test('payouts are enqueued together or not at all', async () => {
    let statements = 0;
    const failing = watching(db(), (text) => {
      if (!text.includes('insert into payout_order')) return;
      statements += 1;
      if (statements === 3) throw new Error('second');
    });
    const at = await bench(failing);
    await expect(at.enqueue([{}, { amount: '0' }])).rejects.toThrow('Nothing was enqueued');
    expect(await at.rows()).toEqual([]);
    // More than one statement, and a fault in the last: those before it go back as well.
    const many = Array.from({ length: 1001 }, () => ({ payee: 'p' }));
    await expect(at.enqueue(many)).rejects.toThrow('second');
    expect(await at.rows()).toEqual([]);
    expect(await at.enqueue(many)).toBe(1001);
    expect((await begin(db(), at.rules, 2000)).attempts).toHaveLength(1001);
  });

  test('enqueued again, it adds who is new and changes no batch', async () => {
    const { enqueue, rows, rules } = await bench(db());
    expect(await enqueue([{}, {}, {}], 2)).toBe(3);
    expect(await enqueue([{}, {}, { amount: '010.0' }, {}, {}], 2)).toBe(2);
    expect((await rows()).map(({ batch }) => batch)).toEqual(['1', '1', '2', '3', '3']);
    expect((await begin(db(), rules)).attempts).toHaveLength(3);
  });

  test('enqueued again with its amount in other words, a payout is the same', async () => {
    const { enqueue, rows } = await bench(db());
    await enqueue([{ amount: '1005' }, { amount: '10.5' }]);
    expect(await enqueue([{ amount: '1005.0' }, { amount: '0010.500000' }])).toBe(0);
    await expect(enqueue([{ amount: '1005.000001' }])).rejects.toThrow('another amount');
    expect(await rows()).toHaveLength(2);
  });

  test('batches are counted from one, also after payouts of their own', async () => {
    const { enqueue, rows } = await bench(db());
    await enqueue([{}]);
    await enqueue([{}, {}, {}, {}], 2);
    expect((await rows()).map(({ batch }) => batch)).toEqual([null, '1', '1', '2']);
  });

  test('payouts that need approval have batches of their own', async () => {
    const { enqueue, rows } = await bench(db());
    await enqueue([{}, { needsApproval: true }, {}, { needsApproval: true }], 50);
    expect((await rows()).map(({ batch }) => batch)).toEqual(['1', '2', '1', '2']);
  });

  test.each([
    ['amount', { amount: '11' }],
    ['payee', { payee: 'somebody else' }],
    ['approval', { needsApproval: true }],
  ])('a known payout with another %s is an error', async (field, change) => {
    const { enqueue, rows } = await bench(db());
    await enqueue([{}]);
    await expect(enqueue([change, {}])).rejects.toThrow(`another ${field}`);
    expect(await rows()).toHaveLength(1);
  });

  test('a known payout in another currency or on another chain is an error', async () => {
    const { enqueue, payouts, payee } = await bench(db());
    await enqueue([{}]);
    const orders = [{ employee: 'E1', payee, amount: '10' }];
    await expect(payouts.enqueue({ month: MONTH, currency: 'usdt', chain: 'BASE', orders })).rejects.toThrow(
      'another currency and chain',
    );
  });

  test.each([
    [{ amount: '-1' }, 'amount must be'],
    [{ amount: '1.0000001' }, 'amount must be'],
    [{ amount: '1000000000' }, 'amount must be'],
    [{ amount: '1e3' }, 'amount must be'],
    [{ employee: ' ' }, 'must not be empty'],
    [{ payee: ' ' }, 'must not be empty'],
  ])('%j is refused', async (order, message) => {
    const { enqueue, rows } = await bench(db());
    await expect(enqueue([{}, order])).rejects.toThrow(message);
    expect(await rows()).toEqual([]);
  });

  test('what is not typed as it should be is refused, and so are doubles and odd batch sizes', async () => {
    const { enqueue, payouts } = await bench(db());
    const odd = JSON.parse('[{ "needsApproval": "yes" }]');
    await expect(enqueue(odd)).rejects.toThrow('needsApproval must be true or false');
    await expect(enqueue(JSON.parse('[{ "amount": 10 }]'))).rejects.toThrow('amount must be');
    await expect(enqueue([{ employee: 'A' }, { employee: 'A' }])).rejects.toThrow('in the payroll twice');
    for (const size of [0, 51, 1.5]) await expect(enqueue([{}], size)).rejects.toThrow('batchSize');
    const payroll = { month: ' ', currency: 'usdc', chain: 'POLYGON', orders: [] };
    await expect(payouts.enqueue(payroll)).rejects.toThrow('month must not be empty');
  });
});

describe('paying', () => {
  test('a completed transfer is paid; an accepted one is accepted', async () => {
    const { enqueue, work, rows, emulator, ledger } = await bench(db(), { settlementStep: 60_000 });
    await enqueue([{ amount: '1250.500001' }]);
    await work();
    const [row] = await rows();
    const [transfer] = emulator.state().transfers;
    expect(row).toMatchObject({
      state: 'accepted',
      evidence: 'response',
      in_doubt: false,
      attempts: 1,
      transfer_id: transfer?.id,
      request_id: transfer?.requestId,
    });
    expect(ledger()).toEqual(['payee 1250.500001 CREATED']);
  });

  test('a payout whose worker died between the call and its note is called for again, and is the same payment', async () => {
    const { enqueue, work, rows, pass, emulator } = await bench(db());
    await enqueue([{}]);
    await work(async (url, init) => {
      await emulator.fetch(url, { ...init, signal: null });
      throw new TypeError('terminated');
    });
    expect(await rows()).toMatchObject([{ state: 'queued', in_doubt: true, attempts: 1, failures: 1 }]);
    expect(await work()).toBe(0);
    await pass(2);
    expect(await work()).toBe(1);
    expect(emulator.state().transfers).toHaveLength(1);
    const [row] = await rows();
    expect(row).toMatchObject({ in_doubt: false, attempts: 2, reason: null });
    expect(['accepted', 'paid']).toContain(row?.state);
  });

  test('what a worker has taken is taken by no other until its lease ends', async () => {
    const { enqueue, work, pass, rules, emulator } = await bench(db());
    await enqueue([{}]);
    expect((await begin(db(), rules)).attempts).toMatchObject([{ number: 1, inDoubt: false }]);
    await pass(14);
    expect(await work()).toBe(0);
    await pass(2);
    expect((await begin(db(), rules)).attempts).toMatchObject([{ number: 2, inDoubt: true }]);
    await pass(16);
    expect(await work()).toBe(1);
    expect(emulator.state().transfers).toHaveLength(1);
  });

  test('where the service refuses known keys, a payment whose response was lost is made, and there once', async () => {
    const options = { duplicates: 'refuse', dialect: 'field' } as const;
    const { enqueue, work, rows, pass, emulator, ledger } = await bench(db(), options);
    await enqueue([{}]);
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await work();
    await pass(2);
    await work();
    expect(await rows()).toMatchObject([
      { state: 'made', evidence: 'response', in_doubt: true, transfer_id: null },
    ]);
    expect(ledger()).toHaveLength(1);
  });

  test('a refusal rejects, but not after an attempt that may have been carried out', async () => {
    const { enqueue, work, states, pass, emulator } = await bench(db());
    await enqueue([{ payee: 'nobody' }]);
    await work();
    expect(await states()).toEqual([['rejected', 'USER_NOT_FOUND']]);
    await enqueue([{ payee: 'nobody' }, { payee: 'nobody' }]);
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
    await work();
    await pass(2);
    await work();
    expect((await states())[1]).toEqual(['undecided', 'REFUSED_AFTER_LOST_RESPONSE USER_NOT_FOUND']);
  });

  test('a gateway that refuses everything for a while rejects nothing', async () => {
    const { enqueue, work, states, rows, pass } = await bench(db());
    await enqueue([{}, {}]);
    const pages = [403, 400, 405, 413, 502, 451];
    for (const status of pages) {
      expect(await work(responding(status, '<html>no</html>'))).toBe(2);
      await pass(100);
    }
    expect(await states()).toEqual([
      ['queued', 'HTTP_451'],
      ['queued', 'HTTP_451'],
    ]);
    // Some of the pages leave it open whether the request was carried out.
    expect((await rows())[0]).toMatchObject({ attempts: 6, failures: 0, pauses: 6, in_doubt: true });
    await work();
    expect((await rows()).map(({ state }) => state)).toEqual(['accepted', 'accepted']);
  });

  test('a pause that lasts for ever uses no attempt; failures of the service do', async () => {
    const { enqueue, work, rows, pass } = await bench(db(), { maxFailures: 3 });
    await enqueue([{}]);
    for (let time = 0; time < 30; time += 1) {
      await work(responding(429, refusal('SLOW_DOWN'), { 'retry-after': '0' }));
      await pass(100);
    }
    expect(await rows()).toMatchObject([
      { state: 'queued', reason: 'SLOW_DOWN', failures: 0, in_doubt: false },
    ]);
    for (let time = 0; time < 3; time += 1) {
      await work(responding(500, { code: 700001, error: 'INTERNAL_ERROR', errorDetails: '' }));
      await pass(100);
    }
    expect(await rows()).toMatchObject([{ state: 'undecided', reason: 'RETRIES_USED_UP', in_doubt: true }]);
  });

  test('Retry-After: 0 does not make a worker call without rest', async () => {
    const { enqueue, work, pass } = await bench(db());
    await enqueue([{}]);
    const busy = responding(429, refusal('SLOW_DOWN'), { 'retry-after': '0' });
    let calls = 0;
    for (let second = 0; second < 60; second += 1) {
      calls += await work(busy);
      await pass(1);
    }
    expect(calls).toBe(6);
  });

  test('an empty balance waits and goes on', async () => {
    const { enqueue, work, states, pass, emulator, userId } = await bench(db());
    const holding = { userId, currency: 'usdc', chain: 'POLYGON' };
    emulator.setBalance({ ...holding, amount: 5 });
    await enqueue([{}]);
    await work();
    expect(await states()).toEqual([['queued', 'INSUFFICIENT_BALANCE']]);
    emulator.setBalance({ ...holding, amount: 50 });
    await pass(2);
    await work();
    expect(await states()).toEqual([['accepted', null]]);
  });

  test('a key that is known after a refusal gets no new key by itself', async () => {
    const { enqueue, work, states, rows, pass } = await bench(db());
    await enqueue([{}]);
    const [before] = await rows();
    await work(responding(400, refusal('INSUFFICIENT_BALANCE')));
    await pass(2);
    await work(responding(409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')));
    expect(await states()).toEqual([['undecided', 'KEY_KNOWN_AFTER_REFUSAL']]);
    expect((await rows())[0]?.request_id).toBe(before?.request_id);
  });

  test('where a lookup finds nothing under such a key, the payout continues under a new one', async () => {
    const at = await bench(db(), { lookup: async () => null });
    await at.enqueue([{}]);
    const [before] = await at.rows();
    await at.work(responding(400, refusal('INSUFFICIENT_BALANCE')));
    await at.pass(2);
    await at.work(responding(409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')));
    await at.payouts.sweep();
    expect(await at.states()).toEqual([['undecided', 'KEY_KNOWN_AFTER_REFUSAL']]);
    await at.pass(130);
    await at.payouts.sweep();
    await at.work();
    const [after] = await at.rows();
    expect(after).toMatchObject({ state: 'accepted' });
    expect(after?.request_id).not.toBe(before?.request_id);
    expect(at.ledger()).toHaveLength(1);
  });

  test('where a lookup finds the transfer, nothing is paid under another key', async () => {
    let record: TransferRecord = {};
    const at = await bench(db(), { lookup: async () => record });
    await at.enqueue([{}]);
    const [row] = await at.rows();
    const details = { requestId: row?.request_id, amount: 10, destination: { userId: at.payee } };
    record = { transferDetails: { id: 't1', status: 'COMPLETED', ...details } };
    await at.work(responding(400, refusal('INSUFFICIENT_BALANCE')));
    await at.pass(2);
    await at.work(responding(409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')));
    await at.pass(130);
    await at.payouts.sweep();
    expect(await at.rows()).toMatchObject([
      { state: 'paid', evidence: 'lookup', request_id: row?.request_id, transfer_id: 't1' },
    ]);
  });

  test('a key older than its lifetime is not used again', async () => {
    const at = await bench(db(), { keyLifetime: HOUR });
    await at.enqueue([{}, { payee: 'nobody' }]);
    at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
    await at.work();
    await at.pass(3601);
    expect(await at.work()).toBe(0);
    expect(await at.states()).toEqual([
      ['undecided', 'KEY_LIFETIME_OVER'],
      ['rejected', 'USER_NOT_FOUND'],
    ]);
    const [row] = await at.rows();
    await expect(at.payouts.payAgain(row?.request_id ?? '', 'same')).rejects.toThrow(
      'keyLifetime of 3600000 milliseconds',
    );
  });

  test('the lifetime of a key counts from the first attempt that may have been carried out', async () => {
    const at = await bench(db(), { keyLifetime: HOUR });
    await at.enqueue([{}]);
    for (const _ of [1, 2]) {
      at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
      await at.work();
      await at.pass(2000);
    }
    expect(await at.work()).toBe(0);
    expect(await at.states()).toEqual([['undecided', 'KEY_LIFETIME_OVER']]);
  });

  test('each attempt sends the same bytes, whatever the next version or its options would make of the payout', async () => {
    const bodies: unknown[] = [];
    const at = await bench(db());
    const losing: typeof fetch = async (_url, init) => {
      bodies.push(init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : init?.body);
      throw new TypeError('terminated');
    };
    await at.enqueue([{ amount: '1.50' }, { amount: '2' }, {}], 2);
    await at.work(losing);
    const other = createPayouts({ ...parts2(at), batchAmounts: 'number', payments: clientOver(losing) });
    await at.pass(100);
    const worker = other.startWorker({ pollInterval: 10 });
    await vi.waitFor(() => expect(bodies).toHaveLength(4));
    await worker.stop();
    const [first, second] = [bodies.slice(0, 2), bodies.slice(2)].map((sent) => sent.map(String).sort());
    expect(second).toEqual(first);
    expect(first?.join()).toContain('"amount":"1.5"');
  });
});

describe('batches', () => {
  test.each(['text', 'number'] as const)('amounts go as %s, to the last unit', async (batchAmounts) => {
    const dialect = { batchAmounts: batchAmounts === 'text' ? 'string' : 'number' } as const;
    const { enqueue, work, states, ledger } = await bench(db(), { dialect, batchAmounts });
    await enqueue([{ amount: '1.000001' }, { amount: '2.5' }], 2);
    await work();
    expect((await states()).map(([state]) => state)).toEqual(['accepted', 'accepted']);
    expect(ledger()[0]).toMatch(/^batch 3\.500001/);
  });

  test('a batch is one transfer, requested in the same words each time', async () => {
    const { enqueue, work, states, pass, emulator, ledger } = await bench(db());
    await enqueue([{ amount: '1.000001' }, { amount: '2' }, { amount: '3', needsApproval: true }], 50);
    emulator.faults.inject({ operation: 'transfers.createBatch', kind: 'reset-after-commit' });
    await work();
    await pass(2);
    await work();
    expect(await states()).toEqual([
      ['accepted', null],
      ['accepted', null],
      ['awaiting_approval', null],
    ]);
    expect(ledger()).toEqual(['batch 3.000001 COMPLETED', 'batch 3 PENDING_APPROVAL']);
  });

  test('one bad payee does not sink a batch: it is split until only the bad one is rejected', async () => {
    const { enqueue, work, rows, emulator } = await bench(db());
    const orders = Array.from({ length: 8 }, (_, place) => (place === 5 ? { payee: 'nobody' } : {}));
    await enqueue(orders, 8);
    while ((await work()) > 0);
    const ended = await rows();
    expect(ended.map(({ state }) => state)).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'rejected',
      'accepted',
      'accepted',
    ]);
    expect(ended[5]).toMatchObject({ reason: 'USER_NOT_FOUND', batch: '1.2.1.2', in_doubt: false });
    expect(new Set(ended.map(({ request_id }) => request_id)).size).toBe(4);
    const paid = emulator.payments().flatMap(({ to }) => to);
    expect(paid).toHaveLength(7);
    const { rows: past } = await db().query('select * from payout_past');
    expect(past).toHaveLength(8 + 4 + 2);
  });

  test('a batch in doubt is never split', async () => {
    const { enqueue, work, states, pass, rows, emulator } = await bench(db());
    await enqueue([{}, { payee: 'nobody' }], 2);
    emulator.faults.inject({ operation: 'transfers.createBatch', kind: 'reset-before-commit' });
    await work();
    await pass(2);
    await work();
    const reason = 'REFUSED_AFTER_LOST_RESPONSE USER_NOT_FOUND';
    expect(await states()).toEqual([
      ['undecided', reason],
      ['undecided', reason],
    ]);
    expect(new Set((await rows()).map(({ request_id }) => request_id)).size).toBe(1);
  });
});

test.each(['spec', 'field'] as const)('the dialect %s of the service changes no end', async (dialect) => {
  const at = await bench(db(), { dialect });
  await at.enqueue([{}, { payee: 'nobody' }, {}, { needsApproval: true }]);
  at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  for (let time = 0; time < 3; time += 1) {
    await at.work();
    await at.pass(10);
  }
  const [lost, refused, plain, waiting] = (await at.rows()).map(({ state }) => state);
  // A refusal under a name that is not documented proves nothing.
  expect(['accepted', 'made', 'queued']).toContain(lost);
  expect([refused, plain, waiting]).toEqual(['rejected', 'accepted', 'awaiting_approval']);
  expect(at.emulator.state().transfers).toHaveLength(3);
});

describe('the tables', () => {
  test('are created once, whoever asks, and by version', async () => {
    await bench(db());
    expect(await migratePayouts(db())).toBe(payoutMigrations.length);
    const { rows } = await db().query('select version from payout_migration order by version');
    expect(rows).toEqual(payoutMigrations.map(({ version }) => ({ version })));
  });

  test('of a newer version are left alone', async () => {
    await bench(db());
    await db().query('insert into payout_migration (version) values (99)');
    await expect(migratePayouts(db())).rejects.toThrow('at version 99');
  });
});

const never2 = () => ({ transfers: { create: never, createBatch: never }, approvals: { list: noApprovals } });
const parts2 = ({ db, userId }: Bench) => ({ db, userId });
const clientOver = (fetch: typeof globalThis.fetch) =>
  new PaymentsClient({ baseUrl: 'https://service.test', accessToken: 'token', fetch });

function never(): never {
  throw new Error('nothing is paid in this test');
}

async function* noApprovals() {}
