export type {
  PaymentRecord,
  QuotedPaymentRecord,
  StablecoinPaymentRecord,
} from '../shared/service/payment-records.ts';
export {
  type Transfer,
  type TransferBatch,
  type TransferBatchCreateParams,
  type TransferBatchDestination,
  type TransferBatchDestinationParams,
  type TransferBatchDetails,
  type TransferBatchRecipient,
  type TransferBatchRecipientParams,
  type TransferCreateParams,
  type TransferDestinationParams,
  type TransferDetails,
  type TransferParty,
  type TransferReceipt,
  type TransferRecord,
  type TransferSourceParams,
  TransferStatus,
} from '../shared/service/transfers.ts';
