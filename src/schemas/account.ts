import { lazy, openEnum, optionalText, shape } from './common.ts';
import * as z from './zod.ts';

/** The statuses of a fiat account that the service documents. */
export const AccountStatus = {
  /** Usable for onramps. */
  ACTIVE: 'ACTIVE',
  /** Being validated. */
  PENDING: 'PENDING',
  /** Validation failed. */
  REJECTED: 'REJECTED',
} as const;

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
        /** Not with `type: 'us'`. */
        africa?: never;
      }
    | {
        /** The region. */
        type: 'africa';
        /** Details for `africa`. */
        africa: AfricaAccountParams;
        /** Not with `type: 'africa'`. */
        us?: never;
      }
  );

const address = lazy(() =>
  z.looseObject({
    /** Street and number. */
    addressLine1: optionalText(),
    /** Anything more of the street address. */
    addressLine2: optionalText(),
    /** City. */
    city: optionalText(),
    /** State, province or region. */
    stateProvinceRegion: optionalText(),
    /** Postal code. */
    postalCode: optionalText(),
    /** Three-letter country code. */
    country: optionalText(),
  }),
);

const account = lazy(() =>
  z.looseObject({
    /** The account's id, to be passed as `source.accountId` of an onramp. */
    id: z.string(),
    /** `ACTIVE`, `PENDING`, `REJECTED`, or what the service adds. */
    status: openEnum(Object.values(AccountStatus)),
    /** Fields that did not pass validation; empty when all did. */
    invalidFields: z.nullish(z.array(z.string())),
    /** The service's words on the status. */
    message: optionalText(),
    /** The rail that the account is for, such as `onramp`. */
    rail: optionalText(),
    /** The region. */
    type: z.nullish(openEnum(['us', 'africa'])),
    /** Who holds the account. Personal data. */
    accountHolder: z.nullish(
      z.looseObject({
        /** A person or a business. */
        type: z.nullish(openEnum(['individual', 'business'])),
        /** Full name. */
        name: optionalText(),
        /** Phone number. */
        phone: optionalText(),
        /** E-mail address. */
        email: optionalText(),
        /** Postal address. */
        address: z.nullish(address()),
      }),
    ),
    /** Details of an account in the United States. Bank data. */
    us: z.nullish(
      z.looseObject({
        /** How money is pulled or sent. */
        transferType: z.nullish(openEnum(['ach', 'wire'])),
        /** Kind of bank account. */
        accountType: z.nullish(openEnum(['checking', 'savings'])),
        /** The bank account's number. */
        accountNumber: optionalText(),
        /** The bank's routing number. */
        routingNumber: optionalText(),
        /** The bank's name. */
        bankName: optionalText(),
        /** `usd`. */
        currency: optionalText(),
      }),
    ),
    /** Details of an account in Africa. Bank data. */
    africa: z.nullish(
      z.looseObject({
        /** The mobile-money operator or the bank. */
        financialInstitute: optionalText(),
        /** Mobile money or a bank account. */
        accountType: z.nullish(openEnum(['momo', 'bank'])),
        /** The account's or phone's number. */
        accountNumber: optionalText(),
        /** Currency in lower case. */
        currency: optionalText(),
        /** Three-letter country code in lower case. */
        country: optionalText(),
      }),
    ),
  }),
);

/**
 * A fiat account. The spec shows `id`, `status`, `invalidFields` and `message` of the answer to a creation;
 * it does not show the record on retrieval, so everything else may be missing.
 */
export interface Account extends z.infer<ReturnType<typeof account>> {}

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
