import * as z from 'zod/mini';
import { peek } from '../../shared/errors/foreign-values.ts';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { checkedOptions } from '../../shared/schema/option-fault.ts';
import { checkedElsewhere, entriesOf, headers, milliseconds } from '../../shared/schema/option-values.ts';
import { flag, lazy, matching, strictObject, wholeNumber } from '../../shared/schema/schema.ts';
import { valueAt } from '../../shared/values.ts';
import type { AccessToken } from './credentials.ts';

/** A value of a query parameter. A list is sent as one parameter per item; `undefined` leaves the parameter out. */
export type QueryValue = string | number | boolean | readonly (string | number | boolean)[] | undefined;

/** The number of retries and the waits between them. Missing options keep the value of the client. */
export interface RetryOptions {
  /** The number of retries, 0 to 100. Default 2; 0 means one attempt. */
  limit?: number | undefined;
  /** Milliseconds before the first retry; each further wait is twice as long. Default 500. Use 0 in tests. */
  minDelay?: number | undefined;
  /** The maximum wait in milliseconds. Default 8000. A longer Retry-After is honored, up to one minute. */
  maxDelay?: number | undefined;
}

/** Options of a single call. Each overrides the option of the client. */
export interface RequestOptions {
  /** Ends the call at any stage: while it waits for a token, the response, or the next attempt. */
  signal?: AbortSignal | undefined;
  /** Limit of one attempt in milliseconds, from the token request to the end of the body. */
  timeout?: number | undefined;
  /** Limit of the whole call in milliseconds: all attempts, the waits between them, and all pages. */
  deadline?: number | undefined;
  /**
   * Retries after a failure that is safe to retry: a number from 0 to 100, or limits and delays; 0 means one attempt.
   */
  retries?: number | RetryOptions | undefined;
  /** Additional headers. They cannot replace headers that the client sets, such as `authorization`. */
  headers?: Record<string, string | undefined> | undefined;
  /** The token for this call only, such as the token of another tenant. */
  accessToken?: AccessToken | undefined;
  /** Additional query parameters that the parameter types do not list. */
  query?: Record<string, QueryValue> | undefined;
  /**
   * Additional body fields that the parameter types do not list, merged into the body at every depth. They cannot
   * set a field that the parameters have.
   */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Set it if your own records say that an earlier call may have been made, for example before a restart. Then only a
   * record closes the payment: any failure has the outcome `unknown`. A create needs the `requestId` of the earlier call.
   */
  inDoubt?: boolean | undefined;
}

/** Ten minutes: with more, a deadline is what is meant. */
const maxDelayOption = 600_000;

const delay = /* @__PURE__ */ lazy(() => z.optional(milliseconds(0, maxDelayOption)));

const retryCount = /* @__PURE__ */ lazy(() => wholeNumber(0, 100));

const retryOptions = /* @__PURE__ */ lazy(() =>
  matching<RetryOptions>()(
    strictObject({ limit: z.optional(retryCount()), minDelay: delay(), maxDelay: delay() }).check(
      z.refine(({ minDelay = 0, maxDelay = maxDelayOption }) => minDelay <= maxDelay, {
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
