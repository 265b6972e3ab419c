import { InvalidRequestError } from '../../errors/index.ts';
import { kindOf } from '../kind.ts';
import { type PlainData, plainCopy } from './plain-data.ts';

/** A plain object. */
export type PlainRecord = { [field: string]: PlainData };

/** Whether plain data is an object. */
export const isPlainRecord = (value: PlainData): value is PlainRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the fields of `extraBody` to a body, at every depth. A field that the body has already is refused. */
export function addExtraBody(body: PlainRecord, extraBody: unknown, operation: string): PlainRecord {
  const { copy: extra, unsendable } = plainCopy(extraBody, 'extraBody', 'extraBody.', operation);
  if (unsendable !== undefined) throw unsendable;
  if (isPlainRecord(extra)) return merge(body, extra, '', operation);
  throw new InvalidRequestError(
    `${operation}: \`extraBody\` must be an object, but is ${kindOf(extra)}. Nothing was sent.`,
    { operation, field: 'extraBody' },
  );
}

function merge(body: PlainRecord, extra: PlainRecord, prefix: string, operation: string): PlainRecord {
  for (const [key, value] of Object.entries(extra)) {
    const path = `${prefix}${key}`;
    const present = Object.hasOwn(body, key) ? body[key] : undefined;
    if (present === undefined) body[key] = value;
    else if (isPlainRecord(present) && isPlainRecord(value)) merge(present, value, `${path}.`, operation);
    else {
      throw new InvalidRequestError(
        `${operation}: \`extraBody.${path}\` would replace \`${path}\` of the parameters. Nothing was sent. Give the field once.`,
        { operation, field: `extraBody.${path}` },
      );
    }
  }
  return body;
}
