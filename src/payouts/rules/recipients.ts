import { endedWithoutMoney, statusOf } from '../../helpers/payment-record.ts';
import { plainId, recipientsIn } from '../../shared/outcome/comparison.ts';
import { valueAt } from '../../shared/values.ts';
import { isBatch, type PaymentBody } from './body.ts';
import type { RecordedState } from './payment.ts';

/** What a record says of a recipient: `unclear` where several recipients look alike and have different results. */
export interface RecipientResult {
  /** The place in the body of the batch, from 0. */
  readonly place: number;
  readonly result: 'paid' | 'not-paid' | 'under-way' | 'unclear';
}

const UNDER_WAY: readonly string[] = ['NOT_INITIATED', 'CREATED', 'INITIATED', 'PENDING', 'PENDING_APPROVAL'];

/**
 * Reads the result of one recipient from the documented statuses of a transfer. Any other status, such as `SUCCESS`, says
 * nothing: the recipient then has the result of the batch.
 */
export function resultOf(recipient: unknown): 'paid' | 'not-paid' | 'under-way' | undefined {
  const status = statusOf(recipient);
  const failedReason = valueAt(recipient, 'failedReason');
  if (endedWithoutMoney.includes(status) || (typeof failedReason === 'string' && failedReason !== ''))
    return 'not-paid';
  if (status === 'COMPLETED') return 'paid';
  return UNDER_WAY.includes(status) ? 'under-way' : undefined;
}

const batchResults: Partial<Record<RecordedState, 'paid' | 'not-paid'>> = {
  paid: 'paid',
  rejected: 'not-paid',
  expired: 'not-paid',
};

/** Returns the recipients to which a record gives another result than to the batch. */
export function otherResults(
  details: unknown,
  body: PaymentBody | undefined,
  state: RecordedState,
): readonly RecipientResult[] {
  if (body === undefined || !isBatch(body)) return [];
  const ofBatch = batchResults[state];
  const { batch } = body.destination;
  const shown = recipientsIn(details);
  // A batch that has not ended says of a recipient only that it was paid.
  const isOther = (result: ReturnType<typeof resultOf>) =>
    result !== undefined && result !== ofBatch && (ofBatch !== undefined || result === 'paid');
  const isAnybodys = shown
    .filter((one) => !batch.some((recipient) => isSame(one, recipient)))
    .some((one) => isOther(resultOf(one)));
  return batch.flatMap((recipient, place): RecipientResult[] => {
    const own = shown.filter((one) => isSame(one, recipient));
    const results = new Set(own.map(resultOf));
    const [result] = results;
    if (results.size > 1 || (own.length === 0 && isAnybodys)) return [{ place, result: 'unclear' }];
    return isOther(result) && result !== undefined ? [{ place, result }] : [];
  });
}

function isSame(shown: unknown, { userId, amount }: { userId: string; amount: string | number }): boolean {
  const [user, sum] = [valueAt(shown, 'userId'), valueAt(shown, 'amount')];
  if (typeof user !== 'string' || plainId(user) !== plainId(userId)) return false;
  return sum === undefined || sum === null || Number(sum) === Number(amount);
}
