import type { FiatCurrency } from './fields.ts';

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
