import * as z from 'zod/mini';
import {
  anyText,
  each,
  lazy,
  looseObject,
  matching,
  maybeText,
  nullishText,
  oneOf,
  oneOfKnown,
  strictObject,
  text,
  texts,
} from '../schema/schema.ts';
import { type Address, address, type FiatCurrency } from './fields.ts';

/** A postal address. All fields but `addressLine2` are required. */
export interface AddressParams {
  /** Street and number. Not empty. */
  addressLine1: string;
  /** Apartment, floor, or building. */
  addressLine2?: string | null;
  /** Not empty. */
  city: string;
  /** State, province, or region. Not empty. */
  stateProvinceRegion: string;
  /** As text, so that leading zeros stay. Not empty. */
  postalCode: string;
  /** Three-letter country code, such as `USA`. */
  country: string;
}

/** Bank details of an account in the United States (spec: Onramp account). */
export interface UsAccountParams {
  /** The rail of the bank payment. `swift` is for accounts that are reached from abroad. */
  transferType: 'ach' | 'wire' | 'swift' | (string & {});
  /** Documented in lower case. Some services spell it with a capital: `Checking`, `Savings`. */
  accountType: 'checking' | 'savings' | 'Checking' | 'Savings' | (string & {});
  /** As text, so that leading zeros stay. Never logged. */
  accountNumber: string;
  /** The bank's number, as text, so that leading zeros stay. Never logged. */
  routingNumber: string;
  /** Not empty. */
  bankName: string;
  /** `usd`, the only known value. */
  currency?: 'usd' | (string & {});
  /** An address, or text. Not documented; some services take it. */
  bankAddress?: Partial<AddressParams> | string;
  /** For an account that is reached from abroad, in place of `accountNumber`. Never logged. */
  iban?: string;
  /** For an account that is reached from abroad, in place of `routingNumber`. */
  swiftCode?: string;
}

/**
 * Bank details of a USD account that is reached from abroad: by `swiftCode` in place of `routingNumber`, by `iban` in
 * place of `accountNumber`, or by both. Such an account may have no `accountType`.
 */
export type UsInternationalAccountParams = Pick<
  UsAccountParams,
  'transferType' | 'bankName' | 'currency' | 'bankAddress'
> &
  Partial<Pick<UsAccountParams, 'accountType' | 'accountNumber' | 'routingNumber' | 'iban' | 'swiftCode'>> &
  (
    | Required<Pick<UsAccountParams, 'iban' | 'routingNumber'>>
    | Required<Pick<UsAccountParams, 'accountNumber' | 'swiftCode'>>
    | Required<Pick<UsAccountParams, 'iban' | 'swiftCode'>>
  );

/** Bank or mobile-money details of an account in Africa (spec: Onramp account). */
export interface AfricaAccountParams {
  /** The name of the mobile-money operator or of the bank, such as `MTN`. The names are not documented. */
  financialInstitute: string;
  /** `momo` is mobile money, `bank` a bank account. */
  accountType: 'momo' | 'bank';
  /** The account number, or the phone number for `momo`. Some services do without it. Never logged. */
  accountNumber?: string;
  /** In lower case, such as `ugx`, `kes`, or `ngn`. Must be the currency of the onramps that it pays. */
  currency: FiatCurrency;
  /** Three-letter country code in lower case, such as `uga`. */
  country: string;
}

/** Fields of bank accounts in several regions. */
interface BankFields {
  /** Text. No list of banks is documented. */
  bankName: string;
  /** The codes of the banks are not documented. */
  bankCode: string;
  /** Never logged. */
  accountNumber: string;
  /** Identifies the bank. */
  swiftCode: string;
}

/** The currency of an account in one region: one of the known values. */
interface CurrencyField<Known extends string> {
  /** The only known values are those of the type. */
  currency?: Known | (string & {});
}

/**
 * The details of an account by its `type`, each in the field that is named like the type. The service does not document them.
 */
