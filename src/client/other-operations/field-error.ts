import { InvalidRequestError } from '../../shared/errors/index.ts';

/** Makes the error for one field of a description. */
export type FieldError = (field: string, why: string) => Error;

/** An error for one field of a call of the operation. */
export const fieldErrorIn =
  (operation: string) =>
  (field: string, why: string): InvalidRequestError =>
    refusedDescription(operation, field, `\`${field}\` ${why}.`);

/** An error about a field, in a sentence. */
export const refusedDescription = (operation: string, field: string, sentence: string): InvalidRequestError =>
  new InvalidRequestError(`${operation}: ${sentence} Nothing was sent.`, { operation, field });
