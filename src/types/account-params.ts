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

/** The holder of the account. Must match the user's KYC data. A field's comment says if some services require it. */
export interface AccountHolderParams {
  /** A person or a business. */
  type: 'individual' | 'business';
  /** Full name. */
  name: string;
  /** Phone number in international format. For African accounts on the rail `offramp`. */
  phone?: string;
  /** Email address. */
  email?: string;
  /** Postal address. For `us` and the types that end in `GlobalNetwork`. */
  address?: AddressParams;
  /** The kind of identity document. */
  idType?: 'CC' | 'CE' | 'NIT' | 'PASS' | 'PEP' | (string & {});
  /** The number of the identity document, or of the registration of a business. For types that end in `GlobalNetwork`. Never logged. */
  idNumber?: string;
  /** The date of birth of a person, `YYYY-MM-DD`. For types that end in `GlobalNetwork`. */
  dateOfBirth?: string;
  /** The nationality of a person, a three-letter country code. For types that end in `GlobalNetwork`. */
  nationality?: string;
  /** The date on which a business was formed, `YYYY-MM-DD`. For types that end in `GlobalNetwork`. */
  formationDate?: string;
}

/** An account holder with a postal address. */
export interface AddressedAccountHolderParams extends AccountHolderParams {
  /** Postal address. */
  address: AddressParams;
}

/** Bank details of an account in the United States. */
export interface UsAccountParams {
  /** The payment rail, in lower case. */
  transferType: 'ach' | 'wire' | 'swift' | (string & {});
  /** The kind of bank account. Some services spell it with a capital: `Checking`, `Savings`. */
  accountType: 'checking' | 'savings' | 'Checking' | 'Savings' | (string & {});
  /** The number of the bank account. Never logged. */
  accountNumber: string;
  /** The routing number of the bank. Never logged. */
  routingNumber: string;
  /** The name of the bank. */
  bankName: string;
  /** The currency: `usd`. */
  currency?: 'usd' | (string & {});
  /** The address of the bank, as an address or as text. */
  bankAddress?: AddressParams | string;
  /** The IBAN, of an account that is reached from abroad. */
  iban?: string;
  /** The SWIFT code of the bank, of an account that is reached from abroad. */
  swiftCode?: string;
}

/** Bank details of a USD account that is reached by SWIFT code, and by IBAN or account number. */
export interface UsInternationalAccountParams
  extends Omit<UsAccountParams, 'accountNumber' | 'routingNumber' | 'accountType'> {
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
  /** The number of the account or the phone. Some services do without it. Never logged. */
  accountNumber?: string;
  /** The currency in lower case, such as `ugx`, `kes`, or `ngn`. */
  currency: FiatCurrency;
  /** Three-letter country code in lower case, such as `uga`. */
  country: string;
}

