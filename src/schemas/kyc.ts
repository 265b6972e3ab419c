import type { KycBeneficialOwner, KycInfo, KycInformation, KycPerson } from '../types/kyc.ts';
import {
  anyList,
  anyRecord,
  either,
  type Fields,
  list,
  maybeText,
  nullish,
  record,
  text,
  texts,
} from './field.ts';
import { address, addressFields } from './parts.ts';
import { lazy, shape } from './zod.ts';

const personTexts = [
  'firstName',
  'firstNameLocal',
  'middleName',
  'middleNameLocal',
  'lastName',
  'lastNameLocal',
  'nationality',
  'email',
  'phone',
  'dateOfBirth',
  'countryOfBirth',
  'stateOfBirth',
  'placeOfBirth',
  'taxIdentificationNumber',
  'taxResidenceCountry',
  'govIdType',
  'govIdNumber',
  'govIdFrontUrl',
  'govIdBackUrl',
  'govIdCountry',
  'govIdIssuanceDate',
  'govIdExpirationDate',
  'govIdIssuanceAuthority',
  'govIdHandHoldUrl',
  'proofOfAddressType',
  'proofOfAddressUrl',
  'ipAddress',
  'idType',
  'idNumber',
  'additionalIdType',
  'additionalIdNumber',
] as const satisfies readonly (keyof KycPerson)[];

const recordTexts = [
  'purpose',
  'productServiceCategory',
  'supplementaryInfo',
  'supplementaryUrl',
  'businessName',
  'taxIdentificationNumberType',
  'leiNumber',
  'registrationNumber',
  'incorporationDate',
  'incorporationCountry',
] as const satisfies readonly (keyof KycInfo)[];

/** The fields of a KYC record that contain personal or confidential data; `redact` masks each of them. */
export const personalFields = (): readonly string[] => [
  ...personTexts,
  ...recordTexts,
  ...addressFields,
  'sofEuQuestionnaire',
  'registeredAddress',
  'postalAddress',
  'ultimateBeneficialOwners',
  'documents',
];

const personFields = /* @__PURE__ */ lazy(
  (): Fields<KycPerson> => ({ ...texts(personTexts), address: nullish(address()) }),
);

const beneficialOwner = /* @__PURE__ */ lazy(() =>
  record<KycBeneficialOwner>({ ...personFields(), documents: nullish(anyList()) }),
);

const kycInfo = /* @__PURE__ */ lazy(() =>
  record<KycInfo>({
    ...personFields(),
    ...texts(recordTexts),
    type: maybeText(),
    sofEuQuestionnaire: nullish(either(text(), anyRecord())),
    documents: nullish(anyList()),
    registeredAddress: nullish(address()),
    postalAddress: nullish(address()),
    ultimateBeneficialOwners: nullish(list(beneficialOwner())),
  }),
);

const kycInformation = /* @__PURE__ */ lazy(() =>
  record<KycInformation>({ userId: text(), kycInfo: kycInfo() }),
);

export const kycInformationShape = /* @__PURE__ */ shape<KycInformation>(kycInformation, [
  'userId',
  'kycInfo',
]);
