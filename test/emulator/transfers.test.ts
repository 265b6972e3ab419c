import { describe, expect, it } from 'vitest';
import { batch, bench, bridge, offramp, START, transfer, WALLET } from './support.ts';

function people(options = {}) {
  const tools = bench(options);
  const a = tools.emulator.createUser().userId;
  const b = tools.emulator.createUser().userId;
  const status = () => tools.emulator.state().transfers[0]?.transferDetails.status;
  return { ...tools, a, b, status };
}

const ENDPOINTS = [
  ['/v2/wallets/transfers', 'WALLET.TRANSFER', transfer],
  ['/v2/wallets/transfers/batches', 'WALLET.TRANSFER.BATCH', batch],
  ['/v2/wallets/bridges', 'WALLET.BRIDGE', bridge],
  ['/v2/offramps', 'OFFRAMP', offramp],
] as const;

describe.each(ENDPOINTS)('POST %s', (path, transferType, bodyFor) => {
  it('creates a transfer that completes with a transaction hash', async () => {
    const { call, emulator, a } = people();
    const request = bodyFor(a);
    const { status, body } = await call('POST', path, request);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      transferType,
      transferDetails: {
        id: expect.any(String),
        requestId: expect.any(String),
        status: 'CREATED',
        amount: 25,
        currency: 'usdc',
        chain: 'POLYGON',
        createdAt: START,
        source: { userId: a },
        receipt: { transactionHash: null },
      },
    });
    const [after] = emulator.state().transfers;
    expect(after).toMatchObject({ id: body.transferDetails.id, requestId: body.transferDetails.requestId });
    expect(after?.transferDetails.status).toBe('COMPLETED');
    expect(after?.transferDetails.receipt.transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(after?.transferDetails.receipt).not.toHaveProperty('approval');
  });

  it('waits for its approval, shows it in the receipt, and executes once approved', async () => {
    const { call, emulator, a } = people({ settlementStep: '10s' });
    const { body } = await call('POST', path, bodyFor(a, { requireApproval: true }));
    const { id, receipt, status } = body.transferDetails;
    expect(status).toBe('PENDING_APPROVAL');
    expect(receipt.approval).toEqual({
      id: expect.any(String),
      status: 'PENDING',
      transferId: id,
      transferType,
      createdAt: START,
      updatedAt: START,
      votes: [],
    });
    emulator.clock.advance('23h');
    const quoted = transferType === 'OFFRAMP' || transferType === 'WALLET.BRIDGE';
    expect(emulator.state().transfers[0]?.transferDetails.quoteInformation).toBe(quoted ? null : undefined);
    const approved = await call('POST', `/v2/transfer-approvals/${receipt.approval.id}/approve`, {
      comment: 'fine',
    });
    expect(approved.status).toBe(200);
    expect(approved.body).toEqual({
      success: true,
      message: expect.any(String),
      approvalId: receipt.approval.id,
      status: 'APPROVED',
      timestamp: '2026-03-05T11:00:00.000Z',
    });
    const seen = [];
    for (let step = 0; step < 4; step += 1) {
      seen.push(emulator.state().transfers[0]?.transferDetails.status);
      emulator.clock.advance('10s');
    }
    expect(seen).toEqual(['CREATED', 'INITIATED', 'PENDING', 'COMPLETED']);
    const after = emulator.state().transfers[0]?.transferDetails;
    expect(after?.receipt.approval).toMatchObject({
      status: 'APPROVED',
      votes: [{ decision: 'APPROVED', comment: 'fine' }],
    });
    if (quoted) expect(after?.quoteInformation?.expiresAt).toBe('2026-03-05T11:15:00.000Z');
  });

  it('never executes once rejected', async () => {
    const { call, emulator, a, status } = people();
    const { approval } = (await call('POST', path, bodyFor(a, { requireApproval: true }))).body
      .transferDetails.receipt;
    const rejected = await call('POST', `/v2/transfer-approvals/${approval.id}/reject`);
    expect(rejected.body).toMatchObject({ success: true, approvalId: approval.id, status: 'REJECTED' });
    emulator.clock.advance('9d');
    expect(status()).toBe('REJECTED');
    expect(emulator.state().transfers[0]?.transferDetails.receipt.transactionHash).toBeNull();
    for (const decision of ['approve', 'reject']) {
      const { status, body } = await call('POST', `/v2/transfer-approvals/${approval.id}/${decision}`);
      expect([status, body.error.code]).toEqual([409, 'APPROVAL_NOT_PENDING']);
    }
  });

  it('expires undecided, an offramp after a day and the others after a week', async () => {
    const { call, emulator, a, status } = people();
    const { approval } = (await call('POST', path, bodyFor(a, { requireApproval: true }))).body
      .transferDetails.receipt;
    emulator.clock.advance(transferType === 'OFFRAMP' ? '23h' : '167h');
    expect((await call('GET', '/v2/transfer-approvals')).body.count).toBe(1);
    expect(status()).toBe('PENDING_APPROVAL');
    emulator.clock.advance('1h');
    expect((await call('GET', '/v2/transfer-approvals')).body).toMatchObject({ count: 0, approvals: [] });
    expect(emulator.state().transfers[0]?.transferDetails).toMatchObject({
      status: 'CANCELLED',
      error: 'EXPIRED',
    });
    expect(emulator.state().approvals[0]?.status).toBe('EXPIRED');
    expect((await call('POST', `/v2/transfer-approvals/${approval.id}/approve`)).status).toBe(409);
    expect(status()).toBe('CANCELLED');
  });

  it.each<[string, object]>([
    ['requestId', { requestId: undefined }],
    ['source', { source: undefined }],
    ['requireApproval', { requireApproval: 'yes' }],
    ['amount', { amount: -5 }],
  ])('names %s where it is wrong', async (field, change) => {
    const { call, emulator, a } = people();
    const { status, fields } = await call('POST', path, { ...bodyFor(a), ...change });
    expect([status, fields[0]?.field]).toEqual([400, field]);
    expect(emulator.state().transfers).toEqual([]);
  });

  it.each([
    ['PERCENT', '0.1234567'],
    ['PERCENT', 1e-7],
    ['FIX', '0.1234567'],
  ])('refuses a fee of %s that is not exact', async (type, value) => {
    const { call, emulator, a } = people({ dialect: { extends: 'field', batchAmounts: 'either' } });
    const { status, fields } = await call('POST', path, bodyFor(a, { fee: { type, value } }));
    expect([status, fields[0]?.field]).toEqual([400, 'fee.value']);
    expect(emulator.state().transfers).toEqual([]);
  });

  it('needs a payer that it knows', async () => {
    const { call } = people();
    expect((await call('POST', path, bodyFor(''))).fields[0]?.field).toBe('source.userId');
    expect((await call('POST', path, bodyFor('nobody'))).body.error.code).toBe('USER_NOT_FOUND');
  });
});

