import {
  $ZodArray as ArraySchema,
  $ZodBoolean as BooleanSchema,
  $ZodCheck as Check,
  $ZodCheckGreaterThan as GreaterThanCheck,
  $ZodCheckLessThan as LessThanCheck,
  $ZodCheckMaxLength as MaxLengthCheck,
  $ZodCheckMinLength as MinLengthCheck,
  $ZodNever as NeverSchema,
  $ZodNumber as NumberSchema,
  $ZodObject as ObjectSchema,
  $ZodCheckRegex as PatternCheck,
  $ZodString as StringSchema,
  $ZodUnion as UnionSchema,
} from 'zod/v4/core';
import { isRecord, valueAt } from '../../shared/values.ts';
import { fieldTest, nullish, optional, type Test, type Type, testOf, typed } from '../zod.ts';

// Schemas of parameters are closed: they refuse a field that they do not list. Each error is the end of a sentence that
// begins with the path of the field.

declare const exactly: unique symbol;
declare const optionally: unique symbol;

/** The schema of a parameter of type T. */
export interface Param<T> extends Type {
  readonly [exactly]: (value: T) => T;
}

/** The schema of a parameter that may be left out. */
export interface OptionalParam<T> extends Param<T> {
  readonly [optionally]: true;
}

/**
 * One schema for each field of an interface. This is how the compiler compares the two: a field that is missing on
 * either side does not compile, nor does one that is optional in the interface only.
 */
export type ParamFields<T> = {
  readonly [Name in keyof T]-?: Record<never, never> extends Pick<T, Name>
    ? OptionalParam<NonNullable<T[Name]>>
    : Param<NonNullable<T[Name]>>;
};

/** One schema for each field of any member of a union. */
export type VariantFields<T> = {
  readonly [Name in T extends unknown ? keyof T : never]: Param<NonNullable<FieldOf<T, Name>>>;
};

type FieldOf<T, Name extends PropertyKey> = T extends { [Same in Name]?: infer Value } ? Value : never;

/** Marks a schema with the type that it checks; the mark exists only for the compiler. */
const param = <T>(schema: Type, test: Test): Param<T> => typed<Type>(schema, test) as Param<T>;

/** A rule that no single field can keep: returns the field at fault and the end of a sentence about it. */
export type Rule = (value: Readonly<Record<string, unknown>>) => Fault | undefined;

/** A broken rule. The path is dotted. */
interface Fault {
  readonly path: string;
  readonly why: string;
}

/** An object with these fields and no others. */
export const object = <T>(fields: ParamFields<T>, ...rules: readonly Rule[]): Param<T> =>
  closed({ ...fields }, rules);

/** An object that is one of several variants: with the fields of all of them. The rules tell them apart. */
export const variants = <T>(fields: VariantFields<T>, ...rules: readonly Rule[]): Param<T> =>
  closed({ ...fields }, rules);

function closed<T>(shape: Readonly<Record<string, Type>>, rules: readonly Rule[]): Param<T> {
  const test = fieldTest(shape, false);
  const schema = new ObjectSchema({
    type: 'object',
    shape,
    catchall: new NeverSchema({ type: 'never' }),
    error: () => 'must be an object',
    checks: rules.map(checkOf),
  });
  return param(
    schema,
    (value) => test(value) && isRecord(value) && rules.every((rule) => rule(value) === undefined),
  );
}

function checkOf(rule: Rule): Check {
  const check = new Check({ check: 'custom' });
  check._zod.check = ({ value, issues }) => {
    const fault = isRecord(value) ? rule(value) : undefined;
    if (fault !== undefined)
      issues.push({ code: 'custom', input: value, path: fault.path.split('.'), message: fault.why });
  };
  return check;
}

/** A value that may be left out. */
export const maybe = <T>(inner: Param<T>): OptionalParam<T> => optional(inner) as Type as OptionalParam<T>;

/** A value that may be left out or null. */
export const nullable = <T>(inner: Param<T>): OptionalParam<T> => nullish(inner) as Type as OptionalParam<T>;

/** A list of from 1 to `most` items. */
export function list<T>(item: Param<T>, most: number, noun: string): Param<readonly T[]> {
  const test = testOf(item);
  const error = () => `must be a list of from 1 to ${most} ${noun}`;
  const checks = [
    new MinLengthCheck({ check: 'min_length', minimum: 1, error }),
    new MaxLengthCheck({ check: 'max_length', maximum: most, error }),
  ];
  return param(
    new ArraySchema({ type: 'array', element: item, error, checks }),
    (value) => Array.isArray(value) && value.length > 0 && value.length <= most && value.every(test),
  );
}

