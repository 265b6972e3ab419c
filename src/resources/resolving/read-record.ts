import { InvalidRequestError, type PaymentsError, ResponseMismatchError } from '../../errors/index.ts';
import { plainId } from '../../evidence/key-memory.ts';
import type { FailedCall } from '../../transport/call/call.ts';
import { isRecord, kindOf } from '../../transport/kind.ts';
import { parseJson } from '../../transport/response/judge.ts';
import { readPath } from '../checks/rules.ts';

/** The result of a `lookup`: a record that belongs to the call, or what its absence means. */
export type Found = { readonly record: object } | 'not-made' | undefined;

/**
 * Reads the result of a `lookup`. Only a record that shows its own id and belongs to the call proves a payment.
 *
 * @throws InvalidRequestError for a value that is no record, ResponseMismatchError for a record of another payment.
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
  const sent = bodyOf(call);
  for (const path of samePaths) {
    const isAmount = path.endsWith('amount');
    if (!isSame(readPath(sent, path), readPath(details, path), isAmount)) throw ofAnother(error, path);
  }
  if (error.operation === 'approvals.approve' || error.operation === 'approvals.reject')
    return readDecision(own, error, call);
  return { record: own };
}

function bodyOf(call: FailedCall | undefined): unknown {
  const body = call?.sent.body;
  const json = typeof body === 'string' ? parseJson(body) : undefined;
  return json?.ok === true ? json.value : undefined;
}

const isId = (id: unknown): boolean => (typeof id === 'string' && id.trim() !== '') || typeof id === 'number';

function checkRequestId(shown: unknown, requestId: string, error: PaymentsError): void {
  if (typeof shown !== 'string') throw useless(error, 'an object without a `requestId`');
  if (plainId(shown) !== plainId(requestId)) throw ofAnother(error, 'requestId');
}

/** What was sent and what a record shows at the same place. */
const samePaths: readonly string[] = [
  'amount',
  'source.amount',
  'destination.amount',
  'source.userId',
  'source.externalWalletId',
  'destination.userId',
  'destination.walletAddress',
  'destination.externalWalletId',
  'destination.accountId',
];

function isSame(sent: unknown, shown: unknown, isAmount: boolean): boolean {
  if (sent === undefined || sent === null || shown === undefined || shown === null) return true;
  if (isAmount) return Number(sent) === Number(shown);
  return plainId(String(sent)) === plainId(String(shown));
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

const still = 'The outcome of the call is still unknown.';

const useless = ({ operation, requestId }: PaymentsError, what: string) =>
  new InvalidRequestError(
    `resolve: \`lookup\` must return the record with its \`id\` and \`requestId\`, 'not-made' if there is certainly none, or undefined while it cannot tell, but it returned ${what}. ${still}`,
    { operation, requestId, outcome: 'unknown', field: 'lookup' },
  );

const ofAnother = ({ operation, requestId }: PaymentsError, path: string) =>
  new ResponseMismatchError(
    `resolve: \`lookup\` returned a record of another call: its \`${path}\` differs from what was sent. ${still} Look the record up by its requestId.`,
    { operation, requestId, path },
  );

/**
 * How a payment ended.
 *
 * - `paid`: the record says `COMPLETED`.
 * - `not-paid`: it ended without moving money.
 * - `check`: it failed on the way, or the money came back.
 */
export type PaymentEnd = 'paid' | 'not-paid' | 'check';

const endedWithoutMoney: readonly string[] = [
  'FAILED',
  'CANCELLED',
  'CANCELED',
  'REJECTED',
  'EXPIRED',
  'QUOTE_FAILED',
];

/** Returns how the payment of a record ended, and the status that says so; undefined while it has not ended. */
export function endOf(record: unknown): { readonly ended: PaymentEnd; readonly status: string } | undefined {
  const details = readPath(record, 'transferDetails') ?? record;
  const status = statusAt(details, 'status');
  if (status === 'COMPLETED') return { ended: 'paid', status };
  // A transfer whose approval was refused never executes, whatever its own status still says.
  const decided = statusAt(details, 'approval.status') || statusAt(details, 'receipt.approval.status');
  const refused = decided === 'REJECTED' || decided === 'EXPIRED' ? decided : status;
  if (endedWithoutMoney.includes(refused)) return { ended: 'not-paid', status: refused };
  return /_(?:FAILED|RETURNED)$/.test(status) ? { ended: 'check', status } : undefined;
}

function statusAt(details: unknown, path: string): string {
  const status = readPath(details, path);
  return typeof status === 'string' ? status.toUpperCase() : '';
}
