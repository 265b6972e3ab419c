import type { APIPromise, SuccessfulResponse } from './api-promise.ts';
import type { RequestOptions } from './call-options.ts';
import type { StartedCall } from './prepare.ts';
import type { Operation, OperationInput } from './types.ts';

/** The part of the client that a resource uses: it sends requests. */
export interface Transport {
  /** Calls an operation, with auth, limits, retries and checks. Never throws: the returned promise rejects. */
  call<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): APIPromise<T>;
  /** Starts the same call, but makes no `APIPromise`. A list makes its own promise of it, a `PagePromise`. */
  start<T>(
    operation: Operation<T>,
    input: OperationInput,
    options?: RequestOptions,
  ): { readonly call: StartedCall<T>; readonly response: Promise<SuccessfulResponse<T>> };
  /** The name of the query parameter that carries a cursor. */
  readonly cursorParam: string;
  /** The client's deadline in milliseconds, for calls that set none. */
  readonly deadline: number | undefined;
}
