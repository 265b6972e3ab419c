import type { BridgeStatus } from '../service/bridges.ts';
import type { OfframpStatus } from '../service/offramps.ts';
import { OnrampStatus } from '../service/onramps.ts';
import { TransferStatus } from '../service/transfers.ts';

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

type OtherStatus = Exclude<BridgeStatus | OfframpStatus, TransferStatus | OnrampStatus>;

const ofBridgesAndOfframps: readonly OtherStatus[] = [
  'SOURCE_INITIATED',
  'SOURCE_PENDING',
  'SOURCE_FAILED',
  'DESTINATION_INITIATED',
  'DESTINATION_PENDING',
  'DESTINATION_FAILED',
  'IN_REVIEW',
];

/** Returns true for a status in upper case that this version knows as that of a payment. */
export const isPaymentStatus = (status: string): boolean =>
  Object.hasOwn(TransferStatus, status) ||
  Object.hasOwn(OnrampStatus, status) ||
  ofBridgesAndOfframps.some((one) => one === status) ||
  endedWithoutMoney.includes(status) ||
  isFailedOnTheWay(status);
