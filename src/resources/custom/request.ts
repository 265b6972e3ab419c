import { findUnknown, type OptionNames } from '../../closed-options.ts';
import { InvalidRequestError } from '../../errors/index.ts';
import { APIPromise } from '../../transport/api-promise.ts';
import { checkFreePath, publicTemplate } from '../../transport/request/url.ts';
import type { Operation, QueryValue, RequestOptions, RetrySafety, Transport } from '../../transport/types.ts';
import { isRecord, kindOf } from '../../values.ts';
import { fault, ownParams } from '../checks/rules.ts';
import { type IdempotencyKey, placeKey } from './idempotency-key.ts';
import { bodyFault, type RequestBody } from './request-body.ts';
import { checkedBy, isStandardSchema, type StandardSchema, unchecked } from './standard-schema.ts';
import { type CustomCall, startCustom } from './start-custom.ts';

/** The HTTP methods that `request()` accepts. */
export type RequestMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request to an operation for which the client has no method. */
export interface CustomRequest<T> {
  /** HTTP method. */
  method: RequestMethod;
  /** Path relative to the base URL, such as `/v2/transfer-rules`, without a query. */
  path: string;
  /** Query parameters. A list is sent as one parameter per item. */
  query?: Record<string, QueryValue>;
  /** Body. Plain data and lists are sent as JSON, forms and bytes unchanged. */
  body?: RequestBody;
  /** Validates the response and sets its type: any Standard Schema. The call returns the output of the schema. */
  schema?: StandardSchema<T>;
  /**
   * Dotted paths of the fields that you need. With them, a difference in any other field is reported to `onDrift` and
   * does not throw, except in `strict` mode.
   */
  essential?: readonly string[];
  /** True for an idempotent operation. The client then also retries after failures with an unknown outcome. */
  idempotent?: boolean;
  /**
   * The failures after which the client may retry the call. Default: `read` for GET and HEAD, `delete` for DELETE,
   * `keyed` with an `idempotencyKey`, else `once`.
   */
  retrySafety?: RetrySafety;
  /** The field or header for the idempotency key. Default for `keyed`: `{ field: 'requestId' }`. */
  idempotencyKey?: IdempotencyKey;
  /** The name in errors, hooks and logs. Default `request`. */
  operation?: string;
}

const requestNames: OptionNames<CustomRequest<unknown>> = {
  method: true,
  path: true,
  query: true,
  body: true,
  schema: true,
  essential: true,
  idempotent: true,
  retrySafety: true,
  idempotencyKey: true,
  operation: true,
};

/** Names that belong to another place, for everything that describes an operation. */
export const describedHints: Readonly<Record<string, string>> = {
  requestid: 'give `idempotencyKey: { field, value }`, or the field in the body',
  headers: 'give `headers` in the call options, the second argument',
  timeout: 'give `timeout` in the call options, the second argument',
  retries: 'give `retries` in the call options, the second argument',
  signal: 'give `signal` in the call options, the second argument',
  deadline: 'give `deadline` in the call options, the second argument',
  url: 'give `path`, relative to the base URL',
  params: 'give query parameters in `query`',
  data: 'give the body as `body`',
  json: 'give the body as `body`',
};

export const requestMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const readMethods = ['GET', 'HEAD'];
const safeties = { read: true, delete: true, keyed: true, refresh: true, once: true } satisfies Record<
  RetrySafety,
  true
>;

/** The end of a sentence about a `retrySafety` that does not exist; undefined where there is none, or a known one. */
export function safetyFault(safety: unknown): string | undefined {
  const isKnown = safety === undefined || (typeof safety === 'string' && Object.hasOwn(safeties, safety));
  return isKnown ? undefined : 'must be read, delete, keyed, refresh or once';
}

