import type { ClientOptions } from '../config/options.ts';
import type { CustomRequest } from '../resources/custom/request.ts';
import type { Resolution, ResolveOptions } from '../resources/resolving/resolution.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { RequestOptions } from '../transport/types.ts';
import type { DrainOptions, DrainResult } from './drain.ts';

/** The members of every client in addition to its namespaces. They are the same as in `PaymentsClient`. */
export interface ClientMethods<Client> {
  /** The base URL, in the form in which the client uses it. */
  readonly baseUrl: string;

  /**
   * Creates a client with some options replaced. It has the same namespaces.
   *
   * @param options - The options to replace. All others keep their values.
   * @throws ConfigurationError when an option is wrong.
   */
  withOptions(options: ClientOptions): Client;

  /**
   * Calls an operation for which this client has no method, with the same auth, retries, limits and errors.
   *
   * GET, HEAD and DELETE are retried, and every request with an `idempotencyKey`, with `idempotent: true`, or with a
   * `retrySafety` that allows it. Any other request is retried only when it is certain that the service did not accept
   * it.
   *
   * @param request - `method`, `path` (starts with `/`, relative to the base URL), `query`, `body`; `schema` (any
   * Standard Schema) to validate the response; `idempotencyKey` and `retrySafety` for requests that move money.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent.
   *
   * @example
   * ```ts
   * const rules = await payments.request({ method: 'GET', path: '/v2/transfer-rules' });
   * ```
   */
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): APIPromise<T>;

  /**
   * Finds out whether a failed call made its payment. It sends a call that has a `requestId` again, with the same id and
   * the same bytes, and calls your `lookup`, until one of them decides. It never makes a second payment, and it never
   * sends an approval decision or an account again.
   *
   * Spec: the `requestId` of creates.
   *
   * @param error - The error of the call. For an error of another process, only `lookup` can decide.
   * @param options - `lookup`; `deadline`: milliseconds for everything, default 60,000; `interval`: milliseconds
   * between two retries, default 2000; `signal`.
   * @returns `made`, `not-made` or `undecided`, with the evidence. For `undecided`, `next` says what to do.
   * @throws The value that you passed, when it is not an error of this package. AbortedError when `signal` ends the
   * wait. InvalidRequestError when an option or what `lookup` returns is wrong; ResponseMismatchError when `lookup`
   * returns a record of another call.
   *
   * @example
   * ```ts
   * try {
   *   await payments.transfers.create(params);
   * } catch (error) {
   *   const { state, next } = await payments.resolve(error, { lookup: ({ requestId }) => findTransfer(requestId) });
   *   if (state === 'undecided') tellAPerson(next);
   * }
   * ```
   */
  resolve(error: unknown, options?: ResolveOptions): Promise<Resolution>;

  /**
   * Ends the work of this client, for SIGTERM: it refuses new calls and waits for the running ones, with their queue and
   * their retries. It covers all clients of `withOptions` and `with`. A refused call rejects with `ClientClosedError` and
   * sends nothing. `resolve` still works.
   *
   * @param options - `deadline`: the longest wait in milliseconds. Default: no limit.
   * @returns The calls that still run, if the deadline passed: their operations and idempotency keys. They go on until
   * the process ends.
   * @throws InvalidRequestError when an option is wrong. The client then works as before.
   *
   * @example
   * ```ts
   * process.once('SIGTERM', async () => {
   *   const { unfinished } = await payments.drain({ deadline: 20_000 });
   *   for (const { operation, requestId } of unfinished) console.error('not finished', operation, requestId);
   *   process.exit();
   * });
   * ```
   */
  drain(options?: DrainOptions): Promise<DrainResult>;

  /** Returns the base URL of the client. The result never contains the token. */
  toJSON(): {
    /** The base URL, in the form in which the client uses it. */
    baseUrl: string;
  };
}
