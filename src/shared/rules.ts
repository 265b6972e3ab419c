import { kindOf } from './values.ts';

/** A rule that a value must keep; gives the end of a sentence when it is broken. */
export type Rule = (value: unknown) => string | undefined;

/** A rule for a value that may be left out. */
/* @__NO_SIDE_EFFECTS__ */
export const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value);

/** A rule for a value that is one of a few. */
/* @__NO_SIDE_EFFECTS__ */
export const oneOfRule =
  (...allowed: readonly unknown[]): Rule =>
  (value) =>
    allowed.includes(value) ? undefined : `must be one of ${allowed.join(', ')}`;

export const requiredText: Rule = (value) =>
  typeof value === 'string' && value.trim() !== ''
    ? undefined
    : `must be a non-empty string, but is ${value === '' ? 'empty' : kindOf(value)}`;
