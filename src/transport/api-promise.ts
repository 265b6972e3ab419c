/** A result with what came with it. */
export interface WithResponse<T> {
  /** What the method returns. */
  data: T;
  /** The raw answer; its body can still be read. */
  response: Response;
  /** The idempotency id that was sent, for operations that have one. */
  requestId: string | undefined;
  /** How many attempts it took. */
  attempts: number;
}

/** What an {@link APIPromise} is made of. */
export interface PendingCall<T> {
  /** The operation as it is called on the client, such as `transfers.create`. */
  readonly operation: string;
  /** The idempotency id, known before the first attempt. */
  readonly requestId: string | undefined;
  /** The answer, checked for success but not read. */
  readonly answer: Promise<Answer<T>>;
}

/** A successful answer, to be read when it is wanted. */
export interface Answer<T> {
  readonly attempts: number;
  toResponse(): Response;
  read(): Promise<T>;
}

/**
 * The promise of a call that is under way. Await it for the data; `withResponse()` and `asResponse()` give
 * the raw answer, too.
 *
 * @example
 * ```ts
 * const { data, response, attempts } = await payments.kyc.retrieve(userId).withResponse();
 * ```
 */
export class APIPromise<T> extends Promise<T> {
  /** The idempotency id that the call carries, known before it ends; undefined for reads. */
  readonly requestId: string | undefined;
  readonly #call: PendingCall<T>;
  #data: Promise<T> | undefined;

  static {
    // Node shows every such promise as fulfilled with undefined, since the response is read when it is awaited.
    Object.defineProperty(this.prototype, Symbol.for('nodejs.util.inspect.custom'), { value: describeCall });
  }

  /** Standard: chained promises are ordinary ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(call: PendingCall<T>) {
    super((resolve) => resolve(undefined as T));
    this.#call = call;
    this.requestId = call.requestId;
  }

  /** The operation as it is called on the client, such as `transfers.create`. */
  get operation(): string {
    return this.#call.operation;
  }

  /** The raw answer, once the service has answered with success. Its body can still be read. */
  asResponse(): Promise<Response> {
    return this.#call.answer.then((answer) => answer.toResponse());
  }

  /** The data together with the raw answer, the idempotency id and the number of attempts. */
  async withResponse(): Promise<WithResponse<T>> {
    const [data, answer] = await Promise.all([this.#read(), this.#call.answer]);
    return { data, response: answer.toResponse(), requestId: this.requestId, attempts: answer.attempts };
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

  #read(): Promise<T> {
    this.#data ??= this.#call.answer.then((answer) => answer.read());
    return this.#data;
  }
}

function describeCall(this: APIPromise<unknown>): string {
  const id = this.requestId === undefined ? '' : `, requestId: '${this.requestId}'`;
  return `${this.constructor.name} { operation: '${this.operation}'${id}, <await it for the data> }`;
}