export interface RegionalAccountParams {
  /** Brazil, paid by PIX. */
  brazil: CurrencyField<'brl'> & {
    /** Never logged. */
    pixKey: string;
  };
  /** Colombia. */
  colombia: CurrencyField<'cop'> &
    Partial<Pick<BankFields, 'bankName' | 'bankCode'>> &
    Pick<BankFields, 'accountNumber'> & {
      /** In lower case. */
      accountType: 'checking' | 'savings' | (string & {});
    };
  /** Argentina. */
  argentina: CurrencyField<'ars'> & {
    /** The kind of number in `accountNumber`, in upper case. */
    accountType: 'CVU' | 'CBU' | 'ALIAS' | (string & {});
    /** The CVU, CBU or alias. Never logged. */
    accountNumber: string;
  };
  /** Mexico, paid by SPEI. */
  mexico: CurrencyField<'mxn'> & {
    /** The kind of number in `speiClabe`, in lower case. */
    speiProtocol: 'clabe' | 'debitcard' | 'phonenum' | (string & {});
    /** The codes of the institutions are not documented. */
    speiInstitutionCode?: string;
    /** The CLABE, card or phone number, as `speiProtocol` says. Never logged. */
    speiClabe: string;
  };
  /** Brazil, by way of a global network. No field is known to be required. */
  brazilGlobalNetwork: CurrencyField<'brl'> & {
    /** The payee's email address, where it is the PIX key. Never logged. */
    email?: string;
    /** The payee's phone number, where it is the PIX key. Never logged. */
    phone?: string;
    /** The PIX key. Never logged. */
    pix?: string;
  };
  /** Nigeria, by way of a global network. No field is known to be required. */
  nigeriaGlobalNetwork: CurrencyField<'ngn'> & Partial<Pick<BankFields, 'bankName' | 'accountNumber'>>;
  /** Mexico, by way of a global network. No field is known to be required. */
  mexicoGlobalNetwork: CurrencyField<'mxn'> & {
    /** The CLABE. Never logged. */
    speiClabe?: string;
  };
  /** Hong Kong, by way of a global network. */
  hongKongGlobalNetwork: CurrencyField<'hkd' | 'usd'> &
    Omit<BankFields, 'bankCode'> &
    Partial<Pick<BankFields, 'bankCode'>> & {
      /** The rail of the bank payment, in lower case. */
      transferType?: 'chats' | 'fps' | 'swift' | (string & {});
    };
  /** China, by way of a global network. No field is known to be required. */
  chinaGlobalNetwork: CurrencyField<'usd' | 'cny'> & Partial<Omit<BankFields, 'bankCode'>>;
  /** Singapore, by way of a global network. No field is known to be required. */
  singaporeGlobalNetwork: CurrencyField<'usd' | 'sgd'> & Partial<Omit<BankFields, 'bankCode'>>;
}

/** A region other than `us` and `africa`. */
export type RegionalAccountType = keyof RegionalAccountParams;

/** Details of an account in the United States, as a record shows them. Bank data. */
export type UsAccount = {
  [Field in keyof UsAccountParams]?: (Field extends 'bankAddress' ? string | Address : string) | null;
};

/** Details of an account in Africa, as a record shows them. Bank data. */
export type AfricaAccount = { [Field in keyof AfricaAccountParams]?: string | null };

/** Details of an account in another region, as a record shows them. Bank data. */
type RegionalAccount<Region extends keyof RegionalAccountParams> = {
  [Field in keyof RegionalAccountParams[Region]]?: string | null;
};

/** Details of an account by its region, each under the name of its `type`. Bank data. */
export type RegionalAccounts = {
  [Region in keyof RegionalAccountParams]?: RegionalAccount<Region> | null;
};

export const usAccount = /* @__PURE__ */ lazy(() =>
  matching<UsAccount>()(
    looseObject({
      ...texts('transferType', 'accountType', 'accountNumber', 'routingNumber', 'bankName', 'currency'),
      bankAddress: z.nullish(z.union([z.string(), address()])),
      ...texts('iban', 'swiftCode'),
    }),
  ),
);

export const africaAccount = /* @__PURE__ */ lazy(() =>
  matching<AfricaAccount>()(
    looseObject(texts('financialInstitute', 'accountType', 'accountNumber', 'currency', 'country')),
  ),
);

