import { onrampWire, transferWire } from '../../dialect/payments.ts';
import {
  batchTransfer,
  newBridge,
  newOfframp,
  newOnramp,
  walletTransfer,
  withoutInstructions,
} from '../../reading/payment-bodies.ts';
import { usableAccount } from '../../service/accounts.ts';
import { acceptOnrampQuote, addOnramp, refreshOnrampQuote } from '../../service/onramps/onramps.ts';
import type { FeeRequest } from '../../service/quotes.ts';
import type { EmulatedTransferRecord } from '../../service/records/transfer.ts';
import { acceptTransferQuote } from '../../service/transfers/execution.ts';
import { addTransfer, type NewTransfer } from '../../service/transfers/transfers.ts';
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
      return made(world, {
        ...commonRoute(params, params),
        transferType: 'WALLET.TRANSFER',
        destination,
        parts,
      });
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
        amount: Number(amount),
        field: `destination.batch.${place}.amount`,
      }));
      return made(world, {
        ...commonRoute(params, params),
        transferType: 'WALLET.TRANSFER.BATCH',
        destination,
        parts,
      });
    },
  }),
  creation({
    operation: 'bridges.create',
    path: '/v2/wallets/bridges',
    summary: 'Creates a transfer to another chain.',
    body: newBridge,
    make: (world, params) => {
      const { amount, source } = params;
      const { userId, walletAddress, currency, chain } = params.destination;
      // Without a recipient it arrives at the paying user's wallet.
      const own = (userId ?? walletAddress ?? null) === null ? { userId: source.userId } : {};
      const destination = { ...params.destination, ...own };
      return made(world, {
        ...commonRoute(params, source),
        transferType: 'WALLET.BRIDGE',
        destination,
        parts: [{ userId: destination.userId ?? null, amount, field: 'amount' }],
        receives: currency,
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
      const { source, destination, purposeOfPayment = null, description = null } = params;
      const { userId = null, amount: receiveAmount = null, currency, accountId } = destination;
      const owner = world.accounts.peek(accountId)?.userId;
      // Any other text stands for an account that was made elsewhere.
      if (owner !== undefined)
        usableAccount(world, userId ?? source.userId ?? owner, accountId, { rail: 'offramp', currency });
      const part =
        receiveAmount === null
          ? { amount: source.amount ?? 0, field: 'source.amount' }
          : { amount: receiveAmount, field: 'destination.amount' };
      return made(world, {
        ...commonRoute(params, source),
        transferType: 'OFFRAMP',
        destination: withoutInstructions(destination),
        parts: [{ userId, ...part }],
        receives: currency,
        receiveAmount,
        stated: { purposeOfPayment, description },
      });
    },
  }),
  acceptRoute('bridges.acceptQuote', '/v2/wallets/bridges/:transferId/accept'),
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

const made = (world: World, params: NewTransfer) => wireOf(world, addTransfer(world, params));

const wireOf = (world: World, transfer: EmulatedTransferRecord) =>
  transferWire(world.dialect, transfer, (side, chain) => partyOnChain(world, side, chain));

interface Common {
  requestId: string;
  source: { userId?: string | null | undefined };
  fee?: FeeRequest | null | undefined;
  requireApproval?: boolean | null | undefined;
}

function commonRoute(params: Common, { currency, chain }: { currency: string; chain: string }) {
  return {
    requestId: params.requestId,
    source: { ...params.source, userId: params.source.userId ?? null },
    currency,
    chain,
    receives: null,
    arrivesOn: null,
    receiveAmount: null,
    stated: { purposeOfPayment: null, description: null },
    fee: params.fee ?? null,
    requireApproval: params.requireApproval ?? false,
  };
}

export const onrampRoutes = [
  creation({
    operation: 'onramps.create',
    path: '/v2/onramps',
    summary: 'Creates an onramp.',
    body: newOnramp,
    make: (world, body) => onrampWire(world.dialect, addOnramp(world, body)),
  }),
  route({
    operation: 'onramps.refreshQuote',
    method: 'POST',
    path: '/v2/onramps/:transferId/quote/refresh',
    summary: 'Replaces the quote of an onramp whose status is OPEN_QUOTE.',
    ...NO_INPUT,
    handle: ({ world, path }) => ok(onrampWire(world.dialect, refreshOnrampQuote(world, path('transferId')))),
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
