import { InvalidRequestError } from '../../shared/errors/index.ts';
import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { keyHints } from './call-options.ts';
import type { RequestOptions, RetryOptions } from './types.ts';

export const callOptions: OptionNames<RequestOptions> = {
  signal: true,
  timeout: true,
  deadline: true,
  retries: true,
  headers: true,
  accessToken: true,
  query: true,
  extraBody: true,
  inDoubt: true,
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
  // Own properties alone: a polluted prototype must add nothing to what is sent.
  const options: RequestOptions = Object.assign(Object.create(null), given);
  const known = more === undefined ? callOptions : { ...callOptions, ...more };
  refuseUnknown(options, known, (message) => fail(`${message} Nothing was sent.`), keyHints);
  checkDuration(options.timeout, 'timeout', fail);
  checkDuration(options.deadline, 'deadline', fail, remainders.has(given) ? 0 : undefined);
  resolveRetries(options.retries, usualRetries, fail);
  const { signal, query, inDoubt } = options;
  if (inDoubt !== undefined && typeof inDoubt !== 'boolean')
    return fail(`\`inDoubt\` must be a boolean, but is ${kindOf(inDoubt)}.`);
  checkSignal(signal, fail);
  if (query !== undefined && !isRecord(query))
    return fail(`\`query\` must be an object, but is ${kindOf(query)}.`);
  return options;
}

/** Refuses an option of a call. */
export function failWith(operation: string): (message: string) => never {
  return (message) => {
    throw new InvalidRequestError(`${operation}: ${message}`, { operation, field: 'options' });
  };
}

/** Timers cannot count further. */
const longestLimit = 2_147_483_647;

/** Checks a limit in milliseconds: a number above 0. `undefined` passes. */
export function checkLimit(
  value: unknown,
  name: string,
  fail: (message: string) => never,
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0 && value <= longestLimit) return value;
  return fail(
    `\`${name}\` must be a number above 0 and at most ${longestLimit}, but is ${describeValue(value)}.`,
  );
}

/**
 * Checks a limit in milliseconds. A number below 100 is refused: it was meant in seconds, and would end every call.
 * `undefined` passes.
 */
function checkDuration(
  value: unknown,
  name: string,
  fail: (message: string) => never,
  least = 100,
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= least && value <= longestLimit) return value;
  const isInSeconds = typeof value === 'number' && value > 0 && value < least;
  return fail(
    `\`${name}\` must be a number of milliseconds from ${least} to ${longestLimit}, but is ${describeValue(value)}.${
      isInSeconds ? ` For ${value} seconds, write ${value * 1_000}.` : ''
    }`,
  );
}

/** Options whose deadline is what is left of another one, and may be short. */
const remainders = /* @__PURE__ */ new WeakSet<object>();

/** Options of a call that is a part of another one, with what is left of its deadline in milliseconds. */
export function withRemaining<Options extends RequestOptions>(
  options: Options | undefined,
  deadline: number,
) {
  const rest: RequestOptions = { ...options, deadline: Math.max(deadline, 1) };
  remainders.add(rest);
  return rest;
}

/** Checks a signal. `undefined` passes. */
function checkSignal(signal: AbortSignal | undefined, fail: (message: string) => never): void {
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    fail(`\`signal\` must be an AbortSignal, but is ${kindOf(signal)}.`);
}

const describeValue = (value: unknown) => (typeof value === 'number' ? String(value) : kindOf(value));

/** The settings for the retries of a call, without gaps. */
export interface RetrySettings {
  readonly limit: number;
  readonly minDelay: number;
  readonly maxDelay: number;
}

/** The settings of a client that is given none. */
export const usualRetries: RetrySettings = /* @__PURE__ */ Object.freeze({
  limit: 2,
  minDelay: 500,
  maxDelay: 8_000,
});

/** Ten minutes: with more, a deadline is what is meant. */
const longestRetryDelay = 600_000;
const parts: OptionNames<RetryOptions> = { limit: true, minDelay: true, maxDelay: true };

/** Checks the option `retries`, a number or its parts, and fills it in. `undefined` changes nothing. */
export function resolveRetries(
  given: unknown,
  usual: RetrySettings,
  fail: (message: string) => never,
): RetrySettings {
  if (given === undefined) return usual;
  const own: { [Part in keyof RetryOptions]: unknown } = isRecord(given) ? { ...given } : { limit: given };
  refuseUnknown(own, parts, (message) => fail(`\`retries\`: ${message}`));
  const { limit = usual.limit, minDelay, maxDelay } = own;
  const name = isRecord(given) ? 'retries.limit' : 'retries';
  if (!Number.isInteger(limit))
    fail(`\`${name}\` must be a whole number from 0 to 100, but is ${describeValue(limit)}.`);
  const least = numberUpTo(minDelay, longestRetryDelay, 'retries.minDelay', fail);
  const most = numberUpTo(maxDelay, longestRetryDelay, 'retries.maxDelay', fail);
  // The one that is given moves the other one, where that is not given.
  const settings = {
    limit: numberUpTo(limit, 100, name, fail) ?? usual.limit,
    minDelay: least ?? Math.min(usual.minDelay, most ?? usual.minDelay),
    maxDelay: most ?? Math.max(usual.maxDelay, least ?? usual.minDelay),
  };
  if (settings.maxDelay < settings.minDelay)
    fail(
      `\`retries.maxDelay\` must be at least \`retries.minDelay\`, ${settings.minDelay}, but is ${settings.maxDelay}.`,
    );
  return settings;
}

function numberUpTo(
  value: unknown,
  most: number,
  name: string,
  fail: (message: string) => never,
): number | undefined {
  if (value === undefined || (typeof value === 'number' && value >= 0 && value <= most)) return value;
  const unit = most === longestRetryDelay ? 'a number of milliseconds' : 'a whole number';
  return fail(`\`${name}\` must be ${unit} from 0 to ${most}, but is ${describeValue(value)}.`);
}

const ownedByTheClient = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Checks headers of the caller's and returns them with lower-case names; `undefined` values are left out. */
export function checkHeaders(headers: unknown, fail: (message: string) => never): Record<string, string> {
  const checked: Record<string, string> = Object.create(null);
  if (headers === undefined) return checked;
  if (typeof headers !== 'object' || headers === null) {
    return fail(`\`headers\` must be an object, but is ${kindOf(headers)}.`);
  }
  const entries: Iterable<[string, unknown]> =
    headers instanceof Headers ? headers.entries() : Object.entries(headers);
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower)) {
      return fail(`\`headers\` contains a name that HTTP does not allow.`);
    }
    if (ownedByTheClient.has(lower)) {
      const remedy = lower === 'authorization' ? ' Use `accessToken`.' : '';
      return fail(`the header \`${lower}\` is set by the client.${remedy}`);
    }
    if (typeof value !== 'string') {
      return fail(`the header \`${lower}\` must be a string, but is ${kindOf(value)}.`);
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      return fail(`the header \`${lower}\` contains a character that HTTP does not allow.`);
    }
    checked[lower] = value;
  }
  return checked;
}
