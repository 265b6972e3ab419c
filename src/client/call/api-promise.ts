import { InvalidRequestError, ResponseValidationError } from '../../shared/errors/index.ts';
import type { StartedCall } from './prepare.ts';

/** A result with its response and its idempotency key. */
export interface WithResponse<T> {
  /** The value that the method returns. */
  data: T;
  /** The raw response. Its body can still be read. */
  response: Response;
  /** The idempotency key that was sent, for operations that have one. */
  requestId: string | undefined;
  /** The number of attempts, from 1. */
  attempts: number;
}

/** A successful response. It is parsed when it is first read. */
export interface SuccessfulResponse<T> {
  readonly attempts: number;
  toResponse(): Response;
  read(): T | Promise<T>;
}

/**
 * The promise that a method returns. Await it for the data. `withResponse()` and `asResponse()` also return the raw
 * response.
 *
 * @example
 * ```ts
 * const { data, response, attempts } = await payments.kyc.retrieve(userId).withResponse();
 * ```
 */
export class APIPromise<T> extends Promise<T> {
  readonly #call: StartedCall;
  /**
   * Never rejects, so that a caller who ignores it causes no unhandled rejection. Resolves with a function that returns the
   * response or throws the error.
   */
  readonly #ending: Promise<() => SuccessfulResponse<T>>;
  /** The data, once somebody has asked for it. */
  #data: Promise<T> | undefined;

  /** Makes chained promises ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Clients create promises. */
  constructor(call: never, response: never);
  /** @internal */
  constructor(call: StartedCall, response: Promise<SuccessfulResponse<T>>);
  constructor(call: StartedCall, response: Promise<SuccessfulResponse<T>>) {
    // Some runtimes wait without calling `then`, such as workerd and Bun: for them it ends with the response.
    const ended = Promise.withResolvers<T>();
    super((resolve) => resolve(ended.promise));
    this.#call = call;
    // One reaction to each promise of the chain, so that the stack of an error shows the caller's lines.
    this.#ending = response.then(
      (successful) => {
        ended.resolve(undefined as T);
        return () => successful;
      },
      (error: unknown) => {
        ended.reject(error);
        return () => {
          throw error;
        };
      },
    );
  }

  /** The idempotency key of the call. It is set before the call ends; undefined for reads. */
  get requestId(): string | undefined {
    return this.#call.requestId;
  }

  /** The method that was called, such as `transfers.create`. */
  get operation(): string {
    return this.#call.operation.name;
  }

  /**
   * Returns the raw response of a successful call. Its body can still be read, with the bytes as they arrived. If you
   * call it at once, an operation that moves nothing may respond with any content type, such as a PDF or CSV file. A
   * payment must show its record, as always.
   *
   * @throws The error of the call. InvalidRequestError when the response was read as JSON before, and failed as such.
   *
   * @example
   * ```ts
   * const response = await payments.request({ method: 'GET', path: '/v2/statements/2026-11' }).asResponse();
   * await writeFile('statement.pdf', Buffer.from(await response.arrayBuffer()));
   * ```
   */
  async asResponse(): Promise<Response> {
    const isInTime = this.#call.takeRaw();
    try {
      return (await this.#response()).toResponse();
    } catch (error) {
      throw !isInTime && error instanceof ResponseValidationError ? tooLate(this.operation, error) : error;
    }
  }

  /**
   * Returns the data together with the raw response, the idempotency key and the number of attempts. The call is sent
   * once, however often you read it, and retried as its method says.
   *
   * @throws The error of the call.
   *
   * @example
   * ```ts
   * const { data, attempts, requestId } = await payments.transfers.create(params).withResponse();
   * ```
   */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this.#read();
    const successful = await this.#response();
    return {
      data,
      response: successful.toResponse(),
      requestId: this.requestId,
      attempts: successful.attempts,
    };
  }

  /** Standard. */
  // biome-ignore lint/suspicious/noThenProperty: this class is a promise.
  override then<Fulfilled = T, Rejected = never>(
    onfulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#read().then(onfulfilled, onrejected);
  }

  /** Standard. */
  override catch<Rejected = never>(
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.#read().catch(onrejected);
  }

  /** Standard. */
  override finally(onfinally?: (() => void) | null): Promise<T> {
    return this.#read().finally(onfinally);
  }

  /** Reads the data once, when it is first asked for. */
  #read(): Promise<T> {
    this.#data ??= this.#response().then((response) => response.read());
    return this.#data;
  }

  async #response(): Promise<SuccessfulResponse<T>> {
    // The returned promise brings the error to the caller. So this promise must not count as an unhandled rejection.
    // `catch` would call the `then` of this class.
    super.then(undefined, () => undefined);
    return (await this.#ending)();
  }
}

/** The error for a response that failed as JSON before the caller asked for it as it is. */
function tooLate(operation: string, failed: ResponseValidationError): InvalidRequestError {
  const { requestId, attempts, outcome } = failed;
  return new InvalidRequestError(
    `${operation}: \`asResponse()\` was called after the response had been read as JSON. Call it at once, in the same statement as the method. ${failed.message}`,
    { operation, requestId, attempts, outcome, cause: failed },
  );
}

/**
 * Sets what `console.log` shows of such promises: Node shows each without its data, since the response is read when
 * it is awaited. Called where a client is made, so that a bundler can drop the class where there is no client.
 */
export function describeCalls(): void {
  Object.defineProperty(APIPromise.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value: describeCall,
  });
}

function describeCall(this: APIPromise<unknown>): string {
  const id = this.requestId === undefined ? '' : `, requestId: '${this.requestId}'`;
  return `${this.constructor.name} { operation: '${this.operation}'${id}, <await it for the data> }`;
}
