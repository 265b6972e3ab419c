import { InvalidRequestError } from '../../errors/index.ts';
import { isRecord, kindOf } from '../kind.ts';
import type { RequestOptions } from '../types.ts';
import { checkLimit } from './limits-check.ts';
import { resolveRetries, usualRetries } from './retries-check.ts';

/** Checks the options of one call, reading own properties only. */
export function checkRequestOptions(given: unknown, operation: string): RequestOptions | undefined {
  if (given === undefined) return undefined;
  const fail: (message: string) => never = failWith(operation);
  if (!isRecord(given)) return fail(`the request options must be an object, but are ${kindOf(given)}.`);
  const options = ownCopy(given, operation);
  checkLimit(options.timeout, 'timeout', fail);
  checkLimit(options.deadline, 'deadline', fail);
  resolveRetries(options.retries, usualRetries, fail);
  const { signal, query } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    return fail(`\`signal\` must be an AbortSignal, but is ${kindOf(signal)}.`);
  }
  if (query !== undefined && !isRecord(query))
    return fail(`\`query\` must be an object, but is ${kindOf(query)}.`);
  return options;
}

/** Own properties alone; a getter of the caller's that throws is a fault like any other. */
function ownCopy(given: object, operation: string): RequestOptions {
  try {
    return Object.assign(Object.create(null), given);
  } catch (cause) {
    throw new InvalidRequestError(`${operation}: the request options cannot be read. Nothing was sent.`, {
      operation,
      field: 'options',
      cause,
    });
  }
}

/** Refuses an option of a call. */
export function failWith(operation: string): (message: string) => never {
  return (message) => {
    throw new InvalidRequestError(`${operation}: ${message}`, { operation, field: 'options' });
  };
}
