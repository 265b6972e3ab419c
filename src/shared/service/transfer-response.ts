import { shape } from './response-shape.ts';
import { transfer, transferBatch } from './transfers.ts';

export const transferShape = /* @__PURE__ */ shape(transfer, [
  'transferDetails.id',
  'transferDetails.status',
]);

/** The spec does not show the record, so that nothing in it is essential. */
export const transferBatchShape = /* @__PURE__ */ shape(transferBatch, []);
