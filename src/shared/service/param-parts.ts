import type { FeeParams } from './fields.ts';
import { either, nullable, number, object, type ParamFields, text } from './param.ts';
import { lazy } from './response-shape.ts';
import type { TransferDestinationParams } from './transfers.ts';

/** A fee, or null for none. */
export const fee = /* @__PURE__ */ lazy(() =>
  nullable(
    object<FeeParams>({
      type: text(),
      value: either(number(), text(), 'must be a number or a decimal string'),
    }),
  ),
);

/** The two ways to name a recipient. */
export const payee = /* @__PURE__ */ lazy(
  (): ParamFields<TransferDestinationParams> => ({
    userId: nullable(text()),
    walletAddress: nullable(text()),
  }),
);
