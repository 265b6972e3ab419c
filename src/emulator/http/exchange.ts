import type { Context } from 'hono';
import { isDeeperThan, jsonIn } from '../../shared/values.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { DIALECTS } from '../dialect/dialect.ts';
import { errorBody } from '../dialect/errors.ts';
import { ServiceProblem } from '../problem.ts';
import type { Fault } from '../state/faults.ts';
import type { Access } from './access.ts';
import { textWithin } from './text-within.ts';

/** The delivery of a response: complete, or with a network fault. */
export type ExchangeDelivery = 'whole' | 'reset' | 'stall-headers' | 'stall-body' | 'cut-body';

/** What the service did with a request. */
export interface Handled {
  /** The status of its own response. */
  status: number;
  /** The places in the histories of all records before and after it. */
  after: number;
  until: number;
}

/** The data of one exchange, except its request and its response. */
export interface Exchange extends Access {
  operation?: string;
  fault?: Fault;
  /** The body as it was read. */
  requestText?: string;
  /** What the service did, whatever a fault made of the response; missing where a fault stopped the request. */
  handled?: Handled;
  /** True if the emulator's page makes the request, which then needs no token. */
  trusted?: boolean;
  /** True if the exchange stays out of the request log. */
  quiet?: boolean;
  delivery: ExchangeDelivery;
  latency: number;
}

/** An exchange without faults in which the caller may use any host. */
export const newExchange = (): Exchange => ({ loopbackOnly: false, delivery: 'whole', latency: 0 });

/** The bindings of Hono. */
export type Env = { Bindings: Exchange };
export type HttpContext = Context<Env>;

/** The maximum size of a body in bytes, where a route does not say another. */
export const BODY_LIMIT = 1024 * 1024;

/** The JSON body, `undefined` where it is empty. Any content type is tolerated, as long as the content is JSON. */
export async function jsonBodyOf(
  { req, env }: HttpContext,
  method: string,
  limit: number,
  depth?: number,
): Promise<unknown> {
  if (method === 'GET') return undefined;
  const text = await readText(req.raw, limit);
  env.requestText = text;
  return text.trim() === '' ? undefined : requestJson(text, depth);
}

/** The JSON value of a request's text; a 400 where it is malformed or nested too deeply. */
function requestJson(text: string, maxDepth = 32): unknown {
  const value = jsonIn(text);
  if (value === undefined)
    throw new ServiceProblem(400, 'FIELD_VALIDATION_ERROR', 'The body is not valid JSON');
  if (isDeeperThan(value, maxDepth)) {
    throw new ServiceProblem(
      400,
      'FIELD_VALIDATION_ERROR',
      `The body is nested deeper than ${maxDepth} levels`,
    );
  }
  return value;
}

/** The request's body as text, read no further than the limit: a 413 past it. */
async function readText({ headers, body }: Request, limit: number): Promise<string> {
  const announced = Number(headers.get('content-length') ?? '0');
  const text = announced > limit ? undefined : await textWithin(body, limit);
  if (text !== undefined) return text;
  throw new ServiceProblem(413, 'FIELD_VALIDATION_ERROR', `The body is larger than ${limit} bytes`);
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The response of an operation: a value to be written as JSON, or the very text of an earlier response. */
export type Answer =
  | { status: number; json: unknown; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> };

/** The response to an error. */
export function problem(error: unknown, dialect: Dialect): Answer {
  if (error instanceof ServiceProblem) {
    return { status: error.status, json: errorBody(dialect, error), headers: { ...error.headers } };
  }
  // Nothing a caller sends may lead here; what does is a mistake of the emulator, told without its inner workings.
  const message = 'The emulator failed; please report how';
  return { status: 500, json: errorBody(dialect, { status: 500, code: 'INTERNAL_ERROR', message }) };
}

/** The response where the state could not be stored: what the request did may be lost when the process ends. */
export function storeFailure(error: unknown): Response {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The emulator could not store its state, so this request is not acknowledged: ${reason}`;
  const body = errorBody(DIALECTS.spec, { status: 500, code: 'STATE_NOT_STORED', message });
  return respond({ status: 500, json: body });
}

/** Makes a response. */
export function respond(answer: Answer): Response {
  if (answer.status === 204)
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  const headers = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...answer.headers };
  const text = bodyText(answer);
  const response = new Response(text, { status: answer.status, headers });
  headerTexts.set(response, text);
  return response;
}

/** The texts of responses, so that the request log can keep them without reading a body twice. */
const headerTexts = new WeakMap<Response, string>();

/** The text that a response was made of; `undefined` for the page. */
export function textOfResponse(response: Response): string | undefined {
  return headerTexts.get(response);
}

/** The body of a response. */
export function bodyText(answer: Answer): string {
  return 'text' in answer ? answer.text : JSON.stringify(answer.json);
}
