import { InvalidRequestError } from '../../shared/errors/index.ts';
import type { Refusals } from '../../shared/outcome/names.ts';
import type { CallFacts } from '../../shared/outcome/operation.ts';
import { valueAt } from '../../shared/values.ts';
import type { WireRequest } from '../wire/wire.ts';
import { prepareBody } from './body.ts';
import {
  checkedCallOptions,
  type RequestOptions,
  type RetryOptions,
  refuseOptions,
  requestOptions,
} from './call-options.ts';
import { Credentials } from './credentials.ts';
import { checkHeaders } from './headers.ts';
import type { HookCalls } from './hooks.ts';
import type { OpenKeys } from './open-keys.ts';
import type { Operation, OperationInput, ResponseValidation } from './types.ts';
import { buildUrl, fillPath } from './url.ts';

/** A client's options, checked, with defaults and environment variables filled in. */
export interface ResolvedConfig {
  readonly baseUrl: string;
  readonly origin: string;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  /** The option `retries` without gaps. */
  readonly retries: { readonly limit: number; readonly minDelay: number; readonly maxDelay: number };
  readonly responseValidation: ResponseValidation;
  readonly cursorParam: string;
  readonly refusals: Refusals;
  readonly headers: Readonly<Record<string, string>>;
  readonly hooks: HookCalls;
}

/** A call that has begun: what the caller gave, and what is known of it before anything is checked. */
export interface StartedCall<T = unknown> {
  readonly operation: Operation<T>;
  /** Own properties alone. */
  readonly input: OperationInput;
  readonly options: RequestOptions | undefined;
  readonly requestId: string | undefined;
  /** The idempotency key that was made for the call, if the caller gave none. */
  readonly newKey: string | undefined;
  /** True if the call moves money, as far as this package can tell. */
  readonly isPayment: boolean;
  /** True if the caller says that an earlier call may have been made. */
  readonly inDoubt: boolean;
  /** The entry of the call under its key; undefined without a key. */
  readonly pending: ReturnType<OpenKeys['begin']> | undefined;
  /**
   * Asked when a response is read: returns true if the caller reads the response himself. Then a read takes any response,
   * and any other operation one that is proved.
   */
  readonly isReadRaw: () => boolean;
  /**
   * Says that the caller reads the response himself. Returns false if it was read as JSON before, of an operation that
   * would have taken anything.
   */
  readonly takeRaw: () => boolean;
}

/** A call with everything resolved: each attempt sends the same bytes, and nothing of the caller's is read again. */
export interface PreparedCall<T = unknown> extends StartedCall<T>, CallFacts {
  readonly operation: Operation<T>;
  readonly method: string;
  readonly template: string;
  readonly origin: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireRequest['body'];
  readonly responseValidation: ResponseValidation;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: OperationInput['deadline'];
  readonly retries: ResolvedConfig['retries'];
  readonly signal: AbortSignal | undefined;
}

/** The options of a call that is given none. A polluted prototype adds none. */
const noOptions: RequestOptions = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.create(null));

/** Stands for a body whose bytes could not be had. */
export const unreadableBody = /* @__PURE__ */ Symbol('unreadable');

/**
 * Checks what the caller gave and makes of it what is sent.
 *
 * @throws InvalidRequestError that names the field. ConfigurationError for the token of the call.
 */
export function prepareCall<T>(
  started: StartedCall<T>,
  given: unknown,
  config: ResolvedConfig,
): PreparedCall<T> {
  const { operation, input, requestId, newKey, inDoubt } = started;
  const { name, retrySafety } = operation;
  const refuse = (sentence: string) => refuseOptions(name, sentence);
  const options =
    started.options === undefined ? noOptions : checkedCallOptions(name, requestOptions(), started.options);
  if (input.fault !== undefined) throw input.fault;
  const path = fillPath(operation.path, input.path, name);
  const url = buildUrl(config.baseUrl, path, input.query, options.query, name);
  if (given === unreadableBody)
    throw new InvalidRequestError(`${name}: \`body\` cannot be read. Nothing was sent.`, {
      operation: name,
      field: 'body',
    });
  const { content, contentType, sent } = prepareBody(operation, given, options.extraBody, newKey);
  // `pending` holds the key that was read first. A `toJSON` must not send another one.
  if (started.isPayment && valueAt(sent, 'requestId') !== requestId)
    refuse('`requestId` must be a string among the parameters themselves. Nothing was sent.');
  const headers: Record<string, string> = { accept: 'application/json', ...config.headers };
  for (const more of [options.headers, input.headers])
    if (more !== undefined) Object.assign(headers, checkHeaders(more, refuse));
  // The caller meant the header as the key, but the client made another one: a job that runs again would pay twice.
  if (newKey !== undefined && options.headers && /idempoten/.test(Object.keys(headers).join()))
    refuse('the idempotency key is `requestId` in the parameters, not a header. Nothing was sent.');
  if (content !== undefined) headers['content-type'] = contentType;
  if (inDoubt && retrySafety === 'read')
    refuse('`inDoubt` does not go with a read, which changes nothing. Nothing was sent.');
  if (inDoubt && newKey !== undefined)
    refuse('`inDoubt` needs the `requestId` of the earlier call in the parameters. Nothing was sent.');
  const total = options.deadline ?? config.deadline;
  return {
    ...started,
    method: operation.method,
    template: operation.template ?? operation.path,
    origin: config.origin,
    url,
    headers,
    body: content,
    refusals: config.refusals,
    sent,
    path: input.path,
    responseValidation: config.responseValidation,
    credentials:
      options.accessToken === undefined
        ? config.credentials
        : new Credentials(options.accessToken, `${name}: \`accessToken\``),
    timeout: options.timeout ?? config.timeout,
    deadline: input.deadline ?? (total === undefined ? undefined : { total, remaining: total }),
    retries: options.retries === undefined ? config.retries : retrySettings(options.retries, config.retries),
    signal: options.signal,
  };
}

/** The settings of a client that is given none. */
const usualRetries: ResolvedConfig['retries'] = /* @__PURE__ */ Object.freeze({
  limit: 2,
  minDelay: 500,
  maxDelay: 8_000,
});

/** Fills the checked option `retries` in. */
export function retrySettings(given: number | RetryOptions, usual = usualRetries): ResolvedConfig['retries'] {
  // Own properties alone: an object may inherit from another one.
  const { limit, minDelay, maxDelay }: RetryOptions =
    typeof given === 'number' ? { limit: given } : { ...given };
  // A given `minDelay` raises the default `maxDelay`; a given `maxDelay` lowers the default `minDelay`.
  return {
    limit: limit ?? usual.limit,
    minDelay: minDelay ?? Math.min(usual.minDelay, maxDelay ?? usual.minDelay),
    maxDelay: maxDelay ?? Math.max(usual.maxDelay, minDelay ?? usual.minDelay),
  };
}