describe('a wallet transfer', () => {
  it.each(['destination', 'amount', 'currency', 'chain'])('needs %s', async (field) => {
    const { call, a } = people();
    const { status, fields } = await call('POST', '/v2/wallets/transfers', {
      ...transfer(a),
      [field]: undefined,
    });
    expect([status, fields[0]]).toEqual([400, { field, message: expect.stringContaining('is required') }]);
  });

  it.each([
    ['amount', '5', 'must be a finite number greater than 0'],
    ['amount', null, 'must be a finite number greater than 0'],
    ['currency', 7, "must be a coin in lower case, such as 'usdc'"],
    ['requireApproval', 'yes', 'must be true or false'],
    ['destination', [], 'must be an object'],
  ])('does not call %s missing where it is %j', async (field, value, message) => {
    const { call, a } = people();
    const { fields } = await call('POST', '/v2/wallets/transfers', transfer(a, { [field]: value }));
    expect(fields).toEqual([{ field, message }]);
  });

  it('needs a recipient that exists', async () => {
    const { call, a } = people();
    expect((await call('POST', '/v2/wallets/transfers', transfer(a, { destination: {} }))).status).toBe(400);
    expect(
      (await call('POST', '/v2/wallets/transfers', transfer(a, { destination: { userId: 'x' } }))).status,
    ).toBe(404);
  });
});

