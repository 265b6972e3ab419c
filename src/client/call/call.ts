import { peek } from '../../shared/errors/foreign-values.ts';
import { type ResponseIssue, ResponseValidationError } from '../../shared/errors/index.ts';
import { isInherited } from '../../shared/values.ts';
import type { Wire, WireResponse } from '../wire/wire.ts';
import { APIPromise, describeCalls, type SuccessfulResponse } from './api-promise.ts';
import { CallRun } from './attempts.ts';
import type { RequestOptions } from './call-options.ts';
import { failedBeforeSending } from './failure.ts';
import type { OpenKeys } from './open-keys.ts';
import {
  type PreparedCall,
  prepareCall,
  type ResolvedConfig,
  type StartedCall,
  unreadableBody,
} from './prepare.ts';
import type { Transport } from './transport.ts';
import type { Operation, OperationInput } from './types.ts';

/** Sends operations over a wire, with all of a client's configuration. */
export class HttpTransport implements Transport {
  readonly #config: ResolvedConfig;
  readonly #wire: Wire;
  readonly #keys: OpenKeys;

  constructor(config: ResolvedConfig, wire: Wire, keys: OpenKeys) {
    describeCalls();
    this.#config = config;
    this.#wire = wire;
    this.#keys = keys;
  }

  get cursorParam(): string {
    return this.#config.cursorParam;
  }

  get deadline(): number | undefined {
    return this.#config.deadline;
  }

  /** Calls an operation and returns the promise of its data. */
  call<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): APIPromise<T> {
    const started = this.start(operation, input, options);
    return new APIPromise(started.call, started.response);
  }

  /**
   * Starts a call. Before anything else, makes an entry for its `requestId`. When the call ends, the entry
   * stays or is removed.
   */
  start<T>(
    operation: Operation<T>,
    given: OperationInput,
    options?: RequestOptions,
  ): { readonly call: StartedCall<T>; readonly response: Promise<SuccessfulResponse<T>> } {
    // Own properties only: a polluted prototype must add nothing to what is sent.
    const input: OperationInput = Object.assign(Object.create(null), given);
    const { requestId, newKey } = keyOfCall(operation, input);
    const inDoubt = saysInDoubt(options);
    let isRaw = false;
    let wasRead = false;
    const call: StartedCall<T> = {
      operation,
      input,
      options,
      requestId,
      newKey,
      isPayment: operation.retrySafety === 'keyed' && operation.isCustom !== true,
      inDoubt,
      pending: requestId === undefined ? undefined : this.#keys.begin(requestId, inDoubt),
      isReadRaw: () => {
        wasRead = true;
        return isRaw;
      },
      takeRaw: () => {
        const isLate = operation.retrySafety === 'read' && wasRead && !isRaw;
        isRaw = true;
        return !isLate;
      },
    };
    return { call, response: this.#run(call) };
  }

  /** Prepares a call, at once unless its body is still to come, and makes its attempts. */
  async #run<T>(started: StartedCall<T>): Promise<SuccessfulResponse<T>> {
    const { name } = started.operation;
    const { body } = started.input;
    let call: PreparedCall<T>;
    try {
      const given = body instanceof Promise ? await body.catch(() => unreadableBody) : body;
      call = prepareCall(started, given, this.#config);
    } catch (thrown) {
      const error = failedBeforeSending(thrown, started);
      started.pending?.settle('not-sent');
      throw error;
    }
    const run = new CallRun(call, this.#wire, this.#config.hooks);
    try {
      const received = await run.run();
      const { value, fatal, minor } = received;
      return {
        attempts: run.attempts,
        toResponse: () => toResponse(received.response, call.url),
        read: () => {
          if (fatal.length + minor.length > 0) this.#reportDrift(name, [...fatal, ...minor]);
          if (fatal.length > 0) throw run.incompleteError(received);
          // Without a fatal issue the value has passed its check.
          return value as T;
        },
      };
    } catch (error) {
      if (error instanceof ResponseValidationError) this.#reportDrift(name, error.issues);
      throw error;
    }
  }

  #reportDrift(operation: string, issues: readonly ResponseIssue[]): void {
    this.#config.hooks.drift({ operation, issues });
  }
}

/** The idempotency key of a call: the caller's, or a new one. If the caller's is not a string, there is none. */
function keyOfCall(
  { retrySafety, isCustom }: Operation<unknown>,
  input: OperationInput,
): { readonly requestId?: string | undefined; readonly newKey?: string } {
  if (retrySafety !== 'keyed') return {};
  if (isCustom === true) return { requestId: input.requestId };
  if (!isGiven(input.body, 'requestId')) {
    const newKey = crypto.randomUUID();
    return { requestId: newKey, newKey };
  }
  const given = peek(input.body, 'requestId');
  return { requestId: typeof given === 'string' ? given : undefined };
}

/** A value that is not a boolean counts as true: the caller meant something by it. `prepareCall` refuses it later. */
function saysInDoubt(options: unknown): boolean {
  const said = isGiven(options, 'inDoubt') ? peek(options, 'inDoubt') : undefined;
  return said !== undefined && said !== false;
}

/** Returns true for a field that the caller gave. One that a class gives is refused later, and was meant. */
const isGiven = (value: unknown, name: string): boolean =>
  Object.hasOwn(Object(value), name) || isInherited(Object(value), name);

/** Converts to the platform's Response. Its body can still be read, although the client has read it too. */
function toResponse({ status, headers, text, bytes }: WireResponse, url: string): Response {
  const bodyless = status === 204 || status === 205;
  const response = new Response(bodyless ? null : (bytes ?? text), { status, headers });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}
