import { amountIn, isComparable, isOtherAmount, isOtherId, valueAt } from '../values.ts';

/** Returns the recipients that the record of a batch shows. */
export function recipientsIn(details: unknown): readonly unknown[] {
  const shown = valueAt(details, 'destination.batch') ?? valueAt(details, 'recipients');
  return Array.isArray(shown) ? shown : [];
}

/** Row 9 (docs/guides/outcomes.md), of a batch: the paths at which its record shows another sum, or other recipients. */
export function batchMismatches(
  batch: readonly unknown[],
  details: Record<string, unknown>,
  withFee: boolean,
): readonly string[] {
  const differing: string[] = [];
  if (!withFee && isOtherTotal(batch, details.amount)) differing.push('amount');
  if (hasOtherRecipients(batch, details, withFee)) differing.push('destination.batch');
  return differing;
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
  // A recipient sent by `userId` and shown by `walletAddress` can match any recipient that is left.
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
