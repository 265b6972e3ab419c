import { createEmulator, type DialectOptions } from 'stablecoin-payments/emulator';
import {
  createWebhookReceiver,
  jwtBearer,
  memoryDedupe,
  type WebhookEvent,
} from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { batch, bridge, caller, offramp, onramp, transfer, US_ACCOUNT } from './support.ts';

/** An emulator whose deliveries are collected. */
function collecting(dialect: DialectOptions | 'spec' | 'field') {
  const deliveries: Request[] = [];
  const emulator = createEmulator({
    seed: 'webhooks',
    dialect,
    webhook: {
      url: 'http://receiver.test/webhooks',
      fetch: async (url, init) => {
        deliveries.push(new Request(url, init));
        return new Response(null, { status: 200 });
      },
    },
  });
  return { emulator, deliveries, call: caller(emulator.fetch, 'http://payments.test') };
}

describe('a delivery', () => {
  it('is signed with a JWT where the dialect says so, and the public key verifies it', async () => {
    const { emulator, deliveries, call } = collecting('field');
    const { userId } = emulator.createUser();
    await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
    await emulator.delivered();
    const publicKey = await emulator.webhookPublicKey();
    const seen: WebhookEvent[] = [];
    const receive = createWebhookReceiver({
      verifier: jwtBearer({ publicKey: publicKey ?? '', bodyBinding: 'required' }),
      dedupe: memoryDedupe(),
      now: () => emulator.clock.now().getTime(),
    }).handler({ otherwise: (event) => void seen.push(event) });
    expect(deliveries.length).toBeGreaterThan(0);
    const claims = deliveries[0]?.headers.get('authorization')?.split('.')[1] ?? '';
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iat: emulator.clock.now().getTime() / 1000,
    });
    for (const delivery of deliveries) expect((await receive(delivery)).status).toBeLessThan(300);
    expect(seen.map(({ eventType }) => eventType).sort()).toEqual([
      'TRANSFER.APPROVAL.PENDING',
      'USER.STATUS.CREATE',
      'WALLET.TRANSFER.CREATE',
    ]);
    expect(seen.find(({ eventType }) => eventType === 'TRANSFER.APPROVAL.PENDING')).toMatchObject({
      eventCategory: 'TRANSFER',
      eventAction: 'CREATE',
      version: '1.0',
      createdAt: expect.stringMatching(/000\+00:00$/),
      data: { chain: 'POLYGON_MAINNET' },
    });
  });
});

describe('the kinds of events', () => {
  it('are the five documented ones by default, and every status of an onramp where the dialect says so', async () => {
    const kinds = async (dialect: DialectOptions) => {
      const { emulator, call } = collecting(dialect);
      const { userId } = emulator.createUser({ rails: ['usd'] });
      const { body } = await call('POST', '/v2/onramps', onramp(userId));
      emulator.simulateDeposit(body.transferDetails.id);
      await call('POST', '/v2/offramps', offramp(userId));
      emulator.state();
      return emulator.events.list().map(({ eventType }) => eventType);
    };
    expect(await kinds({})).toEqual([]);
    expect(await kinds({ eventKinds: 'all' })).toEqual([
      'USER.STATUS.CREATE',
      'ONRAMP.TRANSACTION.CREATED',
      'ONRAMP.STATUS.FIAT_PENDING',
      'ONRAMP.STATUS.FIAT_PROCESSED',
      'ONRAMP.STATUS.CRYPTO_INITIATED',
      'ONRAMP.STATUS.CRYPTO_PENDING',
      'ONRAMP.STATUS.COMPLETED',
      'OFFRAMP.TRANSACTION.CREATED',
      'OFFRAMP.STATUS.INITIATED',
      'OFFRAMP.STATUS.PENDING',
      'OFFRAMP.STATUS.COMPLETED',
    ]);
  });
});

describe.each<DialectOptions>([{ eventKinds: 'all' }, { extends: 'field', acceptQuotes: [] }])(
  'in the dialect %j',
  (dialect) => {
    const create = async (
      path: string,
      make: (userId: string, more: object) => object,
      more: object = {},
    ) => {
      const { emulator, call } = collecting(dialect);
      const { userId } = emulator.createUser({ rails: ['usd'] });
      const { body: made } = await call('POST', path, make(userId, more));
      const { id, requestId } = made.transferDetails;
      const told = () =>
        emulator.events
          .list()
          .filter(({ data }) => data.id === id)
          .map(({ eventType, data }) => [eventType, data.status]);
      return { emulator, id, requestId, told };
    };

    it.each([
      ['/v2/wallets/transfers', transfer, 'WALLET.TRANSFER.CREATE', 'WALLET.TRANSFER.UPDATE'],
      ['/v2/wallets/transfers/batches', batch, 'WALLET.TRANSFER.BATCH', 'WALLET.TRANSFER.BATCH'],
      ['/v2/wallets/bridges', bridge, 'WALLET.BRIDGE.CREATE', 'WALLET.BRIDGE.UPDATE'],
      ['/v2/offramps', offramp, 'OFFRAMP.TRANSACTION.CREATED', 'OFFRAMP.STATUS.COMPLETED'],
    ] as const)('an event tells that %s was made, and that it completed', async (path, make, first, last) => {
      const { emulator, requestId, told } = await create(path, make);
      emulator.state();
      expect(told()[0]?.[0]).toBe(first);
      expect(told().at(-1)).toEqual([last, 'COMPLETED']);
      expect(emulator.events.list().at(-1)?.data).toMatchObject({ requestId });
    });

    it.each([
      ['/v2/wallets/transfers', transfer, 'WALLET.TRANSFER.UPDATE'],
      ['/v2/wallets/transfers/batches', batch, 'WALLET.TRANSFER.BATCH'],
      ['/v2/offramps', offramp, 'OFFRAMP.STATUS.APPROVED'],
    ] as const)('an event tells that %s was approved', async (path, make, kind) => {
      const { emulator, told } = await create(path, make, { requireApproval: true });
      emulator.approve(emulator.state().approvals[0]?.id ?? '');
      expect(told()).toContainEqual([kind, 'APPROVED']);
    });

    it('an event tells that nobody decided an approval in time', async () => {
      const { emulator, id, told } = await create('/v2/wallets/transfers', transfer, {
        requireApproval: true,
      });
      emulator.clock.advance('7d');
      expect(told().at(-1)).toEqual(['WALLET.TRANSFER.UPDATE', 'CANCELLED']);
      expect(emulator.events.list().at(-1)).toMatchObject({
        eventType: 'TRANSFER.APPROVAL.EXPIRED',
        data: { transferId: id, status: 'CANCELLED' },
      });
    });
  },
);

it('the spec alone has no event for a completion, an expiry, or an account that is paid out to', async () => {
  const { emulator, call } = collecting({});
  const { userId } = emulator.createUser({ rails: ['usd'] });
  await call('POST', '/v2/wallets/transfers', transfer(userId));
  await call('POST', `/v2/users/${userId}/accounts`, { ...US_ACCOUNT, rail: 'offramp' });
  await call('POST', '/v2/wallets/transfers', transfer(userId, { requireApproval: true }));
  emulator.clock.advance('7d');
  expect(emulator.events.list().map(({ eventType }) => eventType)).toEqual(['TRANSFER.APPROVAL.PENDING']);
});
