import type { FieldProblem } from '../problem.ts';
import type { Dialect, ErrorShape, ErrorShapeKey } from './dialect.ts';
import { fieldErrorOf } from './error-names.ts';

/** A refusal before it is written. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  fields?: readonly FieldProblem[] | undefined;
}

/** The body of an error response in the shape that a dialect gives its status. */
export function errorBody(
  dialect: Dialect,
  { status, code, message, fields }: Refusal,
): Record<string, unknown> {
  const shape = shapeOf(dialect.errorShapes, status);
  if (shape === 'bare') return { error: message };
  const field = dialect.errorNames === 'field';
  const [name, number] = field ? fieldErrorOf(code) : [code, status];
  const details = fields === undefined ? {} : field ? { details: byField(fields) } : { fields };
  if (shape === 'nested') return { status: 'error', error: { code: name, message, ...details } };
  return { code: number, error: name, errorDetails: message, ...details };
}

/** The shape of the error bodies of a status. */
export function shapeOf(shapes: Dialect['errorShapes'], status: number): ErrorShape {
  const listed = Object.entries(shapes).find(([key]) => key === String(status))?.[1];
  const key: ErrorShapeKey = status >= 500 ? 500 : 'other';
  return listed ?? shapes[key] ?? shapes.other;
}

/** What is wrong, by the path of the field. */
function byField(fields: readonly FieldProblem[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]));
}
