import type { RegionalAccountParams } from './account-details-params.ts';
import type { Address } from './fields.ts';

/** The statuses of a fiat account. The service may add others. */
export const AccountStatus = {
  /** The account can be used. */
  ACTIVE: 'ACTIVE',
  /** The service is validating the account. */
  PENDING: 'PENDING',
  /** Validation failed; see `invalidFields`. */
  REJECTED: 'REJECTED',
  /** The account was deleted or switched off. */
  INACTIVE: 'INACTIVE',
} as const;

/** A status of a fiat account that this version lists. */
export type AccountStatus = (typeof AccountStatus)[keyof typeof AccountStatus];

/**
 * A fiat account. Services return this record in several forms, so every field is optional: the id is in `id` or in
 * `accountId` (`accountIdOf` reads both), and the verdict of the validation is in `status` or in `isValid`
 * (`isActiveAccount` reads both).
 */
export interface Account extends RegionalAccounts {
  /** The id of the account. Pass it as `source.accountId` of an onramp. See `accountIdOf`. */
  id?: string | null;
  /** The id of the account in records that have no `id`. See `accountIdOf`. */
  accountId?: string | null;
  /** The user who owns the account. */
  userId?: string | null;
  /** `ACTIVE`, `PENDING`, `REJECTED`, `INACTIVE`, or a status that the service adds. */
  status?: AccountStatus | (string & {}) | null;
  /** True if the account passed validation, in records that have no `status`. */
  isValid?: boolean | null;
  /** The reason why the account is not valid. */
  reason?: string | null;
  /** The fields that did not pass validation. Empty when all did. */
  invalidFields?: string[] | null;
  /** The service's explanation of the status. */
  message?: string | null;
  /** The rail of the account, such as `onramp`; or an object with the currency and the rails. */
  rail?: string | AccountRail | null;
  /** The region or kind of account, such as `us`. */
  type?: 'us' | 'africa' | (string & {}) | null;
  /** The kind of account, such as `checking`, in records that do not group it by region. */
  accountType?: string | null;
  /** The currency in lower case, in records that do not group it by region. */
  currency?: string | null;
  /** The time at which the account was created, in ISO 8601. */
  createdAt?: string | null;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** The holder of the account. Personal data. */
  accountHolder?: AccountHolder | null;
  /** Details of an account in the United States. Bank data. */
  us?: UsAccount | null;
  /** Details of an account in Africa. Bank data. */
  africa?: AfricaAccount | null;
}

/** Details of an account in another region. Bank data. */
export type RegionalAccount<Region extends keyof RegionalAccountParams> = {
  [Field in keyof RegionalAccountParams[Region]]?: string | null;
};

/** Details of an account by its region, each under the name of its `type`. Bank data. */
export type RegionalAccounts = {
  [Region in keyof RegionalAccountParams]?: RegionalAccount<Region> | null;
};

/** The result of a deletion: the record of the deleted account, or undefined when the service returns no body. */
export type AccountDeletion = Account | undefined;

/** The rail of an account, in records that show it as an object. */
export interface AccountRail {
  /** The currency in lower case. */
  currency?: string | null;
  /** The rail of the account, such as `onramp`. */
  railType?: string | null;
  /** The payment rail, such as `ach`. */
  paymentRail?: string | null;
}

/** The holder of an account. Personal data. */
export interface AccountHolder {
  /** A person or a business. */
  type?: 'individual' | 'business' | (string & {}) | null;
  /** Full name. */
  name?: string | null;
  /** Phone number. */
  phone?: string | null;
  /** Email address. */
  email?: string | null;
  /** Postal address. */
  address?: Address | null;
  /** The kind of identity document. */
  idType?: 'CC' | 'CE' | 'NIT' | 'PASS' | 'PEP' | (string & {}) | null;
  /** The number of the identity document, or of the registration of a business. */
  idNumber?: string | null;
  /** The date of birth of a person, `YYYY-MM-DD`. */
  dateOfBirth?: string | null;
  /** The nationality of a person, a three-letter country code. */
  nationality?: string | null;
  /** The date on which a business was formed, `YYYY-MM-DD`. */
  formationDate?: string | null;
}

/** Details of an account in the United States. Bank data. */
export interface UsAccount {
  /** The payment rail, in lower case. */
  transferType?: 'ach' | 'wire' | 'swift' | (string & {}) | null;
  /** The kind of bank account. */
  accountType?: 'checking' | 'savings' | (string & {}) | null;
  /** The number of the bank account. */
  accountNumber?: string | null;
  /** The routing number of the bank. */
  routingNumber?: string | null;
  /** The name of the bank. */
  bankName?: string | null;
  /** The address of the bank, as text or as an address. */
  bankAddress?: string | Address | null;
  /** The IBAN, of an account that is reached from abroad. */
  iban?: string | null;
  /** The SWIFT code of the bank. */
  swiftCode?: string | null;
  /** The currency in lower case: `usd`. */
  currency?: string | null;
}

/** Details of an account in Africa. Bank data. */
export interface AfricaAccount {
  /** The mobile-money operator or the bank. */
  financialInstitute?: string | null;
  /** Mobile money (`momo`) or a bank account. */
  accountType?: 'momo' | 'bank' | (string & {}) | null;
  /** The number of the account or the phone. */
  accountNumber?: string | null;
  /** The currency in lower case. */
  currency?: string | null;
  /** Three-letter country code in lower case. */
  country?: string | null;
}
