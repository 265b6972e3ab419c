import type * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { fieldsOf } from '../../shared/schema/fields.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { jsonText } from './json-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Adds the fields of `extraBody` to a body, at every depth. A field that the body or the schema has is refused.
 *
 * @throws InvalidRequestError that names the field.
 */
export function withExtraBody(
  operation: string,
  schema: z.ZodMiniType | undefined,
  body: Fields,
  extraBody: unknown,
): Fields {
  const { text } = jsonText(extraBody, 'extraBody', operation, 'extraBody.');
  const extra: unknown = text === undefined ? extraBody : JSON.parse(text);
  if (isRecord(extra)) return merged(operation, schema === undefined ? [] : [schema], body, extra, '');
  throw refusedExtraBody(operation, 'extraBody', `\`extraBody\` must be an object, but is ${kindOf(extra)}.`);
}

function merged(
  operation: string,
  schemas: readonly z.core.$ZodType[],
  body: Fields,
  extra: Fields,
  outer: string,
): Fields {
  const known = fieldsOf(schemas) ?? {};
  const sum: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(extra)) {
    const path = `${outer}${name}`;
    const present = Object.hasOwn(body, name) ? body[name] : undefined;
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    const isInner =
      isRecord(value) && (present === undefined ? fieldsOf(field ?? []) !== undefined : isRecord(present));
    if (!isInner && (present !== undefined || field !== undefined)) {
      const sentence = `\`extraBody.${path}\` would set \`${path}\` of the parameters. Give the field there.`;
      throw refusedExtraBody(operation, `extraBody.${path}`, sentence);
    }
    const inner = isInner ? merged(operation, field ?? [], Object(present ?? {}), value, `${path}.`) : value;
    // Not an assignment, which would take `__proto__` for the prototype.
    Object.defineProperty(sum, name, { value: inner, enumerable: true, writable: true, configurable: true });
  }
  return sum;
}

const refusedExtraBody = (operation: string, field: string, sentence: string) =>
  new InvalidRequestError(`${operation}: ${sentence} Nothing was sent.`, { operation, field });
