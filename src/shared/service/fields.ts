import * as z from 'zod/mini';
import {
  feeValue,
  lazy,
  looseObject,
  matching,
  nullishText,
  quantity,
  strictObject,
  text,
  texts,
} from '../schema/schema.ts';

/** A blockchain network, in upper case. Responses may name it more exactly, such as `POLYGON_MAINNET`. */
export type Chain = 'POLYGON' | 'ETHEREUM' | 'SOLANA' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | (string & {});

/** A stablecoin in lower case. Sandboxes may have test coins of their own. */
export type Stablecoin = 'usdc' | 'usdt' | (string & {});

/** A fiat currency in lower case. */
export type FiatCurrency =
  | 'usd'
  | 'eur'
  | 'brl'
  | 'hkd'
  | 'mxn'
  | 'cop'
  | 'ars'
  | 'ngn'
  | 'ugx'
  | 'kes'
  | 'zmw'
  | 'mwk'
  | 'rwf'
  | 'tzs'
  | 'xaf'
  | 'xof'
  | 'bwp'
  | 'cdf'
  | 'ghs'
  | 'zar'
  | (string & {});

/** The purpose of a payment. Most services require it for African currencies. */
export type PurposeOfPayment =
  | 'gift'
  | 'bills'
  | 'groceries'
  | 'travel'
  | 'health'
  | 'entertainment'
  | 'housing'
  | 'school-fees'
  | 'other'
  | (string & {});

/** Parameters that have an idempotency key. */
export interface KeyedParams {
  /** Idempotency key, a UUID. The client generates one if you leave it out; `requestIdFrom` derives one from your own key. */
  requestId?: string;
}

/** A fee that you charge on top of a payment. The service does not document it. */
export interface FeeParams {
  /** A fixed amount (`FIX`) or a percentage of the payment (`PERCENT`). */
  type: 'FIX' | 'PERCENT' | (string & {});
  /** For `FIX` an amount in units of the currency; for `PERCENT` the percentage. May be 0. */
  value: number | string;
}

/** The amount of the side that decides what is paid. */
export interface GivenAmount {
  /**
   * In units of the currency, above 0: a number, or a decimal string such as `'25.50'`. At most 15 digits count. The
   * service receives a JSON number of the same value.
   */
  amount: number | string;
}

/** The side of a payment whose amount follows from the other one. */
export interface OpenAmount {
  /** Left out, or null: the amount of the other side is given. */
  amount?: null;
}

/** The fee that you charged, as a record shows it. The service does not document its fields. */
export interface DeveloperFee {
  /** Assigned by the service. */
  feeId?: string | null;
  /** A fixed amount (`FIX`), or a percentage of the payment (`PERCENT`). */
  feeType?: 'FIX' | 'PERCENT' | (string & {}) | null;
  /** In units of the payment's currency, as a number or a decimal string. */
  feeAmount?: number | string | null;
  /** The percentage, where `feeType` is `PERCENT`. */
  feePercent?: number | string | null;
  /** The status of the fee's own transfer. The values are not documented. */
  status?: string | null;
  /** The hash of the fee's own transaction; null until it is on the chain. */
  transactionHash?: string | null;
  /** The reason why the fee could not be collected; null if it could. */
  failedReason?: string | null;
}

/** The person or business on one side of a payment. Any field may be null. Personal data. */
export interface PartyUser {
  /** May be null. */
  email?: string | null;
  /** Of a person. */
  lastName?: string | null;
  /** Of a person. */
  firstName?: string | null;
  /** Of a business. */
  businessName?: string | null;
}

/** A postal address as a response shows it. Any field may be missing. Personal data. */
export interface Address {
  /** Street and number. */
  addressLine1?: string | null;
  /** Apartment, floor, or building. */
  addressLine2?: string | null;
  /** City. */
  city?: string | null;
  /** State, province, or region. */
  stateProvinceRegion?: string | null;
  /** As text, so that leading zeros stay. */
  postalCode?: string | null;
  /** Three-letter country code. */
  country?: string | null;
}

/** An amount of a quote, with its currency: the two sides have different ones. */
export interface QuoteAmount {
  /** A decimal string, so that no digit is lost. */
  amount: string;
  /** In lower case. */
  currency: string;
}

/** The amounts that a quote-based payment sends, costs and delivers. A refresh of the quote replaces them. */
export interface QuoteInformation {
  /** The amount that leaves the sender's account. */
  sendGross?: QuoteAmount | null;
  /** `sendGross` less the fee of the rail. */
  sendNet?: QuoteAmount | null;
  /** The fee of the payment rail, which `sendNet` no longer contains. */
  railFee?: QuoteAmount | null;
  /** The amount that is received before fees. */
  receiveGross?: QuoteAmount | null;
  /** The amount that arrives. */
  receiveNet?: QuoteAmount | null;
  /** Units received for one unit sent, as a decimal string. */
  rate?: string | null;
  /** The expiry of the quote, in ISO 8601, or the text `N/A`. See `quoteExpiresAt`. */
  expiresAt?: string | null;
}

export const address = /* @__PURE__ */ lazy(() =>
  matching<Address>()(
    looseObject(
      texts('addressLine1', 'addressLine2', 'city', 'stateProvinceRegion', 'postalCode', 'country'),
    ),
  ),
);

export const partyUser = /* @__PURE__ */ lazy(() =>
  matching<PartyUser>()(looseObject(texts('email', 'lastName', 'firstName', 'businessName'))),
);

/** The fields of a fee in a record. */
export const developerFeeFields = /* @__PURE__ */ lazy(() => ({
  ...texts('feeId', 'feeType', 'status', 'transactionHash', 'failedReason'),
  feeAmount: z.nullish(quantity()),
  feePercent: z.nullish(quantity()),
}));

export const developerFee = /* @__PURE__ */ lazy(() =>
  matching<DeveloperFee>()(looseObject(developerFeeFields())),
);

const quoteAmount = /* @__PURE__ */ lazy(() =>
  matching<QuoteAmount>()(looseObject({ amount: z.string(), currency: z.string() })),
);

export const quoteInformation = /* @__PURE__ */ lazy(() =>
  matching<QuoteInformation>()(
    looseObject({
      sendGross: z.nullish(quoteAmount()),
      sendNet: z.nullish(quoteAmount()),
      railFee: z.nullish(quoteAmount()),
      receiveGross: z.nullish(quoteAmount()),
      receiveNet: z.nullish(quoteAmount()),
      rate: nullishText(),
      expiresAt: nullishText(),
    }),
  ),
);

export const feeParams = /* @__PURE__ */ lazy(() =>
  matching<FeeParams>()(strictObject({ type: text(), value: feeValue() })),
);
