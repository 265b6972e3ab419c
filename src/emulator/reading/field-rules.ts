import * as z from 'zod/mini';
import { valueAt } from '../../shared/values.ts';
import type { FieldProblem } from '../problem.ts';

/** A rule about several fields of a body: what is wrong with them. */
export type FieldRule = (body: unknown) => FieldProblem | undefined;

/** The schema of a body with rules about several of its fields. The rules apply once each field alone is right. */
export function withRules<S extends z.ZodMiniType>(schema: S, rules: readonly FieldRule[]): S {
  return schema.check(
    z.superRefine((body, context) => {
      for (const rule of rules) {
        const problem = rule(body);
        if (problem === undefined) continue;
        context.addIssue({ code: 'custom', path: problem.field.split('.'), message: problem.message });
      }
    }),
  );
}

const isFieldGiven = (body: unknown, path: string) => (valueAt(body, path) ?? null) !== null;

/** Exactly one of two amounts must be given, each by its path. */
export const oneAmount = (first: string, second: string) =>
  exactlyOne('a finite number greater than 0', first, second);

/** Exactly one of two texts must be given, each by its path. */
export const oneText = (first: string, second: string) => exactlyOne('a non-empty text', first, second);

const exactlyOne =
  (expected: string, first: string, second: string): FieldRule =>
  (body) =>
    isFieldGiven(body, first) || isFieldGiven(body, second)
      ? notBoth(first, second)(body)
      : { field: first, message: `is required: ${expected} here or in ${second}` };

/** At most one of two fields may be given, each by its path. */
export const notBoth =
  (first: string, second: string): FieldRule =>
  (body) =>
    isFieldGiven(body, first) && isFieldGiven(body, second)
      ? { field: second, message: `cannot stand beside ${first}: give one of the two` }
      : undefined;

/** One of several groups of texts must be given as a whole. The message names the first one. */
export const oneGroup =
  (...groups: readonly (readonly string[])[]): FieldRule =>
  (body) => {
    if (groups.some((group) => group.every((path) => isFieldGiven(body, path)))) return undefined;
    const [first = [], ...others] = groups;
    const field = first.find((path) => !isFieldGiven(body, path)) ?? '';
    const or = others.map((group) => `, or ${group.join(' and ')}`).join('');
    return { field, message: `is required: a non-empty text${or}` };
  };

/** Every wallet address of a request must be one of its chain: those of Solana have another form. */
export const onChain =
  (chain: string): FieldRule =>
  (body) => {
    const network = String(valueAt(body, chain));
    const [wrong] = payeesIn(body).filter(
      ([, address]) =>
        typeof address === 'string' && address.startsWith('0x') === network.startsWith('SOLANA'),
    );
    return wrong && { field: wrong[0], message: `is not an address on ${network}` };
  };

/** The wallet addresses that are paid, each with its path. */
function payeesIn(body: unknown): (readonly [path: string, address: unknown])[] {
  const batch = valueAt(body, 'destination.batch');
  if (!Array.isArray(batch))
    return [['destination.walletAddress', valueAt(body, 'destination.walletAddress')]];
  return batch.map((payee, place) => [
    `destination.batch.${place}.walletAddress`,
    valueAt(payee, 'walletAddress'),
  ]);
}

/** A rule that applies where a text has one of some values. */
export const where =
  (path: string, values: readonly string[], rule: FieldRule): FieldRule =>
  (body) =>
    values.some((value) => value === valueAt(body, path)) ? rule(body) : undefined;
