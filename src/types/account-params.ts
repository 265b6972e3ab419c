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
type AccountRailName = 'onramp' | 'offramp' | (string & {});

/** The holder of the account. Must match the user's KYC data. A field's comment says if some services require it. */
export interface AccountHolderParams {
  /** A person or a business. Decides which of the fields below belong to the holder. */
  type: 'individual' | 'business';
  /** The full name of the person, or the name of the business. */
  name: string;
  /**
   * In international format, such as `+256700000000`. Some services require it for African accounts on the rail
   * `offramp`.
   */
  phone?: string;
  /** The spec requires it; some services do not. */
  email?: string;
  /** Required for `us` and the types that end in `GlobalNetwork`. */
  address?: AddressParams;
  /** The kind of document that `idNumber` is of. Not in the spec. */
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

/** An account holder of a type that requires a postal address. */
interface AddressedAccountHolderParams extends AccountHolderParams {
  /** Must match the user's KYC data, like the rest of the holder. */
  address: AddressParams;
}

/** Parameters of `accounts.create` for an account in the United States. */
export interface UsAccountCreateParams {
  /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
  rail: AccountRailName;
  /** The region, which decides that the details are in `us`. */
  type: 'us';
  /** Must match the user's KYC data. */
  accountHolder: AddressedAccountHolderParams;
  /** Bank details: of an account in the country, or of one that is reached by SWIFT. */
  us: UsAccountParams | UsInternationalAccountParams;
  /** Not with `type: 'us'`. */
  africa?: never;
}

/** Parameters of `accounts.create` for a bank or mobile-money account in Africa. */
export interface AfricaAccountCreateParams {
  /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
  rail: AccountRailName;
  /** The region, which decides that the details are in `africa`. */
  type: 'africa';
  /** Must match the user's KYC data. The spec requires it; some services want none for the rail `onramp`. */
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
    /** The region, which names the field with the details. */
    type: Type;
  } & { [Region in Type]: RegionalAccountParams[Region] } & (Type extends `${string}GlobalNetwork`
      ? {
          /** Must match the user's KYC data. */
          accountHolder: AddressedAccountHolderParams;
        }
      : {
          /** Must match the user's KYC data. */
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

/** Parameters of `accounts.create` for a region that this version does not list. */
interface UnlistedAccountCreateParams {
  /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
  rail: AccountRailName;
  /** The region: `'chile' as UnlistedAccountType`. */
  type: UnlistedAccountType;
  /** Must match the user's KYC data. Which regions require it is not documented. */
  accountHolder?: AccountHolderParams;
}

/** Parameters of `accounts.create`. `type` decides which details are needed. */
export type AccountCreateParams =
  | UsAccountCreateParams
  | AfricaAccountCreateParams
  | RegionalAccountCreateParams
  | UnlistedAccountCreateParams;

/** Parameters of `accounts.list`. The spec documents only `rail`; a service may ignore the others. */
export interface AccountListParams {
  /** Lists only accounts that pay onramps, or only those that receive offramps. */
  rail?: AccountRailName;
  /** Lists only accounts of this region, such as `us`. */
  type?: 'us' | 'africa' | RegionalAccountType | (string & {});
  /** Lists only accounts in this currency, in lower case. */
  currency?: FiatCurrency;
  /** Accounts per page, 1 to 100. Most services default to 10. */
  limit?: number;
  /** Only accounts created before this ISO 8601 time. */
  createdBefore?: string;
  /** Only accounts created after this ISO 8601 time. */
  createdAfter?: string;
}
