export {
  type Transfer,
  type TransferBatch,
  type TransferBatchCreateParams,
  type TransferBatchDestinationParams,
  type TransferBatchDetails,
  type TransferBatchRecipient,
  type TransferBatchRecipientParams,
  type TransferCreateParams,
  type TransferDestinationParams,
  type TransferDetails,
  type TransferSourceParams,
  TransferStatus,
} from '../shared/service/transfers.ts';
