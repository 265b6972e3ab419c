import { describe, expect, it } from 'vitest';
import { AFRICA_ACCOUNT, bench, newId, onramp, START, US_ACCOUNT, withUser } from './support.ts';

async function withAccount(account: object = US_ACCOUNT, options = {}) {
  const tools = bench(options);
  const { userId } = tools.emulator.createUser({ rails: ['usd', 'africa'] });
  const { body } = await tools.call('POST', `/v2/users/${userId}/accounts`, account);
  tools.emulator.validateAccount(body.id, { status: 'ACTIVE' });
  return { ...tools, userId, accountId: body.id as string };
}

describe('a one-time US dollar onramp', () => {
  it('awaits funds with deposit instructions, an exact quote and every field of the onramp object', async () => {
    const { call, emulator } = bench();
    const { userId, kycInfo } = emulator.createUser({
      rails: ['usd'],
      kyc: { firstName: 'Ada', lastName: 'Byron' },
    });
    const request = onramp(userId);
    const { status, body } = await call('POST', '/v2/onramps', request);
    expect(status).toBe(201);
    const user = { email: kycInfo.email, firstName: 'Ada', lastName: 'Byron', businessName: null };
    expect(body).toEqual({
      transferType: 'ONRAMP',
      transferDetails: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        requestId: request.requestId,
        createdAt: START,
        updatedAt: START,
        status: 'AWAITING_FUNDS',
        failedReason: null,
        source: {
          userId,
          currency: 'usd',
          amount: 100.5,
          transferType: 'ach',
          accountId: null,
          user,
          bankInfo: null,
        },
        destination: {
          userId,
          currency: 'usdc',
          chain: 'POLYGON',
          walletAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/),
          externalWalletId: null,
          amount: 100.4,
          user,
        },
        receipt: { transactionHash: null },
        developerFee: null,
        virtualAccountId: null,
        quoteInformation: {
          sendGross: { amount: '100.50', currency: 'usd' },
          sendNet: { amount: '100.40', currency: 'usd' },
          railFee: { amount: '0.10', currency: 'usd' },
          receiveGross: { amount: '100.40', currency: 'usdc' },
          receiveNet: { amount: '100.40', currency: 'usdc' },
          rate: '1',
          expiresAt: 'N/A',
        },
        depositInfo: {
          bankName: expect.any(String),
          bankAddress: expect.any(String),
          swiftCode: expect.any(String),
          beneficiary: { name: expect.any(String), address: expect.any(String) },
          ach: { routingNumber: expect.any(String), accountNumber: expect.stringMatching(/^\d{12}$/) },
          wire: { routingNumber: expect.any(String), accountNumber: expect.any(String) },
          rtp: { routingNumber: expect.any(String), accountNumber: expect.any(String) },
          reference: expect.stringMatching(/^DEP[0-9A-F]{10}$/),
          depositBy: '2026-03-11T12:00:00.000Z',
          instruction: expect.stringContaining('100.50 usd'),
        },
      },
    });
  });

  it('completes after the right deposit, with the bank details and a transaction hash', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const { id, depositInfo } = (await call('POST', '/v2/onramps', onramp(userId, { transferType: 'wire' })))
      .body.transferDetails;
    const deposit = { amount: 100.5, reference: depositInfo.reference };
    const { status, body } = await call('POST', `/_emulator/onramps/${id}/deposit`, deposit);
    expect(status).toBe(200);
    expect(body.transferDetails.status).toBe('FIAT_PENDING');
    expect(body.transferDetails.source.bankInfo).toMatchObject({
      paymentRail: 'wire',
      description: depositInfo.reference,
    });
    const [after] = emulator.state().onramps;
    expect(after?.transferDetails.status).toBe('COMPLETED');
    expect(after?.transferDetails.receipt.transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect((await call('POST', `/_emulator/onramps/${id}/deposit`, deposit)).status).toBe(409);
  });

  it('is credited to a balance that was set, once', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 0 });
    const { id } = (await call('POST', '/v2/onramps', onramp(userId))).body.transferDetails;
    emulator.simulateDeposit(id);
    emulator.advanceOnramp(id, { status: 'COMPLETED' });
    expect(emulator.state().balances[0]?.amount).toBe('100.40');
  });

  it('goes to a wallet that the request names, from a sender without a name', async () => {
    const { call, emulator } = bench();
    const kyc = { firstName: null, lastName: 5, businessName: 'Doe Ltd' };
    const { userId } = emulator.createUser({ rails: ['usd'], kyc });
    const { id: externalWalletId } = emulator.addExternalWallet({ userId, address: 'own', chain: 'SOLANA' });
    const wallet = { externalWalletId, chain: undefined, currency: undefined };
    const { id, destination } = (
      await call('POST', '/v2/onramps', onramp(userId, { transferType: null }, wallet))
    ).body.transferDetails;
    expect(destination).toMatchObject({
      externalWalletId,
      walletAddress: 'own',
      chain: 'SOLANA',
      currency: 'usdc',
      user: { firstName: null, lastName: null, businessName: 'Doe Ltd' },
    });
    const { source } = emulator.simulateDeposit(id).transferDetails;
    expect(source.bankInfo).toMatchObject({ senderName: 'Example Sender', paymentRail: 'ach' });
  });

  it('passes through every state in turn when each takes time', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] }, { settlementStep: '1m' });
    const { id } = (await call('POST', '/v2/onramps', onramp(userId))).body.transferDetails;
    emulator.simulateDeposit(id);
    const seen = [];
    for (let minute = 0; minute < 6; minute += 1) {
      seen.push(emulator.state().onramps[0]?.transferDetails.status);
      emulator.clock.advance('1m');
    }
    expect(seen).toEqual([
      'FIAT_PENDING',
      'FIAT_PROCESSED',
      'CRYPTO_INITIATED',
      'CRYPTO_PENDING',
      'COMPLETED',
      'COMPLETED',
    ]);
    expect(emulator.state().onramps[0]?.transferDetails.updatedAt).toBe('2026-03-04T12:04:00.000Z');
  });

  it.each([
    [{ amount: 100.49 }, 'FIAT_FAILED', 'AMOUNT_TOO_LOW'],
    [{ amount: 100.51 }, 'FIAT_RETURNED', 'TRANSACTION_REJECTED'],
    [{ amount: 100.5, reference: 'DEP0' }, 'FIAT_RETURNED', 'TRANSACTION_REJECTED'],
  ])('fails after the deposit %j', async (deposit, status, error) => {
    const { call, userId } = withUser({ rails: ['usd'] });
    const { id } = (await call('POST', '/v2/onramps', onramp(userId))).body.transferDetails;
    const { body } = await call('POST', `/_emulator/onramps/${id}/deposit`, deposit);
    expect(body.transferDetails).toMatchObject({ status, error, errorDetails: expect.any(String) });
    expect(body.transferDetails.failedReason).toBe(body.transferDetails.errorDetails);
    expect(body.transferDetails.receipt.transactionHash).toBeNull();
  });

  it('expires when no deposit arrives before depositBy', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] }, { depositWindow: '2d' });
    await call('POST', '/v2/onramps', onramp(userId));
    emulator.clock.advance('47h');
    expect(emulator.state().onramps[0]?.transferDetails.status).toBe('AWAITING_FUNDS');
    emulator.clock.advance('1h');
    expect(emulator.state().onramps[0]?.transferDetails).toMatchObject({
      status: 'EXPIRED',
      error: 'EXPIRED',
    });
  });
});

