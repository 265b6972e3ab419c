import type { World } from '../../state/world.ts';
import type { OperationName } from '../faults.ts';
import { ServiceProblem } from '../problem.ts';

/** One call of an operation, taken apart. */
export interface Call {
  world: World;
  /** The parts of the path, decoded. */
  path: (name: string) => string;
  query: URLSearchParams;
  /** The JSON body; `undefined` where there is none. */
  body: unknown;
}

/** What an operation answers: a value to be written as JSON, or the very text of an earlier answer. */
export type Answer =
  | { status: number; json: unknown; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> };

/** One endpoint of the spec. */
export interface Route {
  operation: OperationName;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  handle: (call: Call) => Answer;
}

export function ok(json: unknown): Answer {
  return { status: 200, json };
}

export function created(json: unknown): Answer {
  return { status: 201, json };
}

/**
 * A create under its `requestId`: made once, and then repeated or refused. What was refused for its content is not
 * in the ledger, so that a corrected request may keep its id.
 */
export function once(
  { world, body }: Call,
  operation: OperationName,
  requestId: string,
  make: () => unknown,
): Answer {
  const earlier = world.ledger.lookUp(operation, requestId, body);
  if (earlier !== undefined) {
    return { status: earlier.status, text: earlier.body, headers: { 'idempotent-replay': 'true' } };
  }
  const text = JSON.stringify(make());
  world.ledger.record(operation, requestId, body, 201, text);
  return { status: 201, text };
}

/** A whole number of the query within its bounds. */
export function wholeNumber(
  query: URLSearchParams,
  name: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const message = `must be a whole number ${bounds}`;
  throw new ServiceProblem(400, 'INVALID_REQUEST', `${name}: ${message}`, {
    fields: [{ field: name, message }],
  });
}
