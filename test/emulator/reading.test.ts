import { describe, expect, it } from 'vitest';
import { bench, offramp, onramp, withUser } from './support.ts';

describe('executing a metric', () => {
  /** Two completed onramps on one day, an offramp two days later, and one onramp that no money came for. */
  async function history() {
    const tools = bench();
    const { call, emulator } = tools;
    const a = emulator.createUser({ rails: ['usd', 'africa'] }).userId;
    const b = emulator.createUser({ rails: ['usd', 'africa'] }).userId;
    for (const [userId, amount] of [
      [a, 0.1],
      [b, 0.2],
    ] as const) {
      const { body } = await call('POST', '/v2/onramps', onramp(userId, { amount }));
      emulator.simulateDeposit(body.transferDetails.id);
    }
    emulator.clock.advance('2d');
    await call('POST', '/v2/offramps', offramp(a, {}, 40));
    await call('POST', '/v2/onramps', onramp(a, { amount: 1000 }));
    const execute = async (metric: object = {}) => {
      const { id } = (await call('POST', '/_emulator/metrics', metric)).body;
      return (await call('GET', `/v2/reporting/metrics/${id}/results`)).body;
    };
    return { ...tools, execute };
  }

  it('counts completed payments by day, in dollars', async () => {
    const { call, emulator } = await history();
    const id = emulator.state().metrics[0]?.id;
    const { status, body } = await call('GET', `/v2/reporting/metrics/${id}/results`);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      data: [
        { periodStart: '2026-03-04', grossVolume: 0.3, transactionCount: 2 },
        { periodStart: '2026-03-06', grossVolume: 40, transactionCount: 1 },
      ],
      metadata: {
        template: 'GROSS_VOLUME',
        recordCount: 2,
        projectedRowCount: 2,
        filledCount: 0,
        calculationInterval: 'day',
        dateRange: { start: '2026-03-04', end: '2026-03-06' },
        filters: {
          createdAfter: { applied: 'all', specified: false, note: expect.any(String) },
          createdBefore: { applied: 'all', specified: false, note: expect.any(String) },
          calculationInterval: { applied: 'subset', specified: true, values: ['day'] },
          transactionTypes: { applied: 'all', specified: false, note: expect.any(String) },
          userIds: { applied: 'all', specified: false, note: expect.any(String) },
        },
        breakdowns: null,
      },
    });
  });

  it('gives the rows that a test supplies, whatever happened', async () => {
    const { execute } = await history();
    const rows = [
      { periodStart: '2025-01-01', country: 'uga', grossVolume: 5 },
      { periodStart: '2025-04-01', country: 'ken', grossVolume: 7 },
    ];
    const { data, metadata } = await execute({
      rows,
      calculationInterval: 'quarter',
      breakdowns: ['country'],
    });
    expect(data).toEqual(rows);
    expect(metadata).toMatchObject({
      recordCount: 2,
      filledCount: 0,
      calculationInterval: 'quarter',
      dateRange: { start: '2025-01-01', end: '2025-04-01' },
      breakdowns: ['country'],
    });
  });

  it('answers 404 for a metric that was not saved', async () => {
    const { call } = bench();
    expect((await call('GET', '/v2/reporting/metrics/none/results')).body.error.code).toBe(
      'KEY_DOES_NOT_EXIST',
    );
  });

  it.each([
    { template: 5 },
    { calculationInterval: 'hour' },
    { calculationInterval: 'week' },
    { rows: [{ grossVolume: 5 }] },
    { breakdowns: ['userId'] },
    { createdAfter: 'soon' },
    { userIds: 'a' },
    [],
  ])('cannot be saved as %j', async (metric) => {
    expect((await bench().call('POST', '/_emulator/metrics', metric)).status).toBe(400);
  });
});

describe('the KYC record', () => {
  it('has what the creator stated, and made-up fields', async () => {
    const { call } = bench();
    const kyc = { firstName: 'Ada', taxIdentificationNumber: null, documents: [{ kind: 'passport' }] };
    const { body: user } = await call('POST', '/_emulator/users', { rails: ['usd'], kyc });
    const { status, body } = await call('GET', `/v2/users/${user.userId}/kyc`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['userId', 'kycInfo']);
    expect(body.kycInfo).toMatchObject(kyc);
    expect(body.kycInfo.dateOfBirth).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect((await call('GET', '/v2/users/nobody/kyc')).status).toBe(404);
  });

  it.each([{ rails: ['eur'] }, { rails: 'usd' }, { kyc: [] }, { externalWallets: 101 }])(
    'is not made from %j',
    async (body) => {
      expect((await bench().call('POST', '/_emulator/users', body)).status).toBe(400);
    },
  );
});

describe('external wallets', () => {
  it('hold the five fields of the spec, and are those of one user', async () => {
    const { call, emulator, userId } = withUser();
    const { body } = await call('GET', `/v2/users/${userId}/wallets/external?limit=2`);
    expect(body.count).toBe(2);
    expect(Object.keys(body.externalWallets[0])).toEqual([
      'address',
      'chain',
      'name',
      'referenceId',
      'createdAt',
    ]);
    expect(emulator.state().externalWallets).toHaveLength(3);
    const other = emulator.createUser({ externalWallets: 0 }).userId;
    expect((await call('GET', `/v2/users/${other}/wallets/external`)).body).toEqual({
      count: 0,
      externalWallets: [],
      nextCursor: null,
    });
  });

  it.each(['cursor=then', 'limit=0', 'limit=101'])('refuse ?%s', async (query) => {
    const { call, userId } = withUser();
    expect((await call('GET', `/v2/users/${userId}/wallets/external?${query}`)).status).toBe(400);
  });

  it('need a user that exists', async () => {
    const { call } = bench();
    expect((await call('GET', '/v2/users/none/wallets/external')).status).toBe(404);
    expect((await call('POST', '/_emulator/users/none/external-wallets')).status).toBe(404);
    expect((await call('POST', '/_emulator/users/none/external-wallets', [])).status).toBe(400);
  });
});
