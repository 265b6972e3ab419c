import { peek } from '../errors/foreign-values.ts';
import {
  ConfigurationError,
  InvalidRequestError,
  isPaymentsError,
  type PaymentsError,
  type PaymentsErrorDetails,
  type ResponseIssue,
  ResponseValidationError,
} from '../errors/index.ts';
import type { Refusals } from '../evidence/error-response.ts';
import { isClosed } from '../evidence/finding.ts';
import { digestOf, type KeyMemory, type RunningCall } from '../evidence/key-memory.ts';
import { publicWords } from '../schemas/public-words.ts';
import { describeCalls, type PendingCall } from './api-promise.ts';
import { canonicalText, type PreparedBody, prepareBody } from './body.ts';
import { CallRun } from './call-run.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { ofEarlierCall } from './explain.ts';
import { type DriftEvent, shielded, type Watchers } from './hooks.ts';
import { ResponseJudge, type ResponseValidation } from './judge.ts';
import type { PreparedCall, ReceivedResponse } from './prepared-call.ts';
import {
  checkHeaders,
  checkRequestOptions,
  failWith,
  type RetrySettings,
  resolveRetries,
} from './request-options.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from './types.ts';
import { buildUrl, fillPath } from './url.ts';
import type { Wire } from './wire.ts';

/** A client's options, checked, with defaults and environment variables filled in. */
export interface ResolvedConfig {
  readonly baseUrl: string;
  readonly origin: string;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly retries: RetrySettings;
  readonly responseValidation: ResponseValidation;
  readonly cursorParam: string;
  readonly maxResponseBytes: number;
  readonly refusals: Refusals;
  readonly headers: Readonly<Record<string, string>>;
  readonly watchers: Watchers;
  readonly driftWatchers: readonly ((event: DriftEvent) => void)[];
}

/** Sends operations over a wire, with all of a client's configuration. */
export class HttpTransport implements Transport {
  readonly #config: ResolvedConfig;
  readonly #wire: Wire;
  readonly #keys: KeyMemory;

