import { isRecord, valueAt } from '../values.ts';
import type { Word } from '../word-lists.ts';

// Parameters are closed: a field that an object does not list is refused. zod checks responses only. What it says of a
// value would have to be put into these sentences, and the first fault is all that a caller is told.

declare const exactly: unique symbol;
declare const optionally: unique symbol;

/** Checks a parameter in the form in which it is sent. */
export interface ParamCheck {
  /** Returns the first fault of a value. A field that does not exist comes first: it is often why another is missing. */
  readonly faultOf: (value: unknown) => Fault | undefined;
  /** The fields of an object, of an item of a list, or of the object that is one of two. */
  readonly fields?: ParamChecks | undefined;
  /** Set for a value that may be left out, or be `null`, too. */
  readonly absent?: 'missing' | 'null';
}

type ParamChecks = Readonly<Record<string, ParamCheck>>;

/** The first fault of a value. */
export interface Fault {
  readonly path: readonly (string | number)[];
  /** The end of a sentence that begins with the path. */
  readonly why: string;
  /** `type`: the value is of another type. `rule`: `why` says all. `name`: the last name of the path does not exist. */
  readonly kind: 'type' | 'number' | 'value' | 'rule' | 'name';
  /** For `name`: the fields that the object has. */
  readonly fields?: ParamChecks;
}

/** The check of a parameter of type T; the mark exists only for the compiler. */
export interface Param<T> extends ParamCheck {
  readonly [exactly]: (value: T) => T;
}

/** The check of a parameter that may be left out. */
export interface OptionalParam<T> extends Param<T> {
  readonly [optionally]: true;
}

/** One check for each field of an interface, or of any member of a union. */
export type ParamFields<T> = {
  readonly [Name in T extends unknown ? keyof T : never]: ParamCheck;
};

/** The same. */
export type VariantFields<T> = ParamFields<T>;

const param = <Checked extends ParamCheck>(
  faultOf: ParamCheck['faultOf'],
  fields?: ParamChecks | undefined,
): Checked => ({ faultOf, fields }) as Checked;

const fault = (why: string, kind: Fault['kind'] = 'value', ...path: string[]): Fault => ({ path, why, kind });

/** A rule that no single field can keep: returns the path of the field at fault and the end of a sentence about it. */
export type Rule = (value: Readonly<Record<string, unknown>>) => { path: string; why: string } | undefined;

/** An object with these fields and no others. */
export const object = <T>(fields: ParamFields<T>, ...rules: readonly Rule[]): Param<T> =>
  closed({ ...fields }, rules);

/** An object that is one of several variants: with the fields of all of them. The rules tell them apart. */
export const variants = <T>(fields: VariantFields<T>, ...rules: readonly Rule[]): Param<T> =>
  closed({ ...fields }, rules);

function closed<T>(fields: ParamChecks, rules: readonly Rule[]): Param<T> {
  const entries = Object.entries(fields);
  return param((value) => {
    if (!isRecord(value)) return fault('must be an object', 'type');
    for (const name of Object.keys(value))
      if (!Object.hasOwn(fields, name)) return { ...fault('is not a parameter', 'name', name), fields };
    let first: Fault | undefined;
    for (const [name, { faultOf, absent }] of entries) {
      // Own fields alone: those of a polluted prototype are not sent.
      const inner = Object.hasOwn(value, name) ? value[name] : undefined;
      if (inner === undefined ? absent !== undefined : inner === null && absent === 'null') continue;
      const found = faultOf(inner);
      if (found?.kind === 'name') return within(name, found);
      if (found !== undefined) first ??= within(name, found);
    }
    for (const rule of first === undefined ? rules : []) {
      const broken = rule(value);
      if (broken !== undefined) return fault(broken.why, 'rule', ...broken.path.split('.'));
    }
    return first;
  }, fields);
}
const within = (key: string | number, found: Fault): Fault => ({ ...found, path: [key, ...found.path] });

