import { InvalidRequestError } from '../../errors/index.ts';
import type { APIPromise } from '../../transport/api-promise.ts';
import { isRecord, kindOf } from '../../transport/kind.ts';
import { checkFreePath, publicTemplate } from '../../transport/request/path.ts';
import { publicSegment } from '../../transport/response/parse-response.ts';
import type {
  Operation,
  QueryValue,
  RequestOptions,
  ResponseCheck,
  RetrySafety,
  Transport,
} from '../../transport/types.ts';
import { ownParams } from '../checks/rules.ts';
import { call } from '../start-call.ts';
import type { StandardResult, StandardSchema } from './standard-schema.ts';

/** An operation that the client has no method for. */
export interface FreeRequest<T> {
  /** HTTP method. */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path from the base address, such as `/v2/transfer-rules`; no query. */
  path: string;
  /** Query parameters. */
  query?: Record<string, QueryValue>;
  /** Body, sent as JSON. */
  body?: Record<string, unknown>;
  /** Checks the answer and gives it its type: any Standard Schema. Its output is what the call returns. */
  schema?: StandardSchema<T>;
  /** Whether a repeat does no harm, so that the call is retried after ambiguous failures, too. */
  idempotent?: boolean;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const readMethods = ['GET', 'HEAD'];

/** Sends a request that the caller describes in full. */
export function freeRequest<T>(
  transport: Transport,
  request: FreeRequest<T>,
  options: RequestOptions | undefined,
): APIPromise<T> {
  const { own, path, problem } = inspect(request);
  const { method = 'GET', query, body, schema, idempotent } = own;
  const operation: Operation<T> = {
    name: 'request',
    method,
    path,
    template: publicTemplate(path),
    retrySafety: safetyOf(method, idempotent === true),
    response: schema === undefined ? unchecked : checkedBy(schema),
  };
  const input = { ...(query !== undefined && { query }), ...(body !== undefined && { body }), problem };
  return call(transport, operation, input, options);
}

interface Inspected<T> {
  own: Partial<FreeRequest<T>>;
  path: string;
  problem: InvalidRequestError | undefined;
}

function inspect<T>(request: FreeRequest<T>): Inspected<T> {
  const wrong = (field: string, why: string) =>
    new InvalidRequestError(`request: \`${field}\` ${why}.`, { operation: 'request', field });
  try {
    if (!isRecord(request)) throw wrong('request', `must be an object, but is ${kindOf(request)}`);
    const own: FreeRequest<T> = ownParams(request);
    const { method, body, schema, path } = own;
    if (typeof method !== 'string' || !methods.includes(method))
      throw wrong('method', `must be one of ${methods.join(', ')}`);
    if (body !== undefined && !isRecord(body))
      throw wrong('body', `must be an object, but is ${kindOf(body)}`);
    if (body !== undefined && readMethods.includes(method)) throw wrong('body', `does not go with ${method}`);
    if (schema !== undefined && !isStandardSchema(schema))
      throw wrong('schema', 'must be a Standard Schema, such as one of zod, valibot or arktype');
    return { own, path: checkFreePath(path), problem: undefined };
  } catch (error) {
    const problem = error instanceof InvalidRequestError ? error : wrong('request', 'cannot be read');
    return { own: {}, path: '/', problem };
  }
}

function safetyOf(method: string, idempotent: boolean): RetrySafety {
  if (readMethods.includes(method)) return 'read';
  if (method === 'DELETE') return 'delete';
  return idempotent ? 'refresh' : 'once';
}

const unchecked = <T>(value: unknown) => ({
  // Without a schema the caller's type argument is the only word on the answer.
  value: value as T,
  fatal: [],
  minor: [],
});

/** A schema of the caller's says what the caller cannot do without, so every departure from it throws. */
function checkedBy<T>(schema: StandardSchema<T>): ResponseCheck<T> {
  return async (value, mode) => {
    if (mode === 'off') return unchecked<T>(value);
    let result: StandardResult<T>;
    try {
      result = await schema['~standard'].validate(value);
      if (result.issues === undefined) return { value: result.value, fatal: [], minor: [] };
    } catch {
      // The caller's code failed, but what was asked has been done: that must not be lost in a foreign error.
      return { ...unchecked<T>(value), fatal: [{ path: '', code: 'schema_failed' }] };
    }
    const fatal = result.issues.map(({ path }) => ({
      path: (path ?? []).map(keyOf).join('.'),
      code: 'schema',
    }));
    return { ...unchecked<T>(value), fatal };
  };
}

const keyOf = (segment: PropertyKey | { key: PropertyKey }) =>
  publicSegment(String(typeof segment === 'object' ? segment.key : segment));

/** Checked before anything is sent: a schema that fails later would hide what became of the request. */
function isStandardSchema(schema: unknown): boolean {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  const standard: unknown = Reflect.get(schema, '~standard');
  return isRecord(standard) && typeof standard.validate === 'function';
}
