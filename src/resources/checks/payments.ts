import type { InvalidRequestError } from '../../errors/index.ts';
import { letterDistance, plainName } from '../../shared/option-names.ts';
import { isRecord, valueAt } from '../../shared/values.ts';
import { wordSet, words } from '../../shared/word-lists.ts';
import {
  checkEither,
  checkParams,
  fault,
  optional,
  positiveDecimal,
  type Rules,
  requiredText,
  trueOrFalse,
} from './rules.ts';

/** A body that was copied into plain data. */
export type Body = Readonly<Record<string, unknown>>;

/** Checks the body of a payment by the rules of its fields, after the spelling of the fields that keep money safe. */
export function checkPayment(operation: string, body: Body, rules: Rules): InvalidRequestError | undefined {
  return checkSpelling(operation, body) ?? checkParams(operation, body, rules);
}

/** Services take amounts at different places, and as numbers or text, where the spec shows no body. */
const unshownRules: Rules = {
  requireApproval: optional(trueOrFalse),
  amount: unlessAbsent,
  'source.amount': unlessAbsent,
  'destination.amount': unlessAbsent,
};

/** Checks a bridge: only what is certain about a body that the spec does not show. */
export const checkBridge = (body: Body) => checkPayment('bridges.create', body, unshownRules);

/** Checks an offramp: somebody pays, and one of the two amounts is known. */
export function checkOfframp(body: Body): InvalidRequestError | undefined {
  const operation = 'offramps.create';
  const isOneAmount = valueAt(body, 'amount') !== undefined;
  return (
    checkPayment(operation, body, unshownRules) ??
    (isOneAmount
      ? undefined
      : checkEither(operation, body, ['source.amount', 'destination.amount'], positiveDecimal)) ??
    checkEither(operation, body, ['source.userId', 'source.externalWalletId'], requiredText)
  );
}

/** The service's limit for a batch. */
const largestBatch = 50;

const usualNames = ['recipients', 'batch', 'destinations', 'transfers', 'payouts', 'payments', 'items'];

