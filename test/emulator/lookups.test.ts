import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../client/support.ts';
import { forms } from './forms.ts';
import { batch, bench, bridge, offramp, onramp, transfer, withUser } from './support.ts';

const FAMILIES = [
  ['onramps', '/v2/onramps', onramp],
  ['transfers', '/v2/wallets/transfers', transfer],
  ['bridges', '/v2/wallets/bridges', bridge],
  ['offramps', '/v2/offramps', offramp],
] as const;

describe('a lookup, in every form of the emulator', () => {
  it.each(forms)('shows each payment by its id and in a list: %s', async (_form, open) => {
    const { call } = await open();
    const { userId } = (await call('POST', '/_emulator/users', { rails: ['usd'] })).body;
    for (const [, path, make] of FAMILIES) {
      const { id } = (await call('POST', path, make(userId))).body.transferDetails;
      const one = await call('GET', `${path}/${id}`);
      expect([path, one.status, one.body.transferDetails.id]).toEqual([path, 200, id]);
      const { body: list } = await call('GET', `${path}?userId=${userId}`);
      expect(list).toEqual({ count: 1, records: [one.body], nextCursor: null });
    }
  });

  it.each(forms)('is an unknown path where lookups are off: %s', async (_form, open) => {
    const { call } = await open({ lookups: false });
    for (const path of ['/v2/offramps/an-id', '/v2/wallets/transfers/an-id'])
      expect((await call('GET', path)).body.error.code).toBe('ROUTE_NOT_FOUND');
    expect((await call('GET', '/v2/onramps')).status).toBe(405);
  });
});

describe.each(['spec', 'field'] as const)('a lookup in the dialect %s', (dialect) => {
  it.each(FAMILIES)('shows what the creation of %s showed', async (_family, path, make) => {
    const { call, userId } = withUser({ rails: ['usd'] }, { dialect, settlementStep: '1h' });
    const made = await call('POST', path, make(userId));
    const { body } = await call('GET', `${path}/${made.body.transferDetails.id}`);
    expect(Object.keys(body.transferDetails)).toEqual(Object.keys(made.body.transferDetails));
    expect(body.transferType).toBe(made.body.transferType);
  });

  it('finds a batch among the transfers', async () => {
    const { call, userId } = withUser({}, { dialect });
    const { id } = (await call('POST', '/v2/wallets/transfers/batches', batch(userId))).body.transferDetails;
    expect((await call('GET', `/v2/wallets/transfers/${id}`)).body.transferType).toBe(
      'WALLET.TRANSFER.BATCH',
    );
    expect((await call('GET', '/v2/wallets/transfers')).body.count).toBe(1);
  });

  it('finds no payment of another family, and names the id', async () => {
    const { call, userId } = withUser({}, { dialect });
    const { id } = (await call('POST', '/v2/wallets/transfers', transfer(userId))).body.transferDetails;
    for (const path of ['/v2/onramps', '/v2/offramps', '/v2/wallets/bridges']) {
      const { status, body } = await call('GET', `${path}/${id}`);
      expect([status, body.error.code]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
      expect(body.error.message).toContain(id);
    }
  });
});

describe('a list of payments', () => {
  it('is newest first, of one payer, in pages that lose and repeat none', async () => {
    const { call, emulator, userId } = withUser({}, { dialect: { pageSize: 2 } });
    const other = emulator.createUser().userId;
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      ids.unshift((await call('POST', '/v2/wallets/transfers', transfer(userId))).body.transferDetails.id);
      await call('POST', '/v2/wallets/transfers', transfer(other));
      emulator.clock.advance('1s');
    }
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let before: string | null = ''; before !== null; ) {
      const cursor: string = before === '' ? '' : `&createdBefore=${encodeURIComponent(before)}`;
      const { body } = await call('GET', `/v2/wallets/transfers?userId=${userId}${cursor}`);
      seen.push(
        ...body.records.map((record: { transferDetails: { id: string } }) => record.transferDetails.id),
      );
      sizes.push(body.count);
      before = body.nextCursor;
    }
    expect([seen, sizes]).toEqual([ids, [2, 2, 1]]);
    const after = emulator.state().transfers.at(-2)?.transferDetails.createdAt;
    expect((await call('GET', `/v2/wallets/transfers?createdAfter=${after}&limit=9`)).body.count).toBe(0);
    expect((await call('GET', '/v2/wallets/transfers?userId=another')).body.records).toEqual([]);
  });

  it('never parts the payments of one instant, which no cursor could tell apart', async () => {
    const { call, userId } = withUser();
    for (let number = 0; number < 5; number += 1)
      await call('POST', '/v2/wallets/transfers', transfer(userId));
    const { body } = await call('GET', '/v2/wallets/transfers?limit=2');
    expect([body.count, body.nextCursor]).toEqual([5, null]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['createdBefore=yesterday', 'createdBefore'],
    ['userID=x', 'userID'],
  ])('names what is wrong with ?%s', async (query, field) => {
    const { status, fields } = await bench().call('GET', `/v2/offramps?${query}`);
    expect([status, fields[0]?.field]).toEqual([400, field]);
  });
});

