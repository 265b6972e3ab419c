import { optional } from '../../shared/rules.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import type { APIPromise } from '../../transport/api-promise.ts';
import type { QueryValue, RequestOptions, Transport } from '../../transport/types.ts';
import { checkFreePath } from '../../transport/url.ts';
import type { Api, ApiInput } from './api-types.ts';
import { checkDescription, type FieldRules, type RequestMethod, rules } from './description.ts';
import type { IdempotencyKey } from './idempotency-key.ts';
import { startOwn } from './request.ts';
import type { Wrong } from './wrong.ts';

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
  query?: Record<string, QueryValue> | undefined;
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
    const { params, body, retrySafety } = checkDescription(input ?? {}, inputRules, 'input', wrong, hints);
    const sent = checkDescription(params ?? {}, paramsRules, 'params', wrong);
    const mayHaveKey = method !== 'GET' && method !== 'DELETE' && (retrySafety ?? 'keyed') === 'keyed';
    const idempotencyKey = mayHaveKey ? keyOf(body, sent.header, options, wrong) : undefined;
    return {
      method,
      path,
      values: asTexts(sent.path),
      query: sent.query,
      body,
      headers: asTexts(sent.header),
      retrySafety,
      idempotencyKey,
    };
  });
}

const hints = {
  path: '`params.path`',
  query: '`params.query`',
  header: '`params.header`',
  idempotencykey: '`requestId` in the body, or the header in `params.header`',
};

/** A path and a header have texts only; openapi-typescript types some as numbers. Anything else is refused later. */
function asTexts(given: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
  const texts = Object.entries(given).map(([name, value]) => [name, isPlain(value) ? String(value) : value]);
  return Object.fromEntries(texts);
}

/** The idempotency key of a request: its `requestId`, or a header whose name says so. */
function keyOf(
  body: unknown,
  inParams: Params['header'],
  options: RequestOptions | undefined,
  wrong: Wrong,
): IdempotencyKey | undefined {
  const hasField =
    body instanceof FormData ? body.has('requestId') : isRecord(body) && Object.hasOwn(body, 'requestId');
  if (hasField) return { field: 'requestId' };
  const inOptions: unknown = options?.headers;
  const given = { ...(isRecord(inOptions) ? inOptions : {}), ...inParams };
  const header = Object.keys(given).find((name) => /idempoten/i.test(name));
  if (header === undefined) return undefined;
  const value = given[header];
  if (typeof value !== 'string') throw wrong(header, `must be a string, but is ${kindOf(value)}`);
  return { header, value };
}
