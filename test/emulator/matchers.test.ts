import { expect as jestExpect } from 'expect';
import { createEmulator, type EmulatorMatchers, emulatorMatchers } from 'stablecoin-payments/emulator';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { describe, expect, it } from 'vitest';
import { clientAt } from '../client/support.ts';
import { bench, newId, offramp, onramp, transfer, WALLET } from './support.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends EmulatorMatchers<R> {}
}
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends EmulatorMatchers<R> {}
}

expect.extend(emulatorMatchers);
jestExpect.extend(emulatorMatchers);

/** The message of an expectation that does not hold, without colors. */
function messageOf(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
  throw new Error('the expectation holds');
}

async function paying(status = 201, more: object = {}) {
  const tools = bench();
  const { userId } = tools.emulator.createUser({ rails: ['usd'] });
  const requestId = newId();
  const body = transfer(userId, { requestId, ...more });
  const made = await tools.call('POST', '/v2/wallets/transfers', body);
  expect(made.status).toBe(status);
  return { ...tools, userId, requestId, body, id: made.body.transferDetails?.id };
}

describe.each([
  ['vitest', expect],
  ['jest', jestExpect],
] as const)('toHavePaidOnce in %s', (_name, runner) => {
  it('passes for a payment that was made once, whatever the case of its id, and however often it was sent', async () => {
    const { emulator, call, requestId, body } = await paying();
    runner(emulator).toHavePaidOnce(requestId.toUpperCase());
    await call('POST', '/v2/wallets/transfers', body);
    runner(emulator).toHavePaidOnce(requestId);
    runner(emulator).not.toHavePaidOnce(newId());
  });

  it('tells that nothing was made, why, and what else was', async () => {
    const { emulator, requestId } = await paying(400, { amount: -1 });
    const message = messageOf(() => runner(emulator).toHavePaidOnce(requestId));
    expect(message).toBe(
      [
        `expected exactly one payment under requestId ${requestId}, but none was made`,
        '',
        'Requests with this requestId:',
        '  request-1 POST /v2/wallets/transfers → 400 FIELD_VALIDATION_ERROR: amount: must be a finite number greater than 0 ' +
          `(requestId ${requestId})`,
      ].join('\n'),
    );
  });

  it('tells of the other ids where the id was never sent', async () => {
    const { emulator, requestId, id, userId } = await paying();
    const wrong = newId();
    expect(messageOf(() => runner(emulator).toHavePaidOnce(wrong))).toBe(
      [
        `expected exactly one payment under requestId ${wrong}, but none was made`,
        '',
        'Requests with this requestId:',
        '  none; the latest requests with another requestId are:',
        `  request-1 POST /v2/wallets/transfers → 201 (requestId ${requestId})`,
        '',
        'Payments under other requestIds:',
        `  transfers.create 25 usdc on POLYGON from ${userId} to ${userId}: COMPLETED (id ${id}, requestId ${requestId})`,
      ].join('\n'),
    );
    expect(messageOf(() => runner(bench().emulator).toHavePaidOnce(wrong))).toContain(
      'no request carried a requestId',
    );
  });

  it('fails while an approval is pending, and after it was rejected', async () => {
    const { emulator, requestId } = await paying(201, { requireApproval: true });
    expect(messageOf(() => runner(emulator).toHavePaidOnce(requestId))).toContain(
      'but the one that was made is PENDING_APPROVAL',
    );
    emulator.reject(emulator.state().approvals[0]?.id ?? '');
    const message = messageOf(() => runner(emulator).toHavePaidOnce(requestId));
    expect(message).toContain('but the one that was made is REJECTED');
    expect(message).toContain('Payments under this requestId:\n  transfers.create 25 usdc');
  });

  it('tells with .not what was paid', async () => {
    const { emulator, requestId } = await paying();
    expect(messageOf(() => runner(emulator).not.toHavePaidOnce(requestId))).toContain(
      `expected no payment under requestId ${requestId}, but one was made:\n  transfers.create 25 usdc`,
    );
  });

  it('needs an emulator and an id', async () => {
    for (const wrong of [undefined, null, {}, 'emulator', fetch]) {
      expect(messageOf(() => runner(wrong).toHavePaidOnce(newId()))).toContain(
        'needs an emulator of createEmulator',
      );
    }
    const withoutId = () => runner(createEmulator()).toHavePaidOnce(undefined as unknown as string);
    expect(messageOf(withoutId)).toContain('needs the requestId of the payment; it was given undefined');
  });

  it('takes a server, too', async () => {
    const server = await startEmulatorServer();
    try {
      const { userId } = server.emulator.createUser();
      const payments = clientAt(server.url, { retries: 2 });
      const requestId = newId();
      server.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
      await payments.transfers.create({
        requestId,
        source: { userId },
        destination: { userId },
        amount: 3,
        currency: 'usdc',
        chain: 'POLYGON',
      });
      runner(server).toHavePaidOnce(requestId);
      runner(server).toHaveNoUnexpectedRequests();
    } finally {
      await server.close();
    }
  });
});