describe('the names of lookups', () => {
  it('are known to faults, the request log and the list of operations', async () => {
    const { call, emulator } = bench();
    emulator.faults.inject({ operation: 'transfers.list', kind: 'status', status: 503 });
    emulator.faults.inject({ operation: 'offramps.retrieve', kind: 'status', status: 502 });
    expect((await call('GET', '/v2/wallets/transfers')).status).toBe(503);
    expect((await call('GET', '/v2/offramps/x')).status).toBe(502);
    expect(emulator.requests().map(({ operation }) => operation)).toEqual([
      'transfers.list',
      'offramps.retrieve',
    ]);
    const { paths } = (await call('GET', '/_emulator/openapi.json')).body;
    expect(paths['/v2/wallets/bridges/{transferId}'].get.operationId).toBe('bridges.retrieve');
    expect((await call('GET', '/_emulator/view')).body.operations).toContain('onramps.list');
  });

  it('are unknown where lookups are off', async () => {
    const { call, emulator } = bench({ lookups: false });
    expect(() => emulator.faults.inject({ operation: 'transfers.list', kind: 'latency' })).toThrow(
      'operation: ',
    );
    expect((await call('GET', '/_emulator/openapi.json')).text).not.toContain('transfers.list');
    expect((await call('GET', '/_emulator/view')).body.operations).not.toContain('transfers.list');
  });

  it.each(['missing-field', 'wrong-type', 'unknown-enum'] as const)(
    'have fields for the fault %s',
    async (kind) => {
      const { call, emulator, userId } = withUser();
      const { body: made } = await call('POST', '/v2/wallets/transfers', transfer(userId));
      for (const path of ['/v2/wallets/transfers', `/v2/wallets/transfers/${made.transferDetails.id}`]) {
        const whole = await call('GET', path);
        emulator.faults.inject({ kind });
        expect((await call('GET', path)).text).not.toBe(whole.text);
      }
    },
  );

  it('give way to an operation of the same path', async () => {
    const { call, emulator } = bench();
    emulator.route({ method: 'GET', path: '/v2/offramps/{id}', handle: ({ path }) => ({ body: path }) });
    expect((await call('GET', '/v2/offramps/o-1')).body).toEqual({ id: 'o-1' });
  });
});

it('can be walked by the client', async () => {
  const emulator = createEmulator({ seed: 1 });
  const { userId } = emulator.createUser();
  const payments = clientOf(emulator.fetch);
  const params = {
    source: { userId },
    destination: { userId },
    amount: 5,
    currency: 'usdc',
    chain: 'POLYGON',
  };
  const made = await payments.transfers.create(params);
  const { id } = made.transferDetails;
  const found = await payments.request({ method: 'GET', path: `/v2/wallets/transfers/${id}` });
  expect(found).toMatchObject({ transferDetails: { id, status: 'COMPLETED' } });
});
