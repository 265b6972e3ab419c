import type { ClientOptions } from '../config/options.ts';
import { apiOf } from '../resources/custom/api.ts';
import type { Api } from '../resources/custom/api-types.ts';
import { type CustomRequest, startRequest } from '../resources/custom/request.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { RequestOptions } from '../transport/types.ts';
import { createCore } from './core.ts';
import { type ClientWith, checkNamespaces, type Namespaces, open, states } from './namespaces.ts';

/** The members of every client in addition to its namespaces. */
export class Client {
  /** `PaymentsClient` and `createClient` make clients. */
  protected constructor() {
    // Their namespaces are opened on them.
  }

  /** The base URL, in the form in which the client uses it. */
  get baseUrl(): string {
    return states.get(this).core.config.baseUrl;
  }

  /**
   * Creates a client with some options replaced, such as the token of another tenant. It has the same namespaces. It
   * shares the connections, and the token unless you pass `accessToken`.
   *
   * @param options - The options to replace. All others keep their values.
   * @throws ConfigurationError when an option is wrong.
   *
   * @example
   * ```ts
   * const tenant = payments.withOptions({ accessToken: () => vault.token(tenantId), deadline: 10_000 });
   * ```
   */
  withOptions(options: ClientOptions): this {
    return derive(this, { core: createCore(options, states.get(this).core) });
  }

  /**
   * Adds namespaces, such as resources that you created with `defineResource`. They use the auth, retries, limits, hooks
   * and errors of this client.
   *
   * @param namespaces - The namespaces, under the names to use on the client.
   * @returns A client with the namespaces. It shares the connections and the token.
   * @throws ConfigurationError when a name is in use or a value is not a namespace.
   *
   * @example
   * ```ts
   * const extended = payments.with({ quotes: Quotes, users: Users });
   * await extended.quotes.acceptOfframp(offrampId);
   * ```
   */
  with<const Added extends Namespaces<this>>(namespaces: Added): ClientWith<Added, this> {
    const added = checkNamespaces(namespaces, this, 'with');
    // The properties that the type names are set by their names.
    return derive(this, {
      namespaces: new Map([...states.get(this).namespaces, ...added]),
    }) as ClientWith<Added, this>;
  }

  /**
   * Calls an operation for which this client has no method, with the same auth, retries, limits and errors.
   *
   * GET, HEAD and DELETE are retried, and every request with an `idempotencyKey` or a `retrySafety` that allows it. Any
   * other request is retried only when it is certain that the service did not accept it.
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
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): APIPromise<T> {
    return startRequest(states.get(this).core.transport, request, options);
  }

  /**
   * Types the operations of your service's OpenAPI description. `paths` is the type that `npx openapi-typescript` writes.
   * The calls have the same auth, retries, limits and errors as every other call, and return the data.
   *
   * GET and DELETE are retried. So is a body with a `requestId`, or a request with an idempotency header, with the same
   * key. Any other request is retried only when it is certain that the service did not accept it. `retrySafety` in the
   * input changes that.
   *
   * @example
   * ```ts
   * import type { paths } from './service.d.ts';
   *
   * const api = payments.api<paths>();
   * const user = await api.GET('/v2/users/{userId}', { params: { path: { userId } } });
   * ```
   */
  api<Paths>(): Api<Paths> {
    return apiOf<Paths>(states.get(this).core.transport);
  }

  /** Returns the base URL of the client. The result never contains the token. */
  toJSON(): {
    /** The base URL, in the form in which the client uses it. */
    baseUrl: string;
  } {
    return { baseUrl: this.baseUrl };
  }
}

/** A client of the same class, with another part of its state. */
function derive<C extends Client>(client: C, changed: Partial<ReturnType<typeof states.get>>): C {
  const derived: C = Object.create(Object.getPrototypeOf(client));
  return open(derived, { ...states.get(client), ...changed });
}
