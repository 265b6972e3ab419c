import { InvalidRequestError } from '../../errors/index.ts';
import { APIPromise, type PendingCall } from '../../transport/api-promise.ts';
import type {
  Operation,
  OperationInput,
  QueryValue,
  RequestOptions,
  RetrySafety,
  Transport,
} from '../../transport/types.ts';
import { checkFreePath, publicTemplate } from '../../transport/url.ts';
import { optional, ownParams, type Rule } from '../checks/rules.ts';
import { among, type FieldRules, noRule, paths, readDescription, type Wrong } from './description.ts';
import { type IdempotencyKey, keyPlaces, placeKey } from './idempotency-key.ts';
import { bodyFault, type RequestBody, takeBody } from './request-body.ts';
import { checkedBy, type StandardSchema, schemaRule, unchecked } from './standard-schema.ts';

/** The HTTP methods that `request()` accepts. */
export type RequestMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request to an operation for which the client has no method. */
export interface CustomRequest<T> {
  /** HTTP method, in upper case. */
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

const readMethods: readonly string[] = ['GET', 'HEAD'];

const requestMethods: readonly RequestMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const safeties: readonly RetrySafety[] = ['read', 'delete', 'keyed', 'refresh', 'once'];

export const methodRule: Rule = /* @__PURE__ */ among(requestMethods);

/** A rule for the `retrySafety` of an operation, which may be left out. */
export const safetyRule: Rule = /* @__PURE__ */ optional(/* @__PURE__ */ among(safeties));

/** Returns the end of a sentence about a body for a method that sends none, or undefined. */
export const bodyOnRead = (method: string, body: unknown): string | undefined =>
  body !== undefined && readMethods.includes(method) ? `does not go with ${method}` : undefined;

const requestRules: FieldRules<CustomRequest<unknown>> = {
  operation: (name) =>
    name === undefined || (typeof name === 'string' && /^[\w.-]{1,100}$/.test(name))
      ? undefined
      : 'must be a name such as `quotes.accept`',
  method: methodRule,
  path: noRule,
  query: noRule,
  body: bodyFault,
  schema: schemaRule,
  essential: /* @__PURE__ */ optional(paths),
  idempotent: noRule,
  retrySafety: safetyRule,
  idempotencyKey: noRule,
};

/** Sends a request that the caller describes in full. */
export function startRequest<T>(
  transport: Transport,
  request: CustomRequest<T>,
  options: RequestOptions | undefined,
): APIPromise<T> {
  const { own, ready, ...refused } = readDescription(
    'request',
    'request',
    request,
    requestRules,
    (given, name, wrong) => prepare(given, name, wrong, options),
  );
  const { method = 'GET', query, schema, essential, operation: name = 'request' } = own;
  const { path = '/', call } = ready ?? {};
  const echoed = keyPlaces(idempotencyKeyOf(own));
  const operation: Operation<T> = {
    name,
    method,
    path,
    template: publicTemplate(path),
    retrySafety: own.retrySafety ?? safetyOf(method, own),
    response: schema === undefined ? unchecked : checkedBy(schema, essential),
    ...(echoed !== undefined && { identity: { echoes: { requestId: echoed } } }),
  };
  return new APIPromise(startCustom(transport, operation, { ...call, query, ...refused }, options));
}

/** Starts an operation that an integrator described. Forms and Blobs are read before anything is sent. */
export function startCustom<T>(
  transport: Transport,
  operation: Operation<T>,
  input: OperationInput,
  options: RequestOptions | undefined,
): PendingCall<T> {
  const own = ownParams(input);
  const { body, requestId, problem } = own;
  const start = (taken: unknown, fault = problem) =>
    transport.start({ ...operation, isOfCaller: true }, { ...own, body: taken, problem: fault }, options);
  if (problem !== undefined) return start(undefined);
  const taken = takeBody(body);
  if (!(taken instanceof Promise)) return start(taken);
  let isRaw = false;
  const answer = taken.then(
    (read) => {
      const started = start(read);
      if (isRaw) started.takeRaw?.();
      return started.answer;
    },
    (cause: unknown) => {
      const message = `${operation.name}: the body cannot be read. Nothing was sent.`;
      return start(
        undefined,
        new InvalidRequestError(message, { operation: operation.name, field: 'body', cause }),
      ).answer;
    },
  );
  const takeRaw = () => {
    isRaw = true;
  };
  return { operation: operation.name, requestId, answer, takeRaw };
}

/** Checks what several fields say together, and puts the idempotency key in its place. */
function prepare(
  own: CustomRequest<unknown>,
  name: string,
  wrong: Wrong,
  options: RequestOptions | undefined,
): { readonly path: string; readonly call: OperationInput } {
  const { method, body } = own;
  const misplaced = bodyOnRead(method, body);
  if (misplaced !== undefined) throw wrong('body', misplaced);
  const path = checkFreePath(own.path, name);
  const key = idempotencyKeyOf(own);
  if (key === undefined) return { path, call: { body } };
  const keyed = placeKey(key, body, options);
  if ('fault' in keyed) throw wrong('idempotencyKey', keyed.fault);
  return { path, call: keyed };
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
