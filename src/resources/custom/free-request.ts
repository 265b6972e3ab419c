import { InvalidRequestError } from '../../errors/index.ts';
import { APIPromise } from '../../transport/api-promise.ts';
import { isRecord, kindOf } from '../../transport/kind.ts';
import { checkFreePath, publicTemplate } from '../../transport/request/path.ts';
import type { Operation, QueryValue, RequestOptions, RetrySafety, Transport } from '../../transport/types.ts';
import { ownParams } from '../checks/rules.ts';
import { type IdempotencyKey, placeKey } from './idempotency-key.ts';
import { bodyFault, type RequestBody } from './request-body.ts';
import { checkedBy, isStandardSchema, type StandardSchema, unchecked } from './standard-schema.ts';
import { type CustomCall, startCustom } from './start-custom.ts';

/** The HTTP methods that `request()` accepts. */
export type RequestMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request to an operation for which the client has no method. */
export interface FreeRequest<T> {
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
  /** Whether the operation is idempotent. If true, the client also retries after failures with an unknown outcome. */
  idempotent?: boolean;
  /**
   * When the client may retry the call. Default: `read` for GET and HEAD, `delete` for DELETE, `keyed` with an
   * `idempotencyKey`, else `once`.
   */
  retrySafety?: RetrySafety;
  /** Where the idempotency key goes. Default for `keyed`: `{ field: 'requestId' }`. */
  idempotencyKey?: IdempotencyKey;
  /** The name in errors, hooks and logs. Default `request`. */
  operation?: string;
}

export const requestMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const readMethods = ['GET', 'HEAD'];
const safeties: readonly unknown[] = [undefined, 'read', 'delete', 'keyed', 'refresh', 'once'] satisfies (
  | RetrySafety
  | undefined
)[];

/** Sends a request that the caller describes in full. */
export function freeRequest<T>(
  transport: Transport,
  request: FreeRequest<T>,
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

/** Where the response contains the idempotency key, if it does. */
function identityOf<T>(own: Partial<FreeRequest<T>>): Pick<Operation<T>, 'identity'> {
  const key: unknown = keyOf(own);
  if (!isRecord(key) || typeof key.field !== 'string') return {};
  return { identity: { echoes: { requestId: [key.field, `transferDetails.${key.field}`] } } };
}

interface Inspected<T> extends Pick<CustomCall, 'body' | 'requestId' | 'headers'> {
  own: Partial<FreeRequest<T>>;
  path: string;
  problem: InvalidRequestError | undefined;
}

function inspect<T>(request: FreeRequest<T>): Inspected<T> {
  let operation = 'request';
  const wrong = (field: string, why: string) =>
    new InvalidRequestError(`${operation}: \`${field}\` ${why}. Nothing was sent.`, { operation, field });
  try {
    if (!isRecord(request)) throw wrong('request', `must be an object, but is ${kindOf(request)}`);
    const own: FreeRequest<T> = ownParams(request);
    const { method, body, schema, path, operation: name } = own;
    if (name !== undefined && (typeof name !== 'string' || !/^[\w.-]{1,100}$/.test(name)))
      throw wrong('operation', 'must be a name such as `quotes.accept`: letters, digits, `.`, `-` and `_`');
    operation = name ?? operation;
    if (typeof method !== 'string' || !requestMethods.includes(method))
      throw wrong('method', `must be one of ${requestMethods.join(', ')}`);
    const fault = bodyFault(body);
    if (fault !== undefined) throw wrong('body', fault);
    if (body !== undefined && readMethods.includes(method)) throw wrong('body', `does not go with ${method}`);
    if (schema !== undefined && !isStandardSchema(schema))
      throw wrong('schema', 'must be a Standard Schema, such as one of zod, valibot or arktype');
    if (!safeties.includes(own.retrySafety))
      throw wrong('retrySafety', 'must be read, delete, keyed, refresh or once');
    const free = checkFreePath(path);
    const key = keyOf(own);
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

/** Where the key of an operation goes, if it has one. */
export function keyOf(spec: {
  readonly idempotencyKey?: IdempotencyKey;
  readonly retrySafety?: RetrySafety;
}): IdempotencyKey | undefined {
  return spec.idempotencyKey ?? (spec.retrySafety === 'keyed' ? { field: 'requestId' } : undefined);
}

/** When an operation may be retried, where its description does not say. */
export function safetyOf(
  method: string,
  { idempotent, idempotencyKey }: { readonly idempotent?: boolean; readonly idempotencyKey?: IdempotencyKey },
): RetrySafety {
  if (readMethods.includes(method)) return 'read';
  if (method === 'DELETE') return 'delete';
  if (idempotencyKey !== undefined) return 'keyed';
  return idempotent === true ? 'refresh' : 'once';
}
