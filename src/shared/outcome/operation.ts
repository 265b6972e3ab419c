import type { ResponseIssue } from '../errors/response.ts';
import type { Refusals } from './names.ts';

/**
 * The failures after which the client may retry an operation.
 *
 * - `read`, `delete`, `refresh` (a second request does no harm), `keyed` (has an idempotency key): after every
 *   transient failure.
 * - `once`: only if it is certain that the service did not accept the request.
 */
export type RetrySafety = 'read' | 'delete' | 'keyed' | 'refresh' | 'once';

/** The facts of an operation by which its responses are read. Nothing is decided by its `name`. */
export interface OperationFacts {
  /** The method on the client, such as `transfers.create`. */
  readonly name: string;
  readonly retrySafety: RetrySafety;
  /** Set for an operation that the caller describes: nothing of its responses is documented. */
  readonly isCustom?: boolean | undefined;
  /** The documented place of a payment's record, such as `transferDetails`. Its fields are compared with what was sent. */
  readonly record?: string | undefined;
  /**
   * The paths at which a response shows whose record it is, by the name of the path parameter that was sent. Paths are dotted; `*`
   * stands for every field of a record and `[]` for every item of a list. One of the values must equal the sent value;
   * below a `*` or a `[]`, each must.
   */
  readonly identity?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Row 10 (docs/guides/outcomes.md): says why a body does not show the operation's own record; undefined if it does. */
  readonly provesCall?: ((body: unknown) => ResponseIssue | undefined) | undefined;
  /** The dotted paths of the fields without which its response is useless. */
  readonly essential?: readonly string[] | undefined;
}

/** The facts of a call by which its responses are read. */
export interface CallFacts {
  readonly operation: OperationFacts;
  readonly refusals: Refusals;
  /** The body that was sent, parsed; undefined without one. */
  readonly sent?: unknown;
  /** The values of the placeholders of the path. */
  readonly path?: Readonly<Record<string, string>> | undefined;
}

/** A response, as far as it proves something. */
export interface ResponseFacts {
  readonly status: number;
  /** The parsed JSON, undefined for an empty body, or the text of a body that is not JSON. */
  readonly body: unknown;
  /** False for a body that is neither empty nor JSON. */
  readonly isJson?: boolean | undefined;
  /** True if the body is cut, too large, or cannot be read or decoded. */
  readonly isCut?: boolean | undefined;
  /** True if it passes the schema that the caller gave. */
  readonly passesSchema?: boolean | undefined;
}
