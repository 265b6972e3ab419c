import { InvalidRequestError } from '../../errors/index.ts';
import { hiddenState } from '../../shared/hidden-state.ts';
import { findUnknown } from '../../shared/option-names.ts';
import { isRecord, kindOf, valueAt } from '../../shared/values.ts';
import { APIPromise } from '../../transport/api-promise.ts';
import { plainCopy } from '../../transport/request/plain-data.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from '../../transport/types.ts';

/** A rule that one field of the parameters must keep; gives the end of a sentence when it is broken. */
export type Rule = (value: unknown) => string | undefined;

/** Rules by the dotted path of the field that must keep them. */
export type Rules = Readonly<Record<string, Rule>>;

/**
 * Holds parameters to the rules that the spec fixes. Returns the first fault as an error to fail the call with, which
 * names the field, the rule and the kind of value, never the value.
 */
export function checkParams(
  operation: string,
  params: unknown,
  rules: Rules,
): InvalidRequestError | undefined {
  if (!isRecord(params))
    return fault(operation, 'params', `the parameters must be an object, but are ${kindOf(params)}`);
  for (const [path, rule] of Object.entries(rules)) {
    const why = rule(valueAt(params, path));
    if (why !== undefined) return fault(operation, path, `\`${path}\` ${why}`);
  }
  return undefined;
}

/** The own properties of parameters: a polluted prototype adds none. */
export function ownParams<T extends object>(params: T): T {
  return Object.assign(Object.create(null), params);
}

/** An error for one field, for rules that span several. */
export function fault(operation: string, field: string, sentence: string): InvalidRequestError {
  const end = /[.?]$/.test(sentence) ? '' : '.';
  return new InvalidRequestError(`${operation}: ${sentence}${end} Nothing was sent.`, { operation, field });
}

/**
 * Holds two alternatives to a rule: each one that was given must keep it, and one must be given. One is not given if it
 * is left out, or null in favor of the other. Both may be given: what that means is left to the service.
 */
export function checkEither(
  operation: string,
  params: unknown,
  [first, second]: readonly [string, string],
  rule: Rule,
): InvalidRequestError | undefined {
  let isGiven = false;
  for (const path of [first, second]) {
    const value = valueAt(params, path) ?? undefined;
    const why = value === undefined ? undefined : rule(value);
    if (why !== undefined) return fault(operation, path, `\`${path}\` ${why}`);
    isGiven ||= value !== undefined;
  }
  if (isGiven) return undefined;
  const why = `\`${first}\` ${rule(valueAt(params, first))}, and so is \`${second}\`: give one of them`;
  return fault(operation, first, why);
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

export const text: Rule = (value) =>
  typeof value === 'string' ? undefined : `must be a string, but is ${kindOf(value)}`;

export const requiredObject: Rule = (value) =>
  isRecord(value) ? undefined : `must be an object, but is ${kindOf(value)}`;

export const positiveAmount: Rule = (value) => {
  if (!Number.isFinite(value)) return `must be a finite number above 0, but is ${kindOf(value)}`;
  if (!(Number(value) > 0)) return 'must be above 0';
  // A number keeps 15 digits. With more digits its value may differ from the amount that was written.
  return Number(Number(value).toPrecision(15)) === value
    ? undefined
    : 'must have at most 15 significant digits; round it';
};

/** A decimal number in plain digits, as text. */
const decimal = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/** An amount as a number or as a decimal string: services differ where the spec shows no body. */
export const positiveDecimal: Rule = (value) => {
  if (typeof value !== 'string') return positiveAmount(value);
  if (!decimal.test(value)) return "must be a finite number above 0, or a decimal string such as '0.01'";
  return /[1-9]/.test(value) ? undefined : 'must be above 0';
};

export const trueOrFalse: Rule = (value) =>
  typeof value === 'boolean' ? undefined : `must be true or false, but is ${kindOf(value)}`;

/* @__NO_SIDE_EFFECTS__ */
export function wholeNumber(least: number, most = Number.POSITIVE_INFINITY): Rule {
  return (value) => {
    const range = most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`;
    if (typeof value !== 'number') return `must be a whole number ${range}, but is ${kindOf(value)}`;
    const fits = Number.isInteger(value) && value >= least && value <= most;
    return fits ? undefined : `must be a whole number ${range}`;
  };
}

/** A rule for one of several words; services differ in their case. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf(...allowed: string[]): Rule {
  return (value) => {
    const isText = typeof value === 'string';
    if (isText && allowed.includes(value.toLowerCase())) return undefined;
    return `must be ${list(allowed)}, but is ${isText ? 'another string' : kindOf(value)}`;
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function textUpTo(most: number): Rule {
  return (value) => {
    // The spec counts characters; a pair of surrogates is one.
    const length = typeof value === 'string' ? [...value].length : undefined;
    if (length !== undefined && length <= most) return undefined;
    const what = length === undefined ? `is ${kindOf(value)}` : `has ${length}`;
    return `must be a string of at most ${most} characters, but ${what}`;
  };
}

const list = (allowed: readonly string[]) => allowed.map((value) => `'${value}'`).join(' or ');

/** The parameters of a list, and the error in them. */
export interface ReadParams<T> {
  /** The parameters. Empty when there is a problem. */
  readonly read: Partial<T>;
  /** The error that the call fails with. */
  readonly problem: InvalidRequestError | undefined;
}

const hints = {
  cursor: '`query` in the call options',
  filter: '`query` in the call options',
};

/** Reads the parameters of a list once and checks them. Every parameter has a rule. Never throws. */
export function readParams<T extends object>(operation: string, params: T, rules: Rules): ReadParams<T> {
  try {
    const copy: unknown = isRecord(params) ? plainCopy(params, 'params', '', operation).copy : params;
    const problem = checkParams(operation, copy, rules);
    if (problem !== undefined || !isRecord(copy)) return { read: Object.create(null), problem };
    const unknown = findUnknown(copy, rules, hints, 'a parameter of this list');
    if (unknown !== undefined) throw fault(operation, 'params', unknown);
    // Without a prototype: a polluted one adds no parameter.
    return { read: Object.assign(Object.create(null), copy), problem: undefined };
  } catch (thrown) {
    if (thrown instanceof InvalidRequestError) return { read: Object.create(null), problem: thrown };
    throw thrown;
  }
}

const transports = /* @__PURE__ */ hiddenState<Transport>('transport');

/** Gives a namespace the transport that its operations use. */
export const bind = <Namespace extends object>(namespace: Namespace, transport: Transport): Namespace =>
  transports.set(namespace, transport);

export const transportOf = (namespace: object): Transport => transports.get(namespace);

/** Starts an operation of a namespace and returns the promise of its data. */
export function call<T>(
  namespace: object,
  operation: Operation<T>,
  input: OperationInput,
  options: RequestOptions | undefined,
): APIPromise<T> {
  return new APIPromise(transports.get(namespace).start(operation, input, options));
}
