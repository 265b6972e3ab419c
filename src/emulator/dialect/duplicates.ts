import { ServiceProblem } from '../problem.ts';
import type { Dialect } from './dialect.ts';

/** The refusal of a `requestId` that is known, with the same content or with another one. */
export function knownRequestId(dialect: Dialect, sameContent: boolean): ServiceProblem {
  const own = sameContent ? 'TRANSACTION_REQUEST_ALREADY_EXISTS' : 'REQUEST_ID_REUSED';
  const message = sameContent
    ? 'This requestId was already used; its transfer exists and no other one was made'
    : 'This requestId was already used with another payload; please try a different request id';
  return new ServiceProblem(dialect.duplicateStatus, dialect.duplicateError ?? own, message);
}
