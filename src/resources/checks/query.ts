import { InvalidRequestError } from '../../errors/index.ts';
import { isRecord } from '../../transport/kind.ts';
import { plainCopy } from '../../transport/request/plain-data.ts';
import { checkParams, type Rules } from './rules.ts';

/** The parameters of a list as they were read, and what is wrong with them. */
export interface ReadParams<T> {
  /** The parameters that have a rule. Empty when there is a problem. */
  readonly read: Partial<T>;
  /** What the call fails with. */
  readonly problem: InvalidRequestError | undefined;
}

/** Reads the parameters of a list once and holds them to rules. Never throws: a getter of the caller's may. */
export function readParams<T extends object>(operation: string, params: T, rules: Rules): ReadParams<T> {
  try {
    const copy: unknown = isRecord(params) ? plainCopy(params, 'params', '', operation).copy : params;
    const problem = checkParams(operation, copy, rules);
    if (problem !== undefined || !isRecord(copy)) return { read: Object.create(null), problem };
    const known = Object.entries(copy).filter(([name]) => Object.hasOwn(rules, name));
    // Without a prototype: a polluted one adds no parameter.
    return { read: Object.assign(Object.create(null), Object.fromEntries(known)), problem: undefined };
  } catch (thrown) {
    if (thrown instanceof InvalidRequestError) return { read: Object.create(null), problem: thrown };
    throw thrown;
  }
}
