import * as z from 'zod';
import { lazy, optionalText } from './common.ts';

const money = lazy(() => z.looseObject({ amount: z.string(), currency: z.string() }));

export const quoteInformation = lazy(() =>
  z.looseObject({
    sendGross: money().nullish(),
    sendNet: money().nullish(),
    railFee: money().nullish(),
    receiveGross: money().nullish(),
    receiveNet: money().nullish(),
    rate: optionalText(),
    expiresAt: optionalText(),
  }),
);

/** An amount of a quote: a decimal string, so that no digit is lost, and its currency. */
export type QuoteAmount = z.infer<ReturnType<typeof money>>;

/** What a quote-based onramp sends, costs and yields. `expiresAt` may be the text `N/A`. */
export type QuoteInformation = z.infer<ReturnType<typeof quoteInformation>>;
