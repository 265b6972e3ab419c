import type * as z from 'zod/mini';
import type { ResponseIssue } from '../../shared/errors/index.ts';
import type { OperationFacts, RetrySafety } from '../../shared/outcome/operation.ts';
import type { QueryValue } from './call-options.ts';

export type { RetrySafety };

/** One operation of the service. Its resource declares it once. */
export interface Operation<T> extends OperationFacts {
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path with `{placeholders}`. */
  readonly path: string;
  /** The path to show in errors and events, if it differs from `path`. */
  readonly template?: string | undefined;
  /** Set for an operation that the caller gave no name: messages show its method and path, too. */
  readonly isUnnamed?: boolean | undefined;
  /** What to try next where the service does not find what the path names. */
  readonly ifNotFound?: string;
  /** The schema of the parameters, built at first use. */
  readonly params?: () => z.ZodMiniType;
  /** Checks a response, and gives it its type. `essential`: the dotted paths without which it is useless. */
  readonly check: (
    value: unknown,
    mode: ResponseValidation,
    essential: readonly string[],
  ) => CheckedResponse<T> | Promise<CheckedResponse<T>>;
}

/**
 * The strictness of response validation. `tolerant`: only missing essential fields fail, other differences are
 * reported to `hooks.drift`. `strict`: every difference fails.
 */
export type ResponseValidation = 'tolerant' | 'strict';

/** A checked response: the value, and where it differs from its schema. */
export interface CheckedResponse<T> {
  /** The value to return to the caller. */
  readonly value: T;
  /** Differences that make the value unusable: the call fails. */
  readonly fatal: readonly ResponseIssue[];
  /** Differences that are only reported. */
  readonly minor: readonly ResponseIssue[];
  /** True if the schema of the caller passed, in every field. */
  readonly isPassed?: boolean | undefined;
  /** What makes the response prove nothing: a schema of the caller's that fails, or no list in the response of a list. */
  readonly unproven?: ResponseIssue | undefined;
}

/** The input of one call. */
export interface OperationInput {
  /** Values for the path's placeholders. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Query parameters. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** The body, or a promise of it. It is sent as JSON, or unchanged if it is a `RawBody`. */
  readonly body?: unknown;
  /** Headers that the operation needs. They replace headers of the caller. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The idempotency key of an operation that the caller describes. Other operations have it in `body`. */
  readonly requestId?: string | undefined;
  /**
   * The deadline of a walk or a wait that the call is a part of, in milliseconds: as the caller gave it, which errors tell,
   * and what is left of it. It counts in place of the option `deadline`.
   */
  readonly deadline?: { readonly total: number; readonly remaining: number } | undefined;
  /** An error in the parameters. The call fails with it and sends nothing. */
  readonly fault?: unknown;
}
