import * as z from 'zod/mini';
import {
  lazy,
  looseObject,
  matching,
  maybeText,
  never,
  nullishText,
  oneOf,
  otherThan,
  strictObject,
  text,
  texts,
  wholeNumber,
} from '../schema/schema.ts';
import {
  type AddressParams,
  type AfricaAccount,
  type AfricaAccountParams,
  addressParams,
  africaAccount,
  africaAccountParams,
  looseAddressParams,
  looseAfricaAccountParams,
  looseUsAccountParams,
  type RegionalAccountParams,
  type RegionalAccounts,
  type RegionalAccountType,
  regionalAccountParams,
  regionalAccountRecords,
  type UsAccount,
  type UsAccountParams,
  type UsInternationalAccountParams,
  usAccount,
  usAccountParams,
} from './account-details.ts';
import { type Address, address, type FiatCurrency } from './fields.ts';

/** The statuses of a fiat account. The service may add others. */
export const AccountStatus = {
  /** The account can be used for onramps, or to receive offramps. */
  ACTIVE: 'ACTIVE',
  /** The service is validating the account. It cannot be used yet. */
  PENDING: 'PENDING',
  /** Validation failed; see `invalidFields`. */
  REJECTED: 'REJECTED',
  /** The account was deleted or switched off. Not documented; a deletion may return it. */
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
  /** The documentation requires it; some services do not. */
  email?: string;
  /** Required for `us` and the types that end in `GlobalNetwork`. */
  address?: AddressParams;
  /** The kind of document that `idNumber` is of. Not documented. */
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

type DetailedAccountType = 'us' | 'africa' | RegionalAccountType;

/** The details of an account are in the field that is named like its type, and in no other. */
type WithoutDetails<Own extends DetailedAccountType | undefined> = {
  [Other in Exclude<DetailedAccountType, Own>]?: never;
};

/** Parameters of `accounts.create` for an account in the United States. */
export interface UsAccountCreateParams extends WithoutDetails<'us'> {
  /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
  rail: AccountRailName;
  /** The region, which decides that the details are in `us`. */
  type: 'us';
  /** Must match the user's KYC data. */
  accountHolder: AddressedAccountHolderParams;
  /** Bank details: of an account in the country, or of one that is reached from abroad. */
  us: UsAccountParams | UsInternationalAccountParams;
}

/** Parameters of `accounts.create` for a bank or mobile-money account in Africa. */
export interface AfricaAccountCreateParams extends WithoutDetails<'africa'> {
  /** The rail: `onramp` pays onramps, `offramp` receives offramps. */
  rail: AccountRailName;
  /** The region, which decides that the details are in `africa`. */
  type: 'africa';
  /** Must match the user's KYC data. The documentation requires it; some services want none for the rail `onramp`. */
  accountHolder?: AccountHolderParams;
  /** Bank or mobile-money details. */
  africa: AfricaAccountParams;
}

/** Parameters of `accounts.create` for an account in another region, whose details are in the field named like `type`. */
export type RegionalAccountCreateParams = {
  [Type in RegionalAccountType]: WithoutDetails<Type> & {
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
interface UnlistedAccountCreateParams extends WithoutDetails<undefined> {
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

/** Parameters of `accounts.list`. The service documents only `rail`; a service may ignore the others. */
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

const accountRail = /* @__PURE__ */ lazy(() =>
  matching<AccountRail>()(looseObject(texts('currency', 'railType', 'paymentRail'))),
);

const accountHolder = /* @__PURE__ */ lazy(() =>
  matching<AccountHolder>()(
    looseObject({
      ...texts('type', 'name', 'phone', 'email'),
      address: z.nullish(address()),
      ...texts('idType', 'idNumber', 'dateOfBirth', 'nationality', 'formationDate'),
    }),
  ),
);

export const account = /* @__PURE__ */ lazy(() =>
  matching<Account>()(
    looseObject({
      ...texts('id', 'accountId', 'userId', 'status'),
      isValid: z.nullish(z.boolean()),
      reason: nullishText(),
      invalidFields: z.nullish(z.array(z.string())),
      message: nullishText(),
      rail: z.nullish(z.union([z.string(), accountRail()])),
      ...texts('type', 'accountType', 'currency', 'createdAt', 'updatedAt'),
      accountHolder: z.nullish(accountHolder()),
      us: z.nullish(usAccount()),
      africa: z.nullish(africaAccount()),
      ...regionalAccountRecords(),
    }),
  ),
);

export const accountDeletion = /* @__PURE__ */ lazy(() => matching<AccountDeletion>()(z.optional(account())));

/** The words of a holder that no region needs. */
const holderTexts = /* @__PURE__ */ lazy(() => ({
  phone: maybeText(),
  email: maybeText(),
  idType: maybeText(),
  idNumber: maybeText(),
  dateOfBirth: maybeText(),
  nationality: maybeText(),
  formationDate: maybeText(),
}));

const holderType = /* @__PURE__ */ lazy(() => oneOf('individual', 'business'));

const addressedHolderParams = /* @__PURE__ */ lazy(() =>
  matching<AddressedAccountHolderParams>()(
    strictObject({ type: holderType(), name: text(), address: addressParams(), ...holderTexts() }),
  ),
);

/** The holder of an account in Africa. A service may do without parts of the address. */
const africaHolderParams = /* @__PURE__ */ lazy(() =>
  matching<Omit<AccountHolderParams, 'address'> & { address?: Partial<AddressParams> }>()(
    strictObject({
      type: holderType(),
      name: text(),
      address: z.optional(looseAddressParams()),
      ...holderTexts(),
    }),
  ),
);

/** The holder of an account on another rail or in another region. What it needs is not documented. */
const looseHolderParams = /* @__PURE__ */ lazy(() =>
  matching<Loose<AccountHolderParams>>()(
    strictObject({
      type: z.optional(holderType()),
      name: maybeText(),
      address: z.optional(looseAddressParams()),
      ...holderTexts(),
    }),
  ),
);

/** An interface of which every field may be left out, at every depth. */
type Loose<T> = T extends string ? T : T extends object ? { [Name in keyof T]?: Loose<T[Name]> } : T;

/** Parameters whose details, in the field that is named like the type, and whose holder may be incomplete. */
type LooseDetails<T extends { type: string }> = {
  [Name in keyof Omit<T, 'accountHolder'>]: Name extends 'us' & T['type']
    ? Loose<UsAccountParams>
    : Loose<T[Name]>;
} & { accountHolder?: Loose<AccountHolderParams> };

const detailedTypes: readonly DetailedAccountType[] = [
  'us',
  'africa',
  'brazil',
  'colombia',
  'argentina',
  'mexico',
  'brazilGlobalNetwork',
  'nigeriaGlobalNetwork',
  'mexicoGlobalNetwork',
  'hongKongGlobalNetwork',
  'chinaGlobalNetwork',
  'singaporeGlobalNetwork',
];

/** The details of the other types, which do not go with this one. */
const withoutDetails = <Own extends DetailedAccountType>(own: Own) =>
  otherDetails<Exclude<DetailedAccountType, Own>>(
    detailedTypes.filter((type) => type !== own),
    () => `does not go with \`type: '${own}'\``,
  );

const otherDetails = <Other extends DetailedAccountType>(
  others: readonly DetailedAccountType[],
  why: (other: DetailedAccountType) => string,
): Record<Other, ReturnType<typeof never>> =>
  // Object.fromEntries widens the names; they are known to be those of the other types.
  Object.fromEntries(others.map((other) => [other, never(why(other))])) as Record<
    Other,
    ReturnType<typeof never>
  >;

const type = <Type extends DetailedAccountType>(name: Type) => z.literal(name);

/** An account in the United States that pays onramps, as documented. */
const usOnrampAccount = /* @__PURE__ */ lazy(() =>
  matching<Omit<UsAccountCreateParams, 'rail'> & { rail: 'onramp' }>()(
    strictObject({
      rail: z.literal('onramp'),
      type: type('us'),
      accountHolder: addressedHolderParams(),
      us: usAccountParams(),
      ...withoutDetails('us'),
    }),
  ),
);

/** An account in Africa that pays onramps, as documented. Some services want no holder. */
const africaOnrampAccount = /* @__PURE__ */ lazy(() =>
  matching<
    Omit<AfricaAccountCreateParams, 'rail' | 'accountHolder'> & {
      rail: 'onramp';
      accountHolder?: z.output<ReturnType<typeof africaHolderParams>>;
    }
  >()(
    strictObject({
      rail: z.literal('onramp'),
      type: type('africa'),
      accountHolder: z.optional(africaHolderParams()),
      africa: africaAccountParams(),
      ...withoutDetails('africa'),
    }),
  ),
);

const usAccountElsewhere = /* @__PURE__ */ lazy(() =>
  matching<LooseDetails<UsAccountCreateParams>>()(
    strictObject({
      rail: otherThan('onramp'),
      type: type('us'),
      accountHolder: z.optional(looseHolderParams()),
      us: looseUsAccountParams(),
      ...withoutDetails('us'),
    }),
  ),
);

const africaAccountElsewhere = /* @__PURE__ */ lazy(() =>
  matching<LooseDetails<AfricaAccountCreateParams>>()(
    strictObject({
      rail: otherThan('onramp'),
      type: type('africa'),
      accountHolder: z.optional(looseHolderParams()),
      africa: looseAfricaAccountParams(),
      ...withoutDetails('africa'),
    }),
  ),
);

/** An account in another region, with its details in the field that is named like the region. */
const regionalAccount = <Region extends RegionalAccountType>(region: Region) =>
  strictObject({
    rail: text(),
    type: type(region),
    accountHolder: z.optional(looseHolderParams()),
    ...regionDetailsOf(region),
    ...withoutDetails(region),
  });

const regionDetailsOf = <Region extends RegionalAccountType>(region: Region) =>
  // A computed name has no type of its own.
  ({ [region]: regionalAccountParams()[region] }) as Pick<ReturnType<typeof regionalAccountParams>, Region>;

/** What is around the details is the same for all regions: one of them is compared with the interface. */
const brazilAccount = /* @__PURE__ */ lazy(() =>
  matching<LooseDetails<Extract<RegionalAccountCreateParams, { type: 'brazil' }>>>()(
    regionalAccount('brazil'),
  ),
);

/** An account in a region that this version does not list. Its details are sent with `extraBody`. */
const unlistedAccount = /* @__PURE__ */ lazy(() =>
  strictObject({
    rail: text(),
    type: otherThan(...detailedTypes),
    accountHolder: z.optional(looseHolderParams()),
    ...otherDetails<DetailedAccountType>(detailedTypes, (type) => `goes with \`type: '${type}'\` alone`),
  }),
);

/** Parameters of a new account. Each member is compared with its interface: some may be less complete than it says. */
export const accountCreateParams = /* @__PURE__ */ lazy(
  (): z.ZodMiniType =>
    z.union([
      usOnrampAccount(),
      africaOnrampAccount(),
      usAccountElsewhere(),
      africaAccountElsewhere(),
      brazilAccount(),
      regionalAccount('colombia'),
      regionalAccount('argentina'),
      regionalAccount('mexico'),
      regionalAccount('brazilGlobalNetwork'),
      regionalAccount('nigeriaGlobalNetwork'),
      regionalAccount('mexicoGlobalNetwork'),
      regionalAccount('hongKongGlobalNetwork'),
      regionalAccount('chinaGlobalNetwork'),
      regionalAccount('singaporeGlobalNetwork'),
      unlistedAccount(),
    ]),
);

export const accountListParams = /* @__PURE__ */ lazy(() =>
  matching<AccountListParams>()(
    strictObject({
      rail: maybeText(),
      type: maybeText(),
      currency: maybeText(),
      limit: z.optional(wholeNumber(1, 100)),
      createdBefore: maybeText(),
      createdAfter: maybeText(),
    }),
  ),
);
