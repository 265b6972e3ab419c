import { peek } from '../../shared/errors/foreign-values.ts';
import {
  InvalidRequestError,
  type ResponseIssue,
  ResponseValidationError,
} from '../../shared/errors/index.ts';
import type { Refusals } from '../../shared/outcome/names.ts';
import type { AskedCall } from '../../shared/outcome/operation.ts';
import { valueAt } from '../../shared/values.ts';
import type { Wire } from '../wire/wire.ts';
import { describeCalls, type PendingCall, type SuccessfulResponse } from './api-promise.ts';
import { CallRun } from './attempts.ts';
import { prepareBody } from './body.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { failedBeforeSending } from './failure.ts';
import type { Watchers } from './hooks.ts';
import { ResponseJudge, type ResponseReading, type ResponseValidation } from './judge.ts';
import type { OpenKeys } from './open-keys.ts';
import type { CallFacts, PreparedCall, ReceivedResponse } from './prepared-call.ts';
import {
  checkHeaders,
  checkRequestOptions,
  failWith,
  type RetrySettings,
  resolveRetries,
} from './request-options.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from './types.ts';
import { buildUrl, fillPath } from './url.ts';

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
  readonly refusals: Refusals;
  readonly headers: Readonly<Record<string, string>>;
  readonly watchers: Watchers;
}

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
      isPayment: operation.retrySafety === 'keyed' && operation.isOfCaller !== true,
      inDoubt,
      mark: requestId === undefined ? undefined : this.#keys.begin(requestId, inDoubt),
    };
    const reading: ResponseReading = { isTaken: false, hasJudged: false };
    const begin = (body: unknown) =>
      this.#begin(
        operation,
        Object.assign(Object.create(null), input, { body }),
        options,
        facts,
        newKey,
        reading,
      );
    const { body } = input;
    const answer = body instanceof Promise ? body.then(begin, () => begin(unreadableInput)) : begin(body);
    const takeRaw = () => {
      const isLate = operation.retrySafety === 'read' && reading.hasJudged && !reading.isTaken;
      reading.isTaken = true;
      return !isLate;
    };
    return { operation: operation.name, requestId, answer, takeRaw };
  }

  /** Prepares a call and runs it. Never throws: the promise rejects. */
  async #begin<T>(
    operation: Operation<T>,
    input: OperationInput,
    options: RequestOptions | undefined,
    facts: CallFacts,
    newKey: string | undefined,
    reading: ResponseReading,
  ): Promise<SuccessfulResponse<T>> {
    let call: PreparedCall<T>;
    try {
      call = this.#prepare(operation, input, options, facts, newKey, reading);
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
        read: () => this.#read(received, call),
      };
    } catch (error) {
      if (error instanceof ResponseValidationError) this.#reportDrift(facts.operation, error.issues);
      throw error;
    }
  }

  #prepare<T>(
    operation: Operation<T>,
    input: OperationInput,
    given: RequestOptions | undefined,
    facts: CallFacts,
    newKey: string | undefined,
    reading: ResponseReading,
  ): PreparedCall<T> {
    const config = this.#config;
    const { name } = operation;
    const options = given === undefined ? undefined : checkRequestOptions(given, name);
    if (input.problem !== undefined) throw input.problem;
    const path = fillPath(operation.path, input.path, name);
    const url = buildUrl(config.baseUrl, path, input.query, options?.query, name);
    if (input.body === unreadableInput)
      throw new InvalidRequestError(`${name}: \`body\` cannot be read. Nothing was sent.`, {
        operation: name,
        field: 'body',
      });
    const {
      content: body,
      contentType,
      sent,
    } = prepareBody(operation, input.body, options?.extraBody, newKey);
    // The marks are those of the key that was read first: no `toJSON` may send another one.
    if (facts.isPayment && valueAt(sent, 'requestId') !== facts.requestId)
      failWith(name)('`requestId` must be a string among the parameters themselves. Nothing was sent.');
    const headers: Record<string, string> = { accept: 'application/json', ...config.headers };
    for (const given of [options?.headers, input.headers])
      if (given !== undefined) Object.assign(headers, checkHeaders(given, failWith(name)));
    // A job that runs again would pay under another key.
    if (newKey !== undefined && options?.headers && /idempoten/.test(Object.keys(headers).join()))
      failWith(name)('the idempotency key is `requestId` in the parameters, not a header. Nothing was sent.');
    if (body !== undefined) headers['content-type'] = contentType;
    if (facts.inDoubt && operation.retrySafety === 'read')
      failWith(name)('`inDoubt` does not go with a read, which changes nothing. Nothing was sent.');
    if (facts.inDoubt && newKey !== undefined)
      failWith(name)(
        '`inDoubt` needs the `requestId` of the earlier call in the parameters. Nothing was sent.',
      );
    const asked: AskedCall = { operation, refusals: config.refusals, sent, path: input.path };
    return {
      ...facts,
      method: operation.method,
      template: operation.template ?? operation.path,
      origin: config.origin,
      url,
      headers,
      body,
      asked,
      credentials:
        options?.accessToken === undefined
          ? config.credentials
          : createCredentials(options.accessToken, `${name}: \`accessToken\``),
      timeout: options?.timeout ?? config.timeout,
      deadline: options?.deadline ?? config.deadline,
      // Checked with the other options.
      retries:
        options?.retries === undefined
          ? config.retries
          : resolveRetries(options.retries, config.retries, failWith(name)),
      signal: options?.signal,
      judge: new ResponseJudge(operation, asked, config.responseValidation, reading),
    };
  }

  #read<T>({ judged, departure }: ReceivedResponse<T>, call: PreparedCall): T {
    const { fatal, minor } = judged;
    if (fatal.length + minor.length > 0) this.#reportDrift(call.operation, [...fatal, ...minor]);
    if (fatal.length > 0) throw departure();
    // Without a fatal departure the value has passed its check.
    return judged.value as T;
  }

  #reportDrift(operation: string, issues: readonly ResponseIssue[]): void {
    this.#config.watchers.drift({ operation, issues });
  }
}

/** Stands for a body whose bytes could not be had. */
const unreadableInput = Symbol('unreadable');

/** The idempotency key of a call: the caller's, or a new one. A new one is not made where the caller's is no text. */
function keyOfCall(
  { retrySafety, isOfCaller }: Operation<unknown>,
  input: OperationInput,
): { readonly requestId: string | undefined; readonly newKey?: string } {
  if (retrySafety !== 'keyed') return { requestId: undefined };
  if (isOfCaller === true) return { requestId: input.requestId };
  if (!hasOwn(input.body, 'requestId')) {
    const newKey = crypto.randomUUID();
    return { requestId: newKey, newKey };
  }
  const given = peek(input.body, 'requestId');
  return { requestId: typeof given === 'string' ? given : undefined };
}

/** What is no boolean is refused later, as in doubt: the caller meant something by it. */
function saysInDoubt(options: unknown): boolean {
  const said = hasOwn(options, 'inDoubt') ? peek(options, 'inDoubt') : undefined;
  return said !== undefined && said !== false;
}

const hasOwn = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

/** Converts to the platform's Response. Its body can still be read, although the client has read it too. */
function toResponse({ answer, url }: ReceivedResponse<unknown>): Response {
  const { status, headers, text, bytes } = answer;
  const bodyless = status === 204 || status === 205;
  const response = new Response(bodyless ? null : (bytes ?? text), { status, headers });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}
