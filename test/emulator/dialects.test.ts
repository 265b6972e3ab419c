import { readFileSync } from 'node:fs';
import { createEmulator, type DialectOptions, type EmulatorOptions } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/command/emulator/command-options.ts';
import {
  AFRICA_ACCOUNT,
  batch,
  bench,
  bridge,
  newId,
  offramp,
  onramp,
  transfer,
  US_ACCOUNT,
} from './support.ts';

function speaking(dialect: DialectOptions | 'spec' | 'field', options: EmulatorOptions = {}) {
  const tools = bench({ ...options, dialect });
  const { userId } = tools.emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 5 });
  return { ...tools, userId };
}

describe('the options of a dialect', () => {
  it('are those of the description by default', () => {
    expect(createEmulator().dialect).toEqual(createEmulator({ dialect: 'spec' }).dialect);
    expect(createEmulator().dialect).toMatchObject({ name: 'spec', pageSize: 20 });
  });

  it('stand over those of the dialect that they extend', () => {
    const { dialect } = createEmulator({ dialect: { extends: 'field', pageSize: 7 } });
    expect(dialect).toMatchObject({ name: 'field', pageSize: 7, duplicates: 'refuse' });
  });

  it.each<[unknown, string]>([
    ['Field', '`dialect` must be "spec", "field" or an object of decisions'],
    [null, '`dialect` must be'],
    [{ extends: 'other' }, "`dialect.extends` must be 'spec' or 'field'"],
    [{ duplicateStatus: 204 }, '`dialect.duplicateStatus` must be 400, 409 or 422'],
    [{ duplicateError: 'known' }, '`dialect.duplicateError` must be an upper-case name'],
    [{ random: 7 }, '`dialect`: `random` is not an option'],
    [{ votesNeeded: 0 }, '`dialect.votesNeeded` must be a whole number from 1 to 10'],
    [{ acceptQuotes: ['transfers'] }, '`dialect.acceptQuotes[0]` must be'],
  ])('refuse %j by name', (dialect, message) => {
    expect(() => createEmulator({ dialect: dialect as DialectOptions })).toThrow(message);
  });

  it('come with a snapshot, and go with a reset', async () => {
    const { call, emulator, userId } = speaking('spec');
    emulator.restore(speaking('field').emulator.snapshot());
    expect(emulator.dialect.name).toBe('field');
    emulator.reset();
    expect(emulator.dialect.name).toBe('spec');
    expect((await call('POST', '/v2/onramps', onramp(userId))).status).toBe(404);
  });
});

describe('lists', () => {
  it.each([
    ['spec', 'cursor', undefined],
    ['spec', 'createdBefore', undefined],
    ['field', 'createdBefore', 'cursor'],
  ] as const)('of the dialect %s are walked by %s', async (name, right, wrong) => {
    const { call, userId } = speaking({ extends: name, pageSize: 2 });
    const path = `/v2/users/${userId}/wallets/external`;
    const times: string[] = [];
    let cursor: string | null = null;
    let last = 2;
    for (let page = 0; page < 5 && (page === 0 || cursor !== null); page += 1) {
      const query: string = cursor === null ? '' : `?${right}=${encodeURIComponent(cursor)}`;
      const { body } = await call('GET', `${path}${query}`);
      times.push(...body.externalWallets.map(({ createdAt }: { createdAt: string }) => createdAt));
      last = body.count;
      cursor = body.nextCursor;
    }
    expect(new Set(times).size).toBe(5);
    expect(times).toEqual(times.toSorted().reverse());
    // In the dialect field the last page has a cursor, too, and an empty page follows it.
    expect(last).toBe(name === 'field' ? 0 : 1);
    if (wrong !== undefined) expect((await call('GET', `${path}?${wrong}=x`)).fields[0]?.field).toBe(wrong);
    expect((await call('GET', `${path}?${right}=nonsense`)).status).toBe(400);
  });

  it('of accounts come in pages in the dialect field, and lose none that were made in one instant', async () => {
    const { call, userId } = speaking({ extends: 'field', pageSize: 2, accountForm: 'status' });
    const made = [];
    for (let i = 0; i < 5; i += 1)
      made.push((await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT)).body.id);
    const seen: string[] = [];
    let query = '';
    for (;;) {
      const { body } = await call('GET', `/v2/users/${userId}/accounts${query}`);
      seen.push(...body.banks.map(({ id }: { id: string }) => id));
      if (body.nextCursor === null) break;
      query = `?createdBefore=${encodeURIComponent(body.nextCursor)}`;
    }
    expect(seen).toEqual(made.reverse());
  });

  it('of accounts are filtered by every documented filter', async () => {
    const { call, userId } = speaking('spec');
    for (const account of [US_ACCOUNT, AFRICA_ACCOUNT, { ...US_ACCOUNT, rail: 'offramp' }]) {
      expect((await call('POST', `/v2/users/${userId}/accounts`, account)).status).toBe(201);
    }
    const count = async (query: string) =>
      (await call('GET', `/v2/users/${userId}/accounts?${query}`)).body.count;
    expect(await count('rail=offramp')).toBe(1);
    expect(await count('type=africa')).toBe(1);
    expect(await count('currency=usd&rail=onramp')).toBe(1);
    expect(await count('limit=2')).toBe(2);
    expect(await count('createdAfter=2026-03-04T12:00:00.000Z')).toBe(2);
    expect(await count('createdBefore=2026-03-04T12:00:00.001Z')).toBe(1);
  });
});

