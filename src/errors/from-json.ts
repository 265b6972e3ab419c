import { type APIErrorDetails, apiErrorClass, ConflictError } from './api.ts';
import { type Finding, type Outcome, PaymentsError, type PaymentsErrorDetails } from './base.ts';
import { AbortedError, ConnectionError, TimeoutError } from './connection.ts';
import { causesFromText, peek } from './foreign-values.ts';
import { ConfigurationError, type EarlierCall, InvalidRequestError } from './request.ts';
import {
  AccountRejectedError,
  PaginationError,
  type ResponseIssue,
  ResponseMismatchError,
  ResponseValidationError,
} from './response.ts';
import { WebhookVerificationError } from './webhook.ts';

/**
 * Makes an error again of what `error.toJSON()` returned, after a queue, a worker thread, or a database. The error has
 * its class, `code`, `outcome`, `finding` and `requestId`. Bodies, headers and `originalError` are not in the JSON, so
 * they are empty. `payments.resolve` cannot send the call of such an error again: it needs a `lookup`, or call the method
 * again with the same `requestId`.
 *
 * @param value - The parsed JSON.
 * @returns The error, or undefined for a value that is not such JSON. An `outcome` that cannot be read is `unknown`, and
 * such a `finding` is `open`.
 *
 * @example
 * ```ts
 * const error = errorFromJSON(JSON.parse(job.failure));
 * if (error?.outcome === 'unknown') await payAgain(error.requestId);
 * ```
 */
export function errorFromJSON(value: unknown): PaymentsError | undefined {
  const [name, message, code] = ['name', 'message', 'code'].map((field) => textIn(value, field));
  if (name === undefined || message === undefined || code === undefined) return undefined;
  const error = errorOf(name, message, detailsIn(value, code), value);
  // A class of a later version keeps its name.
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true });
  return error;
}

function errorOf(name: string, message: string, details: Details, value: unknown): PaymentsError {
  if (name === 'TimeoutError')
    return new TimeoutError(message, peek(value, 'limit') === 'attempt' ? 'attempt' : 'deadline', details);
  const status = numberIn(value, 'status');
  const named = classes.find((one) => one.prototype.name === name);
  if (named !== undefined) return new named(message, { ...details, ...(status !== undefined && { status }) });
  // A refusal of a known id is a ConflictError under any status; other errors of a status have the class of the status.
  if (name === 'ConflictError') return new ConflictError(message, { ...details, status: status ?? 409 });
  if (status === undefined) return new PaymentsError(message, details);
  const [errorClass] = apiErrorClass(status);
  return new errorClass(message, { ...details, status });
}

/** The details of every class: a constructor takes those that it knows. */
interface Details extends PaymentsErrorDetails, Omit<APIErrorDetails, keyof PaymentsErrorDetails | 'status'> {
  readonly field: string | undefined;
  readonly earlier?: EarlierCall;
  readonly issues: readonly ResponseIssue[];
  readonly path: string;
  readonly accountId: string;
  readonly invalidFields: readonly string[];
}

/** The classes that are told by their name alone. */
const classes: readonly (new (message: string, details: Details & { status?: number }) => PaymentsError)[] = [
  ConfigurationError,
  ConnectionError,
  AbortedError,
  PaginationError,
  InvalidRequestError,
  ResponseValidationError,
  ResponseMismatchError,
  AccountRejectedError,
  WebhookVerificationError,
];

const outcomes: readonly Outcome[] = ['not-sent', 'rejected', 'unknown', 'succeeded'];
const findings: readonly Finding[] = ['made', 'known', 'refused', 'not-reached', 'open'];

function detailsIn(value: unknown, code: string): Details {
  const error = textIn(peek(value, 'service'), 'error');
  const [cause, earlier, issues] = ['cause', 'earlier', 'issues'].map((field) => peek(value, field));
  const earlierOf = textIn(earlier, 'operation');
  const ended = peek(earlier, 'outcome');
  return {
    code,
    operation: textIn(value, 'operation'),
    requestId: textIn(value, 'requestId'),
    outcome: outcomes.find((one) => one === peek(value, 'outcome')) ?? 'unknown',
    finding: findings.find((one) => one === peek(value, 'finding')) ?? 'open',
    attempts: numberIn(value, 'attempts'),
    traceId: textIn(value, 'traceId'),
    cause: causesFromText(textIn(cause, 'message'), textIn(cause, 'name')),
    headers: new Headers(),
    body: undefined,
    service: error === undefined ? {} : { error },
    retryAfter: numberIn(value, 'retryAfter'),
    field: textIn(value, 'field'),
    ...(earlierOf !== undefined && {
      earlier: {
        operation: earlierOf,
        outcome: ended === 'pending' ? ended : (outcomes.find((one) => one === ended) ?? 'unknown'),
      },
    }),
    issues: Array.isArray(issues)
      ? issues.map((issue) => ({ path: textIn(issue, 'path') ?? '', code: textIn(issue, 'code') ?? '' }))
      : [],
    path: textIn(value, 'path') ?? '',
    accountId: '',
    invalidFields: [],
  };
}

function textIn(value: unknown, field: string): string | undefined {
  const text = peek(value, field);
  return typeof text === 'string' ? text : undefined;
}

function numberIn(value: unknown, field: string): number | undefined {
  const number = peek(value, field);
  return typeof number === 'number' ? number : undefined;
}
