import type { FeeParams } from '../../shared/service/fields.ts';
import type { TransferDestinationParams } from '../../shared/service/transfers.ts';
import { lazy } from '../zod.ts';
import { either, nullable, number, object, type ParamFields, text } from './param.ts';

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
