import type { OfframpStatus } from '../../types/offramp.ts';
import { OnrampStatus } from '../../types/onramp.ts';
import { TransferStatus } from '../../types/transfer.ts';
import { webhookEventTypes } from '../../types/webhook-event.ts';
import type { LikelyWebhookKind } from '../../types/webhook-kinds.ts';

const offrampStatuses = [
  ...Object.values(TransferStatus),
  ...(['OPEN_QUOTE', 'QUOTE_FAILED', 'CRYPTO_INITIATED', 'CRYPTO_PENDING', 'CRYPTO_FAILED'] as const),
  ...(['FIAT_INITIATED', 'FIAT_PENDING', 'FIAT_FAILED', 'FIAT_RETURNED', 'IN_REVIEW', 'EXPIRED'] as const),
] satisfies readonly OfframpStatus[];

/** The kinds that some services send, which the spec does not document. A test of types compares them with the type. */
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
] satisfies readonly LikelyWebhookKind[];

/** Every kind that is known: those of the spec, those that some services send, and their older names. */
export const knownKinds: readonly string[] = [
  ...webhookEventTypes,
  ...likelyWebhookKinds,
  ...['ONRAMP.CREATE', 'ONRAMP.UPDATE', 'OFFRAMP.CREATE', 'OFFRAMP.UPDATE', 'TRANSFER.APPROVAL.EXPIRED'],
];

/** The wildcards over the known kinds, such as `ONRAMP.STATUS.*`. */
export const knownWildcards = (): string[] => [
  ...new Set(
    knownKinds.flatMap((kind) => {
      const parts = kind.split('.');
      return parts.slice(1).map((_part, index) => `${parts.slice(0, index + 1).join('.')}.*`);
    }),
  ),
];
