import { optional } from '../../shared/rules.ts';
import { isRecord } from '../../shared/values.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions, Transport } from '../call/types.ts';
import { checkFreePath } from '../call/url.ts';
import type { Api, ApiInput } from './api-types.ts';
import { checkDescription, type FieldRules, type RequestMethod, rules } from './description.ts';
import { queryOf } from './query.ts';
import { startOwn } from './request.ts';

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
  body?: unknown;
}

const record = /* @__PURE__ */ optional((value) => (isRecord(value) ? undefined : 'must be an object'));
const inputRules: FieldRules<Input> = {
  params: record,
  body: rules.body,
  retrySafety: rules.retrySafety,
};
const paramsRules: FieldRules<Params> = { path: record, query: rules.query, header: record };

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
  return startOwn(transport, name, input, options, (wrong) => {
    checkFreePath(typeof template === 'string' ? path.replaceAll(/\{[^{}]+\}/g, 'x') : template, name);
    const { params, body, retrySafety } = checkDescription(input ?? {}, inputRules, 'input', wrong, apiHints);
    const sent = checkDescription(params ?? {}, paramsRules, 'params', wrong);
    return {
      method,
      path,
      values: asTexts(sent.path),
      query: queryOf(sent.query),
      body,
      headers: asTexts(sent.header),
      retrySafety,
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
