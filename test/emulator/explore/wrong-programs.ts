import {
  ConnectionError,
  isPaymentsError,
  requestIdFrom,
  TimeoutError,
  type Transfer,
} from 'stablecoin-payments';
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

export interface WrongProgram extends Program {
  /** What `explore` must say. */
  readonly what: string;
  /** Found with two processes only. */
  readonly processes?: 2;
  /** What it did in one exploration changes the next one. */
  readonly remembers?: true;
}

const unpaid = (): Claim => 'not-made';
const again = (): Claim => 'ask-again';
const random = () => crypto.randomUUID();

/** A call whose failure is read as `not-made` if it is of a kind. */
const unpaidIf = (is: (error: unknown) => boolean) => (error: unknown) =>
  is(error) ? unpaid() : claimOf(error);

const withRow = (onError: (error: unknown) => Claim) => async (world: World) => {
  const begun = await begin(world, KEY);
  const said = await claim(world.payments.transfers.create(order(world), { inDoubt: begun > 1 }), onError);
  return end(world, KEY, begun, said);
};

const lookUp = async ({ payments, payer }: World, requestId: string): Promise<boolean> => {
  const { records } = await payments.request<{ records: Transfer[] }>({
    method: 'GET',
    path: '/v2/wallets/transfers',
    query: { userId: payer },
  });
  return records.some(({ transferDetails }) => transferDetails.requestId === requestId);
};

const approved = (world: World) =>
  payOnce(world, KEY, (payments, inDoubt) =>
    payments.transfers.create({ ...order(world), requireApproval: true }, { inDoubt }),
  );

type Balance = { credit: number };
const isApproved = ({ eventType }: { eventType: string }) => eventType === 'TRANSFER.APPROVAL.APPROVED';
const creditedOnce: Program['check'] = async ({ store }) => {
  const { credit } = (await store.get<Balance>('balance')) ?? { credit: 0 };
  return credit === 25 ? undefined : `credited ${credit}`;
};
const credit = ({ store }: World) =>
  store.update<Balance>('balance', (row) => ({ credit: (row?.credit ?? 0) + 25 }));

