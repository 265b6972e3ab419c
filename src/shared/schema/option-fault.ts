import type * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { adviceFor, inheritedWhy } from '../option-names.ts';
import { isInherited, isRecord, kindOf } from '../values.ts';
import { firstFault, type SchemaFault } from './fault.ts';
import { fieldsAt, fieldsOf, isTakenWhole } from './fields.ts';
import { pathText, valueAtPath } from './path-text.ts';

/** What is wrong with options, as a sentence. */
export interface OptionFault {
  /** The path of the option; empty for the options themselves. */
  readonly path: string;
  readonly sentence: string;
  /** True for a name that the options themselves do not have: an unknown one, or one of a prototype. */
  readonly isUnknownName: boolean;
}

/** How the sentences about some options are put. */
export interface OptionWords {
  /** What the options are, with a verb: `the request options are`. */
  readonly subject: string;
  readonly verb?: 'is' | 'are';
  /** What a name of them is, with its article; default `an option`. */
  readonly noun?: string;
  /** The right names for names that belong elsewhere, which stand in lower-case letters and digits. */
  readonly hints?: Readonly<Record<string, string>>;
}

/**
 * Checks options by their schema.
 *
 * @param own - The options as {@link ownOptions} returns them.
 */
export function optionFault(
  schema: z.ZodMiniType,
  own: unknown,
  words: OptionWords,
): OptionFault | undefined {
  const { error } = schema.safeParse(own);
  if (error === undefined) return undefined;
  const fault = firstFault(error.issues);
  const path = pathText(fault.path);
  const isUnknownName = fault.kind === 'name' && fault.path.length === 1;
  if (fault.kind === 'name') return { path, sentence: unknownName(schema, fault, words), isUnknownName };
  const value = valueAtPath(own, fault.path);
  // A wrong text is not described: its value may be a secret.
  const isWrongText = fault.kind === 'value' && typeof value === 'string' && value.trim() !== '';
  const found = (fault.kind === 'type' || fault.kind === 'value') && !isWrongText;
  const verb = path === '' ? (words.verb ?? 'is') : 'is';
  const subject = path === '' ? words.subject : `\`${path}\``;
  const end = found ? `, but ${verb} ${described(value, fault)}` : '';
  return { path, sentence: `${subject} ${fault.why}${end}.${unitHint(fault, value)}`, isUnknownName };
}

function unknownName(
  schema: z.ZodMiniType,
  { path }: SchemaFault,
  { noun = 'an option', hints }: OptionWords,
): string {
  const outer = path.slice(0, -1);
  const place = outer.length === 0 ? '' : `\`${pathText(outer)}\`: `;
  const name = pathText(path.slice(-1));
  const shown = name === '…' ? 'A name that was given' : `\`${name}\``;
  const advice = adviceFor(String(path.at(-1)), fieldsAt(schema, outer) ?? {}, outer.length > 0 ? {} : hints);
  return `${place}${shown} is not ${noun}${advice}`;
}

/** A number is shown where one is wanted: it is no secret. */
function described(value: unknown, { kind, expected }: SchemaFault): string {
  if (typeof value === 'number' && (kind === 'value' || expected.includes('number'))) return String(value);
  return typeof value === 'string' && value.trim() === '' ? 'empty' : kindOf(value);
}

/** A duration that is senseless in milliseconds was meant in seconds. The remedy must be accepted. */
const unitHint = ({ min }: SchemaFault, value: unknown): string =>
  min !== undefined && typeof value === 'number' && value > 0 && value < min && value * 1_000 >= min
    ? ` For ${value === 1 ? '1 second' : `${value} seconds`}, write ${value * 1_000}.`
    : '';

/**
 * Copies the own properties of options, so that a polluted prototype adds none; also those of objects of which the schema
 * lists the fields. Any other value stays the caller's own: a logger, a signal, a body.
 *
 * @param onFault - Is told the path of a name that the schema lists and a prototype alone has, or whose getter throws,
 * and the end of a sentence about it.
 */
export function ownOptions(schema: $ZodType, given: unknown, onFault: OnFault = () => undefined): unknown {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? ownFields([schema], given, [], onFault)
    : given;
}

type Path = readonly PropertyKey[];
type OnFault = (path: Path, why: string) => void;
type OwnCopy<Given> = (schemas: readonly $ZodType[], given: Given, path: Path, onFault: OnFault) => unknown;

const ownFields: OwnCopy<object> = (schemas, given, path, onFault) => {
  const fields = fieldsOf(schemas) ?? {};
  const inherited = Object.keys(fields).find((name) => isInherited(given, name));
  if (inherited !== undefined) onFault([...path, inherited], inheritedWhy(inherited));
  const own: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(given)) {
    const inner = [...path, name];
    own[name] = ownValue(fields[name] ?? [], fieldOf(given, name, inner, onFault), inner, onFault);
  }
  return own;
};

function fieldOf(given: object, name: string, path: Path, onFault: OnFault): unknown {
  try {
    return Reflect.get(given, name);
  } catch {
    return onFault(path, 'cannot be read: its getter throws');
  }
}

const ownValue: OwnCopy<unknown> = (schemas, value, path, onFault) => {
  if (fieldsOf(schemas) === undefined) return value;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ownValue(schemas, item, [...path, index], onFault));
  return isRecord(value) && !isTakenWhole(schemas, value) ? ownFields(schemas, value, path, onFault) : value;
};

/**
 * Returns a copy of own options, checked by their schema.
 *
 * @param fail - Throws the error.
 */
export function checkedOptions<Options>(
  schema: z.ZodMiniType<Options>,
  given: unknown,
  words: OptionWords,
  fail: (fault: OptionFault) => never,
): Options {
  const own = ownOptions(schema, given, (path, why) => {
    const name = pathText(path);
    return fail({ path: name, sentence: `\`${name}\` ${why}.`, isUnknownName: true });
  });
  const fault = optionFault(schema, own, words);
  if (fault !== undefined) return fail(fault);
  // The schema's verdict gives the copy its type: what zod returns is a copy of the copy.
  return own as Options;
}

/**
 * Returns own options of a function such as `createEmulator`, checked by their schema.
 *
 * @param fail - Throws the error; gets the message.
 */
export const optionsTakenBy = <Options>(
  taker: string,
  schema: z.ZodMiniType<Options>,
  given: unknown,
  fail: (message: string) => never,
  hints: Readonly<Record<string, string>> = {},
): Options =>
  checkedOptions(schema, given, { subject: taker, hints }, ({ path, sentence }) =>
    fail(path === '' ? `${taker} needs an object with its options.` : `${taker}: ${sentence}`),
  );
