import { transfer, transferBatch } from '../shared/service/transfers.ts';
import { shape } from './zod.ts';

export const transferShape = /* @__PURE__ */ shape(transfer, [
  'transferDetails.id',
  'transferDetails.status',
]);

/** The spec does not show the record, so that nothing in it is essential. */
export const transferBatchShape = /* @__PURE__ */ shape(transferBatch, []);
