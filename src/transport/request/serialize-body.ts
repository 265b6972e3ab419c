import { InvalidRequestError } from '../../errors/index.ts';
import { kindOf } from '../kind.ts';

const maxDepth = 64;

/**
 * Turns a body into the text that every attempt sends. What JSON would change in silence is refused:
 * NaN, infinities, invalid dates and holes in lists (null on the wire), maps and sets (empty), BigInt, functions,
 * cycles, and keys that pollute prototypes.
 */
export function serializeBody(body: unknown, operation: string): string | undefined {
  if (body === undefined) return undefined;
  try {
    const fault = findFault(body, '', 0);
    if (fault === undefined) return JSON.stringify(body);
    throw new InvalidRequestError(`${operation}: \`${fault.field}\` ${fault.why}.`, {
      operation,
      field: fault.field,
    });
  } catch (thrown) {
    if (thrown instanceof InvalidRequestError) throw thrown;
    // A getter or a `toJSON` of the caller's threw.
    throw new InvalidRequestError(`${operation}: the body cannot be written as JSON.`, {
      operation,
      field: 'body',
      cause: thrown,
    });
  }
}

interface Fault {
  field: string;
  why: string;
}

function findFault(value: unknown, field: string, depth: number): Fault | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? undefined : { field, why: `must be finite, but is ${kindOf(value)}` };
    case 'bigint':
    case 'function':
    case 'symbol':
      return { field, why: `is ${kindOf(value)}, which JSON cannot carry` };
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return undefined;
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? { field, why: 'is an invalid date' } : undefined;
  }
  if (value instanceof Map || value instanceof Set) {
    return { field, why: `is a ${value instanceof Map ? 'Map' : 'Set'}, which JSON cannot carry` };
  }
  if (depth >= maxDepth)
    return { field, why: `is nested deeper than ${maxDepth} levels, or refers to itself` };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const place = `${field}[${index}]`;
      if (item === undefined) return { field: place, why: 'is missing, which JSON cannot carry' };
      const fault = findFault(item, place, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  for (const [key, item] of Object.entries(value)) {
    const path = field === '' ? key : `${field}.${key}`;
    if (key === '__proto__')
      return { field: path, why: 'is a key that could pollute a prototype; remove it' };
    const fault = findFault(item, path, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
