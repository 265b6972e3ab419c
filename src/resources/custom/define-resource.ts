import { ConfigurationError } from '../../errors/index.ts';
import type { Rule } from '../../shared/rules.ts';
import { isRecord } from '../../shared/values.ts';
import type { QueryValue, RequestOptions, Transport } from '../../transport/types.ts';
import { checkDescription, type FieldRules, rules } from './description.ts';
import { placeKey } from './idempotency-key.ts';
import { idempotencyKeyOf, isRead, startOwn } from './request.ts';
import type {
  ClosedDefinitions,
  CustomResource,
  OperationDefinition,
  OperationDefinitions,
  ResourceMethods,
} from './resource-types.ts';
import { pathOf, type StandardSchema } from './standard-schema.ts';
import type { Wrong } from './wrong.ts';

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
  const fail = (what: string) => new ConfigurationError(`defineResource: ${what}.`);
  if (typeof name !== 'string' || !/^[a-z]\w*$/i.test(name))
    throw fail('the name must be a word such as `quotes`');
  if (!isRecord(operations)) throw fail(`the operations of \`${name}\` must be an object`);
  const checked = Object.entries<OperationDefinition>(operations).map(
    ([method, definition]) => [method, checkDefinition(`${name}.${method}`, definition)] as const,
  );
  const forTransport = (transport: Transport): object => {
    const methods = checked.map(([method, definition]) => [
      method,
      (...args: unknown[]) => callDefined(transport, `${name}.${method}`, definition, args),
    ]);
    return Object.create(Object.fromEntries(methods));
  };
  // The methods exist once a client opens the resource; before that they are types.
  return { name, operations, forTransport, prototype: {} as ResourceMethods<Definitions> };
}

const definedPath: Rule = (path) => {
  const isPath = typeof path === 'string' && /^(?:\/(?:[\w.~-]+|\{\w+\}))+\/?$/.test(path);
  const names = isPath ? placeholdersIn(path) : [];
  return isPath && !/\/\.\.?(?:\/|$)/.test(path) && new Set(names).size === names.length
    ? undefined
    : 'must be like `/v2/offramps/{offrampId}/quote/accept`, with each placeholder once';
};

const fields: FieldRules<OperationDefinition> = {
  method: rules.method,
  path: definedPath,
  body: rules.schema,
  query: rules.schema,
  response: rules.schema,
  essential: rules.essential,
  retrySafety: rules.retrySafety,
  idempotencyKey: rules.idempotencyKey,
};

/** Checks the definition of an operation and returns a copy of it. */
function checkDefinition(operation: string, given: OperationDefinition): OperationDefinition {
  const wrong = (field: string, why: string) =>
    new ConfigurationError(
      `defineResource: \`${field}\` ${field === operation ? '' : `of \`${operation}\` `}${why.replace(/\.$/, '')}.`,
    );
  const own = checkDescription(given, fields, operation, wrong, { schema: '`response`' });
  const name = operation.slice(operation.indexOf('.') + 1);
  if (name === 'then' || name in Object.prototype) throw wrong(operation, 'has a name that is taken');
  const { method, body } = own;
  if (body !== undefined && isRead(method)) throw wrong('body', `does not go with ${method}`);
  return own;
}

/** Maps the arguments of a method to a request. */
function callDefined(
  transport: Transport,
  name: string,
  definition: OperationDefinition,
  args: readonly unknown[],
): unknown {
  const { path, response, essential, retrySafety, ...defined } = definition;
  const rest = [...args];
  // A value that is no text is refused where the path is filled.
  const values = Object.fromEntries(placeholdersIn(path).map((name) => [name, rest.shift() as string]));
  const body = defined.body === undefined ? undefined : rest.shift();
  const query = defined.query === undefined ? undefined : rest.shift();
  // Options of a wrong kind are refused where those of every call are.
  const options = rest.shift() as RequestOptions | undefined;
  const base = { path, values, schema: response, essential };
  const key = idempotencyKeyOf(definition);
  return startOwn(transport, name, { idempotencyKey: key, body }, options, (wrong) => {
    const why = rules.body(body);
    if (why !== undefined) throw wrong('body', why);
    const keyed = key === undefined ? undefined : placeKey(key, body, options, wrong);
    // The schema may need the field of the key, strip it, or refuse it.
    const tried = keyed && defined.body?.['~standard'].validate(keyed.body);
    const takesKey = isRecord(tried) && tried.issues === undefined;
    return {
      ...{ ...base, method: defined.method, query: queryOf(defined.query, query, wrong), retrySafety },
      idempotencyKey: key && { ...key, value: keyed?.requestId },
      body: validated(defined.body, takesKey ? keyed?.body : body, wrong),
    };
  });
}

const placeholdersIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function queryOf(schema: StandardSchema<unknown> | undefined, given: unknown, wrong: Wrong) {
  if (schema === undefined) return undefined;
  const query = validated(schema, given ?? {}, wrong);
  const why = rules.query(query);
  if (why !== undefined) throw wrong('query', why);
  // Its values are checked where the URL is built.
  return query as Record<string, QueryValue>;
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
  throw wrong(pathOf(result.issues[0]?.path) || 'params', 'does not pass its schema');
}
