import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { address, open, text, texts, uuid } from './parts.ts';

/** The fields of a person, and of an owner of a business. */
const PERSON = [
  'firstName firstNameLocal middleName middleNameLocal lastName lastNameLocal nationality email phone dateOfBirth',
  'countryOfBirth stateOfBirth placeOfBirth taxIdentificationNumber taxResidenceCountry govIdType govIdNumber',
  'govIdFrontUrl govIdBackUrl govIdCountry govIdIssuanceDate govIdExpirationDate govIdIssuanceAuthority',
  'govIdHandHoldUrl proofOfAddressType proofOfAddressUrl ipAddress idType idNumber additionalIdType additionalIdNumber',
].flatMap((line) => line.split(' '));

/** The other fields of a record, those of a business among them. */
const MORE = [
  'type purpose productServiceCategory supplementaryInfo supplementaryUrl businessName taxIdentificationNumberType',
  'leiNumber registrationNumber incorporationDate incorporationCountry',
].flatMap((line) => line.split(' '));

/** The KYC information of a user in a dialect. A test may add fields of its own. */
export function kycOf({ kycQuestionnaire }: Dialect) {
  const person = { ...texts(PERSON), address: z.nullish(address) };
  const documents = z.array(z.unknown());
  const kycInfo = z.looseObject({
    ...person,
    ...texts(MORE),
    sofEuQuestionnaire: kycQuestionnaire === 'text' ? z.nullish(text) : z.nullish(z.union([open, text])),
    documents,
    registeredAddress: z.nullish(address),
    postalAddress: z.nullish(address),
    ultimateBeneficialOwners: z.nullish(
      z.array(z.looseObject({ ...person, documents: z.nullish(documents) })),
    ),
  });
  return z.object({ userId: uuid, kycInfo });
}
