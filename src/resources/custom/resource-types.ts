import type { APIPromise } from '../../transport/api-promise.ts';
import type { RequestOptions, RetrySafety, Transport } from '../../transport/types.ts';
import type { RequestMethod } from './description.ts';
import type { IdempotencyKey } from './idempotency-key.ts';
import type { StandardSchema } from './standard-schema.ts';

/** One operation of a resource that you define. */
export interface OperationDefinition {
  /** HTTP method, in upper case. */
  readonly method: RequestMethod;
  /** Path relative to the base URL. Each `{placeholder}` becomes a parameter of the method, in this order. */
  readonly path: `/${string}`;
  /** The schema of the body. It sets the type and validates before anything is sent. Its output is sent. */
  readonly body?: StandardSchema<unknown> | undefined;
  /** The schema of the query parameters. It sets the type and validates before anything is sent. */
  readonly query?: StandardSchema<unknown> | undefined;
  /** The schema of the response. */
  readonly response?: StandardSchema<unknown> | undefined;
  /**
   * Dotted paths of the fields that you need. With them, a difference in any other field is reported to `hooks.drift` and
   * does not throw, except in `strict` mode.
   */
  readonly essential?: readonly string[] | undefined;
  /** The failures after which the client may retry; see `CustomRequest`. */
  readonly retrySafety?: RetrySafety | undefined;
  /** The field or header for the idempotency key; see `CustomRequest`. */
  readonly idempotencyKey?: IdempotencyKey | undefined;
}

/** The operations of a resource, by the names of its methods. */
export type OperationDefinitions = Readonly<Record<string, OperationDefinition>>;

/** Makes a property that an operation does not have a compile error. */
export type ClosedDefinitions<Definitions> = {
  readonly [Name in keyof Definitions]: {
    readonly [Field in Exclude<keyof Definitions[Name], keyof OperationDefinition>]: never;
  };
};

/** The methods of a resource, derived from its operations. */
export type ResourceMethods<Definitions> = {
  readonly [Name in keyof Definitions]: ResourceMethod<Definitions[Name]>;
};

/** The method of an operation. Its parameters are the values of the path, the body, the query, and the call options. */
export type ResourceMethod<Definition> = (
  ...args: [...ParamsOf<Definition>, options?: RequestOptions]
) => APIPromise<ResultOf<Definition>>;

/** A resource created with `defineResource`: a namespace for `payments.with` and `createClient`. */
export interface CustomResource<Methods = unknown> {
  /** The name. It is the first part of the names of the operations. */
  readonly name: string;
  /** The methods of the namespace, for the types only. They exist on a client. */
  readonly prototype: Methods;
  /** The operations as they were defined, by the names of the methods. */
  readonly operations: OperationDefinitions;
  /** @internal */
  forTransport(transport: Transport): object;
}

type ParamsOf<Definition> = Definition extends { readonly path: infer Path extends string }
  ? [...PathValues<Path>, ...ParamOf<BodyOf<Definition>>, ...ParamOf<QueryOf<Definition>>]
  : never;

type PathValues<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...PathValues<Rest>]
  : [];

type ParamOf<Value> = [Value] extends [never]
  ? []
  : Record<never, never> extends Value
    ? [params?: Value]
    : [params: Value];

type QueryOf<Definition> = Definition extends { readonly query: StandardSchema<unknown, infer Query> }
  ? Query
  : never;

type BodyOf<Definition> = Definition extends { readonly body: StandardSchema<unknown, infer Body> }
  ? Definition extends { readonly idempotencyKey: { readonly field: infer Field extends PropertyKey } }
    ? WithoutKey<Body, Field>
    : Definition extends { readonly retrySafety: 'keyed' }
      ? WithoutKey<Body, 'requestId'>
      : Body
  : never;

/** The key is optional, in each variant of the body: the client generates it if you leave it out. */
type WithoutKey<Body, Field extends PropertyKey> = Body extends unknown
  ? Field extends keyof Body
    ? Omit<Body, Field> & Partial<Pick<Body, Field>>
    : Body
  : never;

type ResultOf<Definition> = Definition extends { readonly response: StandardSchema<infer Result> }
  ? Result
  : unknown;