describe('a batch', () => {
  const recipients = (size: number, amount: unknown = 1) =>
    Array.from({ length: size }, () => ({ walletAddress: WALLET, amount }));
  const send = (userId: string, list: unknown, more: object = {}) =>
    batch(userId, { destination: { batch: list }, ...more });

  it('takes up to 50 recipients in destination.batch', async () => {
    const { call, a } = people();
    const { status, body } = await call(
      'POST',
      '/v2/wallets/transfers/batches',
      send(a, recipients(50, 0.1)),
    );
    expect(status).toBe(201);
    expect(body.transferDetails.amount).toBe(5);
  });

  it.each<[string, unknown]>([
    ['destination.batch', recipients(51)],
    ['destination.batch', []],
    ['destination.batch', undefined],
    ['destination.batch.1.amount', [{ walletAddress: WALLET, amount: 1 }, { walletAddress: WALLET }]],
    ['destination.batch.0.amount', recipients(2, 0)],
    ['destination.batch.0.amount', recipients(2, 1e-9)],
    ['destination.batch.0', ['x']],
    ['destination.batch.0.userId', [{ amount: 1 }]],
  ])('names %s where it is wrong', async (field, list) => {
    const { call, a } = people();
    const answer = await call('POST', '/v2/wallets/transfers/batches', send(a, list));
    expect([answer.status, answer.fields[0]?.field]).toEqual([400, field]);
  });

  it('answers 404 for a recipient it does not know', async () => {
    const { call, a } = people();
    const stranger = send(a, [{ userId: 'x', amount: 3 }]);
    expect((await call('POST', '/v2/wallets/transfers/batches', stranger)).status).toBe(404);
  });
});

describe('an offramp of which the amount to receive is given', () => {
  it.each([false, true])(
    'receives it, and sends what its quote says: with approval %s',
    async (requireApproval) => {
      const { call, emulator, a } = people();
      const body = {
        source: { userId: a, currency: 'usdc', chain: 'POLYGON' },
        destination: { accountId: 'an-account', currency: 'ugx', amount: 100_000.03 },
        requireApproval,
      };
      await call('POST', '/v2/offramps', offramp(a, body));
      for (const { id } of emulator.state().approvals) emulator.approve(id);
      const { amount, quoteInformation } = emulator.state().transfers[0]?.transferDetails ?? {};
      expect(quoteInformation?.receiveNet.amount).toBe('100000.03');
      expect(Number(quoteInformation?.sendGross.amount)).toBe(amount);
    },
  );
});

it('an offramp that an external wallet pays is a payment of that wallet', async () => {
  const { call, emulator } = people();
  const externalWalletId = emulator.state().externalWallets[0]?.id;
  const source = { externalWalletId, currency: 'usdc', chain: 'POLYGON', amount: 12 };
  await call('POST', '/v2/offramps', offramp('', { source }));
  expect(emulator.payments()[0]?.from).toBe(externalWalletId);
});

describe('an offramp', () => {
  it('gives its money back when nobody decides', async () => {
    const { call, emulator, a } = people();
    emulator.setBalance({ userId: a, currency: 'usdc', chain: 'POLYGON', amount: 100 });
    await call('POST', '/v2/offramps', offramp(a, { requireApproval: true }));
    expect(emulator.state().balances[0]?.amount).toBe('75.00');
    emulator.clock.advance('1d');
    expect(emulator.state().balances[0]?.amount).toBe('100.00');
  });
});

describe('a bridge', () => {
  const bridgeTo = (userId: string, destination: object) =>
    bridge(userId, { destination: { currency: 'usdc', chain: 'BASE', ...destination } });

  it.each([
    ['the paying user', {}, 'usdc', 0],
    ['another user', { userId: 'b' }, 'usdc', 1],
    ['another user in another currency', { userId: 'b', currency: 'usdt' }, 'usdt', 1],
  ])('arrives on the other chain as the quote says, at %s', async (_who, to, currency, payee) => {
    const { call, emulator, a, b } = people();
    const userId = [a, b][payee] ?? '';
    emulator.setBalance({ userId: a, currency: 'usdc', chain: 'POLYGON', amount: 30 });
    emulator.setBalance({ userId, currency, chain: 'BASE', amount: 1 });
    const body = bridgeTo(a, 'userId' in to ? { ...to, userId: b } : to);
    const { quoteInformation } = (await call('POST', '/v2/wallets/bridges', body)).body.transferDetails;
    expect(quoteInformation).toMatchObject({
      sendGross: { amount: '25.00', currency: 'usdc' },
      railFee: { amount: '0.06', currency: 'usdc' },
      receiveNet: { amount: '24.94', currency },
    });
    expect(emulator.state().balances.map(({ amount }) => amount)).toEqual(['5.00', '25.94']);
  });

  it('to an address leaves the balances of users alone', async () => {
    const { call, emulator, a } = people();
    emulator.setBalance({ userId: a, currency: 'usdc', chain: 'BASE', amount: 1 });
    await call('POST', '/v2/wallets/bridges', bridgeTo(a, { walletAddress: WALLET }));
    expect(emulator.state().balances[0]?.amount).toBe('1.00');
    expect(emulator.payments()[0]?.to).toEqual([]);
  });
});

