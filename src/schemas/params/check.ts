import type { $ZodIssue, $ZodRawIssue } from 'zod/v4/core';
import { adviceFor } from '../../shared/option-names.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { fieldsOf, issuesOf, type Type, testOf } from '../zod.ts';

/** The first fault of a value. */
export interface ParamFault {
  /** The path of the field; empty for the value itself. */
  readonly path: string;
  /** What is wrong: a sentence. */
  readonly problem: string;
  /** The name of a field that the schema does not list. */
  readonly unknown?: string;
  /** The name that was probably meant, or all names: a sentence. */
  readonly advice?: string;
}

type Path = readonly PropertyKey[];
type ZodIssue = $ZodRawIssue | $ZodIssue;

/** What a message needs of an issue. */
interface Issue {
  readonly code: string;
  readonly path: Path;
  readonly unknown: string | undefined;
  readonly why: string | undefined;
  readonly expected: string | undefined;
}

/**
 * Checks parameters in the form in which they are sent. A field that does not exist is the first fault: it is often the
 * reason why another one is missing.
 *
 * @param sent - The parsed JSON.
 * @param given - What the caller gave, for messages only: JSON turns some objects into something else.
 */
export function faultIn(schema: Type, sent: unknown, given: unknown): ParamFault | undefined {
  if (testOf(schema)(sent)) return undefined;
  const issues = issuesOf(schema, bare(sent)).flatMap((issue) => withinUnion(issue, []));
  const issue = issues.find(({ unknown }) => unknown !== undefined) ?? issues[0];
  if (issue === undefined) return undefined;
  const { path, unknown } = issue;
  return unknown === undefined ? wrongField(issue, given) : unknownField(schema, path, unknown);
}

/** A copy without prototypes: the fields of a polluted one are not sent. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value)) copy[name] = bare(value[name]);
  return copy;
}

/** The issues of the alternative that the value was meant to be, where the issue is about several. */
function withinUnion(issue: ZodIssue, outer: Path): readonly Issue[] {
  const path = [...outer, ...(issue.path ?? [])];
  const meant =
    issue.code === 'invalid_union'
      ? issue.errors.find((errors) =>
          errors.every((one) => one.code !== 'invalid_type' || one.path.length > 0),
        )
      : undefined;
  if (meant !== undefined) return meant.flatMap((inner) => withinUnion(inner, path));
  const { code } = issue;
  const unknown = code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const expected = code === 'invalid_type' ? issue.expected : undefined;
  return [{ code, path, unknown, expected, why: issue.message ?? ownMessage(issue) }];
}

function ownMessage(issue: ZodIssue): string | undefined {
  const inst = 'inst' in issue ? issue.inst : undefined;
  const error: unknown = isSchemaPart(inst) ? inst._zod.def.error : undefined;
  return typeof error === 'function' ? String(error()) : undefined;
}

const isSchemaPart = (value: unknown): value is { _zod: { def: { error?: unknown } } } =>
  typeof value === 'object' && value !== null && '_zod' in value;

function unknownField(schema: Type, path: Path, name: string): ParamFault {
  const outer = path.reduce<Type | undefined>(
    (inner, key) => (typeof key === 'string' ? fieldsOf(inner)?.[key] : inner),
    schema,
  );
  const isAtTop = path.length > 0 && Object.hasOwn(fieldsOf(schema) ?? {}, name);
  const advice = isAtTop
    ? `. Did you mean \`${name}\` at the top of the parameters?`
    : adviceFor(name, fieldsOf(outer) ?? {});
  const place = pathText([...path, name]);
  const problem = `\`${place}\` is not a parameter.`;
  return { path: place, problem, unknown: name, advice: advice.slice('. '.length) };
}

function wrongField(issue: Issue, given: unknown): ParamFault {
  const value = issue.path.reduce<unknown>((outer, key) => Object(outer)[key], given);
  const place = pathText(issue.path);
  const subject = place === '' ? 'the parameters' : `\`${place}\``;
  const found = issue.code === 'custom' ? '' : foundText(issue, value);
  return { path: place, problem: `${subject} ${issue.why}${found}.` };
}

/** Returns true for an object such as a Decimal or a BigNumber. */
const isInstance = (value: unknown): boolean => {
  const prototype: unknown = isRecord(value) ? Object.getPrototypeOf(value) : null;
  return prototype !== null && prototype !== Object.prototype;
};

/** Says what the value is, where that adds something. Never shows it. */
function foundText({ code, expected }: Issue, value: unknown): string {
  if (Array.isArray(value) && code.startsWith('too_')) return `, but has ${value.length}`;
  if (typeof value === 'string' && value.trim() === '') return ', but is empty';
  const isOfType = code !== 'invalid_type' && (typeof value === 'string' || typeof value === 'number');
  if (isOfType) return '';
  if (!isInstance(value)) return `, but is ${kindOf(value)}`;
  const method = expected === 'number' ? 'toNumber' : 'toString';
  return `, but is ${kindOf(value)} of a class; convert it with \`.${method}()\``;
}

/** A path such as `destination.batch[3].hold`. A name that is not a word may be a value, such as a token. */
const pathText = (path: Path): string =>
  path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = /^[\w$-]{1,40}$/.test(String(key)) ? String(key) : '…';
      return index === 0 ? name : `.${name}`;
    })
    .join('');
