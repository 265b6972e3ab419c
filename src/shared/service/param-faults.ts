import { adviceFor } from '../option-names.ts';
import { isRecord, kindOf } from '../values.ts';
import type { Fault, ParamCheck } from './param.ts';

/** A fault of the parameters of a call, in words. */
export interface ParamFault {
  /** The path of the field; empty for the parameters themselves. */
  readonly path: string;
  /** What is wrong: a sentence. */
  readonly problem: string;
  /** The name of a field that does not exist. */
  readonly unknown?: string;
  /** The name that was probably meant, or all names: a sentence. */
  readonly advice?: string;
}

/**
 * Puts the fault of parameters in words.
 *
 * @param given - What the caller gave: JSON turns some objects into something else.
 */
export function inWords(fault: Fault, check: ParamCheck, given: unknown): ParamFault {
  const path = pathText(fault.path);
  if (fault.kind === 'name') return unknownField(check, fault, path);
  const value = fault.path.reduce<unknown>((outer, key) => Object(outer)[key], given);
  const subject = path === '' ? 'the parameters' : `\`${path}\``;
  return { path, problem: `${subject} ${fault.why}${foundText(fault, value)}.` };
}

function unknownField({ fields }: ParamCheck, fault: Fault, path: string): ParamFault {
  const unknown = String(fault.path.at(-1));
  const isAtTop = fault.path.length > 1 && fields !== undefined && Object.hasOwn(fields, unknown);
  const advice = isAtTop
    ? `. Did you mean \`${unknown}\` at the top of the parameters?`
    : adviceFor(unknown, fault.fields ?? {});
  return { path, problem: `\`${path}\` is not a parameter.`, unknown, advice: advice.slice('. '.length) };
}

/** Returns true for an object such as a Decimal or a BigNumber. */
const isInstance = (value: unknown): boolean => {
  const prototype: unknown = isRecord(value) ? Object.getPrototypeOf(value) : null;
  return prototype !== null && prototype !== Object.prototype;
};

/** Says what the value is, where that adds something. Never shows it. */
function foundText({ kind }: Fault, value: unknown): string {
  if (kind === 'rule') return '';
  if (isInstance(value))
    return `, but is an object of a class; convert it with \`.${kind === 'number' ? 'toNumber' : 'toString'}()\``;
  if (typeof value === 'string' && value.trim() === '') return ', but is empty';
  if (kind === 'value') return Array.isArray(value) ? `, but has ${value.length}` : '';
  return `, but is ${kindOf(value)}`;
}

/** A path such as `destination.batch[3].hold`. A name that is not a word may be a value, such as a token. */
const pathText = (path: Fault['path']): string =>
  path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = /^[\w$-]{1,40}$/.test(key) ? key : '…';
      return index === 0 ? name : `.${name}`;
    })
    .join('');
