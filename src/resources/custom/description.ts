import { peek } from '../../errors/foreign-values.ts';
import { InvalidRequestError } from '../../errors/index.ts';
import { findUnknown } from '../../shared/option-names.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { fault, ownParams, type Rule } from '../checks/rules.ts';

/** The rule of each field of a description. A field without one does not exist. */
export type FieldRules<Description> = { readonly [Field in keyof Description]-?: Rule };

/** A field that has no rule of its own. */
export const noRule: Rule = () => undefined;

/** A rule for a value that is one of a few. */
/* @__NO_SIDE_EFFECTS__ */
export function among(allowed: readonly unknown[]): Rule {
  return (value) => (allowed.includes(value) ? undefined : `must be one of ${allowed.join(', ')}`);
}

/** A rule for the paths of fields. */
export const paths: Rule = (value) =>
  Array.isArray(value) && value.every((path) => typeof path === 'string' && path !== '')
    ? undefined
    : 'must be a list of dotted paths';

/** The right names for names that belong elsewhere, for everything that describes an operation. */
export const describedHints: Readonly<Record<string, string>> = {
  requestid: '`idempotencyKey: { field, value }`, or the field in the body',
  headers: '`headers` in the call options',
  timeout: '`timeout` in the call options',
  retries: '`retries` in the call options',
  signal: '`signal` in the call options',
  deadline: '`deadline` in the call options',
  url: '`path`, relative to the base URL',
  params: '`query`',
  data: '`body`',
  json: '`body`',
};

/** Makes the error for one field of a call. */
export type Wrong = (field: string, why: string) => InvalidRequestError;

/** An operation as the caller described it, and what the client made of it; or the error in it. */
export interface Described<Description, Ready> {
  readonly own: Partial<Description>;
  readonly ready?: Ready;
  readonly problem?: InvalidRequestError;
  /** The idempotency key that is reported with an error. */
  readonly requestId?: string | undefined;
}

/**
 * Reads what the caller gave to `request` or `paginate`: own fields only, each held to its rule, and then whatever
 * `prepare` makes of them. Never throws.
 */
export function readDescription<Description extends { operation?: string }, Ready>(
  caller: string,
  parameter: string,
  given: Description,
  rules: Readonly<Record<string, Rule>>,
  prepare: (own: Description, name: string, wrong: Wrong) => Ready,
): Described<Description, Ready> {
  let name = caller;
  let own: Description | undefined;
  const wrong: Wrong = (field, why) => fault(name, field, `\`${field}\` ${why}`);
  try {
    if (!isRecord(given)) throw wrong(parameter, `must be an object, but is ${kindOf(given)}`);
    own = ownParams(given);
    const unknown = findUnknown(own, rules, describedHints);
    if (unknown !== undefined) throw wrong(parameter, `is wrong: ${unknown}`);
    for (const [field, rule] of Object.entries<Rule>(rules)) {
      const why = rule(Reflect.get(own, field));
      if (why !== undefined) throw wrong(field, why);
    }
    name = own.operation ?? caller;
    return { own, ready: prepare(own, name, wrong) };
  } catch (error) {
    return { own: {}, problem: problemIn(error, wrong(parameter, 'cannot be read')), requestId: keyIn(own) };
  }
}

/** The idempotency key in a description that may be wrong: its earlier calls may have been carried out. */
function keyIn(own: unknown): string | undefined {
  const place = peek(own, 'idempotencyKey') ?? { field: 'requestId' };
  const key = peek(place, 'value') ?? peek(peek(own, 'body'), String(peek(place, 'field')));
  return typeof key === 'string' ? key : undefined;
}

/** The error of a check; anything else was thrown by code of the caller's, such as a getter. */
export const problemIn = (thrown: unknown, otherwise: InvalidRequestError): InvalidRequestError =>
  thrown instanceof InvalidRequestError ? thrown : otherwise;