describe.each([
  ['vitest', expect],
  ['jest', jestExpect],
] as const)('toHaveNoUnexpectedRequests in %s', (_name, runner) => {
  it('passes for requests that were served or met an injected fault, and for the control routes', async () => {
    const { emulator, call } = await paying();
    await call('POST', '/_emulator/faults', { kind: 'status', status: 404 });
    await call('GET', '/v2/transfer-approvals');
    await call('GET', '/_emulator/none');
    runner(emulator).toHaveNoUnexpectedRequests();
    expect(messageOf(() => runner(emulator).not.toHaveNoUnexpectedRequests())).toContain(
      'but there was none',
    );
  });

  it('tells each refused or unknown request, with the reason', async () => {
    const { emulator, call } = bench();
    await call('GET', '/v2/users/none/kyc');
    await call('GET', '/v2/nothing?token=s3cret');
    await call('PATCH', '/v2/onramps');
    await call('GET', '/v2/transfer-approvals', undefined, { authorization: '' });
    const message = messageOf(() => runner(emulator).toHaveNoUnexpectedRequests());
    expect(message).toBe(
      [
        'expected no unexpected requests, but the emulator refused 4:',
        '  request-1 GET /v2/users/none/kyc → 404 USER_NOT_FOUND: There is no user with the id none',
        '  request-2 GET /v2/nothing → 404 ROUTE_NOT_FOUND: The emulator has no GET /v2/nothing (no operation of the service)',
        '  request-3 PATCH /v2/onramps → 405 METHOD_NOT_ALLOWED: Only POST, GET is allowed here (no operation of the service)',
        '  request-4 GET /v2/transfer-approvals → 401 UNAUTHORIZED: The bearer token is missing (no operation of the service)',
      ].join('\n'),
    );
    runner(emulator).toHaveNoUnexpectedRequests({ except: ({ status }) => status !== null });
    expect(
      messageOf(() =>
        runner(emulator).toHaveNoUnexpectedRequests({ except: ({ status }) => status === 404 }),
      ),
    ).toContain('refused 2:');
  });

  it('shows the first ten and counts the rest', async () => {
    const { emulator, call } = bench();
    for (let count = 0; count < 13; count += 1) await call('GET', '/v2/users/none/kyc');
    const message = messageOf(() => runner(emulator).toHaveNoUnexpectedRequests());
    expect(message.split('\n')).toHaveLength(12);
    expect(message).toContain('and 3 more');
  });
});

describe('payments()', () => {
  it('tells what was made of every kind, oldest first, by requestId', async () => {
    const { emulator, call } = bench();
    const payer = emulator.createUser({ rails: ['usd'] }).userId;
    const payee = emulator.createUser().userId;
    const ids = Array.from({ length: 5 }, newId);
    const common = { source: { userId: payer }, currency: 'usdc', chain: 'POLYGON' };
    await call('POST', '/v2/wallets/transfers', {
      ...common,
      requestId: ids[0],
      destination: { userId: payee },
      amount: 1,
    });
    const batch = [
      { userId: payee, amount: '2.5' },
      { walletAddress: WALLET, amount: '3' },
    ];
    await call('POST', '/v2/wallets/transfers/batches', {
      ...common,
      requestId: ids[1],
      destination: { batch },
    });
    const waiting = offramp(payer, { requestId: ids[2], requireApproval: true }, 4);
    await call('POST', '/v2/offramps', waiting);
    await call('POST', '/v2/onramps', { ...onramp(payer), requestId: ids[3] });
    await call('POST', '/v2/wallets/transfers', { ...common, requestId: ids[4], amount: -1 });
    const payments = emulator.payments();
    expect(
      payments.map(({ requestId, operation, outcome, amount, to }) => [
        requestId,
        operation,
        outcome,
        amount,
        to,
      ]),
    ).toEqual([
      [ids[0], 'transfers.create', 'paid', 1, [payee]],
      [ids[1], 'transfers.createBatch', 'paid', 5.5, [payee]],
      [ids[2], 'offramps.create', 'waiting', 4, []],
      [ids[3], 'onramps.create', 'waiting', 100.5, [payer]],
    ]);
    expect((await call('GET', '/_emulator/payments')).body).toEqual({ payments });
    emulator.simulateDeposit(payments[3]?.id ?? '', { amount: 1 });
    emulator.clock.advance('1d');
    expect(emulator.payments().map(({ outcome }) => outcome)).toEqual([
      'paid',
      'paid',
      'not-paid',
      'not-paid',
    ]);
  });

  it('orders payments by their time, whatever their kind', async () => {
    const { emulator, call } = bench({ settlementStep: '1h' });
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const [wallet] = emulator.state().externalWallets;
    const { body } = await call(
      'POST',
      '/v2/onramps',
      onramp(userId, {}, { userId: undefined, externalWalletId: wallet?.id }),
    );
    emulator.clock.advance('1m');
    await call('POST', '/v2/wallets/transfers', transfer(userId));
    emulator.advanceOnramp(body.transferDetails.id, { status: 'FIAT_PROCESSED' });
    expect(emulator.payments().map(({ operation, to, outcome }) => [operation, to, outcome])).toEqual([
      ['onramps.create', [], 'in-progress'],
      ['transfers.create', [userId], 'in-progress'],
    ]);
  });

  it.each([
    ['reset-before-commit', undefined, 'no response'],
    ['status', 503, '503'],
  ] as const)('tells of the fault %s that left a payment unmade', async (kind, status, outcome) => {
    const { emulator, call } = bench();
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const body = transfer(userId);
    emulator.faults.inject({ kind, ...(status !== undefined && { status }) });
    await call('POST', '/v2/wallets/transfers', body).catch(() => undefined);
    const message = messageOf(() => expect(emulator).toHavePaidOnce(body.requestId));
    expect(message).toContain(`→ ${outcome}`);
    expect(message).toContain(`(injected fault: ${kind})`);
  });

  it('tells of a payment that leaves the service without a payee', async () => {
    const { emulator, call } = bench();
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const body = transfer(userId, { destination: { walletAddress: WALLET } });
    await call('POST', '/v2/wallets/transfers', body);
    const message = messageOf(() => expect(emulator).not.toHavePaidOnce(body.requestId));
    expect(message).toContain(`on POLYGON from ${userId}: COMPLETED`);
  });
});
