import type { OnrampRecord } from '../service/records/onramp.ts';
import { type EmulatedTransferRecord, MADE_BY } from '../service/records/transfer.ts';
import type { World } from '../state/world.ts';

/** A payment that was made under a `requestId`. */
export interface EmulatorPayment {
  /** The `requestId` of the request that made it. */
  requestId: string;
  /** The id of the transfer or onramp. */
  id: string;
  /** The operation that made it, named as in the client. */
  operation:
    | 'transfers.create'
    | 'transfers.createBatch'
    | 'bridges.create'
    | 'offramps.create'
    | 'onramps.create';
  /** The status as the service shows it. */
  status: string;
  /**
   * The meaning of the status for the money: it waits for an approval, a quote or a deposit, it is on its way, it has
   * arrived, or it will not be paid.
   */
  outcome: 'waiting' | 'in-progress' | 'paid' | 'not-paid';
  /** The amount that is sent; the sum for a batch. */
  amount: number;
  /** The currency that is sent, in lower case. */
  currency: string | null;
  /** The network of the payment, in upper case. */
  chain: string | null;
  /** The user or the external wallet that pays. */
  from: string;
  /** The users who are paid; empty where the payment leaves the service. */
  to: string[];
  /** The time of creation, by the emulator's clock. */
  createdAt: string;
}

/** Every payment that was made, oldest first. */
export function paymentsOf(world: World): EmulatorPayment[] {
  const transfers = world.transfers.list().map(transferPayment);
  const onramps = world.onramps.list().map(onrampPayment);
  return [...transfers, ...onramps].sort((a, b) =>
    a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt),
  );
}

function transferPayment({
  id,
  requestId,
  transferType,
  transferDetails,
  parts,
}: EmulatedTransferRecord): EmulatorPayment {
  const { status, amount, currency, chain, source, createdAt } = transferDetails;
  return {
    requestId,
    id,
    operation: MADE_BY[transferType],
    status,
    outcome: outcomeOf(status, WAITING_STATUSES),
    amount,
    currency,
    chain,
    from: String(source.userId ?? source.externalWalletId),
    to: parts.flatMap(({ userId }) => userId ?? []),
    createdAt,
  };
}

function onrampPayment({ id, requestId, transferDetails }: OnrampRecord): EmulatorPayment {
  const { status, source, destination, createdAt } = transferDetails;
  return {
    requestId,
    id,
    operation: 'onramps.create',
    status,
    outcome: outcomeOf(status, UNFUNDED),
    amount: source.amount,
    currency: source.currency,
    chain: destination.chain,
    from: source.userId,
    to: destination.userId === null ? [] : [destination.userId],
    createdAt,
  };
}

const WAITING_STATUSES = ['PENDING_APPROVAL', 'OPEN_QUOTE', 'UNKNOWN'];
const UNFUNDED = [...WAITING_STATUSES, 'NOT_INITIATED', 'CREATED', 'AWAITING_FUNDS', 'FIAT_INITIATED'];

function outcomeOf(status: string, waiting: readonly string[]): EmulatorPayment['outcome'] {
  if (status === 'COMPLETED') return 'paid';
  if (/FAILED|RETURNED|REJECTED|CANCELLED|EXPIRED/.test(status)) return 'not-paid';
  return waiting.includes(status) ? 'waiting' : 'in-progress';
}