/** Checks a batch: at most 50 recipients, each with an amount above 0 and somebody to pay. */
export function checkBatch(body: Body): InvalidRequestError | undefined {
  const operation = 'transfers.createBatch';
  const problem = checkPayment(operation, body, unshownRules);
  const recipients = problem === undefined ? findRecipients(body) : undefined;
  if (recipients === undefined) return problem;
  const { path, items } = recipients;
  const { length } = items;
  if (length === 0 || length > largestBatch) {
    const rule = `must have from 1 to ${largestBatch} recipients, but has ${length}`;
    return fault(operation, path, `\`${path}\` ${rule}`);
  }
  const checks = path === 'destination.batch' ? [checkAmountOf, checkPayee] : [checkAmountOf];
  for (const check of checks) {
    for (const [index, item] of items.entries()) {
      const wrong = check(operation, item, `${path}[${index}]`, body);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

function checkAmountOf(operation: string, item: unknown, path: string, body: Body) {
  const amount = valueAt(item, 'amount');
  // One amount for all may be at the top, and a list under another name may name the amount otherwise.
  if (amount === undefined && (body.amount !== undefined || !path.startsWith('destination.batch'))) return;
  const why = positiveDecimal(amount);
  return why === undefined ? undefined : fault(operation, `${path}.amount`, `\`${path}.amount\` ${why}`);
}

function checkPayee(operation: string, item: unknown, path: string): InvalidRequestError | undefined {
  const problem = checkEither(operation, item, ['userId', 'walletAddress'], requiredText);
  return problem === undefined
    ? undefined
    : fault(
        operation,
        `${path}.${problem.field}`,
        `\`${path}\` must have a \`userId\` or a \`walletAddress\` that is a non-empty string`,
      );
}

/** Finds the recipients under the usual names of their list; undefined when it is not recognized. */
function findRecipients(body: Body): { path: string; items: readonly unknown[] } | undefined {
  const paths = ['destination.batch', ...usualNames, 'destination', ...usualNames.map(inDestination)];
  for (const path of paths) {
    const value = valueAt(body, path);
    if (Array.isArray(value)) return { path, items: value };
  }
  return undefined;
}

const inDestination = (name: string) => `destination.${name}`;

function unlessAbsent(value: unknown): string | undefined {
  return value === undefined || value === null || isRecord(value) ? undefined : positiveDecimal(value);
}

/**
 * The fields that decide whether money moves once, with approval, and as much as was meant. A service ignores a field
 * that it does not know, so that a misspelled one would be lost in silence.
 */
const safetyFields = ['requestId', 'requireApproval', 'amount', 'source', 'destination'] as const;

type SafetyField = (typeof safetyFields)[number];

/** Fields that belong at the top of a body, and nowhere else. */
const topOnly: readonly SafetyField[] = ['requestId', 'requireApproval'];

/** The fields that are looked for in a side of a payment and in a recipient. */
const innerFields: readonly SafetyField[] = ['amount', ...topOnly];

/** Other words for a safety field that no distance of letters would find, in plain letters. */
const requestIdNames = /* @__PURE__ */ wordSet(
  'requestuuid requestuid requestguid requestkey requestidentifier reqid clientrequestid xrequestid uniquerequestid ' +
    'dedupekey dedupeid deduplicationkey deduplicationid',
);
const approvalNames = /* @__PURE__ */ wordSet(
  'approvalrequired isapprovalrequired requestapproval needapproval needsapproval withapproval holdforapproval',
);

/** Other names for an idempotency key. A near miss of one counts, too. */
const idempotencyNames = /* @__PURE__ */ words(
  'idempotency idempotencykey idempotencyid idempotenttoken idempotentkey',
);

/** Looks for misspelled safety fields at the top of a body, in its two sides, and in each recipient of a batch. */
export function checkSpelling(
  operation: string,
  body: Readonly<Record<string, unknown>>,
): InvalidRequestError | undefined {
  const checkInner = (path: string, value: unknown) =>
    isRecord(value) ? checkKeys(operation, value, `${path}.`, innerFields) : undefined;
  const { source, destination } = body;
  const problem =
    checkKeys(operation, body, '', safetyFields) ??
    checkInner('source', source) ??
    checkInner('destination', destination);
  const batch = isRecord(destination) ? destination.batch : undefined;
  if (problem !== undefined || !Array.isArray(batch)) return problem;
  for (const [index, item] of batch.entries()) {
    const wrong = checkInner(`destination.batch[${index}]`, item);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function checkKeys(
  operation: string,
  record: Readonly<Record<string, unknown>>,
  prefix: string,
  fields: readonly SafetyField[],
): InvalidRequestError | undefined {
  for (const key of Object.keys(record)) {
    const meant = resembledBy(key).find((field) => fields.includes(field));
    if (meant === undefined) continue;
    const isMisplaced = prefix !== '' && topOnly.includes(meant);
    if (meant === key && !isMisplaced) continue;
    const right = isMisplaced ? `\`${meant}\` at the top of the parameters` : `\`${meant}\``;
    return fault(operation, `${prefix}${key}`, `\`${prefix}${key}\` is unknown: did you mean ${right}?`);
  }
  return undefined;
}

/** The safety fields that a key is or resembles, cached: payments have few keys, and comparing letter by letter is slow. */
const resemblances = /* @__PURE__ */ new Map<string, readonly SafetyField[]>();

function resembledBy(key: string): readonly SafetyField[] {
  const known = resemblances.get(key);
  if (known !== undefined) return known;
  const plain = plainName(key);
  const near = safetyFields.filter((field) => isNear(plain, plainName(field)));
  const resembled = [...synonymsOf(plain), ...near];
  // Keys that come from users' data could be without end.
  if (resemblances.size >= 1_000) resemblances.clear();
  resemblances.set(key, resembled);
  return resembled;
}

function synonymsOf(plain: string): readonly SafetyField[] {
  if (approvalNames.has(plain)) return ['requireApproval'];
  return requestIdNames.has(plain) || idempotencyNames.some((name) => isNear(plain, name))
    ? ['requestId']
    : [];
}

/**
 * Returns true if two plain words differ by at most one letter in five. A longer word that begins with the name is another
 * word.
 */
function isNear(word: string, name: string): boolean {
  if (word.startsWith(name) && word.length > name.length + 1) return false;
  const allowed = Math.floor(name.length / 5);
  return Math.abs(word.length - name.length) <= allowed && letterDistance(word, name) <= allowed;
}

/** ISO 4217 codes of the currencies of African countries, in lower case as the service writes them. */
const codes = /* @__PURE__ */ wordSet(
  'aoa bif bwp cdf cve djf dzd egp ern etb ghs gmd gnf kes kmf lrd lsl lyd mad mga mru mur mwk mzn nad ngn ' +
    'rwf scr sdg sle sos ssp stn szl tnd tzs ugx xaf xof zar zmw zwg',
);

/** Returns true for the fiat currencies of Africa, for which the service has no one-time deposits. */
export function isAfricanCurrency(currency: unknown): boolean {
  return typeof currency === 'string' && codes.has(currency.toLowerCase());
}
