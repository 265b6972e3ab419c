import { isExact, isRecord, plainDecimal, valueAt } from '../values.ts';
import { isShown } from './shapes.ts';

/** Returns an id in the form in which ids and addresses are compared: without case and hyphens, and a UUID in any form. */
export const plainId = (id: string): string => id.toLowerCase().replace(/^\s*urn:uuid:|[{}\s-]/g, '');

/** Returns the details of a record; a record without them shows its fields at the top. */
export const detailsOf = (record: unknown): unknown => valueAt(record, 'transferDetails') ?? record;

/** Returns the idempotency key that a record shows, or undefined. */
export function requestIdOf(record: unknown): string | undefined {
  const id = valueAt(detailsOf(record), 'requestId') ?? valueAt(record, 'requestId');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns the recipients that the record of a batch shows. */
export function recipientsIn(details: unknown): readonly unknown[] {
  const shown = valueAt(details, 'destination.batch') ?? valueAt(details, 'recipients');
  return Array.isArray(shown) ? shown : [];
}

/** The fields that identify a payer or a payee. */
const partyFields: readonly string[] = ['userId', 'walletAddress', 'externalWalletId', 'accountId'];

/**
 * Row 9: returns the paths at which a record shows another key, amount, currency, payer or payee than was sent. A field
 * counts only if it was sent and is shown. Amounts do not count if a `fee` was sent.
 *
 * @param sent - The body that was sent, parsed.
 * @param details - The details of the record: what is in its documented place.
 */
export function differencesOf(sent: unknown, details: unknown): readonly string[] {
  if (!isRecord(sent) || !isRecord(details)) return [];
  const withFee = sent.fee !== undefined && sent.fee !== null;
  const differing: string[] = [];
  if (isOtherId(sent.requestId, details.requestId)) differing.push('requestId');
  for (const side of ['', 'source', 'destination']) {
    const from = side === '' ? sent : sent[side];
    const to = side === '' ? details : details[side];
    if (!isRecord(from) || !isRecord(to)) continue;
    const path = (field: string) => (side === '' ? field : `${side}.${field}`);
    if (!withFee && isOtherAmount(from.amount, to.amount)) differing.push(path('amount'));
    if (isOtherCurrency(from.currency, to.currency)) differing.push(path('currency'));
    if (side === '') continue;
    for (const field of partyFields) if (isOtherId(from[field], to[field])) differing.push(path(field));
  }
  const batch = valueAt(sent, 'destination.batch');
  return Array.isArray(batch) ? [...differing, ...differencesOfBatch(batch, details, withFee)] : differing;
}

function differencesOfBatch(
  batch: readonly unknown[],
  details: Record<string, unknown>,
  withFee: boolean,
): readonly string[] {
  const differing: string[] = [];
  if (!withFee && isOtherTotal(batch, details.amount)) differing.push('amount');
  if (hasOtherRecipients(batch, details, withFee)) differing.push('destination.batch');
  return differing;
}

/** Returns true if both values are ids, and not the same one. */
function isOtherId(sent: unknown, shown: unknown): boolean {
  if (!isComparable(sent) || !isComparable(shown)) return false;
  return plainId(String(sent)) !== plainId(String(shown));
}

const isOtherCurrency = (sent: unknown, shown: unknown): boolean =>
  isComparable(sent) && isComparable(shown) && String(sent).toLowerCase() !== String(shown).toLowerCase();

/** A number beyond 2^53 stands for several: it is not compared. */
const isComparable = (value: unknown): boolean =>
  isShown(value) && (typeof value === 'string' || isExact(value));

/** The significant digits that a number of JSON is sure to keep. */
const digits = 15;

/** Compares decimal strings digit by digit, and a number by the digits that it has. What is no amount proves no other. */
function isOtherAmount(one: unknown, other: unknown): boolean {
  const sent = amountIn(one);
  const shown = amountIn(other);
  if (sent === undefined || shown === undefined || sent === shown) return false;
  if (typeof sent === 'string' && typeof shown === 'string') return true;
  return Number(sent).toPrecision(digits) !== Number(shown).toPrecision(digits);
}

/**
 * Returns true if an amount is not the sum of a batch. Each number that is added may cost the last digit of the sum, here
 * and in the service: 20 times 4.02 is 80.39999999999995.
 */
function isOtherTotal(batch: readonly unknown[], shown: unknown): boolean {
  const total = batch.reduce<number>((sum, one) => sum + Number(valueAt(one, 'amount')), 0);
  const amount = Number(amountIn(shown) ?? Number.NaN);
  return Math.abs(amount - total) > total * batch.length * Number.EPSILON;
}

/** Returns an amount in a form that can be compared: a number, or a decimal string without empty zeros. */
export const amountIn = (value: unknown): number | string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : plainDecimal(value);

const payeeFields: readonly string[] = ['userId', 'walletAddress'];

/**
 * Returns true if the recipients that a record shows cannot be those that were sent: another number of them, or one that is
 * none of those. They may stand in any order, without amounts, and with a wallet in the place of a user. An empty list shows
 * nothing.
 */
function hasOtherRecipients(sent: readonly unknown[], details: unknown, withFee: boolean): boolean {
  const shown = recipientsIn(details);
  if (shown.length === 0) return false;
  if (shown.length !== sent.length) return true;
  const isShare = (one: unknown, own: unknown) =>
    payeesIn(one, own).every(([a, b]) => !isOtherId(a, b)) &&
    (withFee || !isOtherAmount(valueAt(own, 'amount'), valueAt(one, 'amount')));
  const isKnownShare = (one: unknown, own: unknown) => payeesIn(one, own).length > 0 && isShare(one, own);
  // Those who are shown by the field that was sent are found first. The others may be any of those that are left.
  const known = pairsOf(shown, sent, isKnownShare);
  const others = shown.filter((_one, place) => !known.has(place));
  const left = sent.filter((_own, place) => ![...known.values()].includes(place));
  return pairsOf(others, left, isShare).size < others.length;
}

/** The ids of a recipient that are shown and were sent under one field. */
const payeesIn = (one: unknown, own: unknown): readonly (readonly [unknown, unknown])[] =>
  payeeFields
    .map((field) => [valueAt(own, field), valueAt(one, field)] as const)
    .filter((ids) => ids.every(isComparable));

/** Pairs as many items of two lists as fit, each with one: by their places. */
function pairsOf(
  from: readonly unknown[],
  to: readonly unknown[],
  fits: (one: unknown, other: unknown) => boolean,
): ReadonlyMap<number, number> {
  const owners = new Map<number, number>();
  const place = (index: number, tried: Set<number>): boolean =>
    to.some((other, target) => {
      if (tried.has(target) || !fits(from[index], other)) return false;
      tried.add(target);
      const owner = owners.get(target);
      // The one that has this place may fit another one as well.
      if (owner !== undefined && !place(owner, tried)) return false;
      owners.set(target, index);
      return true;
    });
  for (const index of from.keys()) place(index, new Set());
  return new Map([...owners].map(([target, index]) => [index, target]));
}

/**
 * Row 9: returns the path at which a response shows another user, account, approval or transfer than was asked for;
 * undefined if it shows none.
 */
export function otherEchoIn(
  body: unknown,
  echoes: Readonly<Record<string, readonly string[]>>,
  path: Readonly<Record<string, string>> | undefined,
): string | undefined {
  for (const [name, paths] of Object.entries(echoes)) {
    const other = otherAt(body, paths, path?.[name]);
    if (other !== undefined) return other;
  }
  return undefined;
}

function otherAt(body: unknown, paths: readonly string[], wanted: string | undefined): string | undefined {
  let isSame = false;
  let other: string | undefined;
  for (const path of paths) {
    for (const shown of valuesAt(body, path)) {
      if (!isComparable(shown)) continue;
      if (!isOtherId(wanted, shown)) isSame = true;
      else if (path.includes('[]') || path.includes('*')) return path;
      else other ??= path;
    }
  }
  return isSame ? undefined : other;
}

function valuesAt(body: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [body];
  for (const segment of path.split('.')) values = values.flatMap((value) => valuesIn(value, segment));
  return values;
}

function valuesIn(value: unknown, segment: string): readonly unknown[] {
  if (segment === '[]') return Array.isArray(value) ? value : [];
  if (!isRecord(value)) return [];
  if (segment === '*') return Object.values(value);
  return Object.hasOwn(value, segment) ? [value[segment]] : [];
}
