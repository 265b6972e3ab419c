import { fieldNamesIn } from '../../shared/schema/fields.ts';
import { lazy } from '../../shared/schema/schema.ts';
import { regionalAccountFields } from '../../shared/service/account-details.ts';
import { kycInfo } from '../../shared/service/kyc.ts';

/** The treatment of a field: shown, masked with all of its content, or masked except for what a log needs. */
export type Treatment = 'shown' | 'masked' | 'bank' | 'kyc';

const normal = (name: string) => name.toLowerCase().replace(/[^a-z\d]/g, '');

/** A set of names, made when it is first needed. */
/* @__NO_SIDE_EFFECTS__ */
const nameSet = (list: () => readonly string[]) => lazy(() => new Set(list().map(normal)));

/** Masked wherever they stand, with all that is in them. Each field of a KYC record but one is personal or confidential. */
const maskedNames = /* @__PURE__ */ nameSet(() => [
  ...fieldNamesIn([kycInfo()]).filter((name) => name !== 'type'),
  'senderName',
  'beneficiaryName',
  'accountHolderName',
  'legalName',
  'fullName',
  'name',
  'payerName',
  'payeeName',
  'recipientName',
  'traceNumber',
  'fedBatchId',
  'imad',
  'omad',
  'referenceNumber',
  'bic',
  'pix',
  'cbu',
  'cvu',
  'bsb',
  'ifsc',
  'sortCode',
  'bankCode',
  'branchCode',
  'mobile',
  'mobileNumber',
  'msisdn',
  'ssn',
  'wireMessage',
  'achReference',
  'sepaReference',
  'swiftReference',
  'paymentReference',
  'instruction',
  'invalidFields',
  'accountHolder',
  'beneficiary',
  'owner',
  'ultimateBeneficialOwner',
  'beneficialOwners',
  'directors',
  'shareholders',
  'idToken',
  'authorization',
  'cookie',
  'token',
  'signature',
]);

/** Hold bank details, whose further fields differ by region. */
const banks = /* @__PURE__ */ nameSet(() => [
  ...Object.keys(regionalAccountFields),
  'us',
  'africa',
  'bankInfo',
  'depositInfo',
  'bankDetails',
  'ach',
  'wire',
  'rtp',
  'sepa',
  'swift',
]);

/** Of a bank object, what identifies nobody and what a log needs. */
const bankShown = /* @__PURE__ */ nameSet(() => [
  'type',
  'currency',
  'rail',
  'transferType',
  'accountType',
  'paymentRail',
  'financialInstitute',
  'reference',
  'depositBy',
  'ach',
  'wire',
  'rtp',
]);

/** A record that has one of these is a KYC record, also where it stands alone. */
const marks = /* @__PURE__ */ nameSet(() => [
  'govIdType',
  'govIdNumber',
  'taxIdentificationNumber',
  'dateOfBirth',
  'firstNameLocal',
  'lastNameLocal',
  'sofEuQuestionnaire',
  'ultimateBeneficialOwners',
  'leiNumber',
  'registrationNumber',
  'incorporationDate',
  'proofOfAddressUrl',
]);

/** Of a KYC record, what leads to it. */
const kycShown = /* @__PURE__ */ nameSet(() => ['type', 'userId', 'id', 'status', 'createdAt', 'updatedAt']);

/** Names that a list cannot cover: `govIdSelfieUrl`, `companyTaxNumber`, `secondaryEmail`. */
const maskedParts =
  /email|phone|passport|birth|nationalid|govid|taxid|taxnumber|iban|clabe|pixkey|accountnumber|routingnumber|(?:first|last|middle|maiden|given|family|sur)name|documenturl|password|secret|privatekey|(?:access|refresh|bearer|api|auth)_?(?:token|key)/;

/** Returns the treatment of a field, from its name and the treatment of the object that contains it. */
export function treatmentOf(field: string, within: Treatment): Treatment {
  const name = normal(field);
  if (within === 'masked') return name === 'type' ? 'shown' : 'masked';
  if (within === 'kyc') return kycShown().has(name) ? 'shown' : 'masked';
  if (name === 'kycinfo' || name === 'kyc') return 'kyc';
  if (maskedNames().has(name) || maskedParts.test(name)) return 'masked';
  if (banks().has(name)) return 'bank';
  return within === 'bank' && !bankShown().has(name) ? 'masked' : 'shown';
}

/** Returns true if an object with these fields is a KYC record. */
export const isKycRecord = (fields: readonly string[]): boolean =>
  fields.some((field) => marks().has(normal(field)));
