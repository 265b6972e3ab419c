import type {
  AfricaAccountParams,
  RegionalAccountParams,
  UsAccountParams,
} from './account-details-params.ts';
import type { AccountHolderParams } from './account-params.ts';
import type { Address } from './fields.ts';

/** The statuses of a fiat account. The service may add others. */
export const AccountStatus = {
  /** The account can be used for onramps, or to receive offramps. */
  ACTIVE: 'ACTIVE',
  /** The service is validating the account. It cannot be used yet. */
  PENDING: 'PENDING',
  /** Validation failed; see `invalidFields`. */
  REJECTED: 'REJECTED',
  /** The account was deleted or switched off. Not in the spec; a deletion may return it. */
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
  /** Pass it as `source.accountId` of an onramp, or as `destination.accountId` of an offramp. See `accountIdOf`. */
  id?: string | null;
  /** The id, in records that have no `id`. See `accountIdOf`. */
  accountId?: string | null;
  /** The user who owns the account, a UUID. Not every record has it. */
  userId?: string | null;
  /** `ACTIVE`, `PENDING`, `REJECTED`, `INACTIVE`, or a status that the service adds. */
  status?: AccountStatus | (string & {}) | null;
  /** True if the account passed validation, in records that have no `status`. */
  isValid?: boolean | null;
  /** The reason why the account is not valid, in records with `isValid`. */
  reason?: string | null;
  /** The names of the fields that did not pass validation. Empty when all did. */
  invalidFields?: string[] | null;
  /** The service's explanation of the status, for people. Do not parse it. */
  message?: string | null;
  /** The rail, such as `onramp`; some records have an object with the currency and the rails. */
  rail?: string | AccountRail | null;
  /** The region, such as `us`, which names the field with the details. */
  type?: 'us' | 'africa' | (string & {}) | null;
  /** Such as `checking`, in records that do not group the details by region. */
  accountType?: string | null;
  /** In lower case, in records that do not group the details by region. */
  currency?: string | null;
  /** The time at which the account was created, in ISO 8601. */
  createdAt?: string | null;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** Personal data. */
  accountHolder?: AccountHolder | null;
  /** Of an account with `type: 'us'`. Bank data. */
  us?: UsAccount | null;
  /** Of an account with `type: 'africa'`. Bank data. */
  africa?: AfricaAccount | null;
}

/** Details of an account in another region. Bank data. */
type RegionalAccount<Region extends keyof RegionalAccountParams> = {
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
  /** In lower case, such as `usd`. */
  currency?: string | null;
  /** Such as `onramp`: what the account is for. */
  railType?: string | null;
  /** Such as `ach`: how a bank payment reaches it. */
  paymentRail?: string | null;
}

/** The holder of an account, as it was given to `accounts.create`. Personal data. */
export type AccountHolder = {
  [Field in keyof AccountHolderParams]?: (Field extends 'address' ? Address : string) | null;
};

/** Details of an account in the United States. Bank data. */
export type UsAccount = {
  [Field in keyof UsAccountParams]?: (Field extends 'bankAddress' ? string | Address : string) | null;
};

/** Details of an account in Africa. Bank data. */
export type AfricaAccount = { [Field in keyof AfricaAccountParams]?: string | null };
