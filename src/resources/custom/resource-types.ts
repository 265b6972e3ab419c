import type { ListOptions } from '../../pagination/list-options.ts';
import type { PagePromise } from '../../pagination/page.ts';
import type { APIPromise } from '../../transport/api-promise.ts';
import type { RequestOptions, RetrySafety, Transport } from '../../transport/types.ts';
import type { Paging } from './free-list.ts';
import type { RequestMethod } from './free-request.ts';
import type { IdempotencyKey } from './idempotency-key.ts';
import type { StandardSchema } from './standard-schema.ts';

/** One operation of a resource that you define. */
export interface OperationDefinition {
  /** HTTP method. */
  readonly method: RequestMethod;
  /** Path from the base address. Each `{placeholder}` becomes a parameter of the method, in this order. */
  readonly path: `/${string}`;
  /** The body: its type, and a check before anything is sent. The output of the schema is what is sent. */
  readonly body?: StandardSchema<unknown>;
  /** The query parameters: their type, and a check before anything is sent. */
  readonly query?: StandardSchema<unknown>;
  /** The response, or one item of a list: its type, and a check. */
  readonly response?: StandardSchema<unknown>;
  /**
   * Dotted paths without which the response is useless. With them, a departure from the schema elsewhere is reported to
   * `onDrift` and does not throw, except in `strict` mode.
   */
  readonly essential?: readonly string[];
  /** Makes the operation a list, paged by cursor or by offset. */
  readonly paginate?: Paging;
  /** The key of the list in the response; without it the list is found. */
  readonly key?: string;
  /** The query parameter that takes the cursor. Default: the client's `cursorParam`. */
  readonly cursorParam?: string;
  /** When a call may be retried; see `FreeRequest`. */
  readonly retrySafety?: RetrySafety;
  /** Where the idempotency key goes; see `FreeRequest`. */
  readonly idempotencyKey?: IdempotencyKey;
  /**
   * Where a response shows which request it belongs to. Default: what the path calls `userId` and the like stands under
   * the same name at the top, and so does the idempotency key. `{}` compares nothing.
   */
  readonly identity?: OperationIdentity;
}

/**
 * Where a response repeats what was sent. A response that names another request is a `ResponseMismatchError`. Paths are
 * dotted; `*` stands for every field of a record, `[]` for every item of a list.
 */
export interface OperationIdentity {
  /**
   * By the name of a placeholder of the path, or `requestId` for the idempotency key: where the response repeats it.
   */
  readonly echoes?: Readonly<Record<string, readonly string[]>>;
  /**
   * Where the id of the record stands that the call makes: the proof that the service did what was asked. A success
   * without it, and without an echo, is then an error with `outcome: 'unknown'`.
   */
  readonly record?: readonly string[];
}

/** The operations of a resource, by the names of its methods. */
export type OperationDefinitions = Readonly<Record<string, OperationDefinition>>;

/** The methods of a resource, derived from its operations. */
export type ResourceMethods<Definitions> = {
  readonly [Name in keyof Definitions]: ResourceMethod<Definitions[Name]>;
};

/** The method of an operation. Its parameters are the values of the path, the body, the query, and the call options. */
export type ResourceMethod<Definition> = Definition extends {
  /** The operation is a list. */
  readonly paginate: Paging;
}
  ? (...args: [...ParamsOf<Definition>, options?: ListOptions]) => PagePromise<ResultOf<Definition>>
  : (...args: [...ParamsOf<Definition>, options?: RequestOptions]) => APIPromise<ResultOf<Definition>>;

/** A resource created with `defineResource`: a namespace for `payments.with` and `createClient`. */
export interface CustomResource<Methods = unknown> {
  /** The name. It is the first part of the names of the operations. */
  readonly name: string;
  /** The methods of the namespace, for the types only. They exist on a client. */
  readonly prototype: Methods;
  /** The definitions of the operations. */
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

/** The key is optional: the client generates it if you leave it out. */
type WithoutKey<Body, Field extends PropertyKey> = Field extends keyof Body
  ? Omit<Body, Field> & Partial<Pick<Body, Field>>
  : Body;

type ResultOf<Definition> = Definition extends { readonly response: StandardSchema<infer Result> }
  ? Result
  : unknown;
