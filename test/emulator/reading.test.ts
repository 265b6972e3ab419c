import { describe, expect, it } from 'vitest';
import { bench, offramp, onramp } from './support.ts';

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
    return { ...tools, a, b, execute };
  }

  it('gives daily gross volume from the start, with the gaps filled', async () => {
    const { call, emulator } = await history();
    const id = emulator.state().metrics[0]?.id;
    const { status, body } = await call('GET', `/v2/reporting/metrics/${id}/results`);
    expect(status).toBe(200);
    const day = (periodStart: string, grossVolume = 0, transactionCount = 0) => ({
      periodStart,
      grossVolume,
      transactionCount,
    });
    expect(body).toEqual({
      status: 'success',
      data: [
        day('2026-02-28'),
        day('2026-03-01'),
        day('2026-03-02'),
        day('2026-03-03'),
        day('2026-03-04', 0.3, 2),
        day('2026-03-05'),
        day('2026-03-06', 40, 1),
      ],
      metadata: {
        template: 'GROSS_VOLUME',
        recordCount: 7,
        projectedRowCount: 7,
        filledCount: 5,
        calculationInterval: 'day',
        dateRange: { start: '2026-02-28', end: '2026-03-06' },
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

  it('buckets by weeks from Monday and by months', async () => {
    const { execute } = await history();
    const weeks = await execute({ calculationInterval: 'week' });
    expect(weeks.data.at(-1)).toEqual({ periodStart: '2026-03-02', grossVolume: 40.3, transactionCount: 3 });
    expect(weeks.data.at(-2).periodStart).toBe('2026-02-23');
    const months = await execute({
      calculationInterval: 'month',
      template: 'TRANSACTION_COUNT',
    });
    expect(months.data.at(-1)).toEqual({ periodStart: '2026-03-01', transactionCount: 3 });
    expect(months.data.at(-2)).toEqual({ periodStart: '2026-02-01', transactionCount: 0 });
  });

  it('breaks down by dimensions and fills the gaps of each combination', async () => {
    const { execute, a, b } = await history();
    const { data, metadata } = await execute({
      breakdowns: ['transactionType', 'userId'],
      filters: { createdAfter: '2026-03-04' },
    });
    expect(metadata.breakdowns).toEqual(['transactionType', 'userId']);
    expect(metadata).toMatchObject({ recordCount: 9, projectedRowCount: 9, filledCount: 6 });
    const nonZero = data.filter((row: { transactionCount: number }) => row.transactionCount > 0);
    expect(nonZero).toHaveLength(3);
    expect(nonZero).toEqual(
      expect.arrayContaining([
        {
          periodStart: '2026-03-04',
          transactionType: 'onramp',
          userId: a,
          grossVolume: 0.1,
          transactionCount: 1,
        },
        {
          periodStart: '2026-03-04',
          transactionType: 'onramp',
          userId: b,
          grossVolume: 0.2,
          transactionCount: 1,
        },
        {
          periodStart: '2026-03-06',
          transactionType: 'offramp',
          userId: a,
          grossVolume: 40,
          transactionCount: 1,
        },
      ]),
    );
  });

  it('counts what is not completed only when asked by status', async () => {
    const { execute } = await history();
    const { data } = await execute({
      breakdowns: ['transactionStatus'],
      filters: { createdAfter: '2026-03-06' },
    });
    expect(data).toEqual([
      {
        periodStart: '2026-03-06',
        transactionStatus: 'AWAITING_FUNDS',
        grossVolume: 1000,
        transactionCount: 1,
      },
      { periodStart: '2026-03-06', transactionStatus: 'COMPLETED', grossVolume: 40, transactionCount: 1 },
    ]);
    const waiting = await execute({
      filters: { transactionStatuses: ['AWAITING_FUNDS'], createdAfter: '2026-03-06' },
    });
    expect(waiting.data[0].grossVolume).toBe(1000);
    expect(waiting.metadata.filters.transactionStatuses.values).toEqual(['AWAITING_FUNDS']);
  });

  it.each<[string, (ids: { a: string; b: string }) => object, number]>([
    ['type', () => ({ filters: { transactionTypes: ['onramp'] } }), 0.3],
    ['user', ({ b }) => ({ filters: { userIds: [b] } }), 0.2],
    ['start', () => ({ filters: { createdAfter: '2026-03-05T00:00:00Z' } }), 40],
    ['end', () => ({ filters: { createdBefore: '2026-03-06' } }), 0.3],
    ['a time to come', () => ({ filters: { createdAfter: '2027-01-01' } }), 0],
  ])('filters by %s', async (_title, filter, volume) => {
    const { execute, a, b } = await history();
    const { data, metadata } = await execute(filter({ a, b }));
    const sum = data.reduce((total: number, row: { grossVolume: number }) => total + row.grossVolume, 0);
    expect(sum).toBe(volume);
    expect(
      Object.values(metadata.filters).filter((entry) => (entry as { specified: boolean }).specified),
    ).toHaveLength(2);
  });

  it('loses nothing however long the range is, and fills no gaps past ten thousand rows', async () => {
    const { call, emulator } = bench({ clock: { start: '2000-06-01T00:00:00Z', frozen: true } });
    const { userId } = emulator.createUser({ externalWallets: 0 });
    await call('POST', '/v2/offramps', offramp(userId, {}, 7));
    for (let years = 0; years < 30; years += 5) emulator.clock.advance('1826d');
    await call('POST', '/v2/offramps', offramp(userId, {}, 40));
    const execute = async (calculationInterval: 'day' | 'week' | 'month' | 'quarter' | 'year') => {
      const { id } = emulator.createMetric({ calculationInterval, filters: { createdAfter: '1990-01-01' } });
      const { data, metadata } = (await call('GET', `/v2/reporting/metrics/${id}/results`)).body;
      const volume = data.reduce((sum: number, row: { grossVolume: number }) => sum + row.grossVolume, 0);
      return { volume, rows: data.length, ...metadata };
    };
    const days = await execute('day');
    expect(days).toMatchObject({ volume: 47, rows: 2, filledCount: 0, projectedRowCount: 14_761 });
    expect(await execute('week')).toMatchObject({ volume: 47, rows: 2109, projectedRowCount: 2109 });
    expect(await execute('month')).toMatchObject({ volume: 47, rows: 485, filledCount: 483 });
    expect(await execute('quarter')).toMatchObject({ volume: 47, rows: 162 });
    expect(await execute('year')).toMatchObject({ volume: 47, rows: 41 });
    expect(days.dateRange).toEqual({ start: '1990-01-01', end: '2030-05-31' });
  });

  it.each([
    [{ createdAfter: '2027-01-01' }, '2027-01-01'],
    [{ createdAfter: '2026-02-01', createdBefore: '2026-01-01' }, '2026-02-01'],
    [{ createdBefore: '1971-01-01' }, undefined],
  ])('states a date range in order for %j', async (filters, start) => {
    const { call, emulator } = bench();
    for (const calculationInterval of ['day', 'week', 'month', 'quarter', 'year'] as const) {
      const { id } = emulator.createMetric({ filters, calculationInterval });
      const { dateRange } = (await call('GET', `/v2/reporting/metrics/${id}/results`)).body.metadata;
      expect(dateRange.start <= dateRange.end).toBe(true);
      if (start !== undefined) expect(dateRange).toEqual({ start, end: start });
    }
  });

  it('answers 404 for a metric that was not saved', async () => {
    const { call } = bench();
    expect((await call('GET', '/v2/reporting/metrics/none/results')).body.error.code).toBe(
      'KEY_DOES_NOT_EXIST',
    );
  });

  it.each([
    { template: 'NET' },
    { calculationInterval: 'hour' },
    { breakdowns: ['age'] },
    { createdAfter: 'soon' },
    { userIds: 'a' },
    [],
  ])('cannot be saved as %j', async (metric) => {
    expect((await bench().call('POST', '/_emulator/metrics', metric)).status).toBe(400);
  });
});

describe('the KYC record', () => {
  it('has every field of the spec, with what the creator stated', async () => {
    const { call } = bench();
    const kyc = { firstName: 'Ada', taxIdentificationNumber: null, documents: [{ kind: 'passport' }] };
    const { body: user } = await call('POST', '/_emulator/users', { rails: ['usd'], kyc });
    const { status, body } = await call('GET', `/v2/users/${user.userId}/kyc`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['userId', 'kycInfo']);
    expect(body.kycInfo).toMatchObject(kyc);
    expect(Object.keys(body.kycInfo).sort()).toEqual(
      'type firstName firstNameLocal middleName middleNameLocal lastName lastNameLocal nationality email phone address dateOfBirth countryOfBirth stateOfBirth placeOfBirth taxIdentificationNumber taxResidenceCountry govIdType govIdNumber govIdFrontUrl govIdBackUrl govIdCountry govIdIssuanceDate govIdExpirationDate govIdIssuanceAuthority govIdHandHoldUrl proofOfAddressType proofOfAddressUrl sofEuQuestionnaire ipAddress idType idNumber additionalIdType additionalIdNumber purpose productServiceCategory supplementaryInfo supplementaryUrl documents'
        .split(' ')
        .sort(),
    );
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
  it.each(['cursor', 'createdBefore'])(
    'page by the creation time of the last item, in the parameter %s',
    async (name) => {
      const { call, emulator } = bench();
      const { userId } = emulator.createUser({ externalWallets: 0 });
      for (let i = 0; i < 45; i += 1) {
        await call('POST', `/_emulator/users/${userId}/external-wallets`, { name: `w${i}`, chain: 'SOLANA' });
      }
      const names: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `?${name}=${encodeURIComponent(cursor)}`;
        const { body } = await call('GET', `/v2/users/${userId}/wallets/external${query}`);
        expect(body.count).toBe(body.externalWallets.length);
        names.push(...body.externalWallets.map((wallet: { name: string }) => wallet.name));
        if (body.nextCursor !== null) expect(body.nextCursor).toBe(body.externalWallets.at(-1).createdAt);
        cursor = body.nextCursor;
      }
      expect(names).toEqual(Array.from({ length: 45 }, (_, i) => `w${44 - i}`));
    },
  );

  it('hold the five fields of the spec, and are those of one user', async () => {
    const { call, emulator } = bench();
    const { userId } = emulator.createUser();
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
    const { call, emulator } = bench();
    const { userId } = emulator.createUser();
    expect((await call('GET', `/v2/users/${userId}/wallets/external?${query}`)).status).toBe(400);
  });

  it('need a user that exists', async () => {
    const { call } = bench();
    expect((await call('GET', '/v2/users/none/wallets/external')).status).toBe(404);
    expect((await call('POST', '/_emulator/users/none/external-wallets')).status).toBe(404);
    expect((await call('POST', '/_emulator/users/none/external-wallets', [])).status).toBe(400);
  });
});
