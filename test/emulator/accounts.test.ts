import { describe, expect, it } from 'vitest';
import { AFRICA_ACCOUNT, bench, HOLDER, START, US_ACCOUNT, withUsAccount, withUser } from './support.ts';

describe('registering an onramp account', () => {
  it.each([
    ['us', US_ACCOUNT],
    ['africa', AFRICA_ACCOUNT],
  ])('answers PENDING for %s, and keeps what was registered', async (_region, account) => {
    const { call, userId } = withUser({ rails: ['usd', 'africa'] });
    const created = await call('POST', `/v2/users/${userId}/accounts`, account);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      status: 'PENDING',
      invalidFields: [],
      message: expect.any(String),
    });
    const { id, message } = created.body;
    const record = {
      ...account,
      id,
      userId,
      status: 'PENDING',
      invalidFields: [],
      message,
      createdAt: START,
      updatedAt: START,
    };
    expect((await call('GET', `/v2/users/${userId}/accounts/${id}`)).body).toEqual(record);
    expect((await call('GET', `/v2/users/${userId}/accounts`)).body).toEqual({
      count: 1,
      accounts: [record],
    });
    expect((await call('GET', `/v2/users/${userId}/accounts?rail=onramp`)).body.count).toBe(1);
    expect((await call('GET', `/v2/users/${userId}/accounts?rail=other`)).body).toEqual({
      count: 0,
      accounts: [],
    });
  });

  it('becomes active by itself after a while, with an event', async () => {
    const { call, emulator, userId, id } = await withUsAccount();
    emulator.clock.advance(2999);
    expect((await call('GET', `/v2/users/${userId}/accounts/${id}`)).body.status).toBe('PENDING');
    emulator.clock.advance(1);
    const active = (await call('GET', `/v2/users/${userId}/accounts/${id}`)).body;
    expect(active).toMatchObject({ status: 'ACTIVE', updatedAt: '2026-03-04T12:00:03.000Z' });
    expect(emulator.events.list().map(({ eventType, data }) => [eventType, data.status])).toEqual([
      ['ACCOUNT.ONRAMP.CREATE', 'PENDING'],
      ['ACCOUNT.ONRAMP.UPDATE', 'ACTIVE'],
    ]);
    expect(JSON.stringify(emulator.events.list())).not.toContain('000123');
  });

  it('stays pending until a test validates it, where validation is manual', async () => {
    const { call, emulator, userId, id } = await withUsAccount({ accountValidation: 'manual' });
    emulator.clock.advance('30d');
    expect((await call('GET', `/v2/users/${userId}/accounts/${id}`)).body.status).toBe('PENDING');
    const invalidFields = ['us.routingNumber'];
    const rejected = await call('POST', `/_emulator/accounts/${id}/validate`, {
      status: 'REJECTED',
      invalidFields,
    });
    expect(rejected.body).toMatchObject({ id, status: 'REJECTED', invalidFields });
    expect(rejected.body.message).toContain('us.routingNumber');
    const active = await call('POST', `/_emulator/accounts/${id}/validate`, { status: 'ACTIVE' });
    expect(active.body).toMatchObject({ status: 'ACTIVE', invalidFields: [] });
    expect((await call('POST', `/_emulator/accounts/${id}/validate`, { status: 'FINE' })).status).toBe(400);
    expect((await call('POST', '/_emulator/accounts/nope/validate', { status: 'ACTIVE' })).status).toBe(404);
  });

  it('is rejected by itself where the holder differs from the stated KYC data', async () => {
    const { call, emulator } = bench();
    const kyc = { firstName: 'Jane', lastName: 'Roe', email: 'JANE@example.com', phone: '+256700000001' };
    const { userId } = emulator.createUser({ rails: ['usd', 'africa'], kyc });
    const africa = { ...AFRICA_ACCOUNT, africa: { ...AFRICA_ACCOUNT.africa, country: 'ken' } };
    const { id } = (await call('POST', `/v2/users/${userId}/accounts`, africa)).body;
    emulator.clock.advance('3s');
    expect((await call('GET', `/v2/users/${userId}/accounts/${id}`)).body).toMatchObject({
      status: 'REJECTED',
      invalidFields: ['accountHolder.name', 'accountHolder.phone', 'africa.country'],
    });
  });

  it('is active by itself where the holder is the one of the stated KYC data', async () => {
    const { call, emulator } = bench();
    const person = emulator.createUser({
      rails: ['usd'],
      kyc: { firstName: 'jane', lastName: 'doe' },
    }).userId;
    const business = emulator.createUser({ rails: ['usd'], kyc: { businessName: 'Doe Ltd' } }).userId;
    const company = { ...US_ACCOUNT, accountHolder: { ...HOLDER, type: 'business', name: 'Doe Ltd' } };
    await call('POST', `/v2/users/${person}/accounts`, US_ACCOUNT);
    await call('POST', `/v2/users/${business}/accounts`, company);
    emulator.clock.advance('3s');
    expect(emulator.state().accounts.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  it('is active in a country whose currency the emulator does not know', async () => {
    const { call, emulator, userId } = withUser({ rails: ['africa'], kyc: { businessName: 'Other Ltd' } });
    const africa = { ...AFRICA_ACCOUNT.africa, currency: 'scr', country: 'syc' };
    await call('POST', `/v2/users/${userId}/accounts`, { ...AFRICA_ACCOUNT, africa });
    emulator.clock.advance('3s');
    expect(emulator.state().accounts[0]?.status).toBe('ACTIVE');
  });

  it('stays as it was validated by hand, whatever the time would do', async () => {
    const { emulator, id } = await withUsAccount();
    emulator.validateAccount(id, { status: 'REJECTED' });
    emulator.clock.advance('1h');
    expect(emulator.state().accounts[0]?.status).toBe('REJECTED');
  });

  it('needs the rail of its region', async () => {
    const { call, userId } = withUser({ rails: ['usd'] });
    const { status, body } = await call('POST', `/v2/users/${userId}/accounts`, AFRICA_ACCOUNT);
    expect([status, body.error.code]).toEqual([403, 'USER_COMPLIANCE_VERIFICATION_FAILED']);
  });

  it.each<[string, object]>([
    ['rail', { rail: 'sideways' }],
    ['type', { type: 'europe' }],
    ['accountHolder', { accountHolder: null }],
    ['accountHolder.type', { accountHolder: { ...HOLDER, type: 'trust' } }],
    ['accountHolder.phone', { accountHolder: { ...HOLDER, phone: '0700' } }],
    ['accountHolder.email', { accountHolder: { ...HOLDER, email: 'jane' } }],
    ['accountHolder.name', { accountHolder: { ...HOLDER, name: ' ' } }],
    [
      'accountHolder.address.city',
      { accountHolder: { ...HOLDER, address: { ...HOLDER.address, city: undefined } } },
    ],
    [
      'accountHolder.address.country',
      { accountHolder: { ...HOLDER, address: { ...HOLDER.address, country: 'UG' } } },
    ],
    ['us', { us: undefined }],
    ['us.transferType', { us: { ...US_ACCOUNT.us, transferType: 'rtp' } }],
    ['us.accountType', { us: { ...US_ACCOUNT.us, accountType: 'current' } }],
    ['us.currency', { us: { ...US_ACCOUNT.us, currency: 'USD' } }],
    ['us.routingNumber', { us: { ...US_ACCOUNT.us, routingNumber: 21000021 } }],
    [
      'africa.accountType',
      { type: 'africa', us: undefined, africa: { ...AFRICA_ACCOUNT.africa, accountType: 'card' } },
    ],
    [
      'africa.country',
      { type: 'africa', us: undefined, africa: { ...AFRICA_ACCOUNT.africa, country: 'UGA' } },
    ],
    ['africa', { type: 'africa', us: undefined }],
  ])('names %s where it is wrong', async (field, change) => {
    const { call, userId } = withUser({ rails: ['usd', 'africa'] });
    const { status, body } = await call('POST', `/v2/users/${userId}/accounts`, { ...US_ACCOUNT, ...change });
    expect(status).toBe(400);
    expect(body).toEqual({
      status: 'error',
      error: {
        code: 'FIELD_VALIDATION_ERROR',
        message: expect.stringContaining(field),
        details: { [field]: expect.any(String) },
      },
    });
  });

  it.each([undefined, [], 'text', null])('refuses %j as a body', async (body) => {
    const { call, userId } = withUser({ rails: ['usd'] });
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await call('POST', `/v2/users/${userId}/accounts`, text);
    expect([answer.status, answer.fields[0]?.field]).toEqual([400, 'body']);
  });
});

describe('an account', () => {
  it('is gone after its deletion', async () => {
    const { call, emulator, userId, id } = await withUsAccount();
    const deleted = await call('DELETE', `/v2/users/${userId}/accounts/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { success: true, message: expect.any(String), id }]);
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await call(method, `/v2/users/${userId}/accounts/${id}`);
      expect([status, body.error.code]).toEqual([404, 'ACCOUNT_NOT_FOUND']);
    }
    emulator.clock.advance('1h');
    expect(emulator.events.list()).toHaveLength(1);
  });

  it('is unknown to other users', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const other = emulator.createUser().userId;
    const { id } = (await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT)).body;
    expect((await call('GET', `/v2/users/${other}/accounts/${id}`)).status).toBe(404);
    expect((await call('GET', `/v2/users/${other}/accounts`)).body.count).toBe(0);
    for (const method of ['GET', 'POST']) {
      expect(
        (await call(method, '/v2/users/nobody/accounts', method === 'POST' ? US_ACCOUNT : undefined)).status,
      ).toBe(404);
    }
  });
});
