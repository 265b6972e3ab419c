import type { KycBeneficialOwner, KycInfo, KycInformation, KycPerson } from '../types/kyc.ts';
import { address } from './parts.ts';
import { either, type Fields, lazy, list, nullish, record, shape, text, texts, unknown } from './zod.ts';

const personFields = /* @__PURE__ */ lazy(
  (): Fields<KycPerson> => ({
    ...texts(
      'firstName firstNameLocal middleName middleNameLocal lastName lastNameLocal nationality email phone',
    ),
    ...texts(
      'dateOfBirth countryOfBirth stateOfBirth placeOfBirth taxIdentificationNumber taxResidenceCountry',
    ),
    ...texts('govIdType govIdNumber govIdFrontUrl govIdBackUrl govIdCountry govIdIssuanceDate'),
    ...texts(
      'govIdExpirationDate govIdIssuanceAuthority govIdHandHoldUrl proofOfAddressType proofOfAddressUrl',
    ),
    ...texts('ipAddress idType idNumber additionalIdType additionalIdNumber'),
    address: nullish(address()),
  }),
);

const beneficialOwner = /* @__PURE__ */ lazy(() =>
  record<KycBeneficialOwner>({ ...personFields(), documents: nullish(list(unknown())) }),
);

export const kycInfo = /* @__PURE__ */ lazy(() =>
  record<KycInfo>({
    ...personFields(),
    ...texts('type purpose productServiceCategory supplementaryInfo supplementaryUrl businessName leiNumber'),
    ...texts('taxIdentificationNumberType registrationNumber incorporationDate incorporationCountry'),
    sofEuQuestionnaire: nullish(either(text(), record<Record<string, unknown>>({}))),
    documents: nullish(list(unknown())),
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
