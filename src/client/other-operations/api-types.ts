import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import type { RetrySafety } from '../call/types.ts';
import type { FormOrBytes, RequestBody } from './request-body.ts';

/**
 * The operations of a description as methods: `paths` is the type that `npx openapi-typescript` writes. Each method takes
 * a path of the description, its parameters and body, and the call options, and returns the data of the response.
 */
export interface Api<Paths> {
  /** Reads. Retried after every transient failure. */
  GET: ApiMethod<Paths, 'get'>;
  /** Sends a POST. Retried as `retrySafety` of the input says. */
  POST: ApiMethod<Paths, 'post'>;
  /** Sends a PUT. Retried as `retrySafety` of the input says. */
  PUT: ApiMethod<Paths, 'put'>;
  /** Sends a PATCH. Retried as `retrySafety` of the input says. */
  PATCH: ApiMethod<Paths, 'patch'>;
  /** Deletes. Retried after every transient failure. If an attempt was lost, a 404 of its retry is `unknown`. */
  DELETE: ApiMethod<Paths, 'delete'>;
}

/** A method of {@link Api}. The input may be left out where the operation requires none. */
type ApiMethod<Paths, Method extends string> = <Path extends PathsWith<Paths, Method>>(
  path: Path,
  ...args: Record<never, never> extends InputOf<OperationAt<Paths, Path, Method>>
    ? [input?: InputOf<OperationAt<Paths, Path, Method>>, options?: RequestOptions]
    : [input: InputOf<OperationAt<Paths, Path, Method>>, options?: RequestOptions]
) => APIPromise<DataOf<OperationAt<Paths, Path, Method>>>;

/** The input that is the same for all operations. */
export interface ApiInput {
  /**
   * The failures after which the client may retry. Default: `read` for GET and `delete` for DELETE; `keyed` with an
   * idempotency header; else `once`. `keyed` takes the key from the header or from `requestId` in the body.
   */
  retrySafety?: RetrySafety | undefined;
}

type PathsWith<Paths, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends { readonly [Name in Method]: object } ? Path : never;
}[keyof Paths] &
  string;

type OperationAt<Paths, Path extends keyof Paths, Method extends string> = Paths[Path] extends {
  readonly [Name in Method]: infer Operation;
}
  ? Operation
  : never;

type InputOf<Operation> = ApiInput & ParamsOf<Operation> & BodyOf<Operation>;

type ParamsOf<Operation> = Operation extends { readonly parameters: infer Parameters }
  ? Record<never, never> extends Sendable<Parameters>
    ? { params?: Sendable<Parameters> }
    : { params: Sendable<Parameters> }
  : { params?: never };

/** Cookies would be a second way to sign in. */
type Sendable<Parameters> = {
  [Place in keyof Parameters as Extract<Place, 'path' | 'query' | 'header'>]: Place extends 'query'
    ? Parameters[Place]
    : Texts<Parameters[Place]>;
};

/** The path and headers have texts only. */
type Texts<Values> = {
  [Name in keyof Values]: unknown extends Values[Name]
    ? Values[Name]
    : Extract<Values[Name], string | number | boolean | undefined>;
};

type BodyOf<Operation> = Operation extends { readonly requestBody: { readonly content: infer Content } }
  ? { body: SentAs<Content> }
  : Operation extends { readonly requestBody?: { readonly content: infer Content } }
    ? unknown extends Content
      ? { body?: never }
      : { body?: SentAs<Content> }
    : { body?: never };

/** The type of JSON: an object or a list. Anything else is sent as a form or as bytes. */
type SentAs<Content> = [JsonOf<Content>] extends [never]
  ? FormOrBytes
  : unknown extends JsonOf<Content>
    ? RequestBody
    : Extract<JsonOf<Content>, object>;

type JsonOf<Content> = Content[Extract<
  keyof Content,
  `application/json${string}` | `${string}+json${string}` | '*/*'
>];

type DataOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? [Extract<keyof Responses, Success>] extends [never]
    ? Responses extends { readonly default: infer Response }
      ? ReceivedAs<Response>
      : unknown
    : ReceivedAs<Responses[Extract<keyof Responses, Success>]>
  : unknown;

type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | '2XX';

/** The type of JSON, undefined without a body, and unknown for anything else: read its bytes with `asResponse()`. */
type ReceivedAs<Response> = Response extends { readonly content: infer Content }
  ? [JsonOf<Content>] extends [never]
    ? unknown
    : JsonOf<Content>
  : undefined;