/** One of two. */
export const either = <A, B>(first: Param<A>, second: Param<B>, why: string): Param<A | B> =>
  param(
    new UnionSchema({ type: 'union', options: [first, second], error: () => why }),
    (value) => testOf(first)(value) || testOf(second)(value),
  );

/** Text that matches a pattern. */
export function matching<T extends string = string>(pattern: RegExp, why: string): Param<T> {
  const error = () => why;
  const check = new PatternCheck({ check: 'string_format', format: 'regex', pattern, error });
  return param(
    new StringSchema({ type: 'string', error, checks: [check] }),
    (value) => typeof value === 'string' && pattern.test(value),
  );
}

const needsText = 'must be a non-empty string';

/** The end of a sentence about a missing text, for rules. */
export const missingText = `${needsText}, but is missing`;

/** Text that is not blank. */
export const text = <T extends string = string>(): Param<T> => matching(/\S/, needsText);

/** Text of any content. */
export const anyText = (): Param<string> => matching(/^/, 'must be a string');

/** One of these words, in any case: services differ in it. */
export const oneOf = <T extends string>(...words: readonly T[]): Param<T> =>
  matching(
    new RegExp(`^(?:${words.join('|')})$`, 'i'),
    `must be ${words.map((word) => `'${word}'`).join(' or ')}`,
  );

/** True or false. */
export const flag = (): Param<boolean> =>
  param(
    new BooleanSchema({ type: 'boolean', error: () => 'must be true or false' }),
    (value) => typeof value === 'boolean',
  );

/** A finite number. */
export const number = (): Param<number> =>
  param(new NumberSchema({ type: 'number', error: () => 'must be a finite number' }), Number.isFinite);

/** A whole number within limits. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Param<number> {
  const end = most === Number.MAX_SAFE_INTEGER ? 'on' : `to ${most}`;
  const error = () => `must be a whole number from ${least} ${end}`;
  const checks = [
    new GreaterThanCheck({ check: 'greater_than', value: least, inclusive: true, error }),
    new LessThanCheck({ check: 'less_than', value: most, inclusive: true, error }),
    refinement(Number.isInteger, error()),
  ];
  return param(
    new NumberSchema({ type: 'number', error, checks }),
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
  );
}

/** An amount as a number. */
export function amount(): Param<number> {
  const error = () => 'must be a finite number above 0';
  const checks = [
    new GreaterThanCheck({ check: 'greater_than', value: 0, inclusive: false, error }),
    refinement(isRounded, 'must have at most 15 significant digits; round it'),
  ];
  return param(
    new NumberSchema({ type: 'number', error, checks }),
    (value) => typeof value === 'number' && value > 0 && Number.isFinite(value) && isRounded(value),
  );
}

/** A number keeps 15 digits. With more digits its value may differ from the amount that was written. */
const isRounded = (value: unknown): boolean =>
  (Number.isInteger(value) && Number(value) < 1e15) || Number(Number(value).toPrecision(15)) === value;

/** An amount as a decimal string in plain digits, or as a number. */
export const decimal = (): Param<string | number> => {
  const why = "must be a decimal string above 0 such as '0.01', or a finite number above 0";
  return either(matching(/^(?=[\d.]*[1-9])(?:\d+(?:\.\d*)?|\.\d+)$/, why), amount(), why);
};

function refinement(test: Test, why: string): Check {
  const check = new Check({ check: 'custom' });
  check._zod.check = ({ value, issues }) => {
    if (!test(value)) issues.push({ code: 'custom', input: value, message: why });
  };
  return check;
}

/** An idempotency key: the text of a UUID of any version. */
export const requestId = (): OptionalParam<string> =>
  maybe(matching(/^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i, 'must be a UUID'));

/** A rule for two alternatives: at least one is given. */
export function atLeastOne(first: string, second: string): Rule {
  return (value) =>
    value[first] === undefined && value[second] === undefined
      ? { path: first, why: `${missingText}, and so is \`${second}\`; give one of them` }
      : undefined;
}

/** A rule for two alternatives: exactly one is given. Null counts as not given. */
export function exactlyOne(first: string, second: string): Rule {
  return (value) => {
    const isGiven = [first, second].map((path) => (valueAt(value, path) ?? undefined) !== undefined);
    if (isGiven[0] !== isGiven[1]) return undefined;
    return isGiven[0]
      ? { path: second, why: `does not go with \`${first}\`; give only one of them` }
      : { path: first, why: `must be given, but is missing, and so is \`${second}\`; give one of them` };
  };
}
