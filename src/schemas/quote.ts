import { lazy, optionalText } from './common.ts';
import * as z from './zod.ts';

const money = lazy(() => z.looseObject({ amount: z.string(), currency: z.string() }));

export const quoteInformation = lazy(() =>
  z.looseObject({
    sendGross: z.nullish(money()),
    sendNet: z.nullish(money()),
    railFee: z.nullish(money()),
    receiveGross: z.nullish(money()),
    receiveNet: z.nullish(money()),
    rate: optionalText(),
    expiresAt: optionalText(),
  }),
);

/** An amount of a quote: a decimal string, so that no digit is lost, and its currency. */
export type QuoteAmount = z.infer<ReturnType<typeof money>>;

/** What a quote-based onramp sends, costs and yields. `expiresAt` may be the text `N/A`. */
export type QuoteInformation = z.infer<ReturnType<typeof quoteInformation>>;
