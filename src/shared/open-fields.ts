/** Fields whose values are words of closed lists. */
const words: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'currency',
  'chain',
  'rail',
  'railType',
  'paymentRail',
  'type',
  'transferType',
  'accountType',
  'walletType',
  'feeType',
  'idType',
  'status',
  'vote',
  'purposeOfPayment',
  'swiftCharges',
  'speiProtocol',
  'eventType',
  'eventCategory',
  'eventAction',
  'version',
]);

/** Fields with ids of the service, and of a payment. One that is no UUID may be anything. */
const ids: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'id',
  'requestId',
  'userId',
  'accountId',
  'transferId',
  'approvalId',
  'externalWalletId',
  'virtualAccountId',
  'eventId',
  'feeId',
  'initiatorId',
  'initiatorProfileId',
  'approverId',
]);

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Returns true for a value that says nothing of a person and is no credential: a word of a closed list, or an id of the
 * service. A message that hides it may hide its own remedy.
 */
export const isOpenValue = (field: string, value: string): boolean =>
  (words.has(field) && /^[A-Za-z\d][\w.-]{0,39}$/.test(value)) || (ids.has(field) && uuid.test(value));
