import { letterDistance, plainName } from '../../closed-options.ts';
import type { InvalidRequestError } from '../../errors/index.ts';
import { wordSet, words } from '../../schemas/words.ts';
import { isRecord } from '../../transport/kind.ts';
import { fault } from './rules.ts';

/**
 * The fields that decide whether money moves once, with approval, and as much as was meant. A service ignores a field
 * that it does not know, so that a misspelled one would be lost in silence.
 */
const safetyFields = ['requestId', 'requireApproval', 'amount', 'source', 'destination'] as const;

type SafetyField = (typeof safetyFields)[number];

/** The ones that belong at the top of a body, and nowhere else. */
const topOnly: readonly SafetyField[] = ['requestId', 'requireApproval'];

/** Other words for a safety field that no distance of letters would find, in plain letters. */
const requestIdNames = /* @__PURE__ */ wordSet(
  'requestuuid requestuid requestguid requestkey requestidentifier reqid clientrequestid xrequestid uniquerequestid ' +
    'dedupekey dedupeid deduplicationkey deduplicationid',
);
const approvalNames = /* @__PURE__ */ wordSet(
  'approvalrequired isapprovalrequired requestapproval needapproval needsapproval withapproval holdforapproval',
);

/** What is near to one of these is an idempotency key under another name. */
const idempotencyNames = /* @__PURE__ */ words(
  'idempotency idempotencykey idempotencyid idempotenttoken idempotentkey',
);

/** Looks for misspelled safety fields at the top of a body, in its two sides, and in each recipient of a batch. */
export function checkSpelling(
  operation: string,
  body: Readonly<Record<string, unknown>>,
): InvalidRequestError | undefined {
  const top = checkKeys(operation, body, '', safetyFields);
  if (top !== undefined) return top;
  const { source, destination } = body;
  const places: [path: string, value: unknown][] = [
    ['source', source],
    ['destination', destination],
  ];
  const batch = isRecord(destination) ? destination.batch : undefined;
  if (Array.isArray(batch))
    places.push(...batch.map((item, index): [string, unknown] => [`destination.batch[${index}]`, item]));
  for (const [path, value] of places) {
    const problem = isRecord(value)
      ? checkKeys(operation, value, `${path}.`, ['amount', ...topOnly])
      : undefined;
    if (problem !== undefined) return problem;
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
    const meant = fields.find((field) => field === key) ?? nearest(key, fields);
    if (meant === undefined) continue;
    const isMisplaced = prefix !== '' && topOnly.includes(meant);
    if (meant === key && !isMisplaced) continue;
    const right = isMisplaced ? `\`${meant}\` at the top of the parameters` : `\`${meant}\``;
    return fault(operation, `${prefix}${key}`, `\`${prefix}${key}\` is unknown: did you mean ${right}?`);
  }
  return undefined;
}

/** The safety field that a key misspells, if it does. */
function nearest(key: string, fields: readonly SafetyField[]): SafetyField | undefined {
  return resembledBy(key).find((field) => fields.includes(field));
}

/** What each key resembles: the keys of payments are few, and a comparison letter by letter costs more than the rest. */
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

/** Whether two plain words differ by one slip of the fingers in five letters. A longer word is a word of its own. */
function isNear(word: string, name: string): boolean {
  if (word.startsWith(name) && word.length > name.length + 1) return false;
  const allowed = Math.floor(name.length / 5);
  return Math.abs(word.length - name.length) <= allowed && letterDistance(word, name) <= allowed;
}
