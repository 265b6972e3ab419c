import { personalFields } from '../schemas/kyc.ts';

const bankFields = [
  'accountNumber',
  'routingNumber',
  'traceNumber',
  'fedBatchId',
  'imad',
  'omad',
  'senderName',
  'businessName',
];
const secretFields = ['accessToken', 'authorization', 'token', 'secret'];

/** Objects in which everything but the `type` is personal. */
const personalObjects = ['address', 'accountHolder', 'beneficiary'];

/** Fields that are masked wherever they stand, with all that is in them. */
const masked = /* @__PURE__ */ lowerCase(personalFields, personalObjects, bankFields, secretFields);

const mask = '[redacted]';

/**
 * A copy of a value that may be printed: personal data, bank numbers and tokens are replaced by `[redacted]`. Which
 * fields these are comes from the schemas of the KYC record and of the bank details.
 *
 * @param value - Anything the client returns or takes. It is not changed.
 *
 * @example
 * ```ts
 * console.log(redact(await payments.kyc.retrieve(userId)));
 * ```
 */
export function redact<T>(value: T): T;
export function redact(value: unknown): unknown {
  return copy(value, false, 0);
}

function copy(value: unknown, isPersonal: boolean, depth: number): unknown {
  if (depth > 100) return mask;
  if (Array.isArray(value)) return value.map((item) => copy(item, isPersonal, depth + 1));
  if (value === null || value === undefined) return value;
  if (typeof value !== 'object') return isPersonal ? mask : value;
  const entries = Object.entries(value).map(([key, field]): [string, unknown] => {
    const hides = isPersonal || masked.has(key.toLowerCase());
    return [key, copy(field, hides && key !== 'type', depth + 1)];
  });
  return Object.fromEntries(entries);
}

function lowerCase(...lists: readonly (readonly string[])[]): ReadonlySet<string> {
  return new Set(lists.flat().map((name) => name.toLowerCase()));
}
