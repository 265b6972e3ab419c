import type { BridgeStatus } from '../service/bridges.ts';
import type { OfframpStatus } from '../service/offramps.ts';
import type { OnrampStatus } from '../service/onramps.ts';
import type { TransferStatus } from '../service/transfers.ts';

/** The statuses of a payment that ended without moving money. */
export const endedWithoutMoney: readonly string[] = [
  'FAILED',
  'CANCELLED',
  'CANCELED',
  'DECLINED',
  'REJECTED',
  'EXPIRED',
  'QUOTE_FAILED',
];

/** Returns true for the status of a payment that failed on the way, or whose money came back. */
export const isFailedOnTheWay = (status: string): boolean =>
  /_FAILED$|(?:^|_)(?:RETURNED|REFUNDED)$/.test(status);

/** The other statuses of payments. The compiler finds one that is missing. */
const others = {
  NOT_INITIATED: true,
  PENDING_APPROVAL: true,
  APPROVED: true,
  CREATED: true,
  INITIATED: true,
  PENDING: true,
  COMPLETED: true,
  UNKNOWN: true,
  OPEN_QUOTE: true,
  AWAITING_FUNDS: true,
  IN_REVIEW: true,
  FIAT_INITIATED: true,
  FIAT_PENDING: true,
  FIAT_PROCESSED: true,
  CRYPTO_INITIATED: true,
  CRYPTO_PENDING: true,
  SOURCE_INITIATED: true,
  SOURCE_PENDING: true,
  SOURCE_PROCESSED: true,
  DESTINATION_INITIATED: true,
  DESTINATION_PENDING: true,
} satisfies Record<
  Exclude<
    TransferStatus | OnrampStatus | BridgeStatus | OfframpStatus,
    `${string}FAILED` | `${string}RETURNED` | 'CANCELLED' | 'REJECTED' | 'EXPIRED'
  >,
  true
>;

/** Returns true for a status in upper case that this version knows as that of a payment. */
export const isPaymentStatus = (status: string): boolean =>
  Object.hasOwn(others, status) || endedWithoutMoney.includes(status) || isFailedOnTheWay(status);
