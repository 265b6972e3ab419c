import type { ListOptions } from '../../pagination/list.ts';
import { list } from '../../pagination/list.ts';
import type { PagePromise } from '../../pagination/page.ts';
import { isRecord } from '../../shared/values.ts';
import { APIPromise } from '../../transport/api-promise.ts';
import type { OperationInput, RequestOptions, Transport } from '../../transport/types.ts';
import { fault } from '../checks/rules.ts';
import { checkDefinitions } from './check-definitions.ts';
import { problemIn, type Wrong } from './description.ts';
import { type IdempotencyKey, type KeyedRequest, keyPlaces, placeKey } from './idempotency-key.ts';
import { listOf, pagingOf } from './list.ts';
import { idempotencyKeyOf, safetyOf, startCustom } from './request.ts';
import { bodyFault } from './request-body.ts';
import type {
  ClosedDefinitions,
  CustomResource,
  OperationDefinition,
  OperationDefinitions,
  OperationIdentity,
  ResourceMethods,
} from './resource-types.ts';
import { checkedBy, pathOf, type StandardSchema, unchecked } from './standard-schema.ts';

/**
 * Defines your own resource: a typed namespace for operations for which this client has no methods. Its methods have
 * the same auth, retries, idempotency, limits, hooks, drift reports and errors as the client's own. The parameters are
 * the values of the path in order, the body, the query, and the call options.
 *
 * @param name - The name of the resource, the first part of its operation names in errors, hooks and logs.
 * @param operations - The operations, by method name.
 * @throws ConfigurationError when a definition is wrong.
 *
 * @example
 * ```ts
 * const Quotes = defineResource('quotes', {
 *   acceptOfframp: {
 *     method: 'POST',
 *     path: '/v2/offramps/{offrampId}/quote/accept',
 *     response: ofType<Offramp>(),
 *   },
 * });
 * const extended = payments.with({ quotes: Quotes });
 * await extended.quotes.acceptOfframp(offrampId);
 * ```
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineResource<const Definitions extends OperationDefinitions>(
  name: string,
  operations: Definitions & ClosedDefinitions<Definitions>,
): CustomResource<ResourceMethods<Definitions>> {
  const prepared = checkDefinitions(name, operations).map(([method, definition]) => ({
    method,
    definition,
    operation: `${name}.${method}`,
    placeholders: [...definition.path.matchAll(/\{(\w+)\}/g)].map(([, placeholder = '']) => placeholder),
  }));
  const forTransport = (transport: Transport): object => {
    const methods = prepared.map((one) => [
      one.method,
      (...args: unknown[]) => callDefined(transport, one, args),
    ]);
    return Object.create(Object.fromEntries(methods));
  };
  // The methods exist once a client opens the resource; before that they are types.
  return { name, operations, forTransport, prototype: {} as ResourceMethods<Definitions> };
}

interface Defined {
  readonly operation: string;
  readonly definition: OperationDefinition;
  readonly placeholders: readonly string[];
}

function callDefined(
  transport: Transport,
  { operation: name, definition, placeholders }: Defined,
  args: readonly unknown[],
): APIPromise<unknown> | PagePromise<unknown> {
  const rest = [...args];
  const path = Object.fromEntries(placeholders.map((placeholder) => [placeholder, rest.shift() as string]));
  const body = definition.body === undefined ? undefined : rest.shift();
  const query = definition.query === undefined ? undefined : rest.shift();
  // Options of a wrong kind are refused where those of every call are.
  const options = rest.shift() as (RequestOptions & ListOptions) | undefined;
  const call = checkCall(name, definition, body, query, options);
  const { method, response, essential, paginate } = definition;
  const identity = definition.identity ?? defaultIdentity(placeholders, idempotencyKeyOf(definition));
  const compares = identity.record !== undefined || Object.keys(identity.echoes ?? {}).length > 0;
  const base = { name, method, path: definition.path, ...(compares && { identity }) };
  if (paginate !== undefined) {
    const strategy = pagingOf<unknown>(transport, name, paginate, definition.cursorParam, options);
    const operation = {
      ...base,
      retrySafety: 'read',
      response: listOf(definition.key ?? '', response, essential),
      moreOptions: { prefetch: true },
    } as const;
    return list(
      transport,
      operation,
      { path, query: call.query ?? {}, problem: call.problem },
      options,
      strategy,
    );
  }
  const operation = {
    ...base,
    retrySafety: definition.retrySafety ?? safetyOf(method, definition),
    response: response === undefined ? unchecked<unknown> : checkedBy(response, essential),
  };
  return new APIPromise(startCustom(transport, operation, { ...call, path }, options));
}

/** An `id` alone may be that of another record, such as the quote of an offramp, so it is not compared. */
function defaultIdentity(
  placeholders: readonly string[],
  key: IdempotencyKey | undefined,
): OperationIdentity {
  const names = placeholders.filter((name) => /.Id$/.test(name));
  const requestId = keyPlaces(key);
  return {
    echoes: {
      ...Object.fromEntries(names.map((name) => [name, [name]])),
      ...(requestId !== undefined && { requestId }),
    },
  };
}

