import type { Address } from './fields.ts';

/** A user's KYC record. Personal and confidential: pass it through `redact` before you print it. */
export interface KycInformation {
  /** The user. */
  userId: string;
  /** The record. Every field may be null or missing. */
  kycInfo: KycInfo;
}

/** The personal fields of a KYC record. Personal data. */
export interface KycPerson {
  /** First name. */
  firstName?: string | null;
  /** First name in the local script. */
  firstNameLocal?: string | null;
  /** Middle name. */
  middleName?: string | null;
  /** Middle name in the local script. */
  middleNameLocal?: string | null;
  /** Last name. */
  lastName?: string | null;
  /** Last name in the local script. */
  lastNameLocal?: string | null;
  /** Nationality as a three-letter country code. */
  nationality?: string | null;
  /** Email address. */
  email?: string | null;
  /** Phone number. */
  phone?: string | null;
  /** Postal address. */
  address?: Address | null;
  /** Date of birth, `YYYY-MM-DD`. */
  dateOfBirth?: string | null;
  /** Country of birth. */
  countryOfBirth?: string | null;
  /** State of birth. */
  stateOfBirth?: string | null;
  /** Place of birth. */
  placeOfBirth?: string | null;
  /** Tax identification number. */
  taxIdentificationNumber?: string | null;
  /** Country of tax residence. */
  taxResidenceCountry?: string | null;
  /** The kind of government id. */
  govIdType?: string | null;
  /** The number of the government id. */
  govIdNumber?: string | null;
  /** A URL of the front of the government id. */
  govIdFrontUrl?: string | null;
  /** A URL of the back of the government id. */
  govIdBackUrl?: string | null;
  /** The country that issued the government id. */
  govIdCountry?: string | null;
  /** The date of issue of the government id, `YYYY-MM-DD`. */
  govIdIssuanceDate?: string | null;
  /** The date of expiry of the government id, `YYYY-MM-DD`. */
  govIdExpirationDate?: string | null;
  /** The authority that issued the government id. */
  govIdIssuanceAuthority?: string | null;
  /** A URL of a photo of the person with the government id. */
  govIdHandHoldUrl?: string | null;
  /** The kind of proof of address. */
  proofOfAddressType?: string | null;
  /** A URL of the proof of address. */
  proofOfAddressUrl?: string | null;
  /** The IP address that the person used. */
  ipAddress?: string | null;
  /** The kind of a further id. */
  idType?: string | null;
  /** The number of a further id. */
  idNumber?: string | null;
  /** The kind of an additional id. */
  additionalIdType?: string | null;
  /** The number of an additional id. */
  additionalIdNumber?: string | null;
}

/** The fields of a KYC record: of a person, and of a business where `type` says so. Personal and confidential. */
export interface KycInfo extends KycPerson {
  /** The kind of customer. */
  type?: 'individual' | 'business' | (string & {}) | null;
  /** The questionnaire on the source of funds: text, or an object of the service's own. */
  sofEuQuestionnaire?: string | object | null;
  /** The purpose for which the customer uses the service. */
  purpose?: string | null;
  /** The category of product or service. */
  productServiceCategory?: string | null;
  /** Supplementary information. */
  supplementaryInfo?: string | null;
  /** A URL of supplementary documents. */
  supplementaryUrl?: string | null;
  /** Documents, in a form of the service's own. */
  documents?: unknown[] | null;
  /** The name of the business. */
  businessName?: string | null;
  /** The registered address of the business. */
  registeredAddress?: Address | null;
  /** The postal address of the business. */
  postalAddress?: Address | null;
  /** The kind of tax identification number. */
  taxIdentificationNumberType?: string | null;
  /** The legal entity identifier (LEI). */
  leiNumber?: string | null;
  /** The number in the company register. */
  registrationNumber?: string | null;
  /** The date of incorporation, `YYYY-MM-DD`. */
  incorporationDate?: string | null;
  /** The country of incorporation, as a country code. */
  incorporationCountry?: string | null;
  /** The people who own or control the business. */
  ultimateBeneficialOwners?: KycBeneficialOwner[] | null;
}

/** A person who owns or controls a business. Personal data. */
export interface KycBeneficialOwner extends KycPerson {
  /** Documents, in a form of the service's own. */
  documents?: unknown[] | null;
}