describe('an onramp from a registered account', () => {
  it('starts as OPEN_QUOTE without deposit details and takes the rail from the account', async () => {
    const { call, userId, accountId } = await withAccount();
    const { body } = await call(
      'POST',
      '/v2/onramps',
      onramp(userId, { accountId, transferType: undefined }),
    );
    expect(body.transferDetails).toMatchObject({
      status: 'OPEN_QUOTE',
      depositInfo: null,
      source: { accountId, transferType: 'ach' },
      quoteInformation: { expiresAt: '2026-03-04T12:15:00.000Z' },
    });
  });

  it('refreshes its quote only while OPEN_QUOTE', async () => {
    const { call, emulator, userId, accountId } = await withAccount(AFRICA_ACCOUNT);
    const source = { currency: 'ugx', amount: 500_000, accountId };
    const { id, quoteInformation } = (await call('POST', '/v2/onramps', onramp(userId, source))).body
      .transferDetails;
    emulator.clock.advance('1h');
    const refreshed = await call('POST', `/v2/onramps/${id}/quote/refresh`);
    expect(refreshed.status).toBe(200);
    expect(refreshed.body.transferDetails.quoteInformation.expiresAt).toBe('2026-03-04T13:15:00.000Z');
    expect(refreshed.body.transferDetails.quoteInformation.rate).not.toBe(quoteInformation.rate);
    await call('POST', `/_emulator/onramps/${id}/advance`, { status: 'FIAT_PENDING' });
    const refused = await call('POST', `/v2/onramps/${id}/quote/refresh`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'INVALID_QUOTE']);
    const unknown = await call('POST', '/v2/onramps/nowhere/quote/refresh');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({
      status: 'error',
      error: { code: 'TRANSACTION_NOT_FOUND', message: expect.any(String) },
    });
  });

  it('adds its quote up to the last decimal', async () => {
    const { call, userId, accountId } = await withAccount(AFRICA_ACCOUNT);
    for (const amount of [0.01, 1, 3.33, 99_999.99, 1_234_567.891234, 90_000_000_000]) {
      const { body } = await call(
        'POST',
        '/v2/onramps',
        onramp(userId, { currency: 'ugx', amount, accountId }),
      );
      const { sendGross, sendNet, railFee, receiveGross, rate } = body.transferDetails.quoteInformation;
      const micros = (text: string) => BigInt(text.replace('.', '').padEnd(text.indexOf('.') + 6, '0'));
      expect(micros(sendGross.amount)).toBe(micros(sendNet.amount) + micros(railFee.amount));
      expect(Number(sendGross.amount)).toBe(amount);
      const scaled = BigInt(rate.replace('.', '').padEnd(11, '0'));
      expect(micros(receiveGross.amount)).toBe((micros(sendNet.amount) * scaled) / 10n ** 10n);
    }
  });

  it('fails its quote when the money arrives after the expiry', async () => {
    const { call, emulator, userId, accountId } = await withAccount();
    const { id } = (await call('POST', '/v2/onramps', onramp(userId, { accountId }))).body.transferDetails;
    emulator.clock.advance('16m');
    expect(emulator.simulateDeposit(id).transferDetails).toMatchObject({
      status: 'QUOTE_FAILED',
      error: 'EXPIRED',
    });
  });

  it('states no expiry where quotes have none', async () => {
    const { call, userId, accountId } = await withAccount(US_ACCOUNT, { quoteLifetime: 'N/A' });
    const { body } = await call('POST', '/v2/onramps', onramp(userId, { accountId }));
    expect(body.transferDetails.quoteInformation.expiresAt).toBe('N/A');
  });

  it.each([
    ['no account', {}, 400, 'FIELD_VALIDATION_ERROR'],
    ['an unknown account', { accountId: 'nope' }, 404, 'ACCOUNT_NOT_FOUND'],
    ['another currency', { currency: 'kes', mine: true }, 400, 'FIELD_VALIDATION_ERROR'],
    ['another country', { country: 'ken', mine: true }, 400, 'FIELD_VALIDATION_ERROR'],
  ])('is refused for an African currency with %s', async (_title, source, status, code) => {
    const { call, userId, accountId } = await withAccount(AFRICA_ACCOUNT);
    const { mine, ...rest } = { mine: false, currency: 'ugx', amount: 1000, ...source };
    const { status: got, body } = await call(
      'POST',
      '/v2/onramps',
      onramp(userId, { ...rest, ...(mine ? { accountId } : {}) }),
    );
    expect([got, body.error.code]).toEqual([status, code]);
  });

  it('is refused where the account’s country does not use the currency, whatever its status', async () => {
    const wrong = { ...AFRICA_ACCOUNT, africa: { ...AFRICA_ACCOUNT.africa, country: 'ken' } };
    const { call, userId, accountId } = await withAccount(wrong);
    const { status } = await call(
      'POST',
      '/v2/onramps',
      onramp(userId, { currency: 'ugx', amount: 1, accountId }),
    );
    expect(status).toBe(400);
  });

  it.each(['PENDING', 'REJECTED'] as const)('is refused while the account is %s', async (status) => {
    const { call, emulator, userId, accountId } = await withAccount(AFRICA_ACCOUNT);
    emulator.validateAccount(accountId, { status });
    const { body } = await call(
      'POST',
      '/v2/onramps',
      onramp(userId, { currency: 'ugx', amount: 1000, accountId }),
    );
    expect(body.error.code).toBe('INVALID_ACCOUNT_FOR_TRANSACTION');
  });

  it('is refused with an account that receives offramps', async () => {
    const { call, userId, accountId } = await withAccount({ ...US_ACCOUNT, rail: 'offramp' });
    const { status, fields } = await call('POST', '/v2/onramps', onramp(userId, { accountId }));
    expect([status, fields[0]?.field]).toEqual([400, 'source.accountId']);
  });

  it('is refused with an account of another user or of US dollars', async () => {
    const { call, emulator, accountId, userId } = await withAccount();
    const other = emulator.createUser({ rails: ['usd', 'africa'] }).userId;
    expect((await call('POST', '/v2/onramps', onramp(other, { accountId }))).status).toBe(404);
    expect((await call('POST', '/v2/onramps', onramp(userId, { currency: 'ugx', accountId }))).status).toBe(
      400,
    );
  });
});

