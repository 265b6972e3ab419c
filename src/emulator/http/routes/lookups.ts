import * as z from 'zod/mini';
import { cursorQuery, recordPage } from '../../dialect/lists.ts';
import { onrampWire, transferWire } from '../../dialect/payments.ts';
import { notFound } from '../../problem.ts';
import { noBody, textField, timeField } from '../../reading/check.ts';
import type { EmulatedTransferRecord, TransferType } from '../../service/records/transfer.ts';
import { partyOnChain } from '../../service/transfers/wallets.ts';
import type { World } from '../../state/world.ts';
import { NO_INPUT, ok, type Route, route } from './route.ts';

type Family = 'onramps' | 'transfers' | 'bridges' | 'offramps';

/** A payment as the lookups read it: its wire form, and the fields by which a list chooses. */
interface FoundPayment {
  id: string;
  payer: unknown;
  createdAt: string;
  wire: () => object;
}

const transfersOf =
  (...types: TransferType[]) =>
  (world: World): FoundPayment[] =>
    world.transfers
      .list()
      .filter(({ transferType }) => types.includes(transferType))
      .map((transfer) => ({
        id: transfer.id,
        payer: transfer.transferDetails.source.userId,
        createdAt: transfer.transferDetails.createdAt,
        wire: () => lookupWireOf(world, transfer),
      }));

const onrampsOf = (world: World): FoundPayment[] =>
  world.onramps.list().map((onramp) => ({
    id: onramp.id,
    payer: onramp.transferDetails.source.userId,
    createdAt: onramp.transferDetails.createdAt,
    wire: () => onrampWire(world.dialect, onramp),
  }));

const lookupWireOf = (world: World, transfer: EmulatedTransferRecord) =>
  transferWire(world.dialect, transfer, (side, chain) => partyOnChain(world, side, chain));

const lookupFilters = {
  userId: z.optional(textField),
  createdBefore: z.optional(timeField),
  createdAfter: z.optional(timeField),
};

/** The operations that read one payment by its id, and the payments of a family in a list, newest first. */
function lookups(family: Family, path: string, payments: (world: World) => FoundPayment[]): Route[] {
  return [
    route({
      operation: `${family}.list`,
      method: 'GET',
      path,
      summary: `Lists ${family}, newest first. Most services have this operation; the spec does not show it.`,
      body: noBody,
      query: (dialect) => cursorQuery(dialect, lookupFilters),
      handle: ({ world, query }) => {
        const { userId, createdAfter = '' } = query;
        const listed = payments(world)
          .filter(({ payer }) => userId === undefined || payer === userId)
          .filter(({ createdAt }) => createdAfter === '' || Date.parse(createdAt) > Date.parse(createdAfter))
          .reverse();
        return ok(recordPage(world.dialect, listed, query));
      },
    }),
    route({
      operation: `${family}.retrieve`,
      method: 'GET',
      path: `${path}/:transferId`,
      summary: `Retrieves one of the ${family}. Most services have this operation; the spec does not show it.`,
      ...NO_INPUT,
      handle: ({ world, path: part }) => {
        const id = part('transferId');
        const found = payments(world).find((payment) => payment.id === id);
        if (found === undefined) throw notFound('transfer', id);
        return ok(found.wire());
      },
    }),
  ];
}

/** By which an application learns how a payment ended. */
export const lookupRoutes: readonly Route[] = [
  ...lookups('onramps', '/v2/onramps', onrampsOf),
  ...lookups('transfers', '/v2/wallets/transfers', transfersOf('WALLET.TRANSFER', 'WALLET.TRANSFER.BATCH')),
  ...lookups('bridges', '/v2/wallets/bridges', transfersOf('WALLET.BRIDGE')),
  ...lookups('offramps', '/v2/offramps', transfersOf('OFFRAMP')),
];