export const addressParams = /* @__PURE__ */ lazy(() =>
  matching<AddressParams>()(
    strictObject({
      addressLine1: text(),
      addressLine2: z.nullish(anyText()),
      city: text(),
      stateProvinceRegion: text(),
      postalCode: text(),
      country: text(),
    }),
  ),
);

/** An address of which a service may do without any part. */
export const looseAddressParams = /* @__PURE__ */ lazy(() =>
  matching<Partial<AddressParams>>()(
    strictObject({
      addressLine1: maybeText(),
      addressLine2: z.nullish(anyText()),
      city: maybeText(),
      stateProvinceRegion: maybeText(),
      postalCode: maybeText(),
      country: maybeText(),
    }),
  ),
);

const bankAddress = /* @__PURE__ */ lazy(() =>
  z.optional(z.union([looseAddressParams(), anyText()], { error: 'must be an address or a string' })),
);

const usKind = /* @__PURE__ */ lazy(() => oneOfKnown('checking', 'savings'));

const usFields = /* @__PURE__ */ lazy(() => ({
  transferType: oneOfKnown('ach', 'wire', 'swift'),
  bankName: text(),
  currency: z.optional(oneOfKnown('usd')),
  bankAddress: bankAddress(),
}));

/** Details of an account in the United States that pays onramps, as documented. */
export const usAccountParams = /* @__PURE__ */ lazy(() =>
  matching<UsAccountParams | UsInternationalAccountParams>()(
    z.union([
      strictObject({
        ...usFields(),
        accountType: usKind(),
        accountNumber: text(),
        routingNumber: text(),
        iban: maybeText(),
        swiftCode: maybeText(),
      }),
      strictObject({
        ...usFields(),
        accountType: z.optional(usKind()),
        accountNumber: maybeText(),
        routingNumber: text(),
        iban: text(),
        swiftCode: maybeText(),
      }),
      strictObject({
        ...usFields(),
        accountType: z.optional(usKind()),
        accountNumber: text(),
        routingNumber: maybeText(),
        iban: maybeText(),
        swiftCode: text(),
      }),
      strictObject({
        ...usFields(),
        accountType: z.optional(usKind()),
        accountNumber: maybeText(),
        routingNumber: maybeText(),
        iban: text(),
        swiftCode: text(),
      }),
    ]),
  ),
);

/** Details of an account in the United States on another rail. What it needs is not documented. */
export const looseUsAccountParams = /* @__PURE__ */ lazy(() =>
  matching<Partial<UsAccountParams>>()(
    strictObject({
      transferType: maybeText(),
      accountType: maybeText(),
      accountNumber: maybeText(),
      routingNumber: maybeText(),
      bankName: maybeText(),
      currency: maybeText(),
      bankAddress: bankAddress(),
      iban: maybeText(),
      swiftCode: maybeText(),
    }),
  ),
);

const africaKind = /* @__PURE__ */ lazy(() => oneOf('momo', 'bank'));

/** Details of an account in Africa that pays onramps, as documented. */
export const africaAccountParams = /* @__PURE__ */ lazy(() =>
  matching<AfricaAccountParams>()(
    strictObject({
      financialInstitute: text(),
      accountType: africaKind(),
      accountNumber: maybeText(),
      currency: text(),
      country: text(),
    }),
  ),
);

/** Details of an account in Africa on another rail. What it needs is not documented. */
export const looseAfricaAccountParams = /* @__PURE__ */ lazy(() =>
  matching<Partial<AfricaAccountParams>>()(
    strictObject({
      financialInstitute: maybeText(),
      accountType: z.optional(africaKind()),
      accountNumber: maybeText(),
      currency: maybeText(),
      country: maybeText(),
    }),
  ),
);

