import type { OfframpStatus } from './offramps.ts';
import { OnrampStatus } from './onramps.ts';
import { TransferStatus } from './transfers.ts';

/** The event kinds that the service documents (spec: Events). */
export const webhookEventTypes = [
  'ACCOUNT.ONRAMP.CREATE',
  'ACCOUNT.ONRAMP.UPDATE',
  'TRANSFER.APPROVAL.PENDING',
  'TRANSFER.APPROVAL.APPROVED',
  'TRANSFER.APPROVAL.REJECTED',
] as const;

/** The kind of a documented event: `ACCOUNT.ONRAMP.CREATE` or `UPDATE`, `TRANSFER.APPROVAL.PENDING`, `APPROVED` or `REJECTED`. */
export type WebhookEventType = (typeof webhookEventTypes)[number];

const offrampOnly = [
  ...(['OPEN_QUOTE', 'QUOTE_FAILED', 'CRYPTO_INITIATED', 'CRYPTO_PENDING', 'CRYPTO_FAILED'] as const),
  ...(['FIAT_INITIATED', 'FIAT_PENDING', 'FIAT_FAILED', 'FIAT_RETURNED', 'IN_REVIEW', 'EXPIRED'] as const),
] as const satisfies readonly OfframpStatus[];

const otherKinds = [
  ...(['USER.STATUS.CREATE', 'USER.STATUS.UPDATE', 'KYC.STATUS.UPDATE', 'KYC.DATA.UPDATE'] as const),
  ...(['ACCOUNT.OFFRAMP.CREATE', 'ACCOUNT.OFFRAMP.UPDATE'] as const),
  ...(['ACCOUNT.VIRTUAL_ACCOUNT.CREATE', 'ACCOUNT.VIRTUAL_ACCOUNT.UPDATE'] as const),
  ...(['WALLET.TRANSFER.CREATE', 'WALLET.TRANSFER.UPDATE', 'WALLET.TRANSFER.BATCH'] as const),
  ...(['WALLET.BRIDGE.CREATE', 'WALLET.BRIDGE.UPDATE', 'WALLET.TOKEN.BALANCE.UPDATE'] as const),
  ...(['ONRAMP.TRANSACTION.CREATED', 'OFFRAMP.TRANSACTION.CREATED'] as const),
  ...(['ONRAMP.RFI.OPEN', 'ONRAMP.RFI.CLOSED', 'OFFRAMP.RFI.OPEN', 'OFFRAMP.RFI.CLOSED'] as const),
] as const;

type ValueOf<T> = T[keyof T];

/** Kinds that some services send, which the service does not document. Completion only: any other kind is possible. */
// Written out: the compiler lists the members of an inferred union in an order of its own.
export type LikelyWebhookKind =
  | (typeof otherKinds)[number]
  | `ONRAMP.STATUS.${ValueOf<typeof OnrampStatus>}`
  | `OFFRAMP.STATUS.${ValueOf<typeof TransferStatus> | (typeof offrampOnly)[number]}`;

/** Kinds that some services send, which the service does not document. */
export const likelyWebhookKinds: readonly LikelyWebhookKind[] = [
  ...otherKinds,
  ...Object.values(OnrampStatus).map((status) => `ONRAMP.STATUS.${status}` as const),
  ...[...Object.values(TransferStatus), ...offrampOnly].map((status) => `OFFRAMP.STATUS.${status}` as const),
];
