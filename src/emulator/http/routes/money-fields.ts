import * as z from 'zod';
import { invalidField } from '../problem.ts';
import { object, oneOf } from '../reading/request-body.ts';

type Side = { amount?: number | null | undefined };

/** The fee of the integrator: fixed, or a percentage. */
export const fee = object({
  type: oneOf(['FIX', 'PERCENT']),
  value: z.number({ error: 'must be a finite number of at least 0' }).min(0, { error: 'must be at least 0' }),
}).nullish();

/** One of the two amounts: "send this much" or "receive this much". */
export function oneAmount({ source, destination }: { source: Side; destination: Side }): void {
  const given = [source.amount, destination.amount].filter((amount) => typeof amount === 'number');
  if (given.length === 2)
    throw invalidField('destination.amount', 'cannot stand beside source.amount: give one of the two');
  if (given.length === 0) {
    throw invalidField(
      'source.amount',
      'is required: a finite number greater than 0 here or in destination.amount',
    );
  }
}

/** At least one of the fields of a part that say who it is. */
export function oneOfFields(
  part: string,
  value: Readonly<Record<string, unknown>>,
  names: readonly [string, ...string[]],
): void {
  if (names.some((name) => typeof value[name] === 'string')) return;
  const [first, ...others] = names.map((name) => `${part}.${name}`);
  throw invalidField(first ?? part, `is required: a non-empty text here or in ${others.join(', ')}`);
}

/** The amount of a bridge or an offramp, and where it stands: at the top, in the source or in the destination. */
export function conversionAmount(params: Side & { source: Side; destination?: Side | undefined }): {
  amount: number;
  field: string;
} {
  const places = [
    ['amount', params.amount],
    ['source.amount', params.source.amount],
    ['destination.amount', params.destination?.amount],
  ] as const;
  const given = places.filter(([, value]) => typeof value === 'number');
  const [first, second] = given;
  if (first === undefined || typeof first[1] !== 'number') {
    throw invalidField('amount', 'is required: must be a finite number greater than 0');
  }
  if (second !== undefined) throw invalidField(second[0], `cannot stand beside ${first[0]}: give one amount`);
  return { amount: first[1], field: first[0] };
}