/** The details of an account by its `type`. They go into the field that is named like the type. */
export interface RegionalAccountParams {
  /** Brazil. */
  brazil: {
    /** The PIX key. Never logged. */
    pixKey: string;
    /** The currency. */
    currency?: 'brl' | (string & {});
  };
  /** Colombia. */
  colombia: {
    /** The name of the bank. */
    bankName?: string;
    /** The code of the bank. */
    bankCode?: string;
    /** The number of the account. Never logged. */
    accountNumber: string;
    /** The kind of account. */
    accountType?: 'checking' | 'savings' | (string & {});
    /** The currency. */
    currency?: 'cop' | (string & {});
  };
  /** Argentina. */
  argentina: {
    /** The kind of account number. */
    accountType: 'CVU' | 'CBU' | 'ALIAS' | (string & {});
    /** The CVU, CBU or alias. Never logged. */
    accountNumber: string;
    /** The currency. */
    currency?: 'ars' | (string & {});
  };
  /** Mexico. */
  mexico: {
    /** The kind of account number. */
    speiProtocol: 'clabe' | 'debitcard' | 'phonenum' | (string & {});
    /** The code of the institution. */
    speiInstitutionCode?: string;
    /** The CLABE, card or phone number. Never logged. */
    speiClabe?: string;
    /** The currency. */
    currency?: 'mxn' | (string & {});
  };
  /** Brazil, by way of a global network. */
  brazilGlobalNetwork: {
    /** The email address of the PIX key. */
    email?: string;
    /** The phone number of the PIX key. */
    phone?: string;
    /** The PIX key. Never logged. */
    pix?: string;
    /** The currency. */
    currency?: 'brl' | (string & {});
  };
  /** Nigeria, by way of a global network. */
  nigeriaGlobalNetwork: {
    /** The name of the bank. */
    bankName?: string;
    /** The number of the account. Never logged. */
    accountNumber?: string;
    /** The currency. */
    currency?: 'ngn' | (string & {});
  };
  /** Mexico, by way of a global network. */
  mexicoGlobalNetwork: {
    /** The CLABE. Never logged. */
    speiClabe?: string;
    /** The currency. */
    currency?: 'mxn' | (string & {});
  };
  /** Hong Kong, by way of a global network. */
  hongKongGlobalNetwork: {
    /** The name of the bank. */
    bankName: string;
    /** The number of the account. Never logged. */
    accountNumber: string;
    /** The SWIFT code of the bank. */
    swiftCode: string;
    /** The code of the bank. */
    bankCode?: string;
    /** The payment rail, in lower case. */
    transferType?: 'chats' | 'fps' | 'swift' | (string & {});
    /** The currency. */
    currency?: 'hkd' | 'usd' | (string & {});
  };
  /** China, by way of a global network. */
  chinaGlobalNetwork: {
    /** The name of the bank. */
    bankName?: string;
    /** The number of the account. Never logged. */
    accountNumber?: string;
    /** The SWIFT code of the bank. */
    swiftCode?: string;
    /** The currency. */
    currency?: 'usd' | 'cny' | (string & {});
  };
  /** Singapore, by way of a global network. */
  singaporeGlobalNetwork: {
    /** The name of the bank. */
    bankName?: string;
    /** The number of the account. Never logged. */
    accountNumber?: string;
    /** The SWIFT code of the bank. */
    swiftCode?: string;
    /** The currency. */
    currency?: 'usd' | 'sgd' | (string & {});
  };
}

/** A region other than `us` and `africa`. */
export type RegionalAccountType = keyof RegionalAccountParams;

/** Creates an account in the United States. */
export interface UsAccountCreateParams {
  /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
  rail: AccountRailName;
  /** The region. */
  type: 'us';
  /** The holder of the account. */
  accountHolder: AddressedAccountHolderParams;
  /** Bank details. */
  us: UsAccountParams | UsInternationalAccountParams;
  /** Not with `type: 'us'`. */
  africa?: never;
}

/** Creates an account in Africa. */
export interface AfricaAccountCreateParams {
  /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
  rail: AccountRailName;
  /** The region. */
  type: 'africa';
  /** The holder of the account. The spec requires it; some services do not. */
  accountHolder?: AccountHolderParams;
  /** Bank or mobile-money details. */
  africa: AfricaAccountParams;
  /** Not with `type: 'africa'`. */
  us?: never;
}

/** Creates an account in another region: the details are in the field that is named like `type`. */
export type RegionalAccountCreateParams = {
  [Type in RegionalAccountType]: {
    /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
    rail: AccountRailName;
    /** The region. */
    type: Type;
  } & { [Region in Type]: RegionalAccountParams[Region] } & (Type extends `${string}GlobalNetwork`
      ? {
          /** The holder of the account. */
          accountHolder: AddressedAccountHolderParams;
        }
      : {
          /** The holder of the account. */
          accountHolder?: AccountHolderParams;
        });
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
  /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
  rail: AccountRailName;
  /** The region: `'chile' as UnlistedAccountType`. */
  type: UnlistedAccountType;
  /** The holder of the account. */
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
  /** Accounts per page, 1 to 100. Most services default to 10. */
  limit?: number;
  /** Only accounts created before this ISO 8601 time. */
  createdBefore?: string;
  /** Only accounts created after this ISO 8601 time. */
  createdAfter?: string;
}
