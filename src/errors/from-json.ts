import { apiErrorClass } from './api.ts';
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
  const details: Details = {
    ...{ code, operation: textIn(value, 'operation'), requestId: textIn(value, 'requestId') },
    outcome: outcomes.find((one) => one === peek(value, 'outcome')) ?? 'unknown',
    finding: findings.find((one) => one === peek(value, 'finding')) ?? 'open',
    attempts: numberIn(value, 'attempts'),
    traceId: textIn(value, 'traceId'),
    cause: causesFromText(textIn(peek(value, 'cause'), 'message'), textIn(peek(value, 'cause'), 'name')),
  };
  const status = numberIn(value, 'status');
  const make =
    classes.get(name) ?? (status === undefined ? undefined : (...given) => apiError(status, ...given));
  const error = make?.(message, details, value) ?? new PaymentsError(message, details);
  // A class of a later version keeps its name.
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true });
  return error;
}

type Details = PaymentsErrorDetails;
type Make = (message: string, details: Details, value: unknown) => PaymentsError;

const outcomes: readonly Outcome[] = ['not-sent', 'rejected', 'unknown', 'succeeded'];
const findings: readonly Finding[] = ['made', 'known', 'refused', 'not-reached', 'open'];

/** The classes that are told by their name. Errors of a status have the class of the status. */
const classes: ReadonlyMap<string, Make> = /* @__PURE__ */ new Map<string, Make>([
  ['ConfigurationError', (...[message, details]) => new ConfigurationError(message, details)],
  ['ClientClosedError', (...[message, details]) => new ClientClosedError(message, details)],
  ['ConnectionError', (...[message, details]) => new ConnectionError(message, details)],
  ['AbortedError', (...[message, details]) => new AbortedError(message, details)],
  ['PaginationError', (...[message, details]) => new PaginationError(message, details)],
  [
    'InvalidRequestError',
    (message, details, value) =>
      new InvalidRequestError(message, {
        ...{ ...details, field: textIn(value, 'field') },
        ...earlierIn(peek(value, 'earlier')),
      }),
  ],
  [
    'TimeoutError',
    (message, details, value) =>
      new TimeoutError(message, peek(value, 'limit') === 'attempt' ? 'attempt' : 'deadline', details),
  ],
  [
    'ResponseValidationError',
    (message, details, value) =>
      new ResponseValidationError(message, { ...details, issues: issuesIn(value), body: undefined }),
  ],
  [
    'ResponseMismatchError',
    (message, details, value) =>
      new ResponseMismatchError(message, { ...details, path: textIn(value, 'path') ?? '' }),
  ],
  [
    'AccountRejectedError',
    (...[message, details]) =>
      new AccountRejectedError(message, { ...details, accountId: '', invalidFields: [] }),
  ],
  [
    'WebhookVerificationError',
    (message, details, value) => {
      const status = numberIn(value, 'status');
      return new WebhookVerificationError(message, { ...details, ...(status !== undefined && { status }) });
    },
  ],
  // A refusal of a known id is a ConflictError under any status.
  ['ConflictError', (...given) => apiError(409, ...given)],
]);

function apiError(classStatus: number, ...[message, details, value]: Parameters<Make>): PaymentsError {
  const error = textIn(peek(value, 'service'), 'error');
  const [errorClass] = apiErrorClass(classStatus);
  return new errorClass(message, {
    ...{ ...details, headers: new Headers(), body: undefined },
    status: numberIn(value, 'status') ?? classStatus,
    service: error === undefined ? {} : { error },
    retryAfter: numberIn(value, 'retryAfter'),
  });
}

function textIn(value: unknown, field: string): string | undefined {
  const text = peek(value, field);
  return typeof text === 'string' ? text : undefined;
}

function numberIn(value: unknown, field: string): number | undefined {
  const number = peek(value, field);
  return typeof number === 'number' ? number : undefined;
}

function earlierIn(value: unknown): { earlier?: EarlierCall } {
  const operation = textIn(value, 'operation');
  const said = peek(value, 'outcome');
  const outcome = said === 'pending' ? said : (outcomes.find((one) => one === said) ?? 'unknown');
  return operation === undefined ? {} : { earlier: { operation, outcome } };
}

function issuesIn(value: unknown): ResponseIssue[] {
  const issues = peek(value, 'issues');
  return Array.isArray(issues)
    ? issues.map((issue) => ({ path: textIn(issue, 'path') ?? '', code: textIn(issue, 'code') ?? '' }))
    : [];
}
