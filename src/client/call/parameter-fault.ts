import type * as z from 'zod/mini';
import { adviceFor } from '../../shared/option-names.ts';
import { firstFault, type SchemaFault } from '../../shared/schema/fault.ts';
import { fieldsAt, fieldsOf, isJsonAmount } from '../../shared/schema/fields.ts';
import { pathText, valueAtPath } from '../../shared/schema/path-text.ts';
import { isInstance, kindOf } from '../../shared/values.ts';
import { requestOptionFields } from './call-options.ts';

/**
 * Says what zod found wrong with the parameters of a call: in which field, or `params`, and in a sentence or several.
 *
 * @param copy - What was checked.
 * @param given - What the caller gave: JSON turns some objects into something else. It is read for the words alone.
 * @param more - The option for what the schema does not list.
 */
export function parameterFault(
  schema: z.ZodMiniType,
  issues: readonly z.core.$ZodIssue[],
  copy: unknown,
  given: unknown,
  more: 'extraBody' | 'query',
): { readonly field: string; readonly sentence: string } {
  const fault = firstFault(issues);
  const field = pathText(fault.path);
  if (field === '')
    return { field: 'params', sentence: `the parameters ${fault.why}, but are ${kindOf(copy)}.` };
  if (fault.kind === 'name') return { field, sentence: unknownParameter(schema, fault, more) };
  if (field === 'requestId') return { field, sentence: `${keySentence(fault, given)}.${keyAdvice}` };
  return { field, sentence: `\`${field}\` ${fault.why}${foundText(schema, fault, given)}.` };
}

function keySentence({ path, why }: SchemaFault, given: unknown): string {
  const key = valueAtPath(given, path);
  if (key === undefined) return '`requestId` is undefined. Leave the field out, or give a UUID';
  return `\`requestId\` ${why}${typeof key === 'string' ? emptyText(key) : `, but is ${kindOf(key)}`}`;
}

const keyAdvice = " Derive it from your own key with `requestIdFrom('invoice', id)`.";

/** The usual names of an idempotency key elsewhere. */
const misplacedKeyHints = { idempotencykey: '`requestId`' };

function unknownParameter(schema: z.ZodMiniType, fault: SchemaFault, more: 'extraBody' | 'query'): string {
  const name = String(fault.path.at(-1));
  const what = `\`${pathText(fault.path)}\` is not a parameter`;
  if (Object.hasOwn(requestOptionFields(), name))
    return `${what}. \`${name}\` is an option of the call: pass it in the last argument.`;
  const atTop = fieldsOf([schema]) ?? {};
  const advice =
    // At the top level the name would be valid.
    Object.hasOwn(atTop, name)
      ? `. Did you mean \`${name}\` at the top of the parameters?`
      : adviceFor(
          name,
          fieldsAt(schema, fault.path.slice(0, -1)) ?? {},
          fault.path.length === 1 && Object.hasOwn(atTop, 'requestId') ? misplacedKeyHints : {},
        );
  return `${what}${advice} Send what the types do not list with the option \`${more}\`.`;
}

/** Says what the value is, where that adds something. Never shows it. */
function foundText(
  schema: z.ZodMiniType,
  { path, kind, expected, instead }: SchemaFault,
  given: unknown,
): string {
  if (kind === 'rule' || kind === 'unwanted') return '';
  const value = valueAtPath(given, path);
  // Such as a Decimal or a BigNumber.
  if (isInstance(value)) {
    const field = fieldsAt(schema, path.slice(0, -1))?.[String(path.at(-1))] ?? [];
    const isNumber = isJsonAmount(field) || expected.join() === 'number';
    return `, but is an object of a class; convert it with \`.${isNumber ? 'toNumber' : 'toString'}()\``;
  }
  if (typeof value === 'string' && value.trim() === '') return emptyText(value);
  if (kind === 'value') return Array.isArray(value) ? `, but has ${value.length}` : '';
  const other = instead === undefined ? '' : insteadText(path, instead, value, valueAtPath(given, instead));
  return `, but is ${kindOf(value)}${other}`;
}

const emptyText = (text: string): string => (text.trim() === '' ? ', but is empty' : '');

/** Names the field that could be given in place of a missing one, which is missing, too. */
function insteadText(
  path: readonly PropertyKey[],
  instead: readonly PropertyKey[],
  value: unknown,
  other: unknown,
): string {
  const shared = path.findIndex((key, index) => key !== instead[index]);
  const name = pathText(instead.slice(shared));
  return value === undefined && other === undefined
    ? `, and so is \`${name}\`; give one of them`
    : `, and \`${name}\` is ${kindOf(other)}; give one of them`;
}
