import type { FiatCurrency } from './fields.ts';

/** The rail that an account is for: it pays onramps, or receives offramps. */
export type AccountRailName = 'onramp' | 'offramp' | (string & {});

/** A postal address. */
export interface AddressParams {
  /** Street and number. */
  addressLine1: string;
  /** Apartment, floor, or building. */
  addressLine2?: string | null;
  /** City. */
  city: string;
  /** State, province, or region. */
  stateProvinceRegion: string;
  /** Postal code. */
  postalCode: string;
  /** Three-letter country code. */
  country: string;
}

/** Who holds the account. Must match the user's KYC data. */
export interface AccountHolderParams {
  /** A person or a business. */
  type: 'individual' | 'business';
  /** Full name. */
  name: string;
  /** Phone number in international format. */
  phone: string;
  /** Email address. */
  email: string;
  /** Postal address. */
  address: AddressParams;
}

/** Bank details of an account in the United States. */
export interface UsAccountParams {
  /** How the money travels. */
  transferType: 'ach' | 'wire' | (string & {});
  /** The kind of bank account. Some services spell it with a capital: `Checking`, `Savings`. */
  accountType: 'checking' | 'savings' | 'Checking' | 'Savings' | (string & {});
  /** The number of the bank account. Never logged. */
  accountNumber: string;
  /** The routing number of the bank. Never logged. */
  routingNumber: string;
  /** The name of the bank. */
  bankName: string;
  /** The currency: `usd`. */
  currency: 'usd' | (string & {});
  /** The address of the bank. */
  bankAddress?: string;
  /** The IBAN, of an account that is reached from abroad. */
  iban?: string;
  /** The SWIFT code of the bank, of an account that is reached from abroad. */
  swiftCode?: string;
}

/** Bank details of a USD account that is reached by IBAN and SWIFT code. */
export interface UsInternationalAccountParams
  extends Omit<UsAccountParams, 'accountNumber' | 'routingNumber' | 'accountType'> {
  /** The IBAN of the account. Never logged. */
  iban: string;
  /** The SWIFT code of the bank. */
  swiftCode: string;
  /** The kind of bank account. */
  accountType?: UsAccountParams['accountType'];
  /** The number of the bank account. Never logged. */
  accountNumber?: string;
  /** The routing number of the bank. Never logged. */
  routingNumber?: string;
}

/** Bank or mobile-money details of an account in Africa. */
export interface AfricaAccountParams {
  /** The mobile-money operator or the bank. */
  financialInstitute: string;
  /** Mobile money (`momo`) or a bank account. */
  accountType: 'momo' | 'bank';
  /** The number of the account or the phone. Never logged. */
  accountNumber: string;
  /** The currency in lower case, such as `ugx`, `kes`, or `ngn`. */
  currency: FiatCurrency;
  /** Three-letter country code in lower case, such as `uga`. */
  country: string;
}

/** Details of an account in a region whose fields this version does not list. Ask your provider for them. */
export interface RegionalAccountParams {
  /** A field of the region, such as `pixKey` in Brazil or `speiClabe` in Mexico. Sent as you give it. */
  [field: string]: unknown;
}

/** Creates an account in the United States. */
export interface UsAccountCreateParams {
  /** What the account is for. */
  rail: AccountRailName;
  /** The region. */
  type: 'us';
  /** Who holds the account. */
  accountHolder: AccountHolderParams;
  /** Bank details. */
  us: UsAccountParams | UsInternationalAccountParams;
  /** Not with `type: 'us'`. */
  africa?: never;
}

/** Creates an account in Africa. */
export interface AfricaAccountCreateParams {
  /** What the account is for. */
  rail: AccountRailName;
  /** The region. */
  type: 'africa';
  /** Who holds the account. The spec requires it; some services do without it. */
  accountHolder?: AccountHolderParams;
  /** Bank or mobile-money details. */
  africa: AfricaAccountParams;
  /** Not with `type: 'africa'`. */
  us?: never;
}

/** A region that this version lists by name only. */
export type RegionalAccountType =
  | 'brazil'
  | 'colombia'
  | 'argentina'
  | 'mexico'
  | 'brazilGlobalNetwork'
  | 'nigeriaGlobalNetwork'
  | 'mexicoGlobalNetwork'
  | 'hongKongGlobalNetwork';

/** Creates an account in another region: the details are in the field that is named like `type`. */
export type RegionalAccountCreateParams = {
  [Type in RegionalAccountType]: {
    /** What the account is for. */
    rail: AccountRailName;
    /** The region. */
    type: Type;
    /** Who holds the account. */
    accountHolder?: AccountHolderParams;
  } & { [Region in Type]: RegionalAccountParams };
}[RegionalAccountType];

/**
 * A region that this version does not list, such as `'chile' as UnlistedAccountType`. The cast is deliberate: without
 * it a misspelled region would compile. Its details go into the call option `extraBody`.
 */
export type UnlistedAccountType = string & {
  /** Exists in the types only: it marks the deliberate cast. */
  readonly __unlistedAccountType: true;
};

/** Creates an account in a region that this version does not list. */
export interface UnlistedAccountCreateParams {
  /** What the account is for. */
  rail: AccountRailName;
  /** The region: `'chile' as UnlistedAccountType`. */
  type: UnlistedAccountType;
  /** Who holds the account. */
  accountHolder?: AccountHolderParams;
}

/** Parameters of `accounts.create`. `type` decides which details are needed. */
export type AccountCreateParams =
  | UsAccountCreateParams
  | AfricaAccountCreateParams
  | RegionalAccountCreateParams
  | UnlistedAccountCreateParams;

/** Parameters of `accounts.list`. */
export interface AccountListParams {
  /** Only accounts of this rail. */
  rail?: AccountRailName;
  /** Only accounts of this region, such as `us`. */
  type?: 'us' | 'africa' | RegionalAccountType | (string & {});
  /** Only accounts in this currency. */
  currency?: FiatCurrency;
  /** Accounts per page, 1 to 100. Services of this kind default to 10. */
  limit?: number;
  /** Only accounts created before this ISO 8601 time. */
  createdBefore?: string;
  /** Only accounts created after this ISO 8601 time. */
  createdAfter?: string;
}
