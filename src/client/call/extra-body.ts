import type * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { type FieldSchemas, fieldsOf } from '../../shared/schema/fields.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { jsonCopy } from './json-text.ts';

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
  const extra = jsonCopy(extraBody, 'extraBody', operation, 'extraBody.');
  if (isRecord(extra)) return merged(operation, schema && fieldsOf([schema]), body, extra, '');
  throw refusedExtraBody(operation, 'extraBody', `\`extraBody\` must be an object, but is ${kindOf(extra)}.`);
}

function merged(
  operation: string,
  known: FieldSchemas | undefined,
  body: Fields,
  extra: Fields,
  outer: string,
): Fields {
  const added = Object.entries(extra).map(([name, value]) => {
    const path = `${outer}${name}`;
    const present = Object.hasOwn(body, name) ? body[name] : undefined;
    const field = known?.[name];
    const innerFields = field && fieldsOf(field);
    const isInner =
      isRecord(value) && (present === undefined ? innerFields !== undefined : isRecord(present));
    if (!isInner && (present !== undefined || field !== undefined)) {
      const sentence = `\`extraBody.${path}\` would set \`${path}\` of the parameters. Give the field there.`;
      throw refusedExtraBody(operation, `extraBody.${path}`, sentence);
    }
    const inner = isInner ? merged(operation, innerFields, Object(present ?? {}), value, `${path}.`) : value;
    return [name, inner] as const;
  });
  // Not an assignment, which would take `__proto__` for the prototype.
  return Object.fromEntries([...Object.entries(body), ...added]);
}

const refusedExtraBody = (operation: string, field: string, sentence: string) =>
  new InvalidRequestError(`${operation}: ${sentence} Nothing was sent.`, { operation, field });
