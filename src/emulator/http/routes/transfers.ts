import type * as z from 'zod/mini';
import { transferWire } from '../../dialect/transfers.ts';
import {
  batchTransfer,
  newBridge,
  newOfframp,
  walletTransfer,
  withoutInstructions,
} from '../../reading/payment-bodies.ts';
import { noQuery } from '../../reading/query.ts';
import { noBody } from '../../reading/request-body.ts';
import type { FeeRequest } from '../../service/quotes.ts';
import type { EmulatedTransferRecord } from '../../service/records/index.ts';
import { acceptTransferQuote } from '../../service/transfers/execution.ts';
import { createTransfer, type NewTransfer } from '../../service/transfers/transfers.ts';
import { partyOnChain } from '../../service/transfers/wallets.ts';
import type { World } from '../../state/world.ts';
import { type CheckedCall, ok, once, type Route, route } from './route.ts';

export const transferRoutes = [
  route({
    operation: 'transfers.create',
    method: 'POST',
    path: '/v2/wallets/transfers',
    summary: 'Creates a transfer to one wallet.',
    body: walletTransfer,
    query: noQuery,
    handle: (call) => {
      const params = call.body;
      const { userId = null } = params.destination;
      return createOnce(call, 'transfers.create', {
        ...common(params),
        transferType: 'WALLET.TRANSFER',
        destination: params.destination,
        parts: [{ userId, amount: params.amount, field: 'amount' }],
      });
    },
  }),
  route({
    operation: 'transfers.createBatch',
    method: 'POST',
    path: '/v2/wallets/transfers/batches',
    summary: 'Creates transfers to up to 50 recipients.',
    body: batchTransfer,
    query: noQuery,
    handle: (call) => {
      const params = call.body;
      return createOnce(call, 'transfers.createBatch', {
        ...common(params),
        transferType: 'WALLET.TRANSFER.BATCH',
        destination: params.destination,
        parts: params.destination.batch.map(({ userId = null, amount }, place) => ({
          userId,
          amount: Number(amount ?? params.amount),
          field: `destination.batch.${place}.amount`,
        })),
      });
    },
  }),
  route({
    operation: 'bridges.create',
    method: 'POST',
    path: '/v2/wallets/bridges',
    summary: 'Creates a transfer to another chain.',
    body: newBridge,
    query: noQuery,
    handle: (call) => {
      const params = call.body;
      const arrivesOn = params.destination?.chain ?? null;
      return createOnce(call, 'bridges.create', {
        ...converted(params),
        transferType: 'WALLET.BRIDGE',
        arrivesOn,
      });
    },
  }),
  route({
    operation: 'offramps.create',
    method: 'POST',
    path: '/v2/offramps',
    summary: 'Creates an offramp.',
    body: newOfframp,
    query: noQuery,
    handle: (call) => {
      const params = call.body;
      const { purposeOfPayment = null, description = null } = params;
      return createOnce(call, 'offramps.create', {
        ...converted(params),
        transferType: 'OFFRAMP',
        destination: withoutInstructions(params.destination),
        receives: params.destination?.currency ?? null,
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
    body: noBody,
    query: noQuery,
    handle: ({ world, path: part }) =>
      ok(wireOf(world, acceptTransferQuote(world, part('transferId'), transferType))),
  });
}

function createOnce(call: CheckedCall<unknown, unknown>, operation: Route['operation'], params: NewTransfer) {
  const { world } = call;
  return once(call, operation, params.requestId, () => wireOf(world, createTransfer(world, params)));
}

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
  return { ...common(params), destination, receiveAmount, parts };
}
