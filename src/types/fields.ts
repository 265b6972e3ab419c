/** A blockchain network. Responses may name it more exactly, such as `POLYGON_MAINNET`. */
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

/** A fee that you charge on top of a payment. */
export interface FeeParams {
  /** A fixed amount (`FIX`) or a percentage of the payment (`PERCENT`). */
  type: 'FIX' | 'PERCENT' | (string & {});
  /** The amount in units of the currency, or the percentage. */
  value: number | string;
}

/** Your fee as a record shows it. */
export interface DeveloperFee {
  /** The id of the fee. */
  feeId?: string | null;
  /** A fixed amount (`FIX`) or a percentage (`PERCENT`). */
  feeType?: 'FIX' | 'PERCENT' | (string & {}) | null;
  /** The amount in units of the currency. */
  feeAmount?: number | string | null;
  /** The percentage of the payment. */
  feePercent?: number | string | null;
  /** The status of the fee's own transfer. */
  status?: string | null;
  /** The hash of the fee's own transaction; null until it is on the chain. */
  transactionHash?: string | null;
  /** The reason why the fee could not be collected; null if it could. */
  failedReason?: string | null;
}

/** The person or business on one side of a payment. Personal data. */
export interface PartyUser {
  /** The email address. */
  email?: string | null;
  /** The last name. */
  lastName?: string | null;
  /** The first name. */
  firstName?: string | null;
  /** The name of the business. */
  businessName?: string | null;
}

/** A postal address as a response shows it. Personal data. */
export interface Address {
  /** Street and number. */
  addressLine1?: string | null;
  /** Apartment, floor, or building. */
  addressLine2?: string | null;
  /** City. */
  city?: string | null;
  /** State, province, or region. */
  stateProvinceRegion?: string | null;
  /** Postal code. */
  postalCode?: string | null;
  /** Three-letter country code. */
  country?: string | null;
}

/** An amount of a quote. */
export interface QuoteAmount {
  /** A decimal string, so that no digit is lost. */
  amount: string;
  /** The currency in lower case. */
  currency: string;
}

/** The amounts that a quote-based payment sends, costs and delivers. */
export interface QuoteInformation {
  /** The amount that leaves the sender's account. */
  sendGross?: QuoteAmount | null;
  /** `sendGross` less the fee of the rail. */
  sendNet?: QuoteAmount | null;
  /** The fee of the rail. */
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
