import { lazy, openEnum, optionalText, shape } from './common.ts';
import * as z from './zod.ts';

/** The statuses of a fiat account that the service documents. */
export const AccountStatus = { ACTIVE: 'ACTIVE', PENDING: 'PENDING', REJECTED: 'REJECTED' } as const;

/** A documented status of a fiat account. */
export type AccountStatus = (typeof AccountStatus)[keyof typeof AccountStatus];

/** Postal address. */
export interface AddressParams {
  /** Street and number. */
  addressLine1: string;
  /** Anything more of the street address. */
  addressLine2?: string;
  /** City. */
  city: string;
  /** State, province or region. */
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
  /** E-mail address. */
  email: string;
  /** Postal address. */
  address: AddressParams;
}

/** Bank details of an account in the United States. */
export interface UsAccountParams {
  /** How money is pulled or sent. */
  transferType: 'ach' | 'wire';
  /** Kind of bank account. */
  accountType: 'checking' | 'savings';
  /** The bank account's number. Never logged. */
  accountNumber: string;
  /** The bank's routing number. Never logged. */
  routingNumber: string;
  /** The bank's name. */
  bankName: string;
  /** Always `usd`. */
  currency: 'usd';
}

/** Bank or mobile-money details of an account in Africa. */
export interface AfricaAccountParams {
  /** The mobile-money operator or the bank. */
  financialInstitute: string;
  /** Mobile money (`momo`) or a bank account. */
  accountType: 'momo' | 'bank';
  /** The account's or phone's number. Never logged. */
  accountNumber: string;
  /** Currency in lower case, such as `ugx`, `kes` or `ngn`. */
  currency: string;
  /** Three-letter country code in lower case, such as `uga`. */
  country: string;
}

interface AccountParamsBase {
  /** The rail that the account is for. */
  rail: 'onramp';
  /** Who holds the account. */
  accountHolder: AccountHolderParams;
}

/** What `accounts.create` takes: an account in the United States or in Africa. */
export type AccountCreateParams = AccountParamsBase &
  (
    | {
        /** The region. */
        type: 'us';
        /** Details for `us`. */
        us: UsAccountParams;
        africa?: never;
      }
    | {
        /** The region. */
        type: 'africa';
        /** Details for `africa`. */
        africa: AfricaAccountParams;
        us?: never;
      }
  );

const address = lazy(() =>
  z.looseObject({
    addressLine1: optionalText(),
    addressLine2: optionalText(),
    city: optionalText(),
    stateProvinceRegion: optionalText(),
    postalCode: optionalText(),
    country: optionalText(),
  }),
);

const account = lazy(() =>
  z.looseObject({
    id: z.string(),
    status: openEnum(Object.values(AccountStatus)),
    invalidFields: z.nullish(z.array(z.string())),
    message: optionalText(),
    rail: optionalText(),
    type: z.nullish(openEnum(['us', 'africa'])),
    accountHolder: z.nullish(
      z.looseObject({
        type: z.nullish(openEnum(['individual', 'business'])),
        name: optionalText(),
        phone: optionalText(),
        email: optionalText(),
        address: z.nullish(address()),
      }),
    ),
    us: z.nullish(
      z.looseObject({
        transferType: z.nullish(openEnum(['ach', 'wire'])),
        accountType: z.nullish(openEnum(['checking', 'savings'])),
        accountNumber: optionalText(),
        routingNumber: optionalText(),
        bankName: optionalText(),
        currency: optionalText(),
      }),
    ),
    africa: z.nullish(
      z.looseObject({
        financialInstitute: optionalText(),
        accountType: z.nullish(openEnum(['momo', 'bank'])),
        accountNumber: optionalText(),
        currency: optionalText(),
        country: optionalText(),
      }),
    ),
  }),
);

/**
 * A fiat account. The spec shows `id`, `status`, `invalidFields` and `message` of the answer to a creation;
 * it does not show the record on retrieval, so everything else may be missing.
 */
export type Account = z.infer<ReturnType<typeof account>>;

export const createdAccountShape = shape<Account>(account, ['id', 'status']);
export const accountShape = shape<Account>(account, ['id']);

/** What the service says to a deletion. The spec does not show it; often nothing at all. */
export type AccountDeletion = { [field: string]: unknown } | undefined;

export const accountDeletionShape = shape<AccountDeletion>(
  lazy(() => z.optional(z.looseObject({}))),
  [],
);

/** What `accounts.list` takes. */
export interface AccountListParams {
  /** Only accounts of this rail, such as `onramp`. */
  rail?: string;
}
