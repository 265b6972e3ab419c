import { isPaymentsError, PaymentsClient, requestIdFrom, type Transfer } from 'stablecoin-payments';
import type { World } from 'stablecoin-payments/emulator';
import {
  batchOrder,
  begin,
  type Claim,
  claim,
  claimOf,
  end,
  KEY,
  order,
  type Program,
  payOnce,
  type Row,
} from './support.ts';

/** The payment is known when the service shows its record, or refuses its key as known. */
const known = (error: unknown): Claim => (claimOf(error) === 'accepted' ? 'accepted' : 'ask-again');

const approved = (world: World) =>
  payOnce(world, KEY, (payments, inDoubt) =>
    payments.transfers.create({ ...order(world), requireApproval: true }, { inDoubt }),
  );

/** All of several payments, one after another. */
async function all(calls: readonly (() => Promise<Claim>)[]): Promise<Claim> {
  for (const call of calls) if ((await call()) !== 'accepted') return 'ask-again';
  return 'accepted';
}

export const rightPrograms: Readonly<Record<string, Program>> = {
  'a row that counts its begins': {
    pay: (world) => payOnce(world),
    check: async ({ store, payments }) => {
      const row = await store.get<Row>(KEY);
      return row?.state === 'accepted' && payments.length === 1 ? undefined : `the row says ${row?.state}`;
    },
  },
  'a random key in a row that is written first': {
    pay: async (world) => {
      const { requestId = '' } = await world.store.update<Row>(
        'inv-7',
        (row) => row ?? { requestId: crypto.randomUUID() },
      );
      return claim(world.payments.transfers.create(order(world, requestId), { inDoubt: true }), known);
    },
  },
  'no row, and no word of not-made': {
    pay: (world) => claim(world.payments.transfers.create(order(world), { inDoubt: true }), known),
  },
  'a lookup before the call': {
    pay: async (world) => {
      const { records } = await world.payments.request<{ records: Transfer[] }>({
        method: 'GET',
        path: '/v2/wallets/transfers',
        query: { userId: world.payer },
      });
      if (records.some(({ transferDetails }) => transferDetails.requestId === KEY)) return 'accepted';
      return claim(world.payments.transfers.create(order(world), { inDoubt: true }), known);
    },
  },
  'a lease by the clock': {
    pay: async (world) => {
      const mine = crypto.randomUUID();
      const lease = await world.store.update<{ by: string; until: number }>('lease', (row) =>
        row === undefined || row.until < world.now() ? { by: mine, until: world.now() + 600_000 } : row,
      );
      if (lease.by !== mine) return 'ask-again';
      const said = await payOnce(world);
      await world.store.update<{ by: string; until: number } | undefined>('lease', (row) =>
        row?.by === mine ? { by: mine, until: 0 } : row,
      );
      return said;
    },
  },
  'a quiet time before a payment is sent again': {
    pay: async (world) => {
      const { at = 0 } = await world.store.update<Row>(KEY, (row) => row ?? { at: world.now() });
      if (world.now() > at && world.now() < at + 3 * 3_600_000) return 'ask-again';
      return claim(world.payments.transfers.create(order(world), { inDoubt: true }), known);
    },
  },
  'a client of its own, with retries': {
    pay: async (world) => {
      const payments = new PaymentsClient({
        baseUrl: 'https://service.test',
        accessToken: 'token',
        fetch: world.fetch,
        timeout: 100,
        retries: { limit: 1, minDelay: 0 },
      });
      return payOnce({ ...world, payments });
    },
  },
  'two payments, one after another': {
    pay: (world) =>
      all(
        [10, 20].map(
          (amount) => () =>
            claim(
              world.payments.transfers.create(order(world, requestIdFrom('payroll', amount), amount), {
                inDoubt: true,
              }),
              known,
            ),
        ),
      ),
  },
  'batches whose keys follow from their place': {
    pay: (world) =>
      all(
        [
          [10, 20],
          [30, 40],
        ].map((amounts, place) => async () => {
          const key = requestIdFrom('payroll', world.payer, '2026-11', place);
          const begun = await begin(world, key);
          const call = world.payments.transfers.createBatch(batchOrder(world, key, amounts), {
            inDoubt: begun > 1,
          });
          return end(world, key, begun, await claim(call));
        }),
      ),
  },
  'a batch that is split once it is refused for sure': {
    pay: async (world) => {
      const key = requestIdFrom('payroll', 'whole');
      const begun = await begin(world, key);
      const call = world.payments.transfers.createBatch(batchOrder(world, key), { inDoubt: begun > 1 });
      const whole = await end(world, key, begun, await claim(call));
      const row = await world.store.get<Row>(key);
      if (whole !== 'not-made' && row?.state !== 'not-made') return whole;
      return 'not-made';
    },
  },
  'a bridge': {
    pay: (world) =>
      payOnce(world, KEY, (payments, inDoubt) =>
        payments.bridges.create(
          {
            requestId: KEY,
            amount: 25,
            source: { userId: world.payer, currency: 'usdc', chain: 'POLYGON' },
            destination: { userId: world.payee, currency: 'usdc', chain: 'BASE' },
          },
          { inDoubt },
        ),
      ),
  },
  'an offramp': {
    pay: (world) =>
      payOnce(world, KEY, (payments, inDoubt) =>
        payments.offramps.create(
          {
            requestId: KEY,
            source: { userId: world.payer, currency: 'usdc', chain: 'POLYGON', amount: 25 },
            destination: { accountId: 'an-account', currency: 'usd' },
          },
          { inDoubt },
        ),
      ),
  },
  'an onramp': {
    pay: (world) =>
      payOnce(world, KEY, (payments, inDoubt) =>
        payments.onramps.create(
          {
            requestId: KEY,
            source: { userId: world.payer, currency: 'usd', amount: 100, transferType: 'ach' },
            destination: { userId: world.payer, currency: 'usdc', chain: 'POLYGON' },
          },
          { inDoubt },
        ),
      ),
  },
  'a handler that notes an event with its work': {
    pay: approved,
    hear: async (event, { store }) => {
      if (event.eventType !== 'TRANSFER.APPROVAL.APPROVED') return;
      await store.update<{ events: string[]; credit: number }>(
        'balance',
        (row = { events: [], credit: 0 }) =>
          row.events.includes(event.eventId)
            ? row
            : { events: [...row.events, event.eventId], credit: row.credit + 25 },
      );
    },
    check: async ({ store }) => {
      const { credit } = (await store.get<{ credit: number }>('balance')) ?? { credit: 0 };
      return credit === 25 ? undefined : `credited ${credit}`;
    },
  },
  'a handler whose row only moves forward': {
    pay: (world) => payOnce(world),
    hear: async ({ eventType, data }, { store }) => {
      if (!eventType.startsWith('WALLET.TRANSFER.')) return;
      const isPaid = data.status === 'COMPLETED';
      await store.update<Row>(String(data.requestId), (row = {}) =>
        isPaid ? { ...row, state: 'paid' } : row,
      );
    },
    check: async ({ store }) => {
      const row = await store.get<Row>(KEY);
      return row?.state === 'paid' || row?.state === 'accepted' ? undefined : `the row says ${row?.state}`;
    },
  },
  'a handler that refuses an event before its row': {
    pay: approved,
    hear: async (event, world) => {
      if (event.eventType !== 'TRANSFER.APPROVAL.APPROVED') return;
      if ((await world.store.get<Row>(KEY))?.state !== 'accepted') throw new Error('come again');
      await world.store.set('done', true);
    },
    check: async ({ store }) => ((await store.get('done')) === true ? undefined : 'not done'),
  },
  'a handler that decides': {
    pay: approved,
    hear: async ({ eventType, data }, { payments }) => {
      if (eventType !== 'TRANSFER.APPROVAL.PENDING') return;
      for (const { id, transferId } of await payments.approvals.list().toArray())
        if (transferId === data.transferId)
          await payments.approvals.approve(id).catch((error: unknown) => {
            if (!isPaymentsError(error)) throw error;
          });
    },
  },
};