/** Sends a request that the caller describes in full. */
export function startRequest<T>(
  transport: Transport,
  request: CustomRequest<T>,
  options: RequestOptions | undefined,
): APIPromise<T> {
  const { own, path, problem, ...call } = inspect(request);
  const { method = 'GET', query, schema, essential, operation: name = 'request' } = own;
  const operation: Operation<T> = {
    name,
    method,
    path,
    template: publicTemplate(path),
    retrySafety: own.retrySafety ?? safetyOf(method, own),
    response: schema === undefined ? unchecked : checkedBy(schema, essential),
    ...identityOf(own),
  };
  return new APIPromise(startCustom(transport, operation, { ...call, query, problem }, options));
}

/** The places of the idempotency key in the response, for an operation that sends the key in a field. */
function identityOf<T>(own: Partial<CustomRequest<T>>): Pick<Operation<T>, 'identity'> {
  const key: unknown = idempotencyKeyOf(own);
  if (!isRecord(key) || typeof key.field !== 'string') return {};
  return { identity: { echoes: { requestId: [key.field, `transferDetails.${key.field}`] } } };
}

interface Inspected<T> extends Pick<CustomCall, 'body' | 'requestId' | 'headers'> {
  own: Partial<CustomRequest<T>>;
  path: string;
  problem: InvalidRequestError | undefined;
}

function inspect<T>(request: CustomRequest<T>): Inspected<T> {
  let operation = 'request';
  const wrong = (field: string, why: string) => fault(operation, field, `\`${field}\` ${why}`);
  try {
    if (!isRecord(request)) throw wrong('request', `must be an object, but is ${kindOf(request)}`);
    const own: CustomRequest<T> = ownParams(request);
    const unknown = findUnknown(own, requestNames, describedHints);
    if (unknown !== undefined) throw wrong('request', `is wrong: ${unknown}`);
    const { method, body, schema, path, operation: name } = own;
    if (name !== undefined && (typeof name !== 'string' || !/^[\w.-]{1,100}$/.test(name)))
      throw wrong('operation', 'must be a name such as `quotes.accept`: letters, digits, `.`, `-` and `_`');
    operation = name ?? operation;
    if (typeof method !== 'string' || !requestMethods.includes(method))
      throw wrong('method', `must be one of ${requestMethods.join(', ')}`);
    const unsendable = bodyFault(body);
    if (unsendable !== undefined) throw wrong('body', unsendable);
    if (body !== undefined && readMethods.includes(method)) throw wrong('body', `does not go with ${method}`);
    if (schema !== undefined && !isStandardSchema(schema))
      throw wrong('schema', 'must be a Standard Schema, such as one of zod, valibot or arktype');
    const unsafe = safetyFault(own.retrySafety);
    if (unsafe !== undefined) throw wrong('retrySafety', unsafe);
    const free = checkFreePath(path);
    const key = idempotencyKeyOf(own);
    if (key === undefined) return { own, path: free, problem: undefined, body };
    const keyed = placeKey(key, body);
    if ('fault' in keyed) throw wrong('idempotencyKey', keyed.fault);
    return {
      own,
      path: free,
      problem: undefined,
      body: keyed.body,
      headers: keyed.headers,
      requestId: keyed.key,
    };
  } catch (error) {
    const problem = error instanceof InvalidRequestError ? error : wrong('request', 'cannot be read');
    return { own: {}, path: '/', problem };
  }
}

/** The field or header for the key of an operation, or undefined if the operation has none. */
export function idempotencyKeyOf(spec: {
  readonly idempotencyKey?: IdempotencyKey;
  readonly retrySafety?: RetrySafety;
}): IdempotencyKey | undefined {
  // A null is a mistake that the check of the key names.
  if (spec.idempotencyKey !== undefined) return spec.idempotencyKey;
  return spec.retrySafety === 'keyed' ? { field: 'requestId' } : undefined;
}

/** The retry rule of an operation whose description gives none. */
export function safetyOf(
  method: string,
  { idempotent, idempotencyKey }: { readonly idempotent?: boolean; readonly idempotencyKey?: IdempotencyKey },
): RetrySafety {
  if (readMethods.includes(method)) return 'read';
  if (method === 'DELETE') return 'delete';
  if (idempotencyKey !== undefined) return 'keyed';
  return idempotent === true ? 'refresh' : 'once';
}
