import * as z from 'zod/mini';
import { peek } from '../../shared/errors/foreign-values.ts';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { checkedElsewhere, oneFrom } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { QueryValue, RequestOptions } from '../call/call-options.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation, OperationInput, RetrySafety } from '../call/types.ts';
import { checkFreePath, publicTemplate } from '../call/url.ts';
import {
  body,
  checkDescription,
  ownDescription,
  query,
  type RequestMethod,
  retrySafety,
  standardSchema,
} from './description.ts';
import { fieldErrorIn } from './field-error.ts';
import { keyInWrong, keyOfRequest } from './idempotency-key.ts';
import { type RequestBody, takeBody } from './request-body.ts';
import { checkedBy, type StandardSchema, unchecked } from './standard-schema.ts';

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
   * Dotted paths of the fields that you need. With them, a difference in any other field is reported to `hooks.drift` and
   * does not throw, except in `strict` mode.
   */
  essential?: readonly string[] | undefined;
  /**
   * The failures after which the client may retry the call. Default: `read` for GET and HEAD, `delete` for DELETE, `keyed`
   * with an idempotency header, else `once`. `keyed` takes the key from the header or from `requestId` in the body.
   */
  retrySafety?: RetrySafety | undefined;
  /** The name in errors, hooks and logs. Default `request`. */
  operation?: string | undefined;
}

const isOperationName = (name: unknown): boolean => typeof name === 'string' && /^[\w.-]{1,100}$/.test(name);

const isPathList = (paths: unknown): boolean =>
  Array.isArray(paths) && paths.every((path) => typeof path === 'string' && path.trim() !== '');

const requestSchema = /* @__PURE__ */ lazy(() =>
  matching<CustomRequest<unknown>>()(
    strictObject({
      operation: z.optional(
        z.custom<string>(isOperationName, {
          error: 'must be a name such as `quotes.accept`',
          params: { kind: 'rule' },
        }),
      ),
      method: oneFrom(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: checkedElsewhere<string>(),
      query: query(),
      body: z.optional(body()),
      schema: standardSchema<unknown>(),
      essential: z.optional(
        z.custom<readonly string[]>(isPathList, {
          error: 'must be a list of dotted paths',
          params: { kind: 'rule' },
        }),
      ),
      retrySafety: retrySafety(),
    }),
  ),
);

/** Sends a request that the caller describes in full. */
export function startRequest<T>(
  transport: Transport,
  request: CustomRequest<T>,
  options: RequestOptions | undefined,
): APIPromise<T> {
  const name = operationNameOf(request, 'request');
  return startCustom<T>(transport, name, request, options, () => {
    // The caller's type argument is the only word on what the response is.
    const own = checkDescription(requestSchema(), request, {
      operation: name,
      place: 'request',
    }) as CustomRequest<T>;
    const path = checkFreePath(own.path, name);
    return { ...own, path, template: publicTemplate(path), isUnnamed: own.operation === undefined };
  });
}

/** The name that a description gives to its operation, or the one for those without. */
function operationNameOf(description: unknown, usual: string): string {
  const name = peek(description, 'operation');
  return typeof name === 'string' && isOperationName(name) ? name : usual;
}

/** A checked request. Its path may have placeholders, which `values` fill; `headers` are those of the description. */
export interface DescribedRequest<T> extends Omit<CustomRequest<T>, 'operation' | 'body'> {
  readonly isUnnamed?: boolean;
  readonly template?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts an operation that the caller describes. Never throws: an error in the description rejects the promise. */
export function startCustom<T>(
  transport: Transport,
  name: string,
  given: unknown,
  options: RequestOptions | undefined,
  describe: () => DescribedRequest<T>,
): APIPromise<T> {
  const wrong = fieldErrorIn(name);
  let operation: Operation<T> = { ...refusedOperation, name, check: unchecked };
  let input: OperationInput;
  try {
    const own: DescribedRequest<T> = ownDescription(describe());
    const { method, path, template, isUnnamed, values, query, headers, body, schema, essential } = own;
    if (body !== undefined && isRead(method)) throw wrong('body', `does not go with ${method}`);
    const mayHaveKey = { retrySafety: own.retrySafety, body, headers: [headers, peek(options, 'headers')] };
    const requestId =
      isRead(method) && own.retrySafety !== 'keyed' ? undefined : keyOfRequest(mayHaveKey, wrong);
    operation = {
      name,
      method,
      path,
      template,
      isUnnamed,
      retrySafety: own.retrySafety ?? safetyOf(method, requestId),
      check: schema === undefined ? unchecked : checkedBy(schema, essential),
      isCustom: true,
    };
    input = { query, path: values, requestId, headers, body: takeBody(body, wrong) };
  } catch (thrown) {
    const fault = thrown instanceof InvalidRequestError ? thrown : wrong('request', 'cannot be read');
    const requestId = keyInWrong(given, options);
    // The key is needed even if the description is wrong: an earlier call with it may be undecided.
    const retrySafety = requestId === undefined ? 'once' : 'keyed';
    return transport.call({ ...operation, retrySafety }, { fault, requestId }, options);
  }
  return transport.call(operation, input, options);
}

const refusedOperation = { method: 'GET', path: '/', retrySafety: 'once', isCustom: true } as const;

/** Returns true for a method whose request has no body. */
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

function safetyOf(method: string, requestId: string | undefined): RetrySafety {
  if (isRead(method)) return 'read';
  if (requestId !== undefined) return 'keyed';
  return method === 'DELETE' ? 'delete' : 'once';
}
