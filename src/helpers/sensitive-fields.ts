import { kycInfo } from '../schemas/kyc.ts';
import { namesIn } from '../schemas/public-words.ts';
import { lazy } from '../schemas/zod.ts';
import { words } from '../shared/word-lists.ts';

/** The treatment of a field: shown, masked with all of its content, or masked except for what a log needs. */
export type Treatment = 'shown' | 'masked' | 'bank' | 'kyc';

/** Masked wherever they stand, with all that is in them. */
const maskedNames = /* @__PURE__ */ words(
  'traceNumber fedBatchId imad omad senderName beneficiaryName referenceNumber businessName ' +
    'accountHolderName legalName fullName name payerName payeeName recipientName bic pix cbu cvu bsb ' +
    'ifsc sortCode bankCode branchCode mobile mobileNumber msisdn ssn wireMessage achReference ' +
    'sepaReference swiftReference paymentReference instruction invalidFields address accountHolder ' +
    'beneficiary owner ultimateBeneficialOwner beneficialOwners directors shareholders idToken ' +
    'authorization cookie token signature',
);

/** Hold bank details, whose further fields differ by region. */
const bankObjects = /* @__PURE__ */ words(
  'us africa brazil colombia argentina mexico brazilGlobalNetwork nigeriaGlobalNetwork mexicoGlobalNetwork ' +
    'hongKongGlobalNetwork chinaGlobalNetwork singaporeGlobalNetwork bankInfo depositInfo bankDetails ach wire rtp sepa swift',
);

/** Of a bank object, what identifies nobody and what a log needs. */
const shownOfBanks = /* @__PURE__ */ words(
  'type currency rail transferType accountType paymentRail financialInstitute reference depositBy ach wire rtp',
);

/** A record that has one of these is a KYC record, also where it stands alone. */
const kycMarks = /* @__PURE__ */ words(
  'govIdType govIdNumber taxIdentificationNumber dateOfBirth firstNameLocal lastNameLocal sofEuQuestionnaire ' +
    'ultimateBeneficialOwners leiNumber registrationNumber incorporationDate proofOfAddressUrl',
);

/** Of a KYC record, what leads to it. */
const shownOfKyc = /* @__PURE__ */ words('type userId id status createdAt updatedAt');

/** Names that a list cannot cover: `govIdSelfieUrl`, `companyTaxNumber`, `secondaryEmail`. */
const maskedParts =
  /email|phone|passport|birth|nationalid|govid|taxid|taxnumber|iban|clabe|pixkey|accountnumber|routingnumber|(?:first|last|middle|maiden|given|family|sur)name|documenturl|password|secret|privatekey|(?:access|refresh|bearer|api|auth)_?(?:token|key)/;

const normal = (name: string) => name.toLowerCase().replace(/[^a-z\d]/g, '');

/* @__NO_SIDE_EFFECTS__ */
function setOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(normal));
}

/** Each field of a KYC record contains personal or confidential data. */
const masked = /* @__PURE__ */ lazy(() => {
  const personal = namesIn(kycInfo()).filter((name) => name !== 'type');
  return setOf([...personal, ...maskedNames]);
});
const banks = /* @__PURE__ */ setOf(bankObjects);
const bankShown = /* @__PURE__ */ setOf(shownOfBanks);
const marks = /* @__PURE__ */ setOf(kycMarks);
const kycShown = /* @__PURE__ */ setOf(shownOfKyc);

/** Returns the treatment of a field, from its name and the treatment of the object that contains it. */
export function treatmentOf(field: string, within: Treatment): Treatment {
  const name = normal(field);
  if (within === 'masked') return name === 'type' ? 'shown' : 'masked';
  if (within === 'kyc') return kycShown.has(name) ? 'shown' : 'masked';
  if (name === 'kycinfo' || name === 'kyc') return 'kyc';
  if (masked().has(name) || maskedParts.test(name)) return 'masked';
  if (banks.has(name)) return 'bank';
  return within === 'bank' && !bankShown.has(name) ? 'masked' : 'shown';
}

/** Returns true if an object with these fields is a KYC record. */
export const isKycRecord = (fields: readonly string[]): boolean =>
  fields.some((field) => marks.has(normal(field)));