/** A value that may be left out. */
export const maybe = <T>(inner: Param<T>): OptionalParam<T> => absentAs(inner, 'missing');

/** A value that may be left out or null. */
export const nullable = <T>(inner: Param<T>): OptionalParam<T> => absentAs(inner, 'null');

const absentAs = <T>(inner: Param<T>, absent: 'missing' | 'null'): OptionalParam<T> =>
  ({ ...inner, absent }) as Param<T> as OptionalParam<T>;

/** A list of from 1 to `most` items. */
export function list<T>(item: Param<T>, most: number, noun: string): Param<readonly T[]> {
  const why = `must be a list of from 1 to ${most} ${noun}`;
  return param((value) => {
    if (!Array.isArray(value)) return fault(why, 'type');
    if (value.length < 1 || value.length > most) return fault(why);
    let first: Fault | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const found = item.faultOf(value[index]);
      if (found?.kind === 'name') return within(index, found);
      if (found !== undefined) first ??= within(index, found);
    }
    return first;
  }, item.fields);
}

/** One of two. The fault is that of the one whose type the value has. */
export const either = <A, B>(first: Param<A>, second: Param<B>, why: string): Param<A | B> =>
  param((value) => {
    const faults = [first.faultOf(value), second.faultOf(value)];
    if (faults.includes(undefined)) return undefined;
    const isMeant = (found: Fault | undefined) =>
      found !== undefined && (found.path.length > 0 || (found.kind !== 'type' && found.kind !== 'number'));
    return faults.find(isMeant) ?? fault(why, 'type');
  }, first.fields ?? second.fields);

/** Text that matches a pattern. */
export const matching = <T extends string = string>(pattern: RegExp, why: string): Param<T> =>
  param((value) => {
    if (typeof value !== 'string') return fault(why, 'type');
    return pattern.test(value) ? undefined : fault(why);
  });

const needsText = 'must be a non-empty string';

/** The end of a sentence about a missing text, for rules. */
export const missingText = `${needsText}, but is missing`;

/** Text that is not blank. */
export const text = <T extends string = string>(): Param<T> => matching(/\S/, needsText);

/** Text fields that may be left out, by their names with spaces between. */
export const texts = <const Names extends string>(names: Names): Record<Word<Names>, OptionalParam<string>> =>
  // Object.fromEntries widens the keys to string; they are known to be these.
  Object.fromEntries(names.split(' ').map((name) => [name, maybe(text())])) as Record<
    Word<Names>,
    OptionalParam<string>
  >;

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
  param((value) => (typeof value === 'boolean' ? undefined : fault('must be true or false', 'type')));

/** A finite number. */
export const number = (
  why = 'must be a finite number',
  finer: (value: number) => string | undefined = () => undefined,
): Param<number> =>
  param((value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return fault(why, 'number');
    const broken = finer(value);
    return broken === undefined ? undefined : fault(broken);
  });

/** A whole number within limits. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Param<number> {
  const end = most === Number.MAX_SAFE_INTEGER ? 'on' : `to ${most}`;
  const why = `must be a whole number from ${least} ${end}`;
  return number(why, (value) =>
    Number.isInteger(value) && value >= least && value <= most ? undefined : why,
  );
}

/** An amount as a number. It keeps 15 digits: with more, its value may differ from the amount that was written. */
export function amount(): Param<number> {
  const why = 'must be a finite number above 0';
  return number(why, (value) => {
    if (value <= 0) return why;
    const isRounded = (Number.isInteger(value) && value < 1e15) || Number(value.toPrecision(15)) === value;
    return isRounded ? undefined : 'must have at most 15 significant digits; round it';
  });
}

/** An amount as a decimal string in plain digits, or as a number. */
export const decimal = (): Param<string | number> => {
  const why = "must be a decimal string above 0 such as '0.01', or a finite number above 0";
  return either(matching(/^(?=[\d.]*[1-9])(?:\d+(?:\.\d*)?|\.\d+)$/, why), amount(), why);
};

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
