import { peek } from '../../errors/foreign-values.ts';
import { InvalidRequestError } from '../../errors/index.ts';
import { APIPromise, type PendingCall } from '../../transport/api-promise.ts';
import type {
  Operation,
  OperationInput,
  QueryValue,
  RequestOptions,
  ResponseIdentity,
  RetrySafety,
  Transport,
} from '../../transport/types.ts';
import { checkFreePath, publicTemplate } from '../../transport/url.ts';
import { checkDescription, type FieldRules, ownCopy, type RequestMethod, rules } from './description.ts';
import { type IdempotencyKey, keyPlaces, placeKey } from './idempotency-key.ts';
import { type RequestBody, takeBody } from './request-body.ts';
import { checkedBy, type StandardSchema, unchecked } from './standard-schema.ts';
import { type Wrong, wrongIn } from './wrong.ts';

/** A request to an operation for which the client has no method. */
export interface CustomRequest<T> {
  /** HTTP method, in upper case. */
  method: RequestMethod;
  /** Path relative to the base URL, such as `/v2/transfer-rules`, without a query. */
  path: string;
  /** Query parameters. A list is sent as one parameter per item. */
  query?: Record<string, QueryValue> | undefined;
  /** Body. Plain data and lists are sent as JSON, forms and bytes unchanged. */
  body?: RequestBody | undefined;
  /** Validates the response and sets its type: any Standard Schema. The call returns the output of the schema. */
  schema?: StandardSchema<T> | undefined;
  /**
   * Dotted paths of the fields that you need. With them, a difference in any other field is reported to `onDrift` and
   * does not throw, except in `strict` mode.
   */
  essential?: readonly string[] | undefined;
  /**
   * The failures after which the client may retry the call. Default: `read` for GET and HEAD, `delete` for DELETE,
   * `keyed` with an `idempotencyKey`, else `once`.
   */
  retrySafety?: RetrySafety | undefined;
  /** The field or header for the idempotency key. Default for `keyed`: `{ field: 'requestId' }`. */
  idempotencyKey?: IdempotencyKey | undefined;
  /** The name in errors, hooks and logs. Default `request`. */
  operation?: string | undefined;
}

const fields: FieldRules<CustomRequest<unknown>> = {
  operation: rules.operation,
  method: rules.method,
  path: rules.any,
  query: rules.query,
  body: rules.body,
  schema: rules.schema,
  essential: rules.essential,
  retrySafety: rules.retrySafety,
  idempotencyKey: rules.idempotencyKey,
};

/** Sends a request that the caller describes in full. */
export function startRequest<T>(
  transport: Transport,
  request: CustomRequest<T>,
  options: RequestOptions | undefined,
): APIPromise<T> {
  const name = nameOf(request, 'request');
  return startOwn<T>(transport, name, request, options, (wrong) => {
    const own = checkDescription(request, fields, 'request', wrong);
    const path = checkFreePath(own.path, name);
    return { ...own, path, template: publicTemplate(path) };
  });
}

/** The name that a description gives to its operation, or the one for those without. */
export function nameOf(description: unknown, usual: string): string {
  const name = peek(description, 'operation');
  return rules.operation(name) === undefined && typeof name === 'string' ? name : usual;
}

