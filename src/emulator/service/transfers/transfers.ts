import { numberOfMicros } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { emitTransfer } from '../events.ts';
import { developerFeeOf, exactAmount, type FeeRequest } from '../quotes.ts';
import type {
  EmulatedTransferDetails,
  EmulatedTransferRecord,
  TransferPart,
  TransferType,
} from '../records/transfer.ts';
import { findUser } from '../users.ts';
import { openApproval } from './approvals.ts';
import { debit } from './balances.ts';
import { execute, quoteOf, sourceOf, totalOf } from './execution.ts';

export interface NewTransfer
  extends Pick<
      EmulatedTransferRecord,
      'transferType' | 'requestId' | 'receives' | 'receiveAmount' | 'arrivesOn' | 'stated'
    >,
    Pick<EmulatedTransferDetails, 'destination' | 'currency' | 'chain'> {
  /** The sender; without a user if an external wallet pays. */
  source: Record<string, unknown> & { userId: string | null };
  /** Each part with the field of the request in which its amount stands, for messages. */
  parts: readonly (TransferPart & { field: string })[];
  fee: FeeRequest | null;
  requireApproval: boolean;
}

/** Bridges and offramps convert, so they carry a quote; it is made when they may execute, not before. */
const QUOTED: readonly TransferType[] = ['WALLET.BRIDGE', 'OFFRAMP'];

export function addTransfer(world: World, params: NewTransfer): EmulatedTransferRecord {
  const { requestId, requireApproval, transferType } = params;
  if (params.source.userId !== null) findUser(world, params.source.userId);
  for (const { userId } of params.parts) if (userId !== null) findUser(world, userId);
  for (const { amount, field } of params.parts) exactAmount(amount, field);
  const parts = sentParts(world, params);
  const total = totalOf({ parts });
  const id = world.ids.uuid('transfer');
  const now = world.clock.iso();
  const transfer: EmulatedTransferRecord = {
    id,
    requestId,
    transferType,
    transferDetails: {
      id,
      requestId,
      status: requireApproval ? 'PENDING_APPROVAL' : startStatusOf(world),
      amount: numberOfMicros(total),
      currency: params.currency,
      chain: params.chain,
      createdAt: now,
      updatedAt: now,
      failedReason: null,
      source: params.source,
      destination: params.destination,
      ...(QUOTED.includes(transferType) ? { quoteInformation: null } : {}),
      receipt: { transactionHash: null },
    },
    parts,
    setAside: null,
    developerFee: developerFeeOf(world, id, params.fee, total),
    receives: params.receives,
    receiveAmount: params.receiveAmount,
    arrivesOn: params.arrivesOn,
    stated: params.stated,
  };
  transfer.setAside = debit(world, sourceOf(transfer), totalOf(transfer));
  world.transfers.add(transfer);
  emitTransfer(world, transfer, 'CREATE');
  if (requireApproval) openApproval(world, transfer);
  else execute(world, transfer, world.clock.millis());
  return transfer;
}

/** The status of a new transfer that needs no approval. */
const startStatusOf = ({ dialect }: World) => (dialect.name === 'field' ? 'NOT_INITIATED' : 'CREATED');

/** The amount to send to each recipient, calculated if the request fixes the amount that arrives. */
function sentParts(world: World, params: NewTransfer): TransferPart[] {
  const { parts, receiveAmount } = params;
  const sent = parts.map(({ userId, amount }) => ({ userId, amount }));
  if (receiveAmount === null) return sent;
  const amount = Number(quoteOf(world, params, world.clock.millis()).sendGross.amount);
  return sent.map(({ userId }) => ({ userId, amount }));
}
