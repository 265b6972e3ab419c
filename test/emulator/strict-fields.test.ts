import { describe, expect, it } from 'vitest';
import { batch, bench, bridge, offramp, onramp, transfer, US_ACCOUNT, withUser } from './support.ts';

type Make = (userId: string) => object;

const MISSPELLED: readonly [path: string, make: Make, field: string, meant: string | undefined][] = [
  [
    '/v2/wallets/transfers',
    (id) => transfer(id, { requireAproval: true }),
    'requireAproval',
    'requireApproval',
  ],
  [
    '/v2/wallets/transfers',
    (id) => transfer(id, { require_approval: true }),
    'require_approval',
    'requireApproval',
  ],
  ['/v2/wallets/transfers', (id) => transfer(id, { requestID: 'x' }), 'requestID', 'requestId'],
  ['/v2/wallets/transfers', (id) => transfer(id, { idempotencyKey: 'x' }), 'idempotencyKey', undefined],
  ['/v2/wallets/transfers', (id) => transfer(id, { amuont: 5 }), 'amuont', 'amount'],
  [
    '/v2/wallets/transfers',
    (id) => transfer(id, { destination: { userId: id, walletAdress: '0x' } }),
    'destination.walletAdress',
    'walletAddress',
  ],
  ['/v2/onramps', (id) => onramp(id, { accountID: 'x' }), 'source.accountID', 'accountId'],
  ['/v2/onramps', (id) => ({ ...onramp(id), colour: 'red' }), 'colour', undefined],
  [
    '/v2/wallets/transfers/batches',
    (id) => batch(id, { destination: { batch: [{ userId: id, amout: 5 }] } }),
    'destination.batch.0.amout',
    'amount',
  ],
  [
    '/v2/wallets/transfers/batches',
    (id) => batch(id, { destination: { batch: [{ userId: id, amount: 5 }], note: 1 } }),
    'destination.note',
    undefined,
  ],
  [
    '/v2/wallets/bridges',
    (id) => bridge(id, { requireApprovel: true }),
    'requireApprovel',
    'requireApproval',
  ],
  [
    '/v2/offramps',
    (id) => offramp(id, { destination: { sepaRefrence: 'abcdef' } }),
    'destination.sepaRefrence',
    'sepaReference',
  ],
];

describe('an unknown field', () => {
  it.each(MISSPELLED)(
    'of %s is refused by its name, and nothing is made',
    async (path, make, field, meant) => {
      const { call, emulator, userId } = withUser({ rails: ['usd'] });
      const { status, fields } = await call('POST', path, make(userId));
      expect([status, fields[0]?.field]).toEqual([400, field]);
      const message = fields[0]?.message;
      expect(message).toContain('is not a field of this request');
      if (meant === undefined) expect(message).not.toContain('did you mean');
      else expect(message).toContain(`did you mean '${meant}'`);
      expect([...emulator.state().transfers, ...emulator.state().onramps]).toEqual([]);
    },
  );

  it('is named before the field that is missing because of it', async () => {
    const { call, userId } = withUser();
    const { requestId: _, ...rest } = transfer(userId);
    const { fields } = await call('POST', '/v2/wallets/transfers', { ...rest, requestID: 'x' });
    expect(fields.map(({ field }: { field: string }) => field)).toEqual(['requestID', 'requestId']);
  });

  it.each([
    ['/accounts', { ...US_ACCOUNT, us: { ...US_ACCOUNT.us, accountNumbr: '1' } }, 'us.accountNumbr'],
    ['/accounts', { ...US_ACCOUNT, railType: 'onramp' }, 'railType'],
  ])('of %s is refused', async (path, request, field) => {
    const { call, userId } = withUser({ rails: ['usd'] });
    const { status, fields } = await call('POST', `/v2/users/${userId}${path}`, request);
    expect([status, fields[0]?.field]).toEqual([400, field]);
  });

  it('of a decision or of a request without a body is refused', async () => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
    const [approval] = emulator.state().approvals;
    const decided = await call('POST', `/v2/transfer-approvals/${approval?.id}/approve`, { coment: 'no' });
    expect(decided.fields[0]?.message).toContain("did you mean 'comment'");
    expect(emulator.state().approvals[0]?.status).toBe('PENDING');
    const { id } = (await call('POST', '/v2/onramps', onramp(userId))).body.transferDetails;
    expect((await call('POST', `/v2/onramps/${id}/quote/refresh`, { now: true })).status).toBe(400);
  });
});

describe('an unknown query parameter', () => {
  it.each([
    ['/v2/transfer-approvals?limits=5', 'limits', "did you mean 'limit'"],
    ['/v2/transfer-approvals?ofset=5', 'ofset', "did you mean 'offset'"],
    ['/v2/users/:user/accounts?rails=onramp', 'rails', "did you mean 'rail'"],
    ['/v2/users/:user/kyc?full=1', 'full', 'is not a query parameter'],
    ['/v2/users/:user/wallets/external?crsor=x', 'crsor', "did you mean 'cursor'"],
    ['/v2/transfer-approvals?limit=5&limit=6', 'limit', 'more than once'],
  ])('of %s is refused by its name', async (path, field, message) => {
    const { call, emulator } = bench();
    const { status, fields } = await call('GET', path.replace(':user', emulator.createUser().userId));
    expect([status, fields[0]?.field]).toEqual([400, field]);
    expect(fields[0]?.message).toContain(message);
  });
});

describe('the emulator’s own routes', () => {
  it.each([
    ['/_emulator/clock', { advanse: '1h' }, 'advanse', 'advance'],
    ['/_emulator/users', { rail: ['usd'] }, 'rail', 'rails'],
    ['/_emulator/faults', { kind: 'latency', operations: '*' }, 'operations', 'operation'],
    ['/_emulator/metrics', { breakdown: ['chain'] }, 'breakdown', 'breakdowns'],
    ['/_emulator/balances', { userID: 'x' }, 'userID', 'userId'],
    ['/_emulator/events/release', { copy: 2 }, 'copy', undefined],
    ['/_emulator/reset', { everything: true }, 'everything', undefined],
    ['/_emulator/events/hold', { now: true }, 'now', undefined],
  ])('refuse an unknown field of %s in every dialect', async (path, request, field, meant) => {
    const { call, emulator } = bench({ dialect: 'field' });
    const before = emulator.clock.now();
    const { status, fields } = await call('POST', path, request);
    expect([status, fields[0]?.field]).toEqual([400, field]);
    if (meant !== undefined) expect(fields[0]?.message).toContain(`did you mean '${meant}'`);
    expect(emulator.clock.now()).toEqual(before);
  });

  it.each(['/_emulator/state?users=1', '/_emulator/view?lst=users', '/_emulator/faults?kind=latency'])(
    'refuse the query of %s',
    async (path) => {
      const { call } = bench();
      expect((await call('GET', path)).status).toBe(400);
    },
  );
});
