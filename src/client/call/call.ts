import { peek } from '../../shared/errors/foreign-values.ts';
import { type ResponseIssue, ResponseValidationError } from '../../shared/errors/index.ts';
import { isInherited } from '../../shared/values.ts';
import type { Wire } from '../wire/wire.ts';
import { APIPromise, describeCalls, type PendingCall, type SuccessfulResponse } from './api-promise.ts';
import { CallRun, type ReceivedResponse } from './attempts.ts';
import type { RequestOptions } from './call-options.ts';
import { failedBeforeSending } from './failure.ts';
import type { OpenKeys } from './open-keys.ts';
import {
  type CallFacts,
  type PreparedCall,
  prepareCall,
  type ResolvedConfig,
  type ResponseReading,
  type StartedCall,
  unreadableBody,
} from './prepare.ts';
import type { Operation, OperationInput, Transport } from './types.ts';

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
    return new APIPromise(this.start(operation, input, options));
  }

  /** Starts a call. The mark of its key is put before anything else, and stands or is taken back when the call ends. */
  start<T>(operation: Operation<T>, given: OperationInput, options?: RequestOptions): PendingCall<T> {
    // Own properties only: a polluted prototype must add nothing to what is sent.
    const input: OperationInput = Object.assign(Object.create(null), given);
    const { requestId, newKey } = keyOfCall(operation, input);
    const inDoubt = saysInDoubt(options);
    const facts: CallFacts = {
      operation: operation.name,
      safety: operation.retrySafety,
      requestId,
      isPayment: operation.retrySafety === 'keyed' && operation.isCustom !== true,
      inDoubt,
      mark: requestId === undefined ? undefined : this.#keys.begin(requestId, inDoubt),
    };
    const reading: ResponseReading = { isTaken: false, hasJudged: false };
    const takeRaw = () => {
      const isLate = operation.retrySafety === 'read' && reading.hasJudged && !reading.isTaken;
      reading.isTaken = true;
      return !isLate;
    };
    const answer = this.#run({ operation, input, options, facts, newKey, reading });
    return { operation: operation.name, requestId, answer, takeRaw };
  }

  /** Prepares a call, at once unless its body is still to come, and makes its attempts. */
  async #run<T>(started: StartedCall<T>): Promise<SuccessfulResponse<T>> {
    const { facts, input } = started;
    const { body } = input;
    let call: PreparedCall<T>;
    try {
      const given = body instanceof Promise ? await body.catch(() => unreadableBody) : body;
      call = prepareCall(started, given, this.#config);
    } catch (thrown) {
      const error = failedBeforeSending(thrown, facts);
      facts.mark?.settle('not-sent');
      throw error;
    }
    try {
      const received = await new CallRun(call, this.#wire, this.#config.watchers).run();
      return {
        attempts: received.attempts,
        toResponse: () => toResponse(received),
        read: () => this.#read(received, facts),
      };
    } catch (error) {
      if (error instanceof ResponseValidationError) this.#reportDrift(facts.operation, error.issues);
      throw error;
    }
  }

  #read<T>({ judged, departure }: ReceivedResponse<T>, { operation }: CallFacts): T {
    const { fatal, minor } = judged;
    if (fatal.length + minor.length > 0) this.#reportDrift(operation, [...fatal, ...minor]);
    if (departure !== undefined) throw departure;
    // Without a fatal departure the value has passed its check.
    return judged.value as T;
  }

  #reportDrift(operation: string, issues: readonly ResponseIssue[]): void {
    this.#config.watchers.drift({ operation, issues });
  }
}

/** The idempotency key of a call: the caller's, or a new one. A new one is not made where the caller's is no text. */
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

/** What is no boolean is refused later, as in doubt: the caller meant something by it. */
function saysInDoubt(options: unknown): boolean {
  const said = isGiven(options, 'inDoubt') ? peek(options, 'inDoubt') : undefined;
  return said !== undefined && said !== false;
}

/** Returns true for a field that the caller gave. One that a class gives is refused later, and was meant. */
const isGiven = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && (Object.hasOwn(value, name) || isInherited(value, name));

/** Converts to the platform's Response. Its body can still be read, although the client has read it too. */
function toResponse({ answer, url }: ReceivedResponse<unknown>): Response {
  const { status, headers, text, bytes } = answer;
  const bodyless = status === 204 || status === 205;
  const response = new Response(bodyless ? null : (bytes ?? text), { status, headers });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}
