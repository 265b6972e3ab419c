import { type OptionNames, refuseUnknown } from '../../closed-options.ts';
import { InvalidRequestError } from '../../errors/index.ts';
import { isRecord, kindOf } from '../kind.ts';
import type { RequestOptions } from '../types.ts';
import { checkLimit } from './limits-check.ts';
import { resolveRetries, usualRetries } from './retries-check.ts';

const callOptions: OptionNames<RequestOptions> = {
  signal: true,
  timeout: true,
  deadline: true,
  retries: true,
  headers: true,
  accessToken: true,
  query: true,
  extraBody: true,
};

/** Names of other packages for what is a parameter here, or another option. */
const hints: Readonly<Record<string, string>> = {
  idempotencykey: 'the idempotency key is `requestId` in the parameters',
  idempotencyid: 'the idempotency key is `requestId` in the parameters',
  requestid: 'give `requestId` in the parameters',
  idempotent: 'give `requestId` in the parameters',
  body: 'give additional fields of the body in `extraBody`',
  params: 'give additional query parameters in `query`',
  token: 'give the token as `accessToken`',
  apikey: 'give the token as `accessToken`',
  authorization: 'give the token as `accessToken`',
  retry: 'give the number of retries as `retries`',
  maxattempts: 'give the number of retries as `retries`',
};

/** Returns own options of a call, checked; `more` names the options that only this operation has. */
export function checkRequestOptions(
  given: unknown,
  operation: string,
  more?: Readonly<Record<string, true>>,
): RequestOptions | undefined {
  if (given === undefined) return undefined;
  const fail: (message: string) => never = failWith(operation);
  if (!isRecord(given)) return fail(`the request options must be an object, but are ${kindOf(given)}.`);
  const options = ownCopy(given, operation);
  const known = more === undefined ? callOptions : { ...callOptions, ...more };
  refuseUnknown(options, known, (message) => fail(`${message} Nothing was sent.`), hints);
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
