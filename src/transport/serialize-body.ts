import { InvalidRequestError } from '../errors/index.ts';
import { isRecord, kindOf } from './kind.ts';

const maxDepth = 64;

/**
 * Turns a body into the text that every attempt sends. What JSON would change in silence is refused:
 * NaN and infinities (null on the wire), BigInt, functions, cycles, and keys that pollute prototypes.
 */
export function serializeBody(body: unknown, operation: string): string | undefined {
  if (body === undefined) return undefined;
  const fault = findFault(body, '', 0);
  if (fault !== undefined) {
    const where = fault.field === '' ? 'the body' : `\`${fault.field}\``;
    throw new InvalidRequestError(`${operation}: ${where} ${fault.why}.`, { operation, field: fault.field });
  }
  return JSON.stringify(body);
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
  if (value === null || value instanceof Date) return undefined;
  if (depth >= maxDepth)
    return { field, why: `is nested deeper than ${maxDepth} levels, or refers to itself` };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const fault = findFault(item, `${field}[${index}]`, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  for (const key of Object.keys(value)) {
    const path = field === '' ? key : `${field}.${key}`;
    if (key === '__proto__')
      return { field: path, why: 'is a key that could pollute a prototype; remove it' };
    const fault = findFault(value[key], path, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