describe('account records', () => {
  const forms = {
    status: { id: expect.any(String), status: 'ACTIVE', invalidFields: [] },
    isValid: { id: expect.any(String), isValid: true, reason: null },
    accountId: { accountId: expect.any(String), accountType: 'us', status: 'ACTIVE' },
  } as const;

  it.each(['status', 'isValid', 'accountId'] as const)('have the form %s', async (accountForm) => {
    const { call, emulator, userId } = speaking({ accountForm });
    const { id } = (await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT)).body;
    const path = `/v2/users/${userId}/accounts/${id}`;
    emulator.clock.advance('3s');
    const { body } = await call('GET', path);
    expect(body).toMatchObject(forms[accountForm]);
    for (const other of ['status', 'isValid', 'id', 'accountId']) {
      if (!(other in forms[accountForm])) expect(body).not.toHaveProperty(other);
    }
    emulator.validateAccount(id, { status: 'REJECTED', invalidFields: ['us.routingNumber'] });
    const { body: rejected } = await call('GET', path);
    if (accountForm === 'isValid')
      expect(rejected).toMatchObject({ isValid: false, reason: /us\.routingNumber/ });
    else expect(rejected).toMatchObject({ status: 'REJECTED', invalidFields: ['us.routingNumber'] });
  });

  it('have a rail of one text or of three fields', async () => {
    const { call, userId } = speaking({ extends: 'field', accountForm: 'status' });
    const { id } = (await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT)).body;
    const { body } = await call('GET', `/v2/users/${userId}/accounts/${id}`);
    expect(body.rail).toEqual({ currency: 'usd', railType: 'onramp', paymentRail: 'ach' });
  });

  it.each([
    ['spec', { success: true }],
    ['field', { status: 'INACTIVE' }],
  ] as const)('are deleted in the dialect %s', async (name, body) => {
    const { call, userId } = speaking(name);
    const { id } = (await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT)).body;
    const deleted = await call('DELETE', `/v2/users/${userId}/accounts/${id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toMatchObject(body);
    expect((await call('GET', `/v2/users/${userId}/accounts/${id}`)).status).toBe(404);
  });

  it('of other regions keep their own part', async () => {
    const { call, userId } = speaking('field');
    const brazil = { rail: 'offramp', type: 'brazil', brazil: { pixKey: 'k', currency: 'brl' } };
    const { body } = await call('POST', `/v2/users/${userId}/accounts`, brazil);
    const { body: list } = await call('GET', `/v2/users/${userId}/accounts?currency=brl`);
    expect(body.status).toBe('PENDING');
    expect(list.banks[0]).toMatchObject({ brazil: { pixKey: 'k', currency: 'brl' } });
  });

  it('in Mexico need the number to pay to', async () => {
    const { call, userId } = speaking('field');
    const account = { rail: 'offramp', type: 'mexico', mexico: { speiProtocol: 'clabe' } };
    const { status, body } = await call('POST', `/v2/users/${userId}/accounts`, account);
    expect([status, Object.keys(body.details)]).toEqual([400, ['mexico.speiClabe']]);
  });

  it('in Africa may come without a holder where the dialect says so', async () => {
    const { accountHolder: _, ...account } = AFRICA_ACCOUNT;
    const field = speaking('field');
    expect((await field.call('POST', `/v2/users/${field.userId}/accounts`, account)).status).toBe(200);
    const spec = speaking('spec');
    expect((await spec.call('POST', `/v2/users/${spec.userId}/accounts`, account)).fields[0]?.field).toBe(
      'accountHolder',
    );
  });
});

describe('a known requestId', () => {
  it.each([400, 409, 422] as const)(
    'is refused with %i and the name of the dialect',
    async (duplicateStatus) => {
      const dialect = { duplicates: 'refuse', duplicateStatus, duplicateError: 'RESOURCE_CONFLICT' } as const;
      const { call, emulator, userId } = speaking(dialect);
      const request = transfer(userId);
      await call('POST', '/v2/wallets/transfers', request);
      for (const again of [request, { ...request, amount: 26 }]) {
        const { status, body } = await call('POST', '/v2/wallets/transfers', again);
        expect([status, body.error.code]).toEqual([duplicateStatus, 'RESOURCE_CONFLICT']);
      }
      expect(emulator.state().transfers).toHaveLength(1);
    },
  );
});

describe('errors', () => {
  it('have the names, the numbers and the fields that most services use', async () => {
    const { call, userId } = speaking('field');
    const invalid = await call('POST', '/v2/wallets/transfers', transfer(userId, { amount: -1 }));
    expect([invalid.status, invalid.body]).toEqual([
      400,
      {
        code: 100001,
        error: 'FIELD_VALIDATION_ERROR',
        errorDetails: 'amount: must be a finite number greater than 0',
        details: { amount: 'must be a finite number greater than 0' },
      },
    ]);
    const missing = await call('GET', '/v2/users/nobody/kyc');
    expect(missing.body).toEqual({
      status: 'error',
      error: { code: 'USER_NOT_FOUND', message: expect.any(String) },
    });
  });

  it('of the emulator’s own routes have one shape', async () => {
    const { call } = speaking('field');
    expect((await call('POST', '/_emulator/approvals/none/approve')).body.error.code).toBe(
      'TRANSACTION_NOT_FOUND',
    );
  });
});

describe('approvals', () => {
  it.each([
    ['spec', 'transfers', 'receipt'],
    ['field', 'transfers', 'details'],
    ['field', 'transfers/batches', 'receipt'],
  ] as const)('of the dialect %s for %s stand in %s', async (name, path, place) => {
    const { call, userId } = speaking(name);
    const make = path === 'transfers' ? transfer : batch;
    const { body } = await call('POST', `/v2/wallets/${path}`, make(userId, { requireApproval: true }));
    const { receipt, approval } = body.transferDetails;
    expect([receipt.approval !== undefined, approval !== undefined]).toEqual([
      place === 'receipt',
      place === 'details',
    ]);
    expect(approval ?? receipt.approval).toMatchObject({ status: 'PENDING', votes: [] });
  });

  it('need as many votes as the dialect says', async () => {
    const { call, emulator, userId } = speaking({ votesNeeded: 2 });
    await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
    const [pending] = emulator.state().approvals;
    const approve = () => call('POST', `/v2/transfer-approvals/${pending?.id}/approve`, { comment: 'ok' });
    expect((await approve()).body.status).toBe('PENDING');
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('PENDING_APPROVAL');
    expect((await approve()).body.status).toBe('APPROVED');
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('COMPLETED');
  });
});

describe('amounts', () => {
  it.each([
    ['either', [201, 201]],
    ['string', [400, 201]],
    ['number', [201, 400]],
  ] as const)('of a batch are written as %s', async (batchAmounts, expected) => {
    const { call, userId } = speaking({ batchAmounts });
    const statuses = [];
    for (const amount of [5, '5']) {
      const body = batch(userId, { destination: { batch: [{ userId, amount }] } });
      statuses.push((await call('POST', '/v2/wallets/transfers/batches', body)).status);
    }
    expect(statuses).toEqual(expected);
  });

  it('of an onramp may fix what arrives', async () => {
    const { call, userId } = speaking('spec');
    const { body } = await call(
      'POST',
      '/v2/onramps',
      onramp(userId, { amount: undefined }, { amount: 100 }),
    );
    const { source, destination, quoteInformation } = body.transferDetails;
    expect(destination.amount).toBe(100);
    expect(quoteInformation.receiveNet.amount).toBe('100.00');
    expect(source.amount).toBeCloseTo(100.1, 6);
    expect(Number(quoteInformation.sendGross.amount)).toBe(source.amount);
  });

  it.each([
    [{}, {}, 'source.amount'],
    [{ amount: 5 }, { amount: 5 }, 'destination.amount'],
  ])('of an onramp are one of two: %j and %j', async (source, destination, field) => {
    const { call, userId } = speaking('spec');
    const { status, fields } = await call(
      'POST',
      '/v2/onramps',
      onramp(userId, { amount: undefined, ...source }, destination),
    );
    expect([status, fields[0]?.field]).toEqual([400, field]);
  });

  it('of an offramp that fix what arrives reserve what must be sent', async () => {
    const { call, emulator, userId } = speaking('spec');
    emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 100 });
    const body = {
      requestId: newId(),
      source: { userId, currency: 'usdc', chain: 'POLYGON' },
      destination: { currency: 'ugx', accountId: 'an-account', amount: 37_100 },
    };
    expect((await call('POST', '/v2/offramps', body)).status).toBe(201);
    const left = Number(emulator.state().balances[0]?.amount);
    expect(left).toBeGreaterThan(89);
    expect(left).toBeLessThan(91);
  });
});

describe('the command line', () => {
  it.each([
    ['field', createEmulator({ dialect: 'field' }).dialect],
    ['{"extends":"field","votesNeeded":2}', { name: 'field', votesNeeded: 2 }],
  ])('takes --dialect %s', (text, expected) => {
    const options = parseCommand(['--dialect', text]);
    if (!('dialect' in options)) throw new Error('No dialect was parsed.');
    expect(createEmulator({ dialect: options.dialect ?? 'spec' }).dialect).toMatchObject(expected);
  });

  it('is served over HTTP, too, and does not change', async () => {
    const { call, emulator } = speaking({ extends: 'field', pageSize: 7 });
    expect((await call('GET', '/_emulator/dialect')).body).toEqual(emulator.dialect);
    expect((await call('PUT', '/_emulator/dialect', '"spec"')).status).toBe(405);
  });
});

describe('quotes', () => {
  it('of offramps wait to be accepted, over the wire or by a test', async () => {
    const { call, emulator, userId } = speaking({
      acceptQuotes: ['offramps'],
    });
    const { body } = await call('POST', '/v2/offramps', offramp(userId));
    const { id, status, quoteInformation } = body.transferDetails;
    expect([status, typeof quoteInformation.rate]).toEqual(['OPEN_QUOTE', 'string']);
    const accepted = await call('POST', `/v2/offramps/${id}/quote/accept`);
    expect([accepted.status, accepted.body.transferDetails.status]).toEqual([200, 'CREATED']);
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('COMPLETED');
    expect((await call('POST', `/v2/offramps/${id}/quote/accept`)).body.error.code).toBe('INVALID_QUOTE');
    expect((await call('POST', `/v2/wallets/bridges/${id}/accept`)).status).toBe(404);
  });

  it('that nobody accepts fail, and their money is back', async () => {
    const { call, emulator, userId } = speaking({ acceptQuotes: ['bridges'] });
    emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 100 });
    await call('POST', '/v2/wallets/bridges', bridge(userId));
    emulator.clock.advance('16m');
    const { transfers, balances } = emulator.state();
    expect(transfers[0]?.transferDetails).toMatchObject({ status: 'QUOTE_FAILED', error: 'EXPIRED' });
    expect(balances[0]?.amount).toBe('100.00');
  });

  it('without an expiry wait for as long as it takes', async () => {
    const { call, emulator, userId } = speaking({ acceptQuotes: ['offramps'] }, { quoteLifetime: 'N/A' });
    const { body } = await call('POST', '/v2/offramps', offramp(userId));
    expect(body.transferDetails.quoteInformation.expiresAt).toBe('N/A');
    emulator.clock.advance('30d');
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('OPEN_QUOTE');
    const { id } = body.transferDetails;
    expect((await call('POST', `/v2/offramps/${id}/quote/accept`)).status).toBe(200);
  });

  it('are made after the approval, and accepted after that', async () => {
    const { call, emulator, userId } = speaking({ acceptQuotes: ['offramps'] });
    const { body } = await call('POST', '/v2/offramps', offramp(userId, { requireApproval: true }));
    const { id } = body.transferDetails;
    expect((await call('POST', `/v2/offramps/${id}/quote/accept`)).body.error.code).toBe('QUOTE_NOT_READY');
    emulator.approve(emulator.state().approvals[0]?.id ?? '');
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('OPEN_QUOTE');
    emulator.acceptQuote(id);
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('COMPLETED');
  });

  it('of onramps come without deposit instructions until they are accepted', async () => {
    const { call, emulator, userId } = speaking({ acceptQuotes: ['onramps'] });
    const { id, status, depositInfo } = (await call('POST', '/v2/onramps', onramp(userId))).body
      .transferDetails;
    expect([status, depositInfo]).toEqual(['OPEN_QUOTE', null]);
    emulator.clock.advance('16m');
    expect((await call('POST', `/v2/onramps/${id}/quote/accept`)).body.error.code).toBe('INVALID_QUOTE');
    expect((await call('POST', `/v2/onramps/${id}/quote/refresh`)).status).toBe(200);
    const { body } = await call('POST', `/v2/onramps/${id}/quote/accept`);
    expect(body.transferDetails).toMatchObject({
      status: 'AWAITING_FUNDS',
      depositInfo: { reference: expect.any(String) },
    });
    emulator.simulateDeposit(id);
    expect(emulator.state().onramps[0]?.transferDetails.status).toBe('COMPLETED');
  });
});

describe('small decisions', () => {
  it('write times, chains and the first status', async () => {
    const { call, emulator, userId } = speaking('field');
    const { body } = await call('POST', '/v2/wallets/transfers', transfer(userId));
    expect(body.transferDetails).toMatchObject({
      createdAt: '2026-03-04T12:00:00.000000+00:00',
      chain: 'POLYGON_MAINNET',
      status: 'NOT_INITIATED',
    });
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('COMPLETED');
  });

  it('demand a purpose for African currencies', async () => {
    const { call, emulator, userId } = speaking('field');
    const { id } = (await call('POST', `/v2/users/${userId}/accounts`, AFRICA_ACCOUNT)).body;
    emulator.clock.advance('3s');
    const request = onramp(userId, { currency: 'ugx', accountId: id, amount: 1000 });
    expect((await call('POST', '/v2/onramps', request)).body.details).toHaveProperty('purposeOfPayment');
    expect((await call('POST', '/v2/onramps', { ...request, purposeOfPayment: 'groceries' })).status).toBe(
      200,
    );
  });

  it('show more fields of transfers, KYC records and metrics', async () => {
    const { call, emulator, userId } = speaking('field');
    const fee = { type: 'PERCENT', value: 1 };
    const { body } = await call('POST', '/v2/wallets/transfers', transfer(userId, { fee }));
    expect(body.transferDetails).toMatchObject({
      contractAddress: null,
      developerFee: { feeAmount: 0.25, feePercent: 1 },
    });
    expect((await call('GET', `/v2/users/${userId}/kyc`)).body.kycInfo.sofEuQuestionnaire).toEqual({});
    const rows = [{ periodStart: '2026-03-04', chain: 'BASE', grossVolume: 5 }];
    const { id } = emulator.createMetric({ breakdowns: ['chain'], rows });
    const { metadata } = (await call('GET', `/v2/reporting/metrics/${id}/results`)).body;
    expect(metadata.breakdowns).toEqual({ dimensions: ['chain'], dimensionCounts: { chain: 1 } });
  });

  it('add the fee of the integrator to a transfer, and list it for an offramp', async () => {
    const { call, userId } = speaking('field');
    const fee = { type: 'PERCENT', value: 1 };
    const moved = await call('POST', '/v2/wallets/transfers', transfer(userId, { fee }));
    expect(moved.body.transferDetails).toMatchObject({ amount: 25, amountIncludeDeveloperFee: 25.25 });
    const paid = await call('POST', '/v2/offramps', offramp(userId, { fee }));
    expect(paid.body.transferDetails.developerFee).toMatchObject({
      feeAmount: 0.25,
      fees: [{ feeAmount: 0.25 }],
    });
  });

  it('let a rejection give a reason', async () => {
    const { call, emulator, userId } = speaking('spec');
    await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
    const path = `/v2/transfer-approvals/${emulator.state().approvals[0]?.id}/reject`;
    const { body } = await call('POST', path, { reason: 'a duplicate' });
    expect(body).toMatchObject({ status: 'REJECTED', reason: 'a duplicate' });
    expect(emulator.state().approvals[0]?.votes[0]?.comment).toBe('a duplicate');
  });
});

it('every decision stands in the guide, with its values of both named dialects', () => {
  const guide = readFileSync(new URL('../../docs/guides/dialects.md', import.meta.url), 'utf8');
  const table = guide.slice(guide.indexOf('## Decisions that you can set'));
  const { dialect: spec } = createEmulator({ dialect: 'spec' });
  const { dialect: field } = createEmulator({ dialect: 'field' });
  for (const [decision, value] of Object.entries(spec).filter(([key]) => key !== 'name')) {
    const row = table.split('\n').find((line) => line.startsWith(`| \`${decision}\``));
    expect(row, decision).toBeDefined();
    const [inField, inSpec] = (row ?? '').split('|').reverse().slice(1, 3);
    const other = Object.entries(field).find(([key]) => key === decision)?.[1];
    if (typeof value !== 'object') expect(inSpec, decision).toContain(String(value));
    if (typeof other !== 'object') expect(inField, decision).toContain(String(other));
  }
});