  constructor(config: ResolvedConfig, wire: Wire, keys: KeyMemory) {
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

  start<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): PendingCall<T> {
    let call: PreparedCall<T>;
    try {
      call = this.#prepare(operation, input, options);
    } catch (thrown) {
      const error = this.#ofKey(asPaymentsError(thrown, operation.name), operation, input, options);
      return { operation: operation.name, requestId: undefined, answer: Promise.reject(error) };
    }
    const answer = this.#execute(call, (received) => ({
      attempts: received.attempts,
      toResponse: () => toResponse(received),
      read: () => this.#read(received, call),
    }));
    const takeRaw = () => call.judge.takeRaw();
    return { operation: operation.name, requestId: call.requestId, answer, takeRaw };
  }

  /** Runs a call, and settles its key. */
  #execute<T, Result>(
    call: PreparedCall<T>,
    give: (received: ReceivedResponse<T>) => Result,
  ): Promise<Result> {
    const { operation, key } = call;
    return new CallRun(call, this.#wire, this.#config.watchers).run().then(
      (received) => {
        key?.settle('made');
        return give(received);
      },
      (error: unknown) => {
        key?.settle();
        if (error instanceof ResponseValidationError) this.#reportDrift(operation, error.issues);
        throw error;
      },
    );
  }

  /**
   * Notes the call in the memory of its key. One key is for one payload at one address: anything else under it is refused.
   */
  #begin(call: PreparedCall, { isNewKey = false, likeness }: PreparedBody): RunningCall | undefined {
    const { safety, requestId, operation, method, url, inDoubt } = call;
    if (safety !== 'keyed' || requestId === undefined) return undefined;
    const digest = digestOf(`${method} ${url} ${canonicalText(likeness)}`);
    const { owner } = call.credentials;
    return this.#keys.begin({ requestId, operation, digest, owner, isNewKey, inDoubt });
  }

  /** An error before anything was sent. Its outcome is that of the key, if an earlier call used it. */
  #ofKey(
    error: PaymentsError,
    { isOfCaller, retrySafety }: Operation<unknown>,
    input: OperationInput,
    options: RequestOptions | undefined,
  ) {
    const requestId = error.requestId ?? input?.requestId ?? peek(input?.body, 'requestId');
    const known = typeof requestId === 'string' ? this.#keys.recall(requestId) : undefined;
    const inDoubt = retrySafety !== 'read' && peek(options, 'inDoubt') === true;
    const { code, operation, originalError: cause } = error;
    if (!inDoubt && (known === undefined || isClosed(known) || code === 'request_id_reused')) return error;
    const safety = typeof requestId === 'string' ? 'keyed' : retrySafety;
    const isPayment = safety === 'keyed' && isOfCaller !== true;
    const message = `${error.message} ${ofEarlierCall('open', { isPayment, safety })}`;
    const details: PaymentsErrorDetails = {
      ...{ code, operation, cause, outcome: 'unknown', finding: 'not-reached' },
      requestId: typeof requestId === 'string' ? requestId : undefined,
    };
    return error instanceof InvalidRequestError
      ? new InvalidRequestError(message, {
          ...details,
          field: error.field,
          ...(error.earlier !== undefined && { earlier: error.earlier }),
        })
      : new ConfigurationError(message, details);
  }

  #prepare<T>(
    operation: Operation<T>,
    givenInput: OperationInput,
    given: RequestOptions | undefined,
  ): PreparedCall<T> {
    // Own properties only: a polluted prototype must add nothing to what is sent.
    const input: OperationInput = Object.assign(Object.create(null), givenInput);
    const config = this.#config;
    const { name, retrySafety: safety } = operation;
    const options = given === undefined ? undefined : checkRequestOptions(given, name, operation.moreOptions);
    if (input.problem !== undefined) throw input.problem;
    const path = fillPath(operation.path, input.path, name);
    const url = buildUrl(config.baseUrl, path, input.query, options?.query, name);
    const prepared = prepareBody(operation, input, options?.extraBody);
    const { content: body, contentType, requestId } = prepared;
    const headers: Record<string, string> = { accept: 'application/json', ...config.headers };
    for (const given of [options?.headers, input.headers])
      if (given !== undefined) Object.assign(headers, checkHeaders(given, failWith(name)));
    // A job that runs again would pay under another key.
    if (prepared.isNewKey && options?.headers && /idempoten/.test(Object.keys(headers).join()))
      failWith(name)('the idempotency key is `requestId` in the parameters, not a header. Nothing was sent.');
    if (body !== undefined) headers['content-type'] = contentType;
    const credentials =
      options?.accessToken === undefined
        ? config.credentials
        : createCredentials(options.accessToken, `${name}: \`accessToken\``);
    const isPayment = safety === 'keyed' && operation.isOfCaller !== true;
    const inDoubt = options?.inDoubt === true && safety !== 'read';
    if (inDoubt && prepared.isNewKey)
      failWith(name)(
        '`inDoubt` needs the `requestId` of the earlier call in the parameters. Nothing was sent.',
      );
    const call: { -readonly [Name in keyof PreparedCall<T>]: PreparedCall<T>[Name] } = {
      operation: name,
      method: operation.method,
      template: operation.template ?? operation.path,
      safety,
      origin: config.origin,
      url,
      headers,
      body,
      requestId,
      isPayment,
      isDecision: operation.isDecision === true,
      inDoubt,
      refusals: config.refusals,
      publicWords: () =>
        publicWords(
          operation.params?.({}),
          typeof operation.response === 'function' ? undefined : operation.response.schema(),
        ),
      credentials,
      timeout: options?.timeout ?? config.timeout,
      deadline: options?.deadline ?? config.deadline,
      // Checked with the other options.
      retries:
        options?.retries === undefined
          ? config.retries
          : resolveRetries(options.retries, config.retries, failWith(name)),
      signal: options?.signal,
      maxResponseBytes: config.maxResponseBytes,
      judge: new ResponseJudge(
        operation,
        { path: input.path, requestId, payment: isPayment ? prepared.likeness : undefined },
        config.responseValidation,
        config.refusals,
      ),
      key: undefined,
    };
    // Last, as nothing may throw after it: a call that is noted is made.
    call.key = this.#begin(call, prepared);
    return call;
  }

  #read<T>({ judged, departure }: ReceivedResponse<T>, call: PreparedCall): T {
    const { fatal, minor } = judged;
    if (fatal.length + minor.length > 0) this.#reportDrift(call.operation, [...fatal, ...minor]);
    if (fatal.length > 0) throw departure();
    // Without a fatal departure the value has passed its check.
    return judged.value as T;
  }

  #reportDrift(operation: string, issues: readonly ResponseIssue[]): void {
    for (const watch of this.#config.driftWatchers) shielded(() => watch({ operation, issues }));
  }
}

/** Returns an exception from reading the caller's parameters or options as an error of this package. */
function asPaymentsError(thrown: unknown, operation: string): PaymentsError {
  if (isPaymentsError(thrown)) return thrown;
  const message = `${operation}: the parameters or options cannot be read. Nothing was sent.`;
  return new InvalidRequestError(message, { operation, cause: thrown });
}

/** Converts to the platform's Response. Its body can still be read, although the client has read it too. */
function toResponse({ answer, url }: ReceivedResponse<unknown>): Response {
  const { status, headers, text, bytes } = answer;
  const bodyless = status === 204 || status === 205;
  const response = new Response(bodyless ? null : (bytes ?? text), { status, headers });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}
