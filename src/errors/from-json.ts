import { type APIError, apiErrorClass } from './api.ts';
import { type Finding, type Outcome, PaymentsError } from './base.ts';
import { AbortedError, ConnectionError, TimeoutError } from './connection.ts';
import { peek } from './foreign-values.ts';
import { ClientClosedError, ConfigurationError, InvalidRequestError } from './request.ts';
import {
  AccountRejectedError,
  PaginationError,
  ResponseMismatchError,
  ResponseValidationError,
} from './response.ts';
import { WebhookVerificationError } from './webhook.ts';

/**
 * Makes an error again of what `error.toJSON()` returned, after a queue, a worker thread, or a database. The error has
 * its class, `code`, `outcome` and `requestId`. Bodies, headers and `originalError` are not in the JSON, so they are
 * empty. `payments.resolve` cannot send the call of such an error again: it needs a `lookup`, or call the method again
 * with the same `requestId`.
 *
 * @param value - The parsed JSON.
 * @returns The error, or undefined for a value that is not such JSON. An `outcome`
 * that cannot be read is `unknown`, and such a `finding` is `open`.
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
  const outcome = outcomes.find((one) => one === peek(value, 'outcome')) ?? 'unknown';
  const finding = findings.find((one) => one === peek(value, 'finding')) ?? 'open';
  const attempts = peek(value, 'attempts');
  const details: Details = {
    code,
    outcome,
    finding,
    operation: textIn(value, 'operation'),
    requestId: textIn(value, 'requestId'),
    attempts: typeof attempts === 'number' ? attempts : undefined,
    traceId: textIn(value, 'traceId'),
    cause: causeIn(value),
  };
  const error = apiErrorOf(value, message, details) ?? make(name, value, message, details);
  // A class of a later version keeps its name.
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true });
  return error;
}

interface Details {
  readonly code: string;
  readonly outcome: Outcome;
  readonly finding: Finding;
  readonly operation: string | undefined;
  readonly requestId: string | undefined;
  readonly attempts: number | undefined;
  readonly traceId: string | undefined;
  readonly cause: unknown;
}

const findings: readonly Finding[] = ['made', 'known', 'refused', 'not-reached', 'open'];

const outcomes: readonly Outcome[] = ['not-sent', 'rejected', 'unknown', 'succeeded'];

function apiErrorOf(value: unknown, message: string, details: Details): APIError | undefined {
  const [name, status] = [peek(value, 'name'), peek(value, 'status')];
  if (typeof status !== 'number' || name === 'WebhookVerificationError') return undefined;
  const retryAfter = peek(value, 'retryAfter');
  const error = textIn(peek(value, 'service'), 'error');
  // A refusal of a known id is a ConflictError under any status.
  const [byStatus] = apiErrorClass(name === 'ConflictError' ? 409 : status);
  return new byStatus(message, {
    ...details,
    status,
    headers: new Headers(),
    body: undefined,
    service: error === undefined ? {} : { error },
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
  });
}

function make(name: string, value: unknown, message: string, details: Details): PaymentsError {
  switch (name) {
    case 'ConfigurationError':
      return new ConfigurationError(message, details);
    case 'ClientClosedError':
      return new ClientClosedError(message, details);
    case 'InvalidRequestError':
      return new InvalidRequestError(message, {
        ...details,
        field: textIn(value, 'field'),
        ...earlierIn(value),
      });
    case 'ConnectionError':
      return new ConnectionError(message, details);
    case 'TimeoutError':
      return new TimeoutError(message, peek(value, 'limit') === 'attempt' ? 'attempt' : 'deadline', details);
    case 'AbortedError':
      return new AbortedError(message, details);
    case 'ResponseValidationError':
      return new ResponseValidationError(message, { ...details, issues: issuesIn(value), body: undefined });
    case 'ResponseMismatchError':
      return new ResponseMismatchError(message, { ...details, path: textIn(value, 'path') ?? '' });
    case 'PaginationError':
      return new PaginationError(message, details);
    case 'AccountRejectedError':
      return new AccountRejectedError(message, { ...details, accountId: '', invalidFields: [] });
    case 'WebhookVerificationError': {
      const status = peek(value, 'status');
      return new WebhookVerificationError(message, {
        ...details,
        ...(typeof status === 'number' && { status }),
      });
    }
    default:
      return new PaymentsError(message, details);
  }
}

function textIn(value: unknown, field: string): string | undefined {
  const text = peek(value, field);
  return typeof text === 'string' ? text : undefined;
}

function earlierIn(value: unknown): Pick<InvalidRequestError, 'earlier'> {
  const earlier = peek(value, 'earlier');
  const [operation, outcome] = [textIn(earlier, 'operation'), textIn(earlier, 'outcome')];
  if (operation === undefined) return {};
  return {
    earlier: {
      operation,
      outcome: [...outcomes, 'pending' as const].find((one) => one === outcome) ?? 'unknown',
    },
  };
}

function issuesIn(value: unknown): { path: string; code: string }[] {
  const issues = peek(value, 'issues');
  return Array.isArray(issues)
    ? issues.map((issue) => ({ path: textIn(issue, 'path') ?? '', code: textIn(issue, 'code') ?? '' }))
    : [];
}

/** Builds the chain of causes that the summary in the JSON tells of: class names and codes. */
function causeIn(value: unknown): unknown {
  const cause = peek(value, 'cause');
  const parts = textIn(cause, 'message')?.split(' ← ') ?? [];
  return parts.reduceRight<unknown>((inner, part, index) => {
    const error = new Error('', inner === undefined ? undefined : { cause: inner });
    const name = index === 0 ? textIn(cause, 'name') : undefined;
    return Object.assign(
      error,
      /^[A-Z][A-Z0-9_]+$/.test(part) ? { code: part, name: name ?? 'Error' } : { name: part },
    );
  }, undefined);
}