export const wrongPrograms: Readonly<Record<string, WrongProgram>> = {
  'a key made of the attempt': {
    what: 'paid twice',
    pay: async (world) => {
      const attempt = await begin(world, KEY);
      return claim(
        world.payments.transfers.create(order(world, requestIdFrom('invoice', 'inv-7', attempt))),
        again,
      );
    },
  },
  'a new key after a restart': {
    what: 'paid twice',
    pay: (world) => claim(world.payments.transfers.create(order(world, random())), again),
  },
  'the key in a row that is written after the call': {
    what: 'paid twice',
    pay: async (world) => {
      const requestId = (await world.store.get<Row>('inv-7'))?.requestId ?? random();
      const said = await claim(world.payments.transfers.create(order(world, requestId)), again);
      await world.store.set('inv-7', { requestId });
      return said;
    },
  },
  'a new key after an unknown outcome': {
    what: 'paid twice',
    pay: async (world) => {
      const said = await claim(world.payments.transfers.create(order(world)));
      if (said !== 'ask-again') return said === 'accepted' ? said : 'ask-again';
      return claim(
        world.payments.transfers.create(order(world, requestIdFrom('invoice', 'inv-7', 'again'))),
        again,
      );
    },
  },
  'a retry loop with new keys': {
    what: 'paid twice',
    pay: async (world) => {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const said = await claim(world.payments.transfers.create(order(world, random())), again);
        if (said === 'accepted') return said;
      }
      return 'ask-again';
    },
  },
  'a catch that means not paid': { what: "'not-made' with the payment", pay: withRow(unpaid) },
  'a 429 that means not paid, after a restart': {
    what: "'not-made' with the payment",
    pay: (world) => claim(world.payments.transfers.create(order(world))),
  },
  'a status that means not paid': {
    what: "'not-made' with the payment",
    pay: withRow(unpaidIf((error) => error instanceof Error && 'status' in error && error.status === 503)),
  },
  'a known key that means not paid': {
    what: "'not-made' with the payment",
    pay: withRow(unpaidIf((error) => isPaymentsError(error) && error.code === 'request_id_known')),
  },
  'a timeout that means not paid': {
    what: "'not-made' with the payment",
    pay: withRow(unpaidIf((error) => error instanceof TimeoutError)),
  },
  'a lost connection that means not paid': {
    what: "'not-made' with the payment",
    pay: withRow(unpaidIf((error) => error instanceof ConnectionError && !(error instanceof TimeoutError))),
  },
  'an odd response that means not paid': {
    what: "'not-made' with the payment",
    pay: withRow(unpaidIf((error) => isPaymentsError(error) && error.outcome === 'succeeded')),
  },
  'an unknown outcome that means paid': {
    what: "'accepted' without the payment",
    pay: withRow((error) => (claimOf(error) === 'ask-again' ? 'accepted' : claimOf(error))),
  },
  'a row that says accepted before the call': {
    what: "'accepted' without the payment",
    pay: async (world) => {
      if ((await world.store.get<Row>(KEY))?.state === 'accepted') return 'accepted';
      await world.store.set(KEY, { state: 'accepted' });
      return claim(world.payments.transfers.create(order(world)), again);
    },
  },
  'memory as the truth': (() => {
    const paid = new Set<string>();
    return {
      remembers: true,
      what: "'accepted' without the payment",
      pay: async (world: World): Promise<Claim> => {
        if (paid.has('inv-7')) return 'accepted';
        paid.add('inv-7');
        return claim(world.payments.transfers.create(order(world)));
      },
    };
  })(),
  'a write before the call that is not awaited': {
    what: 'paid twice',
    pay: async (world) => {
      const requestId = (await world.store.get<Row>('inv-7'))?.requestId ?? random();
      void world.store.set('inv-7', { requestId });
      return claim(world.payments.transfers.create(order(world, requestId)), again);
    },
  },
  'a write beside the call': {
    what: 'paid twice',
    pay: async (world) => {
      const requestId = (await world.store.get<Row>('inv-7'))?.requestId ?? random();
      const [said] = await Promise.all([
        claim(world.payments.transfers.create(order(world, requestId)), again),
        world.store.set('inv-7', { requestId }),
      ]);
      return said;
    },
  },
  'a write after the call that is not awaited': {
    what: 'the row says in doubt',
    pay: async (world) => {
      const begun = await begin(world, KEY);
      const said = await claim(world.payments.transfers.create(order(world), { inDoubt: begun > 1 }), again);
      if (said === 'accepted') void world.store.set(KEY, { state: 'accepted', begins: begun });
      return said;
    },
    check: async ({ store }) => {
      const row = await store.get<Row>(KEY);
      return row?.state === 'accepted' ? undefined : `the row says ${row?.state}`;
    },
  },
  'a call that is not awaited': {
    what: "'accepted' without the payment",
    pay: async (world) => {
      await world.store.set(KEY, { state: 'accepted' });
      world.payments.transfers.create(order(world)).catch(() => undefined);
      return 'accepted';
    },
  },
  'another amount after a restart': {
    what: 'another payment than ordered',
    pay: async (world) => {
      const begun = await begin(world, KEY);
      const amount = begun === 1 ? 25 : 25.25;
      const requestId = requestIdFrom('invoice', 'inv-7', String(amount));
      return claim(world.payments.transfers.create(order(world, requestId, amount)), again);
    },
  },
  'check, then act': {
    what: 'paid twice',
    processes: 2,
    pay: async (world) => {
      let requestId = (await world.store.get<Row>('inv-7'))?.requestId;
      if (requestId === undefined) {
        requestId = random();
        await world.store.set('inv-7', { requestId });
      }
      return claim(world.payments.transfers.create(order(world, requestId)), again);
    },
  },
  'a row that another process overwrites': {
    what: "'not-made' with the payment",
    processes: 2,
    pay: async (world) => {
      const before = await world.store.get<Row>(KEY);
      const inDoubt = before?.state === 'in doubt' || before?.state === 'accepted';
      await world.store.set(KEY, { state: 'in doubt' });
      const state = await claim(world.payments.transfers.create(order(world), { inDoubt }));
      if (state !== 'ask-again') await world.store.set(KEY, { state });
      return state;
    },
  },
  'a row that means accepted while another process pays': {
    what: "'accepted' without the payment",
    processes: 2,
    pay: async (world) => {
      const before = await world.store.get<Row>(KEY);
      if (before !== undefined && world.now() - (before.at ?? 0) < 60_000) return 'accepted';
      await world.store.set(KEY, { at: world.now() });
      return claim(world.payments.transfers.create(order(world)), again);
    },
  },
  'a row that is never resolved': {
    what: 'asks again for ever',
    pay: async (world) => {
      if ((await world.store.get(KEY)) !== undefined) return 'ask-again';
      await world.store.set(KEY, { state: 'in doubt' });
      return claim(world.payments.transfers.create(order(world)), again);
    },
  },
  'a lookup that finds nothing, taken for not paid': {
    what: 'paid twice',
    pay: async (world) => {
      const said = await claim(world.payments.transfers.create(order(world)));
      if (said !== 'ask-again') return said === 'accepted' ? said : 'ask-again';
      if (await lookUp(world, KEY).catch(() => true)) return 'ask-again';
      return claim(
        world.payments.transfers.create(order(world, requestIdFrom('invoice', 'inv-7', 2))),
        again,
      );
    },
  },
  'a batch that is sent again under a new key': {
    what: 'paid twice',
    pay: (world) => claim(world.payments.transfers.createBatch(batchOrder(world, random())), again),
  },
  'a batch that is split after a lost response': {
    what: 'paid twice',
    pay: async (world) => {
      const whole = requestIdFrom('payroll', 'whole');
      const said = await claim(world.payments.transfers.createBatch(batchOrder(world, whole)), again);
      if (said === 'accepted') return said;
      const halves = [10, 20].map((amount) =>
        claim(world.payments.transfers.create(order(world, requestIdFrom('payroll', amount), amount)), again),
      );
      return (await Promise.all(halves)).every((half) => half === 'accepted') ? 'accepted' : 'ask-again';
    },
  },
  'batches whose keys follow from what is left': {
    what: 'paid twice',
    pay: async (world) => {
      const all = [10, 20, 30];
      const done = (await world.store.get<number[]>('done')) ?? [];
      const left = all.filter((amount) => !done.includes(amount));
      for (const [place, amount] of left.entries()) {
        const requestId = requestIdFrom('payroll', world.payer, place, done.length);
        const said = await claim(
          world.payments.transfers.createBatch(batchOrder(world, requestId, [amount, amount + 1])),
          again,
        );
        if (said !== 'accepted') return 'ask-again';
        // Every second batch is noted.
        if (place % 2 === 1) await world.store.set('done', all.slice(0, place + 1));
      }
      return 'accepted';
    },
  },
  'half of the batches taken for all': {
    what: "'accepted' without the payment",
    pay: async (world) => {
      const said: Claim[] = [];
      for (const month of ['a', 'b'])
        said.push(
          await claim(world.payments.transfers.createBatch(batchOrder(world, requestIdFrom(month))), again),
        );
      return said.includes('accepted') ? 'accepted' : 'ask-again';
    },
  },
  'a handler that counts an event twice': {
    what: 'credited 50',
    pay: approved,
    hear: async (event, world) => {
      if (isApproved(event)) await credit(world);
    },
    check: creditedOnce,
  },
  'a handler that notes the event before its work': {
    what: 'credited 0',
    pay: approved,
    hear: async (event, world) => {
      if (!isApproved(event)) return;
      let isNew = false;
      await world.store.update<boolean>(event.eventId, (seen = false) => {
        isNew = !seen;
        return true;
      });
      if (isNew) await credit(world);
    },
    check: creditedOnce,
  },
  'a handler that notes the event after its work': {
    what: 'credited 50',
    pay: approved,
    hear: async (event, world) => {
      if (!isApproved(event) || (await world.store.get(event.eventId)) !== undefined) return;
      await credit(world);
      await world.store.set(event.eventId, true);
    },
    check: creditedOnce,
  },
  'a handler that drops an event before its row': {
    what: 'the row says accepted',
    pay: async (world) => {
      const { transferDetails } = await world.payments.transfers.create({
        ...order(world),
        requireApproval: true,
      });
      await world.store.update<Row>(transferDetails.id, (row) => ({ state: 'accepted', ...row }));
      return 'accepted';
    },
    hear: async (event, { store }) => {
      if (!isApproved(event)) return;
      const id = String(event.data.transferId);
      if ((await store.get(id)) === undefined) return;
      await store.set(id, { state: 'paid' });
    },
    check: async ({ store, payments }) => {
      const row = await store.get<Row>(payments[0]?.id ?? '');
      return row?.state === 'paid' ? undefined : `the row says ${row?.state}`;
    },
  },
  'a handler that lets the last event win': {
    what: 'the last event was TRANSFER.APPROVAL.PENDING',
    pay: approved,
    hear: async ({ eventType }, { store }) => {
      if (eventType.startsWith('TRANSFER.APPROVAL.')) await store.set('last', eventType);
    },
    check: async ({ store }) => {
      const last = await store.get<string>('last');
      return last === 'TRANSFER.APPROVAL.APPROVED' ? undefined : `the last event was ${last}`;
    },
  },
  'a handler that swallows a failure': {
    what: 'credited 0',
    pay: approved,
    hear: async (event, world) => {
      if (!isApproved(event)) return;
      const isFound = await lookUp(world, KEY).catch(() => false);
      if (isFound) await world.store.set('balance', { credit: 25 });
    },
    check: creditedOnce,
  },
  'a handler that does not await its write': {
    what: 'credited 0',
    pay: approved,
    hear: async (event, world) => {
      if (isApproved(event)) void world.store.set('balance', { credit: 25 });
    },
    check: creditedOnce,
  },
  'a handler that pays for each event': {
    what: 'paid twice',
    pay: approved,
    hear: async (event, world) => {
      if (isApproved(event)) await world.payments.transfers.create(order(world, random(), 1));
    },
  },
  'a handler that fails for ever': {
    what: 'TRANSFER.APPROVAL.APPROVED is never handled',
    pay: approved,
    hear: async (event, { store }) => {
      if (!isApproved(event)) return;
      if ((await store.get('handled')) !== undefined) throw new Error('handled already');
      await store.set('handled', true);
    },
  },
};
