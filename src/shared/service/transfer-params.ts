import { amount, decimal, exactlyOne, flag, list, maybe, object, requestId, text } from './param.ts';
import { fee, payee } from './param-parts.ts';
import { lazy } from './response-shape.ts';
import type {
  TransferBatchCreateParams,
  TransferBatchDestinationParams,
  TransferBatchRecipientParams,
  TransferCreateParams,
  TransferDestinationParams,
  TransferSourceParams,
} from './transfers.ts';

/** The service's limit for a batch. */
const mostRecipients = 50;

const source = /* @__PURE__ */ lazy(() => object<TransferSourceParams>({ userId: text() }));

const recipient = /* @__PURE__ */ lazy(() =>
  object<TransferBatchRecipientParams>(
    { ...payee(), amount: decimal() },
    exactlyOne('userId', 'walletAddress'),
  ),
);

export const transferCreateParams = /* @__PURE__ */ lazy(() =>
  object<TransferCreateParams>({
    requestId: requestId(),
    source: source(),
    destination: object<TransferDestinationParams>(payee(), exactlyOne('userId', 'walletAddress')),
    amount: amount(),
    currency: text(),
    chain: text(),
    requireApproval: maybe(flag()),
    fee: fee(),
  }),
);

export const transferBatchCreateParams = /* @__PURE__ */ lazy(() =>
  object<TransferBatchCreateParams>({
    requestId: requestId(),
    source: source(),
    destination: object<TransferBatchDestinationParams>({
      batch: list(recipient(), mostRecipients, 'recipients'),
    }),
    currency: text(),
    chain: text(),
    requireApproval: maybe(flag()),
  }),
);