describe('creating an onramp', () => {
  it('needs the rail of the currency', async () => {
    const { call, userId } = withUser({ rails: ['africa'] });
    const { status, body } = await call('POST', '/v2/onramps', onramp(userId));
    expect([status, body]).toEqual([
      403,
      {
        status: 'error',
        error: { code: 'USER_COMPLIANCE_VERIFICATION_FAILED', message: expect.stringContaining('usd rail') },
      },
    ]);
  });

  it.each([
    ['requestId', { requestId: 'no uuid' }],
    ['source', { source: 'no object' }],
    ['destination', { destination: undefined }],
    ['destination', { destination: [] }],
  ])('names %s where it is wrong', async (field, change) => {
    const { call, userId } = withUser({ rails: ['usd'] });
    const { status, fields } = await call('POST', '/v2/onramps', { ...onramp(userId), ...change });
    expect([status, fields.map((problem: { field: string }) => problem.field)]).toEqual([400, [field]]);
  });

  it.each([0, -1, '5', null, true, 1e-7, 5e-324, 1e16, 1e308])('refuses %j as an amount', async (amount) => {
    const { call, userId } = withUser({ rails: ['usd'] });
    const { status, fields } = await call('POST', '/v2/onramps', onramp(userId, { amount }));
    expect([status, fields[0]?.field]).toEqual([400, 'source.amount']);
  });

  it('refuses a currency that it cannot quote, and users it does not know', async () => {
    const { call, userId } = withUser({ rails: ['usd'] });
    expect((await call('POST', '/v2/onramps', onramp(userId, { currency: 'xyz' }))).status).toBe(400);
    expect((await call('POST', '/v2/onramps', onramp('nobody'))).body.error.code).toBe('USER_NOT_FOUND');
    expect((await call('POST', '/v2/onramps', onramp(userId, {}, { userId: newId() }))).status).toBe(404);
  });
});