describe('balances', () => {
  it('are unlimited until set, and then move with the money', async () => {
    const { call, emulator, a, b } = people();
    const pay = (more: object = {}) =>
      call('POST', '/v2/wallets/transfers', transfer(a, { destination: { userId: b }, ...more }));
    expect((await pay({ amount: 1e9 })).status).toBe(201);
    await call('POST', '/_emulator/balances', {
      userId: a,
      currency: 'usdc',
      chain: 'POLYGON',
      amount: 30.5,
    });
    emulator.setBalance({ userId: b, currency: 'usdc', chain: 'POLYGON', amount: 0 });
    expect((await pay()).status).toBe(201);
    const short = await pay();
    expect([short.status, short.body.error.code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    expect(emulator.state().balances.map(({ amount }) => amount)).toEqual(['5.50', '25.00']);
    await call('POST', '/_emulator/balances', {
      userId: a,
      currency: 'usdc',
      chain: 'POLYGON',
      amount: null,
    });
    expect((await pay()).status).toBe(201);
  });

  it('get back what was set aside when an approval is rejected', async () => {
    const { call, emulator, a, b } = people();
    emulator.setBalance({ userId: a, currency: 'usdc', chain: 'POLYGON', amount: 30 });
    const waiting = transfer(a, { destination: { userId: b }, requireApproval: true });
    const { approval } = (await call('POST', '/v2/wallets/transfers', waiting)).body.transferDetails.receipt;
    expect(emulator.state().balances[0]?.amount).toBe('5.00');
    await call('POST', `/v2/transfer-approvals/${approval.id}/reject`);
    expect(emulator.state().balances[0]?.amount).toBe('30.00');
  });

  it.each([-1, 'lots', 0.0000001])('cannot be set to %j', async (amount) => {
    const { call, a } = people();
    const body = { userId: a, currency: 'usdc', chain: 'POLYGON', amount };
    expect((await call('POST', '/_emulator/balances', body)).status).toBe(400);
  });
});

describe('the list of pending approvals', () => {
  it('pages by limit and offset, oldest first, and counts all that are pending', async () => {
    const { call, a } = people();
    const ids = [];
    for (let i = 0; i < 25; i += 1) {
      const { body } = await call('POST', '/v2/wallets/transfers', transfer(a, { requireApproval: true }));
      ids.push(body.transferDetails.receipt.approval.id);
    }
    const list = async (query: string) => (await call('GET', `/v2/transfer-approvals${query}`)).body;
    const idsOf = (body: { approvals: { id: string }[] }) => body.approvals.map(({ id }) => id);
    const first = await list('');
    expect(first).toMatchObject({ success: true, message: expect.any(String), count: 25 });
    expect(idsOf(first)).toEqual(ids.slice(0, 20));
    expect(idsOf(await list('?limit=100'))).toEqual(ids);
    expect(idsOf(await list('?limit=1&offset=24'))).toEqual(ids.slice(24));
    expect(idsOf(await list('?offset=1000'))).toEqual([]);
    await call('POST', `/v2/transfer-approvals/${ids[0]}/approve`);
    expect(idsOf(await list('?limit=1'))).toEqual([ids[1]]);
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['limit', ''],
    ['limit', '1e1'],
    ['offset', '-1'],
    ['offset', 'x'],
  ])('refuses %s=%s', async (name, value) => {
    const { call } = people();
    const { status, fields } = await call('GET', `/v2/transfer-approvals?${name}=${value}`);
    expect([status, fields[0]?.field]).toEqual([400, name]);
  });
});

describe('deciding an approval', () => {
  it('takes a comment of up to 1000 characters', async () => {
    const { call, a } = people();
    const { approval } = (await call('POST', '/v2/wallets/transfers', transfer(a, { requireApproval: true })))
      .body.transferDetails.receipt;
    const decide = (comment: unknown) =>
      call('POST', `/v2/transfer-approvals/${approval.id}/approve`, { comment });
    for (const comment of ['x'.repeat(1001), 5]) {
      expect((await decide(comment)).fields[0]?.field).toBe('comment');
    }
    expect((await decide('x'.repeat(1000))).status).toBe(200);
  });

  it('answers 404 for an approval that does not exist', async () => {
    const { call } = people();
    const { status, body } = await call('POST', '/v2/transfer-approvals/none/approve');
    expect([status, body.status, body.error.code]).toEqual([404, 'error', 'TRANSACTION_NOT_FOUND']);
  });
});
