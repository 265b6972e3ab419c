import { InvalidRequestError, type PaymentsError, ResponseMismatchError } from '../../errors/index.ts';
import { plainId } from '../../evidence/key-memory.ts';
import { differsFrom } from '../../evidence/record.ts';
import { isRecord, jsonIn, kindOf } from '../../shared/values.ts';
import type { FailedCall } from '../../transport/prepared-call.ts';

/** The result of a `lookup`: a record that belongs to the call, or what its absence means. */
export type Found = { readonly record: object } | 'not-made' | undefined;

/**
 * Reads the result of a `lookup`. Only a record that shows its own id and belongs to the call proves a payment.
 *
 * @throws InvalidRequestError for a value that is not a record, ResponseMismatchError for a record of another payment.
 */
export function readFound(value: unknown, error: PaymentsError, call: FailedCall | undefined): Found {
  if (value === undefined || value === null) return undefined;
  if (value === 'not-made') return value;
  const { requestId } = error;
  const own = isRecord(value) && Object.prototype.toString.call(value) !== '[object Error]' ? value : {};
  const details = isRecord(own.transferDetails) ? own.transferDetails : own;
  if (![details.id, own.id, own.accountId, own.approvalId].some(isId))
    throw useless(error, isRecord(value) ? 'an object without an `id`' : kindOf(value));
  if (requestId !== undefined) checkRequestId(details.requestId ?? own.requestId, requestId, error);
  const path = differenceOf(call, own);
  if (path !== undefined) throw ofAnother(error, path);
  if (error.operation === 'approvals.approve' || error.operation === 'approvals.reject')
    return readDecision(own, error, call);
  return { record: own };
}

/** Returns a path at which a record shows another amount, currency, payer or payee than was sent. */
function differenceOf(call: FailedCall | undefined, record: unknown): string | undefined {
  const body = call?.sent.body;
  return differsFrom(record, typeof body === 'string' ? jsonIn(body) : undefined);
}

const isId = (id: unknown): boolean => (typeof id === 'string' && id.trim() !== '') || typeof id === 'number';

function checkRequestId(shown: unknown, requestId: string, error: PaymentsError): void {
  if (typeof shown !== 'string') throw useless(error, 'an object without a `requestId`');
  if (plainId(shown) !== plainId(requestId)) throw ofAnother(error, 'requestId');
}

/** The approval as it is now: decided as the call wanted, decided otherwise, or still pending. */
function readDecision(
  approval: Record<string, unknown>,
  error: PaymentsError,
  call: FailedCall | undefined,
): Found {
  const id = approval.approvalId ?? approval.id;
  if (call !== undefined && !call.sent.url.includes(`/${encodeURIComponent(String(id))}/`))
    throw ofAnother(error, 'id');
  const status = String(approval.status).toUpperCase();
  const wanted = error.operation === 'approvals.approve' ? 'APPROVED' : 'REJECTED';
  if (status === wanted) return { record: approval };
  if (status === 'PENDING') return undefined;
  if (['APPROVED', 'REJECTED', 'EXPIRED'].includes(status)) return 'not-made';
  throw useless(error, 'an approval without a documented `status`');
}

export const still = 'The outcome of the call is still unknown.';

const useless = ({ operation, requestId }: PaymentsError, what: string) =>
  new InvalidRequestError(
    `resolve: \`lookup\` must return the record with its \`id\` and \`requestId\`, 'not-made' or undefined, but returned ${what}. ${still}`,
    { operation, requestId, outcome: 'unknown', field: 'lookup' },
  );

const ofAnother = ({ operation, requestId }: PaymentsError, path: string) =>
  new ResponseMismatchError(
    `resolve: \`lookup\` returned a record of another call: its \`${path}\` differs. ${still} Look the record up by its requestId.`,
    { operation, requestId, path },
  );
