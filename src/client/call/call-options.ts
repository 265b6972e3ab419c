import * as z from 'zod/mini';
import { peek } from '../../shared/errors/foreign-values.ts';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { checkedOptions } from '../../shared/schema/option-fault.ts';
import { checkedElsewhere, entriesOf, headers, milliseconds } from '../../shared/schema/option-values.ts';
import { flag, lazy, matching, strictObject, wholeNumber } from '../../shared/schema/schema.ts';
import { valueAt } from '../../shared/values.ts';
import type { AccessToken } from './credentials.ts';
import type { QueryValue, RequestOptions, RetryOptions } from './types.ts';

/** Ten minutes: with more, a deadline is what is meant. */
const longestDelay = 600_000;

const delay = /* @__PURE__ */ lazy(() => z.optional(milliseconds(0, longestDelay)));

const retryCount = /* @__PURE__ */ lazy(() => wholeNumber(0, 100));

const retryOptions = /* @__PURE__ */ lazy(() =>
  matching<RetryOptions>()(
    strictObject({ limit: z.optional(retryCount()), minDelay: delay(), maxDelay: delay() }).check(
      z.refine(({ minDelay = 0, maxDelay = longestDelay }) => minDelay <= maxDelay, {
        path: ['maxDelay'],
        error: ({ input }) => `must be at least \`retries.minDelay\`, ${valueAt(input, 'minDelay')}`,
      }),
    ),
  ),
);

/** The option `retries`: a number, or its parts. */
export const retries = /* @__PURE__ */ lazy(() =>
  z.union([retryCount(), retryOptions()], { error: 'must be a whole number from 0 to 100' }),
);

/** Of whatever realm or library. What is no signal must be found before a payment is sent, and not while it is. */
const isSignal = (value: unknown): boolean =>
  typeof peek(value, 'aborted') === 'boolean' &&
  typeof peek(value, 'addEventListener') === 'function' &&
  typeof peek(value, 'removeEventListener') === 'function';

const signal = /* @__PURE__ */ lazy(() =>
  z.custom<AbortSignal>(isSignal, {
    error: 'must be an AbortSignal',
    params: { kind: 'type' },
  }),
);

/** The fields of the options of every call, for a call that has more. */
export const requestOptionFields = /* @__PURE__ */ lazy(() => ({
  signal: z.optional(signal()),
  timeout: z.optional(milliseconds()),
  deadline: z.optional(milliseconds()),
  retries: z.optional(retries()),
  // Names, values, the token and the body are checked where they are read.
  headers: z.optional(headers()),
  accessToken: z.optional(checkedElsewhere<AccessToken>()),
  query: z.optional(entriesOf<Record<string, QueryValue>>()),
  extraBody: z.optional(checkedElsewhere<Readonly<Record<string, unknown>>>()),
  inDoubt: z.optional(flag()),
}));

/** The options of a call. */
export const requestOptions = /* @__PURE__ */ lazy(() =>
  matching<RequestOptions>()(strictObject(requestOptionFields())),
);

/** An idempotency key that is lost in an option would pay again, so its usual names are told apart from typos. */
export const keyHints: Readonly<Record<string, string>> = {
  idempotencykey: '`requestId` in the parameters of the call',
  requestid: '`requestId` in the parameters of the call',
};

/** Returns own options of a call, checked by their schema: the usual ones, or those of an operation that has more. */
export function checkedCallOptions<Options extends RequestOptions>(
  operation: string,
  schema: z.ZodMiniType<Options>,
  given: unknown,
): Options {
  const words = {
    subject: 'the request options',
    verb: 'are',
    hints: keyHints,
  } as const;
  return checkedOptions(schema, given, words, ({ sentence, isUnknownName }) =>
    refuseOptions(operation, isUnknownName ? `${sentence} Nothing was sent.` : sentence),
  );
}

/** Refuses an option of a call. */
export function refuseOptions(operation: string, sentence: string): never {
  throw new InvalidRequestError(`${operation}: ${sentence}`, { operation, field: 'options' });
}
