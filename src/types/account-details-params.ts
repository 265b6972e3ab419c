import type { FiatCurrency } from './fields.ts';

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
  /** In lower case by the spec. Some services spell it with a capital: `Checking`, `Savings`. */
  accountType: 'checking' | 'savings' | 'Checking' | 'Savings' | (string & {});
  /** As text, so that leading zeros stay. Never logged. */
  accountNumber: string;
  /** The bank's number, as text, so that leading zeros stay. Never logged. */
  routingNumber: string;
  /** Not empty. */
  bankName: string;
  /** `usd`, the only known value. */
  currency?: 'usd' | (string & {});
  /** An address, or text. Not in the spec; some services take it. */
  bankAddress?: AddressParams | string;
  /** For an account that is reached from abroad, in place of `accountNumber`. Never logged. */
  iban?: string;
  /** For an account that is reached from abroad, in place of `routingNumber`. */
  swiftCode?: string;
}

/** Bank details of a USD account that is reached by SWIFT code, and by IBAN or account number. */
export interface UsInternationalAccountParams
  extends Omit<UsAccountParams, 'accountNumber' | 'routingNumber' | 'accountType'> {
  /** Identifies the bank. Takes the place of `routingNumber`. */
  swiftCode: string;
  /** The same values as in `UsAccountParams`. An account abroad may have none. */
  accountType?: UsAccountParams['accountType'];
  /** Needed if there is no `iban`. Never logged. */
  accountNumber?: string;
  /** Not needed with a `swiftCode`. Never logged. */
  routingNumber?: string;
}

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
 * The details of an account by its `type`, each in the field that is named like the type. The spec does not show them.
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
