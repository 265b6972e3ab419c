import type {
  AddressParams,
  AfricaAccountParams,
  RegionalAccountParams,
  RegionalAccountType,
  UsAccountParams,
  UsInternationalAccountParams,
} from './account-details-params.ts';
import type { FiatCurrency } from './fields.ts';

/** The rail that an account is for: it pays onramps, or receives offramps. */
export type AccountRailName = 'onramp' | 'offramp' | (string & {});

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
