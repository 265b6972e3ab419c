import { PRESETS } from '../dialect/decisions.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { errorBody } from '../dialect/errors.ts';
import { ServiceProblem } from '../problem.ts';

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
  const body = errorBody(PRESETS.spec, { status: 500, code: 'STATE_NOT_STORED', message });
  return respond({ status: 500, json: body });
}

/** Makes a response. */
export function respond(answer: Answer): Response {
  if (answer.status === 204)
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  const headers = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...answer.headers };
  const text = bodyText(answer);
  const response = new Response(text, { status: answer.status, headers });
  texts.set(response, text);
  return response;
}

/** The texts of responses, so that the request log can keep them without reading a body twice. */
const texts = new WeakMap<Response, string>();

/** The text that a response was made of; `undefined` for the page. */
export function textOfResponse(response: Response): string | undefined {
  return texts.get(response);
}

/** The body of a response. */
export function bodyText(answer: Answer): string {
  return 'text' in answer ? answer.text : JSON.stringify(answer.json);
}
