import { type APIErrorDetails, apiErrorClass, ConflictError } from './api.ts';
import { type Finding, type Outcome, PaymentsError, type PaymentsErrorDetails } from './base.ts';
import { AbortedError, ConnectionError, TimeoutError } from './connection.ts';
import { causesFromText, peek } from './foreign-values.ts';
import { ClientClosedError, ConfigurationError, type EarlierCall, InvalidRequestError } from './request.ts';
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
  const details = detailsIn(value, code);
  const status = numberIn(value, 'status');
  const named = classes.find((one) => one.prototype.name === name);
  const limit = peek(value, 'limit') === 'attempt' ? 'attempt' : 'deadline';
  // Errors of a status have the class of the status.
  const errorClass = named ?? (status === undefined ? PaymentsError : apiErrorClass(status)[0]);
  const error =
    name === 'TimeoutError' ? new TimeoutError(message, limit, details) : new errorClass(message, details);
  // A class of a later version keeps its name.
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true });
  return error;
}

/** The details of every class: a constructor takes those that it knows. */
interface Details extends PaymentsErrorDetails, Omit<APIErrorDetails, keyof PaymentsErrorDetails> {
  readonly field: string | undefined;
  readonly earlier?: EarlierCall;
  readonly issues: readonly ResponseIssue[];
  readonly path: string;
  readonly accountId: string;
  readonly invalidFields: readonly string[];
}

/** The classes that are told by their name. A refusal of a known id is a ConflictError under any status. */
const classes: readonly (new (message: string, details: Details) => PaymentsError)[] = [
  ConfigurationError,
  ClientClosedError,
  ConnectionError,
  AbortedError,
  PaginationError,
  InvalidRequestError,
  ResponseValidationError,
  ResponseMismatchError,
  AccountRejectedError,
  WebhookVerificationError,
  ConflictError,
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
    status: numberIn(value, 'status') ?? 500,
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
