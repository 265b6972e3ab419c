import { lazy, openEnum, optionalText, shape } from './common.ts';
import * as z from './zod.ts';

const textFields = [
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
  'sofEuQuestionnaire',
  'ipAddress',
  'idType',
  'idNumber',
  'additionalIdType',
  'additionalIdNumber',
  'purpose',
  'productServiceCategory',
  'supplementaryInfo',
  'supplementaryUrl',
] as const;

const addressFields = [
  'addressLine1',
  'addressLine2',
  'city',
  'stateProvinceRegion',
  'postalCode',
  'country',
] as const;

/** The fields of a KYC record that hold personal data; `redact` masks each of them. */
export const personalFields: readonly string[] = [...textFields, ...addressFields, 'documents'];

const texts = <const Name extends string>(names: readonly Name[]) =>
  // Object.fromEntries widens the keys to string; the names are known to be these.
  Object.fromEntries(names.map((name) => [name, optionalText()])) as Record<
    Name,
    ReturnType<typeof optionalText>
  >;

const kycInformation = lazy(() =>
  z.looseObject({
    /** The user. */
    userId: z.string(),
    /** The record. Every field may be null or missing. */
    kycInfo: z.looseObject({
      /** Such as `individual`. */
      type: z.nullish(openEnum(['individual'])),
      ...texts(textFields),
      /** Postal address. */
      address: z.nullish(z.looseObject(texts(addressFields))),
      /** Documents. The spec does not show their shape. */
      documents: z.nullish(z.array(z.unknown())),
    }),
  }),
);

/** A user's KYC record. Personal data: pass it through `redact` before you print it. */
export interface KycInformation extends z.infer<ReturnType<typeof kycInformation>> {}

export const kycInformationShape = shape<KycInformation>(kycInformation, ['userId', 'kycInfo']);
