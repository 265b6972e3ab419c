import { isRecord, plainDecimal, valueAt } from '../shared/values.ts';
import { plainId } from './key-memory.ts';

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

/**
 * Returns the path of the first field in which a record shows another payment than was sent, such as `amount` or
 * `destination.userId`; undefined if it shows none.
 *
 * @param record - A record of the service, with or without `transferDetails`.
 * @param sent - The body that was sent, parsed.
 */
export const differsFrom = (record: unknown, sent: unknown): string | undefined =>
  differencesOf(sent, record)[0];

/**
 * Returns the paths at which a record shows another key, amount, currency, payer or payee than was sent. A field counts
 * only if it was sent and is shown, both in a form that can be compared. No amount counts if a `fee` was sent.
 */
export function differencesOf(sent: unknown, record: unknown): readonly string[] {
  const details = detailsOf(record);
  if (!isRecord(sent) || !isRecord(details)) return [];
  const withFee = sent.fee !== undefined && sent.fee !== null;
  const differing = isOtherId(sent.requestId, requestIdOf(record)) ? ['requestId'] : [];
  for (const side of sides) {
    const from = side === '' ? sent : sent[side];
    const to = side === '' ? details : details[side];
    if (!isRecord(from) || !isRecord(to)) continue;
    for (const field of side === '' ? ownFields : partyFields) {
      const [one, other] = [from[field], to[field]];
      // Most fields are the same, or are not shown.
      if (one === other || one === undefined || other === undefined) continue;
      const isOther = field === 'amount' ? !withFee && differ(one, other) : isOtherId(one, other);
      if (isOther) differing.push(side === '' ? field : `${side}.${field}`);
    }
  }
  const batch = valueAt(sent, 'destination.batch');
  return Array.isArray(batch) ? [...differing, ...differencesOfBatch(batch, details, withFee)] : differing;
}

const sides = ['', 'source', 'destination'];
const ownFields = ['amount', 'currency'];
const partyFields = [...ownFields, 'userId', 'walletAddress', 'externalWalletId', 'accountId'];

/** The amount of a batch is the sum of its recipients. */
function differencesOfBatch(
  batch: readonly unknown[],
  details: Record<string, unknown>,
  withFee: boolean,
): readonly string[] {
  const total = batch.reduce<number>((sum, one) => sum + Number(valueAt(one, 'amount')), 0);
  return [
    ...(!withFee && differ(total, details.amount) ? ['amount'] : []),
    ...(hasOtherRecipients(batch, details, withFee) ? ['destination.batch'] : []),
  ];
}

/** Compares ids and currencies without case. What is not a text proves no other one. */
const isOtherId = (sent: unknown, shown: unknown): boolean =>
  sent !== shown &&
  typeof sent === 'string' &&
  typeof shown === 'string' &&
  sent !== '' &&
  shown !== '' &&
  plainId(sent) !== plainId(shown);

/** The significant digits that a number of JSON is sure to keep. */
const digits = 15;

/** Compares decimal strings digit by digit, and a number by the digits that it has. What is no amount proves no other. */
function differ(one: unknown, other: unknown): boolean {
  if (one === other) return false;
  const [sent, shown] = [amountIn(one), amountIn(other)];
  if (sent === undefined || shown === undefined || sent === shown) return false;
  if (typeof sent === 'string' && typeof shown === 'string') return true;
  return Number(sent).toPrecision(digits) !== Number(shown).toPrecision(digits);
}

/** Returns an amount in a form that can be compared: a number, or a decimal string without empty zeros. */
export const amountIn = (value: unknown): number | string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : plainDecimal(value);

const payeeFields = ['userId', 'walletAddress'];

/**
 * Compares users with users and wallets with wallets, in any order, as a record may show one for the other. A list that
 * does not show a payee and an amount for each recipient proves nothing.
 */
function hasOtherRecipients(sent: readonly unknown[], details: unknown, withFee: boolean): boolean {
  const shown = recipientsIn(details);
  if (![sent, shown].every(showsShares)) return false;
  if (sent.length !== shown.length) return true;
  return payeeFields.some((field) => {
    const [lines, others] = [linesOf(sent, field, withFee), linesOf(shown, field, withFee)];
    return others.length > 0 && lines.some((line) => timesIn(others, line) < timesIn(lines, line));
  });
}

const showsShares = (batch: readonly unknown[]): boolean =>
  batch.length > 0 &&
  batch.every((one) => payeeFields.some((field) => linesOf([one], field, false).length > 0));

/** Returns the payee and, without a fee, the amount of each recipient that has the field. */
const linesOf = (batch: readonly unknown[], field: string, withFee: boolean): readonly string[] =>
  batch.flatMap((one) => {
    const [id, amount] = [valueAt(one, field), Number(amountIn(valueAt(one, 'amount')) ?? Number.NaN)];
    if (typeof id !== 'string' || Number.isNaN(amount)) return [];
    return withFee ? plainId(id) : `${amount.toPrecision(digits)} ${plainId(id)}`;
  });

const timesIn = (lines: readonly string[], line: string): number =>
  lines.filter((one) => one === line).length;
