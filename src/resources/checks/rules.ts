import { InvalidRequestError } from '../../errors/index.ts';
import { kindOf } from '../../shared/values.ts';

/** A rule that one field of a description must keep; gives the end of a sentence when it is broken. */
export type Rule = (value: unknown) => string | undefined;

/** The own properties of parameters: a polluted prototype adds none. */
export function ownParams<T extends object>(params: T): T {
  return Object.assign(Object.create(null), params);
}

/** An error for one field, for rules that span several. */
export function fault(operation: string, field: string, sentence: string): InvalidRequestError {
  const end = /[.?]$/.test(sentence) ? '' : '.';
  return new InvalidRequestError(`${operation}: ${sentence}${end} Nothing was sent.`, { operation, field });
}

/** A rule for a value that may be left out. */
/* @__NO_SIDE_EFFECTS__ */
export function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value));
}

export const requiredText: Rule = (value) => {
  if (typeof value !== 'string') return `must be a non-empty string, but is ${kindOf(value)}`;
  return value.trim() === '' ? 'must be a non-empty string, but is empty' : undefined;
};