/** Holds body and query to their schemas, and puts the idempotency key in its place. */
function checkCall(
  operation: string,
  definition: OperationDefinition,
  givenBody: unknown,
  givenQuery: unknown,
  options: unknown,
): OperationInput {
  const wrong: Wrong = (field, why) => fault(operation, field, `\`${field}\` ${why}`);
  let requestId: string | undefined;
  try {
    const unsendable = bodyFault(givenBody);
    if (unsendable !== undefined) throw wrong('body', unsendable);
    const key = idempotencyKeyOf(definition);
    const keyed = key === undefined ? undefined : placeKey(key, givenBody, options);
    if (keyed !== undefined && 'fault' in keyed) throw wrong('idempotencyKey', keyed.fault);
    requestId = keyed?.requestId;
    const body = bodyOf(definition, key, givenBody, keyed, wrong);
    const query = validated(definition.query, givenQuery ?? {}, wrong);
    if (definition.query !== undefined && !isRecord(query)) throw wrong('query', 'must be an object');
    return {
      body,
      query: definition.query === undefined ? undefined : (query as OperationInput['query']),
      headers: keyed?.headers,
      requestId,
    };
  } catch (error) {
    return { problem: problemIn(error, wrong('params', 'cannot be read')), requestId };
  }
}

/** The body as its schema gives it, with the key in its place: a schema may strip a field that it does not name. */
function bodyOf(
  { body: schema }: OperationDefinition,
  where: IdempotencyKey | undefined,
  given: unknown,
  keyed: KeyedRequest | undefined,
  wrong: Wrong,
): unknown {
  if (keyed === undefined || 'fault' in keyed || where === undefined) return validated(schema, given, wrong);
  if (schema === undefined) return keyed.body;
  let checked: unknown;
  try {
    checked = validated(schema, keyed.body, wrong);
  } catch (error) {
    // A schema may also refuse a field that it does not name.
    if (!passes(schema, given)) throw error;
    checked = validated(schema, given, wrong);
  }
  const placed = placeKey({ ...where, value: keyed.requestId }, checked);
  if ('fault' in placed) throw wrong('idempotencyKey', placed.fault);
  return placed.body;
}

function passes(schema: StandardSchema<unknown>, value: unknown): boolean {
  const result = schema['~standard'].validate(value);
  return !(result instanceof Promise) && result.issues === undefined;
}

function validated(schema: StandardSchema<unknown> | undefined, value: unknown, wrong: Wrong): unknown {
  if (schema === undefined) return undefined;
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) {
    result.catch(() => undefined);
    throw wrong('params', 'must be described by a schema that checks at once, without a promise');
  }
  if (result.issues === undefined) return result.value;
  // Only the place: the message of a schema may contain the value.
  const [first] = result.issues;
  throw wrong(pathOf(first?.path) || 'params', 'does not pass its schema');
}
