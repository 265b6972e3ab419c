import * as z from 'zod/mini';
import { entriesOf, objectOf } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import type { Transport } from '../call/transport.ts';
import { checkFreePath } from '../call/url.ts';
import type { Api, ApiInput } from './api-types.ts';
import { body, checkDescription, type RequestMethod, retrySafety } from './description.ts';
import { queryOf } from './query.ts';
import { startCustom } from './request.ts';
import type { RequestBody } from './request-body.ts';

/** The methods of the operations that a type describes. */
export function apiOf<Paths>(transport: Transport): Api<Paths> {
  const methodOf =
    (method: RequestMethod) =>
    (path: string, input?: Input, options?: RequestOptions): APIPromise<unknown> =>
      startApi(transport, method, path, input, options);
  const methods = Object.fromEntries(
    (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => [method, methodOf(method)]),
  );
  // The types are those of the description, which does not exist at run time.
  return methods as unknown as Api<Paths>;
}

interface Params {
  path?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  header?: Readonly<Record<string, unknown>> | undefined;
}

interface Input extends ApiInput {
  params?: Params | undefined;
  body?: RequestBody | undefined;
}

const values = /* @__PURE__ */ lazy(() => z.optional(entriesOf<Readonly<Record<string, unknown>>>()));

const inputSchema = /* @__PURE__ */ lazy(() =>
  matching<Input>()(
    strictObject({
      params: z.optional(objectOf<Params>()),
      body: z.optional(body()),
      retrySafety: retrySafety(),
    }),
  ),
);

const paramsSchema = /* @__PURE__ */ lazy(() =>
  matching<Params>()(strictObject({ path: values(), query: values(), header: values() })),
);

/** Sends an operation of a description. The path, with its placeholders, is the name in errors, hooks and logs. */
function startApi(
  transport: Transport,
  method: RequestMethod,
  template: string,
  input: Input | undefined,
  options: RequestOptions | undefined,
): APIPromise<unknown> {
  const path = typeof template === 'string' ? template : '/';
  const name = `${method} ${path}`;
  return startCustom(transport, name, input, options, () => {
    checkFreePath(typeof template === 'string' ? path.replaceAll(/\{[^{}]+\}/g, 'x') : template, name);
    const own = checkDescription(inputSchema(), input ?? {}, {
      operation: name,
      place: 'input',
      hints: apiHints,
    });
    const sent = checkDescription(paramsSchema(), own.params ?? {}, { operation: name, place: 'params' });
    return {
      method,
      path,
      values: asTexts(sent.path),
      query: queryOf(sent.query),
      body: own.body,
      headers: asTexts(sent.header),
      retrySafety: own.retrySafety,
    };
  });
}

const apiHints = {
  path: '`params.path`',
  query: '`params.query`',
  header: '`params.header`',
  idempotencykey: "the header in `params.header`, or `requestId` in the body with `retrySafety: 'keyed'`",
};

/** A path and a header have texts only; openapi-typescript types some as numbers. Anything else is refused later. */
function asTexts(given: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const isPlain = (value: unknown) => Number.isFinite(value) || typeof value === 'boolean';
  const texts = Object.entries(given).map(([name, value]) => [name, isPlain(value) ? String(value) : value]);
  return Object.fromEntries(texts);
}