describe('advancing an onramp by hand', () => {
  it('may wait for its money in FIAT_INITIATED, and stops what time had ahead of it', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] }, { settlementStep: '1m' });
    const { id } = (await call('POST', '/v2/onramps', onramp(userId, { transferType: 'rtp' }))).body
      .transferDetails;
    emulator.advanceOnramp(id, { status: 'FIAT_INITIATED' });
    emulator.clock.advance('30d');
    expect(emulator.simulateDeposit(id).transferDetails.source.bankInfo?.paymentRail).toBe('rtp');
    emulator.advanceOnramp(id, { status: 'CANCELLED', error: null, errorDetails: null });
    emulator.clock.advance('1h');
    expect(emulator.state().onramps[0]?.transferDetails).toMatchObject({
      status: 'CANCELLED',
      failedReason: null,
    });
  });

  it('may reopen a one-time onramp for a quote that states its expiry', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const request = onramp(userId, { transferType: undefined });
    const { id } = (await call('POST', '/v2/onramps', request)).body.transferDetails;
    emulator.advanceOnramp(id, { status: 'OPEN_QUOTE' });
    const { body } = await call('POST', `/v2/onramps/${id}/quote/refresh`);
    expect(body.transferDetails.quoteInformation.expiresAt).toBe('2026-03-04T12:15:00.000Z');
  });

  it('sets any status of the spec with its failure, and clears the failure again', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const { id } = (await call('POST', '/v2/onramps', onramp(userId))).body.transferDetails;
    const advance = (body: object) => call('POST', `/_emulator/onramps/${id}/advance`, body);
    const failed = await advance({
      status: 'CRYPTO_FAILED',
      error: 'TRANSACTION_REJECTED',
      errorDetails: 'No gas',
    });
    expect(failed.body.transferDetails).toMatchObject({
      status: 'CRYPTO_FAILED',
      error: 'TRANSACTION_REJECTED',
      errorDetails: 'No gas',
      failedReason: 'No gas',
    });
    expect((await advance({ status: 'FIAT_FAILED' })).body.transferDetails.error).toBe('INTERNAL_ERROR');
    const completed = (await advance({ status: 'COMPLETED' })).body.transferDetails;
    expect(completed).not.toHaveProperty('error');
    expect(completed.receipt.transactionHash).toMatch(/^0x/);
    emulator.clock.advance('9d');
    const waiting = (await advance({ status: 'AWAITING_FUNDS' })).body.transferDetails;
    expect(Date.parse(waiting.depositInfo.depositBy) - emulator.clock.now().getTime()).toBe(7 * 86_400_000);
    emulator.clock.advance('8d');
    expect(emulator.state().onramps[0]?.transferDetails.status).toBe('EXPIRED');
    expect((await advance({ status: 'PAID' })).status).toBe(400);
    expect((await call('POST', '/_emulator/onramps/nope/advance', { status: 'COMPLETED' })).status).toBe(404);
  });
});
