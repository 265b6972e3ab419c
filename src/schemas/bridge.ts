import type { Bridge, BridgeDetails, BridgeOperations, BridgeParty, BridgeReceipt } from '../types/bridge.ts';
import { amount, quotedFields } from './parts.ts';
import { partyFields, receiptFields } from './transfer.ts';
import { anything, lazy, maybeText, nullish, record, shape, texts } from './zod.ts';

const party = /* @__PURE__ */ lazy(() =>
  record<BridgeParty>({ ...partyFields(), ...texts('chain currency'), amount: nullish(amount()) }),
);

const operations = /* @__PURE__ */ lazy(() =>
  record<BridgeOperations>({ mint: anything(), burn: anything(), approve: anything() }),
);

const receipt = /* @__PURE__ */ lazy(() =>
  record<BridgeReceipt>({ ...receiptFields(), operations: nullish(operations()) }),
);

const bridge = /* @__PURE__ */ lazy(() =>
  record<Bridge>({
    transferType: maybeText(),
    transferDetails: record<BridgeDetails>({
      ...quotedFields(),
      source: nullish(party()),
      destination: nullish(party()),
      receipt: nullish(receipt()),
    }),
  }),
);

/** The spec does not show the record, so that nothing in it is essential. */
export const bridgeShape = /* @__PURE__ */ shape<Bridge>(bridge, []);
