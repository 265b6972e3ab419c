import * as z from 'zod/mini';
import { lazy, looseObject, matching, texts } from '../schema/schema.ts';
import { type Address, address } from './fields.ts';

/**
 * A user's KYC record (spec: KYC information). Personal and confidential: pass it through `redact` before you print it.
 */
export interface KycInformation {
  /** The id that you gave, a UUID. */
  userId: string;
  /** Every field may be null or missing. */
  kycInfo: KycInfo;
}

/** The personal fields of a KYC record. Personal data: the client masks all of them in logs. */
interface KycPerson {
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
  /** Three-letter country code. */
  nationality?: string | null;
  /** Email address. */
  email?: string | null;
  /** The format is not documented. */
  phone?: string | null;
  /** Postal address. */
  address?: Address | null;
  /** `YYYY-MM-DD`, without a time. */
  dateOfBirth?: string | null;
  /** The format of the country is not documented. */
  countryOfBirth?: string | null;
  /** State of birth. */
  stateOfBirth?: string | null;
  /** Place of birth. */
  placeOfBirth?: string | null;
  /** Tax identification number. */
  taxIdentificationNumber?: string | null;
  /** The format of the country is not documented. */
  taxResidenceCountry?: string | null;
  /** The kind of government id. The values are not documented. */
  govIdType?: string | null;
  /** The number on the document, as text. */
  govIdNumber?: string | null;
  /** An image of the front of the government id. The lifetime of the URL is not documented. */
  govIdFrontUrl?: string | null;
  /** An image of the back of the government id. The lifetime of the URL is not documented. */
  govIdBackUrl?: string | null;
  /** The country that issued the document. Its format is not documented. */
  govIdCountry?: string | null;
  /** `YYYY-MM-DD`. */
  govIdIssuanceDate?: string | null;
  /** `YYYY-MM-DD`. */
  govIdExpirationDate?: string | null;
  /** The authority that issued the document, as text. */
  govIdIssuanceAuthority?: string | null;
  /** A URL of a photo of the person with the government id. */
  govIdHandHoldUrl?: string | null;
  /** The kind of document. The values are not documented. */
  proofOfAddressType?: string | null;
  /** The document that `proofOfAddressType` names. */
  proofOfAddressUrl?: string | null;
  /** The IP address that the person used. */
  ipAddress?: string | null;
  /** The kind of a further id. The values are not documented. */
  idType?: string | null;
  /** The number of the id that `idType` names. */
  idNumber?: string | null;
  /** The kind of an additional id. The values are not documented. */
  additionalIdType?: string | null;
  /** The number of the id that `additionalIdType` names. */
  additionalIdNumber?: string | null;
}

/** The fields of a KYC record: of a person, and of a business where `type` says so. Personal and confidential. */
export interface KycInfo extends KycPerson {
  /** A person or a business. Decides which of the fields the record has. */
  type?: 'individual' | 'business' | (string & {}) | null;
  /** The questionnaire on the source of funds: text, or an object of the service's own. */
  sofEuQuestionnaire?: string | Record<string, unknown> | null;
  /** The purpose for which the customer uses the service, as text. */
  purpose?: string | null;
  /** As text. The categories are not documented. */
  productServiceCategory?: string | null;
  /** Free text. */
  supplementaryInfo?: string | null;
  /** A URL of supplementary documents. */
  supplementaryUrl?: string | null;
  /** The service does not document the elements. Narrow one before you use it. */
  documents?: unknown[] | null;
  /** Of a business, as are the fields below. Not documented; some services send them. */
  businessName?: string | null;
  /** The registered address of the business. */
  registeredAddress?: Address | null;
  /** The postal address of the business. */
  postalAddress?: Address | null;
  /** The kind of `taxIdentificationNumber`. The values are not documented. */
  taxIdentificationNumberType?: string | null;
  /** The legal entity identifier (LEI). */
  leiNumber?: string | null;
  /** The number in the company register. */
  registrationNumber?: string | null;
  /** `YYYY-MM-DD`. */
  incorporationDate?: string | null;
  /** A country code. Its format is not documented. */
  incorporationCountry?: string | null;
  /** The people who own or control the business, each with their own personal fields. */
  ultimateBeneficialOwners?: KycBeneficialOwner[] | null;
}

/** A person who owns or controls a business. Personal data, masked in logs like that of a user. */
export interface KycBeneficialOwner extends KycPerson {
  /** The elements are not documented. Narrow one before you use it. */
  documents?: unknown[] | null;
}

const personFields = /* @__PURE__ */ lazy(() => ({
  ...texts('firstName', 'firstNameLocal', 'middleName', 'middleNameLocal', 'lastName', 'lastNameLocal'),
  ...texts('nationality', 'email', 'phone', 'dateOfBirth', 'countryOfBirth', 'stateOfBirth', 'placeOfBirth'),
  ...texts('taxIdentificationNumber', 'taxResidenceCountry'),
  ...texts('govIdType', 'govIdNumber', 'govIdFrontUrl', 'govIdBackUrl', 'govIdCountry', 'govIdIssuanceDate'),
  ...texts('govIdExpirationDate', 'govIdIssuanceAuthority', 'govIdHandHoldUrl'),
  ...texts('proofOfAddressType', 'proofOfAddressUrl', 'ipAddress'),
  ...texts('idType', 'idNumber', 'additionalIdType', 'additionalIdNumber'),
  address: z.nullish(address()),
}));

const beneficialOwner = /* @__PURE__ */ lazy(() =>
  matching<KycBeneficialOwner>()(
    looseObject({ ...personFields(), documents: z.nullish(z.array(z.unknown())) }),
  ),
);

export const kycInfo = /* @__PURE__ */ lazy(() =>
  matching<KycInfo>()(
    looseObject({
      ...personFields(),
      ...texts('type', 'purpose', 'productServiceCategory', 'supplementaryInfo', 'supplementaryUrl'),
      sofEuQuestionnaire: z.nullish(z.union([z.string(), looseObject({})])),
      documents: z.nullish(z.array(z.unknown())),
      ...texts('businessName', 'taxIdentificationNumberType', 'leiNumber', 'registrationNumber'),
      ...texts('incorporationDate', 'incorporationCountry'),
      registeredAddress: z.nullish(address()),
      postalAddress: z.nullish(address()),
      ultimateBeneficialOwners: z.nullish(z.array(beneficialOwner())),
    }),
  ),
);

export const kycInformation = /* @__PURE__ */ lazy(() =>
  matching<KycInformation>()(looseObject({ userId: z.string(), kycInfo: kycInfo() })),
);
