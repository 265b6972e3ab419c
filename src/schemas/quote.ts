import { lazy, optionalText } from './common.ts';
import * as z from './zod.ts';

const money = lazy(() =>
  z.looseObject({
    /** Decimal string in units of the currency. */
    amount: z.string(),
    /** Currency. */
    currency: z.string(),
  }),
);

export const quoteInformation = lazy(() =>
  z.looseObject({
    /** What leaves the sender's account. */
    sendGross: z.nullish(money()),
    /** The same less the rail's fee. */
    sendNet: z.nullish(money()),
    /** What the rail takes. */
    railFee: z.nullish(money()),
    /** What is received before fees. */
    receiveGross: z.nullish(money()),
    /** What arrives. */
    receiveNet: z.nullish(money()),
    /** Units received for one sent, as a decimal string. */
    rate: optionalText(),
    /** Until when the quote holds, or `N/A`; see `quoteExpiresAt`. */
    expiresAt: optionalText(),
  }),
);

/** An amount of a quote: a decimal string, so that no digit is lost, and its currency. */
export interface QuoteAmount extends z.infer<ReturnType<typeof money>> {}

/** What a quote-based onramp sends, costs and yields. `expiresAt` may be the text `N/A`. */
export interface QuoteInformation extends z.infer<ReturnType<typeof quoteInformation>> {}
