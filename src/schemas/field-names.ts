import { wordSet } from './words.ts';

/**
 * Names of fields that requests to most services have. A service that names an invalid field may put a value in
 * its place, so that only what is known to be a name is shown.
 */
const known = /* @__PURE__ */ wordSet(
  'requestId purposeOfPayment description supportingDocumentType supportingDocumentUrl source destination fee ' +
    'currency chain amount transferType rail type value userId accountId walletAddress externalWalletId batch ' +
    'requireApproval sameDayAch achReference wireMessage sepaReference swiftReference swiftCharges paymentReference ' +
    'accountHolder holder holders owner owners name firstName lastName businessName phone email address addressLine1 addressLine2 city ' +
    'stateProvinceRegion postalCode country us africa brazil colombia argentina mexico brazilGlobalNetwork ' +
    'nigeriaGlobalNetwork mexicoGlobalNetwork hongKongGlobalNetwork chinaGlobalNetwork singaporeGlobalNetwork accountType accountNumber routingNumber bankName ' +
    'bankAddress bankCode swiftCode iban pixKey speiClabe clabe financialInstitute comment reason limit offset cursor ' +
    'createdBefore createdAfter page idType idNumber dateOfBirth nationality formationDate pix speiProtocol ' +
    'speiInstitutionCode isInstant transferId approvalId metricId id',
);

/**
 * Checks whether a text is the path of a field, such as `source.amount` or `destination.batch[3].amount`.
 *
 * @param also - Further names that are known, such as the keys of the request.
 */
export function isFieldPath(text: string, also?: ReadonlySet<string>): boolean {
  if (text.length > 100 || !/^\w+(?:\[\d{1,3}\]|\.\w+)*$/.test(text)) return false;
  return text
    .split(/[.[\]]+/)
    .filter((segment) => segment !== '')
    .every((segment) => /^\d{1,3}$/.test(segment) || known.has(segment) || also?.has(segment) === true);
}
