import type { OfframpStatus } from './offramp.ts';
import { OnrampStatus } from './onramp.ts';
import { TransferStatus } from './transfer.ts';

/** The event kinds that the service documents (spec: Events). */
export const webhookEventTypes = [
  'ACCOUNT.ONRAMP.CREATE',
  'ACCOUNT.ONRAMP.UPDATE',
  'TRANSFER.APPROVAL.PENDING',
  'TRANSFER.APPROVAL.APPROVED',
  'TRANSFER.APPROVAL.REJECTED',
] as const;

const offrampStatuses = [
  ...Object.values(TransferStatus),
  ...(['OPEN_QUOTE', 'QUOTE_FAILED', 'CRYPTO_INITIATED', 'CRYPTO_PENDING', 'CRYPTO_FAILED'] as const),
  ...(['FIAT_INITIATED', 'FIAT_PENDING', 'FIAT_FAILED', 'FIAT_RETURNED', 'IN_REVIEW', 'EXPIRED'] as const),
] satisfies readonly OfframpStatus[];

/** Kinds that some services send, which the spec does not document. */
export const likelyWebhookKinds = [
  ...(['USER.STATUS.CREATE', 'USER.STATUS.UPDATE', 'KYC.STATUS.UPDATE', 'KYC.DATA.UPDATE'] as const),
  ...(['ACCOUNT.OFFRAMP.CREATE', 'ACCOUNT.OFFRAMP.UPDATE'] as const),
  ...(['ACCOUNT.VIRTUAL_ACCOUNT.CREATE', 'ACCOUNT.VIRTUAL_ACCOUNT.UPDATE'] as const),
  ...(['WALLET.TRANSFER.CREATE', 'WALLET.TRANSFER.UPDATE', 'WALLET.TRANSFER.BATCH'] as const),
  ...(['WALLET.BRIDGE.CREATE', 'WALLET.BRIDGE.UPDATE', 'WALLET.TOKEN.BALANCE.UPDATE'] as const),
  ...(['ONRAMP.TRANSACTION.CREATED', 'OFFRAMP.TRANSACTION.CREATED'] as const),
  ...(['ONRAMP.RFI.OPEN', 'ONRAMP.RFI.CLOSED', 'OFFRAMP.RFI.OPEN', 'OFFRAMP.RFI.CLOSED'] as const),
  ...Object.values(OnrampStatus).map((status) => `ONRAMP.STATUS.${status}` as const),
  ...offrampStatuses.map((status) => `OFFRAMP.STATUS.${status}` as const),
];
