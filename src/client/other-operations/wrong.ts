import { InvalidRequestError } from '../../shared/errors/index.ts';

/** Makes the error for one field of a description. */
export type Wrong = (field: string, why: string) => Error;

/** An error for one field of a call of the operation. */
export const wrongIn =
  (operation: string) =>
  (field: string, why: string): InvalidRequestError => {
    const end = /[.?]$/.test(why) ? '' : '.';
    const message = `${operation}: \`${field}\` ${why}${end} Nothing was sent.`;
    return new InvalidRequestError(message, { operation, field });
  };
