import { keyOfHalf } from './body.ts';
import { newPart, type PayoutPart, type PayoutSituation } from './situation.ts';

/**
 * A batch that was surely refused, or proved absent, did nothing: each half becomes a payment of its own, and one bad
 * recipient is found. Undefined for a single payment.
 */
export function halvesOf(
  order: PayoutSituation['order'],
  part: PayoutPart,
  now: number,
): PayoutPart[] | undefined {
  if (part.places.length < 2) return undefined;
  const middle = Math.ceil(part.places.length / 2);
  return [
    newPart(order, part.places.slice(0, middle), keyOfHalf(part.requestId, 1), now),
    newPart(order, part.places.slice(middle), keyOfHalf(part.requestId, 2), now),
  ];
}
