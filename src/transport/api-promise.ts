import { hiddenState } from '../shared/hidden-state.ts';

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

/** The call behind an {@link APIPromise}. */
export interface PendingCall<T> {
  /** The method that was called, such as `transfers.create`. */
  readonly operation: string;
  /** The idempotency key. It is set before the first attempt. */
  readonly requestId: string | undefined;
  /** The response, after the status was checked and before the body is parsed. */
  readonly answer: Promise<Answer<T>>;
  /** Asks for the response itself: a read may then respond with anything, such as a file. Called before it arrives. */
  readonly takeRaw?: (() => void) | undefined;
}

/** A successful response. It is parsed when it is first read. */
export interface Answer<T> {
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
  /** Makes chained promises ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Clients create promises. */
  constructor(call: never);
  /** @internal */
  constructor(call: PendingCall<T>);
  constructor(call: PendingCall<T>) {
    super((resolve) => resolve(undefined as T));
    started.set(this, { call, data: undefined });
  }

  /** The idempotency key of the call. It is set before the call ends; undefined for reads. */
  get requestId(): string | undefined {
    return callOf(this).requestId;
  }

  /** The method that was called, such as `transfers.create`. */
  get operation(): string {
    return callOf(this).operation;
  }

  /**
   * Returns the raw response of a successful call. Its body can still be read, with the bytes as they arrived. If you
   * call it at once, an operation that moves nothing may respond with any content type, such as a PDF or CSV file. A
   * payment must show its record, as always.
   *
   * @throws The error of the call.
   *
   * @example
   * ```ts
   * const response = await payments.request({ method: 'GET', path: '/v2/statements/2026-11' }).asResponse();
   * await writeFile('statement.pdf', Buffer.from(await response.arrayBuffer()));
   * ```
   */
  asResponse(): Promise<Response> {
    const { takeRaw, answer } = callOf(this);
    takeRaw?.();
    return answer.then((received) => received.toResponse());
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
    const [data, answer] = await Promise.all([read<T>(this), callOf(this).answer]);
    return { data, response: answer.toResponse(), requestId: this.requestId, attempts: answer.attempts };
  }

  /** Standard. */
  // biome-ignore lint/suspicious/noThenProperty: this class is a promise.
  override then<Fulfilled = T, Rejected = never>(
    onfulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return read<T>(this).then(onfulfilled, onrejected);
  }

  /** Standard. */
  override catch<Rejected = never>(
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return read<T>(this).catch(onrejected);
  }

  /** Standard. */
  override finally(onfinally?: (() => void) | null): Promise<T> {
    return read<T>(this).finally(onfinally);
  }
}

interface Started {
  readonly call: PendingCall<unknown>;
  /** The data, once somebody has asked for it. */
  data: Promise<unknown> | undefined;
}

const started = /* @__PURE__ */ hiddenState<Started>('call');

const callOf = (promise: object): PendingCall<unknown> => started.get(promise).call;

/** Reads the data once, when it is first asked for. */
function read<T>(promise: object): Promise<T> {
  const state = started.get(promise);
  state.data ??= state.call.answer.then((answer) => answer.read());
  // The call was started for this type.
  return state.data as Promise<T>;
}

/**
 * Sets what `console.log` shows of such promises: Node shows each as fulfilled with undefined, since the response is read
 * when it is awaited. Called where a client is made, so that a bundler can drop the class where there is no client.
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
