import type * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { withDocumentedAmounts } from '../../shared/schema/fields.ts';
import { isRecord } from '../../shared/values.ts';
import { jsonText } from './json-text.ts';
import { type ParameterWords, parameterFault } from './parameter-fault.ts';

/** Fields of parameters, or of a body. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks the parameters of an operation in the form in which they are sent, and returns this form. They are written and
 * parsed once; no object of the caller's is read again, but for the words of an error.
 *
 * @throws InvalidRequestError that names the field.
 */
export function checkedParameters(
  operation: string,
  schema: z.ZodMiniType,
  given: unknown,
  words: Omit<ParameterWords, 'given'>,
): Fields {
  const copy = isRecord(given) ? ownCopy(operation, given) : given;
  const fault = parameterFault(schema, copy, { ...words, given });
  if (fault !== undefined)
    throw new InvalidRequestError(`${operation}: ${fault.sentence} Nothing was sent.`, {
      operation,
      field: fault.field,
    });
  const checked = withDocumentedAmounts([schema], copy);
  if (isRecord(checked)) return checked;
  throw new TypeError(`The schema of ${operation} is not one of an object.`);
}

/** A copy of own properties alone. A field whose value is `undefined` stays, so that its name is checked. */
function ownCopy(operation: string, given: Fields): unknown {
  const { text, dropped } = jsonText(given, 'params', operation);
  if (text === undefined) return undefined;
  const copy: unknown = JSON.parse(text, (_name, value: unknown) =>
    isRecord(value) ? Object.assign(Object.create(null), value) : value,
  );
  for (const path of dropped) {
    const outer = path.slice(0, -1).reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), copy);
    if (isRecord(outer)) outer[path.at(-1) ?? ''] = undefined;
  }
  return copy;
}