/** The fields of each region. */
export const regionalAccountFields = {
  brazil: ['pixKey', 'currency'],
  colombia: ['bankName', 'bankCode', 'accountNumber', 'accountType', 'currency'],
  argentina: ['accountType', 'accountNumber', 'currency'],
  mexico: ['speiProtocol', 'speiInstitutionCode', 'speiClabe', 'currency'],
  brazilGlobalNetwork: ['email', 'phone', 'pix', 'currency'],
  nigeriaGlobalNetwork: ['bankName', 'accountNumber', 'currency'],
  mexicoGlobalNetwork: ['speiClabe', 'currency'],
  hongKongGlobalNetwork: ['bankName', 'accountNumber', 'swiftCode', 'bankCode', 'transferType', 'currency'],
  chinaGlobalNetwork: ['bankName', 'accountNumber', 'swiftCode', 'currency'],
  singaporeGlobalNetwork: ['bankName', 'accountNumber', 'swiftCode', 'currency'],
} as const satisfies { [Region in RegionalAccountType]: readonly (keyof RegionalAccountParams[Region])[] };

const detailFields = regionalAccountFields;

const detailsRecord = <Name extends string>(names: readonly Name[]) =>
  z.nullish(looseObject(each(names, nullishText())));

/** The fields of a record with the details of an account in another region. */
export const regionalAccountRecords = /* @__PURE__ */ lazy(() => ({
  brazil: detailsRecord(detailFields.brazil),
  colombia: detailsRecord(detailFields.colombia),
  argentina: detailsRecord(detailFields.argentina),
  mexico: detailsRecord(detailFields.mexico),
  brazilGlobalNetwork: detailsRecord(detailFields.brazilGlobalNetwork),
  nigeriaGlobalNetwork: detailsRecord(detailFields.nigeriaGlobalNetwork),
  mexicoGlobalNetwork: detailsRecord(detailFields.mexicoGlobalNetwork),
  hongKongGlobalNetwork: detailsRecord(detailFields.hongKongGlobalNetwork),
  chinaGlobalNetwork: detailsRecord(detailFields.chinaGlobalNetwork),
  singaporeGlobalNetwork: detailsRecord(detailFields.singaporeGlobalNetwork),
}));

const looseDetails = <Name extends string>(names: readonly Name[]) => strictObject(each(names, maybeText()));

type RegionalSchemas = {
  readonly [Region in RegionalAccountType]: z.ZodMiniType<Partial<RegionalAccountParams[Region]>>;
};

/** Details of an account in each other region. What a service needs of them is not documented. */
export const regionalAccountParams = /* @__PURE__ */ lazy(
  (): RegionalSchemas => ({
    brazil: matching<Partial<RegionalAccountParams['brazil']>>()(looseDetails(detailFields.brazil)),
    colombia: matching<Partial<RegionalAccountParams['colombia']>>()(looseDetails(detailFields.colombia)),
    argentina: matching<Partial<RegionalAccountParams['argentina']>>()(looseDetails(detailFields.argentina)),
    mexico: matching<Partial<RegionalAccountParams['mexico']>>()(looseDetails(detailFields.mexico)),
    brazilGlobalNetwork: matching<Partial<RegionalAccountParams['brazilGlobalNetwork']>>()(
      looseDetails(detailFields.brazilGlobalNetwork),
    ),
    nigeriaGlobalNetwork: matching<Partial<RegionalAccountParams['nigeriaGlobalNetwork']>>()(
      looseDetails(detailFields.nigeriaGlobalNetwork),
    ),
    mexicoGlobalNetwork: matching<Partial<RegionalAccountParams['mexicoGlobalNetwork']>>()(
      looseDetails(detailFields.mexicoGlobalNetwork),
    ),
    hongKongGlobalNetwork: matching<Partial<RegionalAccountParams['hongKongGlobalNetwork']>>()(
      looseDetails(detailFields.hongKongGlobalNetwork),
    ),
    chinaGlobalNetwork: matching<Partial<RegionalAccountParams['chinaGlobalNetwork']>>()(
      looseDetails(detailFields.chinaGlobalNetwork),
    ),
    singaporeGlobalNetwork: matching<Partial<RegionalAccountParams['singaporeGlobalNetwork']>>()(
      looseDetails(detailFields.singaporeGlobalNetwork),
    ),
  }),
);
