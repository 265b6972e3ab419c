import {
  InvalidRequestError,
  isPaymentsError,
  type PaymentsError,
  ResponseValidationError,
} from '../errors/index.ts';
import { describeCalls, type PendingCall } from './api-promise.ts';
import { createCredentials } from './attempt/credentials.ts';
import type { Sleep } from './attempt/timers.ts';
import type { Wire } from './attempt/wire.ts';
import { rememberFailedCall } from './call/failed-call.ts';
import type { PreparedCall, ReceivedResponse } from './call/prepared-call.ts';
import { executeCall } from './execute-call.ts';
import { shielded } from './hooks/events.ts';
import { checkHeaders } from './request/headers.ts';
import { fillPath } from './request/path.ts';
import { prepareBody } from './request/prepare-body.ts';
import { type NotedCall, RequestIdLedger } from './request/request-id-ledger.ts';
import { checkRequestOptions, failWith } from './request/request-options.ts';
import { resolveRetries } from './request/retries-check.ts';
import { buildUrl } from './request/url.ts';
import type { ResolvedConfig } from './resolved-config.ts';
import { ResponseJudge } from './response/response-judge.ts';
import type { Operation, OperationInput, RequestOptions, ResponseDeparture, Transport } from './types.ts';

/** Sends operations over a wire, with all of a client's configuration. */
export class HttpTransport implements Transport {
  readonly #config: ResolvedConfig;
  readonly #wire: Wire;
  readonly #ledger: RequestIdLedger;

  constructor(config: ResolvedConfig, wire: Wire, ledger: RequestIdLedger = new RequestIdLedger()) {
    describeCalls();
    this.#config = config;
    this.#wire = wire;
    this.#ledger = ledger;
  }

  get cursorParam(): string {
    return this.#config.cursorParam;
  }

  get deadline(): number | undefined {
    return this.#config.deadline;
  }

  get sleep(): Sleep | undefined {
    return this.#config.sleep;
  }

  start<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): PendingCall<T> {
    let call: PreparedCall<T>;
    let noted: NotedCall | undefined;
    try {
      call = this.#prepare(operation, input, options);
      noted = this.#noteRequestId(call);
    } catch (thrown) {
      const error = asPaymentsError(thrown, operation.name);
      return { operation: operation.name, requestId: undefined, answer: Promise.reject(error) };
    }
    const answer = this.#execute(call, noted, (received) => ({
      attempts: received.attempts,
      toResponse: () => toResponse(received),
      read: () => this.#read(operation, received, call),
    }));
    return { operation: operation.name, requestId: call.requestId, answer };
  }

  #execute<T, Result>(
    call: PreparedCall<T>,
    noted: NotedCall | undefined,
    give: (received: ReceivedResponse<T>) => Result,
  ): Promise<Result> {
    return executeCall(call, this.#wire, this.#config.watchers).then(
      (received) => {
        noted?.settle('succeeded');
        return give(received);
      },
      (error: PaymentsError) => {
        noted?.settle(error.outcome);
        if (error instanceof ResponseValidationError) this.#reportDrift(call.operation, error.issues);
        this.#remember(error, call);
        throw error;
      },
    );
  }

  /** Keeps the call beside its error, so that `resolve` can send the very same bytes again. */
  #remember(error: PaymentsError, call: PreparedCall): void {
    const { safety, requestId } = call;
    rememberFailedCall(error, {
      safety,
      sent: call,
      knownOutcome: () => (requestId === undefined ? undefined : this.#ledger.outcomeOf(requestId)),
      again: async ({ deadline, signal }) => {
        const retries = { ...call.retries, limit: 0 };
        const once = { ...call, deadline, signal, retries };
        return this.#execute(once, this.#noteRequestId(once), ({ judged }) => judged.body);
      },
    });
  }

  #noteRequestId({ operation, safety, requestId, body, likeness }: PreparedCall): NotedCall | undefined {
    if (safety !== 'keyed' || requestId === undefined) return undefined;
    // A call without a body has a payload of its own, too: nothing else may be sent under its id.
    return this.#ledger.note(requestId, operation, String(likeness ?? body));
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
    const options = checkRequestOptions(given, name, operation.moreOptions);
    if (input.problem !== undefined) throw input.problem;
    const path = fillPath(operation.path, input.path, name);
    const url = buildUrl(config.baseUrl, path, input.query, options?.query, name);
    const {
      content: body,
      contentType,
      likeness,
      requestId,
    } = prepareBody(operation, input, options?.extraBody);
    const headers: Record<string, string> = { accept: 'application/json', ...config.headers };
    for (const given of [options?.headers, input.headers])
      Object.assign(headers, checkHeaders(given, failWith(name)));
    if (body !== undefined) headers['content-type'] = contentType;
    return {
      operation: name,
      method: operation.method,
      template: operation.template ?? operation.path,
      safety,
      origin: config.origin,
      url,
      headers,
      body,
      likeness,
      requestId,
      credentials:
        options?.accessToken === undefined
          ? config.credentials
          : createCredentials(options.accessToken, `${name}: \`accessToken\``),
      timeout: options?.timeout ?? config.timeout,
      deadline: options?.deadline ?? config.deadline,
      // Checked with the other options.
      retries: resolveRetries(options?.retries, config.retries, failWith(name)),
      sleep: config.sleep,
      signal: options?.signal,
      maxResponseBytes: config.maxResponseBytes,
      judge: new ResponseJudge(operation, { path: input.path, requestId }, config.responseValidation),
    };
  }

  #read<T>(operation: Operation<T>, { judged, departure }: ReceivedResponse<T>, call: PreparedCall): T {
    const { fatal, minor } = judged;
    if (fatal.length + minor.length > 0) this.#reportDrift(operation.name, [...fatal, ...minor]);
    if (fatal.length > 0) {
      const error = departure();
      this.#remember(error, call);
      throw error;
    }
    // Without a fatal departure the value has passed its check.
    return judged.value as T;
  }

  #reportDrift(operation: string, issues: readonly ResponseDeparture[]): void {
    for (const watch of this.#config.driftWatchers) shielded(() => watch({ operation, issues }));
  }
}

/** What the parameters or options of the caller's threw when they were read, as an error of this package. */
function asPaymentsError(thrown: unknown, operation: string): PaymentsError {
  if (isPaymentsError(thrown)) return thrown;
  const message = `${operation}: the parameters or options cannot be read. Nothing was sent.`;
  return new InvalidRequestError(message, { operation, cause: thrown });
}

/** Converts to the platform's Response. Its body can still be read, although the client has read it too. */
function toResponse({ answer, url }: ReceivedResponse<unknown>): Response {
  const { status, headers, text } = answer;
  const bodyless = status === 204 || status === 205;
  const response = new Response(bodyless ? null : text, { status, headers });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}