/** A checked request. Its path may have placeholders, which `values` fill. */
export interface OwnRequest<T> extends Omit<CustomRequest<T>, 'operation' | 'body'> {
  readonly template?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts an operation that the caller describes. Never throws: an error in the description rejects the promise. */
export function startOwn<T>(
  transport: Transport,
  name: string,
  given: unknown,
  options: RequestOptions | undefined,
  describe: (wrong: Wrong) => OwnRequest<T>,
): APIPromise<T> {
  const wrong = wrongIn(name);
  let operation: Operation<T> = { ...refusedOperation, name, response: unchecked };
  let input: OperationInput;
  try {
    const own: OwnRequest<T> = ownCopy(describe(wrong));
    const { schema, essential, query, values, headers } = own;
    const { method, path, template, body } = own;
    if (body !== undefined && isRead(method)) throw wrong('body', `does not go with ${method}`);
    const key = idempotencyKeyOf(own);
    operation = {
      ...{ name, method, path, template, retrySafety: own.retrySafety ?? safetyOf(method, key) },
      response: schema === undefined ? unchecked : checkedBy(schema, essential),
      identity: identityOf(values, key),
      isOfCaller: true,
    };
    const keyed = key === undefined ? undefined : placeKey(key, body, options, wrong);
    input = {
      ...{ query, path: values, requestId: keyed?.requestId, headers: { ...headers, ...keyed?.headers } },
      body: takeBody(keyed === undefined ? body : keyed.body),
    };
  } catch (thrown) {
    const problem = thrown instanceof InvalidRequestError ? thrown : wrong('request', 'cannot be read');
    return new APIPromise(transport.start(operation, { problem, requestId: keyIn(given) }, options));
  }
  const { body } = input;
  return new APIPromise(
    body instanceof Promise
      ? startLater(transport, operation, input, body, options)
      : transport.start(operation, input, options),
  );
}

const refusedOperation = { method: 'GET', path: '/', retrySafety: 'once', isOfCaller: true } as const;

/** Starts a call when its body is read: a form or a Blob. */
function startLater<T>(
  transport: Transport,
  operation: Operation<T>,
  input: OperationInput,
  body: Promise<unknown>,
  options: RequestOptions | undefined,
): PendingCall<T> {
  let isRaw = false;
  let started: PendingCall<T> | undefined;
  const start = (read: OperationInput) => {
    started = transport.start(operation, { ...input, ...read }, options);
    if (isRaw) started.takeRaw?.();
    return started.answer;
  };
  const answer = body.then(
    (read) => start({ body: read }),
    () => start({ body: undefined, problem: wrongIn(operation.name)('body', 'cannot be read') }),
  );
  const takeRaw = () => {
    isRaw = true;
    return started?.takeRaw?.() ?? true;
  };
  return { operation: operation.name, requestId: input.requestId, answer, takeRaw };
}

/** The idempotency key in a description that may be wrong: its earlier calls may have been carried out. */
function keyIn(given: unknown): string | undefined {
  const place = peek(given, 'idempotencyKey') ?? { field: 'requestId' };
  const key = peek(place, 'value') ?? peek(peek(given, 'body'), String(peek(place, 'field')));
  return typeof key === 'string' ? key : undefined;
}

/** The field or header for the key of an operation, or undefined if the operation has none. */
const idempotencyKeyOf = (spec: {
  readonly idempotencyKey?: IdempotencyKey | undefined;
  readonly retrySafety?: RetrySafety | undefined;
}): IdempotencyKey | undefined =>
  spec.idempotencyKey ?? (spec.retrySafety === 'keyed' ? { field: 'requestId' } : undefined);

/**
 * The fields at the top of a response that must equal what was sent: the key, and the ids of the path. An `id` alone may
 * be that of another record, such as the quote of an offramp, so it is not compared.
 */
export function identityOf(
  values: OwnRequest<unknown>['values'],
  key?: IdempotencyKey,
): ResponseIdentity | undefined {
  const names = Object.keys(values ?? {}).filter((name) => /.Id$/.test(name));
  const ids = names.map((name) => [name, [name]] as const);
  const requestId = keyPlaces(key);
  if (ids.length === 0 && requestId === undefined) return undefined;
  return { echoes: { ...Object.fromEntries(ids), ...(requestId && { requestId }) } };
}

/** Returns true for a method whose request has no body. */
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

function safetyOf(method: string, key: IdempotencyKey | undefined): RetrySafety {
  if (isRead(method)) return 'read';
  if (method === 'DELETE') return 'delete';
  return key === undefined ? 'once' : 'keyed';
}
