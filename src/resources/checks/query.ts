import { findUnknown } from '../../closed-options.ts';
import { InvalidRequestError } from '../../errors/index.ts';
import { isRecord } from '../../transport/kind.ts';
import { plainCopy } from '../../transport/request/plain-data.ts';
import { checkParams, fault, type Rules } from './rules.ts';

/** The parameters of a list, and the error in them. */
export interface ReadParams<T> {
  /** The parameters. Empty when there is a problem. */
  readonly read: Partial<T>;
  /** The error that the call fails with. */
  readonly problem: InvalidRequestError | undefined;
}

const hints = {
  cursor: 'give query parameters that are not documented in the call option `query`',
  filter: 'give query parameters that are not documented in the call option `query`',
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
