import type * as z from 'zod/mini';
import { onrampWire, transferWire } from '../../dialect/payments.ts';
import {
  batchTransfer,
  newBridge,
  newOfframp,
  newOnramp,
  walletTransfer,
  withoutInstructions,
} from '../../reading/payment-bodies.ts';
import { acceptOnrampQuote, createOnramp, refreshQuote } from '../../service/onramps/onramps.ts';
import type { FeeRequest } from '../../service/quotes.ts';
import type { EmulatedTransferRecord } from '../../service/records/transfer.ts';
import { acceptTransferQuote } from '../../service/transfers/execution.ts';
import { createTransfer, type NewTransfer } from '../../service/transfers/transfers.ts';
import { partyOnChain } from '../../service/transfers/wallets.ts';
import type { World } from '../../state/world.ts';
import { creation, NO_INPUT, ok, type Route, route } from './route.ts';

export const transferRoutes = [
  creation({
    operation: 'transfers.create',
    path: '/v2/wallets/transfers',
    summary: 'Creates a transfer to one wallet.',
    body: walletTransfer,
    make: (world, params) => {
      const { amount, destination } = params;
      const { userId = null } = destination;
      const parts = [{ userId, amount, field: 'amount' }];
      return made(world, { ...common(params), transferType: 'WALLET.TRANSFER', destination, parts });
    },
  }),
  creation({
    operation: 'transfers.createBatch',
    path: '/v2/wallets/transfers/batches',
    summary: 'Creates transfers to up to 50 recipients.',
    body: batchTransfer,
    make: (world, params) => {
      const { destination } = params;
      const parts = destination.batch.map(({ userId = null, amount }, place) => ({
        userId,
        amount: Number(amount ?? params.amount),
        field: `destination.batch.${place}.amount`,
      }));
      return made(world, { ...common(params), transferType: 'WALLET.TRANSFER.BATCH', destination, parts });
    },
  }),
  creation({
    operation: 'bridges.create',
    path: '/v2/wallets/bridges',
    summary: 'Creates a transfer to another chain.',
    body: newBridge,
    make: (world, params) => {
      const { userId, walletAddress, chain = null } = params.destination ?? {};
      // Without a recipient it arrives at the paying user's wallet.
      const own = (userId ?? walletAddress ?? null) === null ? { userId: params.source.userId } : {};
      const destination = { ...params.destination, ...own };
      return made(world, {
        ...converted({ ...params, destination }),
        transferType: 'WALLET.BRIDGE',
        arrivesOn: chain,
      });
    },
  }),
  creation({
    operation: 'offramps.create',
    path: '/v2/offramps',
    summary: 'Creates an offramp.',
    body: newOfframp,
    make: (world, params) => {
      const { purposeOfPayment = null, description = null } = params;
      return made(world, {
        ...converted(params),
        transferType: 'OFFRAMP',
        destination: withoutInstructions(params.destination),
        stated: { purposeOfPayment, description },
      });
    },
  }),
  acceptRoute('bridges.acceptQuote', '/v2/wallets/bridges/:transferId/accept'),
  acceptRoute('bridges.acceptQuote', '/v2/bridges/:transferId/accept'),
  acceptRoute('offramps.acceptQuote', '/v2/offramps/:transferId/quote/accept'),
];

function acceptRoute(operation: 'bridges.acceptQuote' | 'offramps.acceptQuote', path: string): Route {
  const transferType = operation === 'bridges.acceptQuote' ? 'WALLET.BRIDGE' : 'OFFRAMP';
  return route({
    operation,
    method: 'POST',
    path,
    summary: 'Accepts the quote of a transfer whose status is OPEN_QUOTE.',
    ...NO_INPUT,
    handle: ({ world, path: part }) =>
      ok(wireOf(world, acceptTransferQuote(world, part('transferId'), transferType))),
  });
}

const made = (world: World, params: NewTransfer) => wireOf(world, createTransfer(world, params));

const wireOf = (world: World, transfer: EmulatedTransferRecord) =>
  transferWire(world.dialect, transfer, (side, chain) => partyOnChain(world, side, chain));

interface Common {
  requestId: string;
  source: {
    userId?: string | null | undefined;
    currency?: string | null | undefined;
    chain?: string | null | undefined;
  };
  currency?: string | null | undefined;
  chain?: string | null | undefined;
  fee?: FeeRequest | null | undefined;
  requireApproval?: boolean | null | undefined;
}

function common(params: Common) {
  return {
    requestId: params.requestId,
    source: { ...params.source, userId: params.source.userId ?? null },
    currency: params.currency ?? params.source.currency ?? null,
    chain: params.chain ?? params.source.chain ?? null,
    receives: null,
    arrivesOn: null,
    receiveAmount: null,
    fee: params.fee ?? null,
    requireApproval: params.requireApproval ?? false,
  };
}

type Conversion = z.output<ReturnType<typeof newBridge>> | z.output<ReturnType<typeof newOfframp>>;

/** A bridge or an offramp: exactly one of the three amounts was given, which the schema has checked. */
function converted(params: Conversion) {
  const { destination = null } = params;
  const receiveAmount = destination?.amount ?? null;
  const fields = [
    { field: 'amount', amount: params.amount },
    { field: 'source.amount', amount: params.source.amount },
    { field: 'destination.amount', amount: receiveAmount },
  ];
  const parts = fields.flatMap(({ field, amount }) =>
    typeof amount === 'number' ? [{ userId: destination?.userId ?? null, field, amount }] : [],
  );
  return { ...common(params), destination, receives: destination?.currency ?? null, receiveAmount, parts };
}

export const onrampRoutes = [
  creation({
    operation: 'onramps.create',
    path: '/v2/onramps',
    summary: 'Creates an onramp.',
    body: newOnramp,
    make: (world, body) => onrampWire(world.dialect, createOnramp(world, body)),
  }),
  route({
    operation: 'onramps.refreshQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/refresh',
    summary: 'Replaces the quote of an onramp whose status is OPEN_QUOTE.',
    ...NO_INPUT,
    handle: ({ world, path }) => ok(onrampWire(world.dialect, refreshQuote(world, path('transferId')))),
  }),
  route({
    operation: 'onramps.acceptQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/accept',
    summary: 'Accepts the quote of an onramp whose status is OPEN_QUOTE.',
    ...NO_INPUT,
    handle: ({ world, path }) => ok(onrampWire(world.dialect, acceptOnrampQuote(world, path('transferId')))),
  }),
];
