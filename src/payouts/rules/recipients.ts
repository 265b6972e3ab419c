import { valueAt } from '../../shared/values.ts';
import type { PaymentBody } from './body.ts';
import { endedWithoutMoney, plainId, recipientsIn, statusOf } from './evidence.ts';
import type { RecipientState } from './situation.ts';

type Result = 'paid' | 'not-paid' | 'under-way' | 'unclear';

const UNDER_WAY: readonly string[] = ['NOT_INITIATED', 'CREATED', 'INITIATED', 'PENDING', 'PENDING_APPROVAL'];

/**
 * Reads the result of one recipient from the documented statuses of a transfer. Any other status, such as `SUCCESS`, says
 * nothing: the recipient of a batch that was paid has the result of the batch, and one of a batch that was not is unclear.
 */
function resultOf(recipient: unknown, ended: 'paid' | 'not-paid'): Result | undefined {
  const status = statusOf(recipient);
  const failedReason = valueAt(recipient, 'failedReason');
  if (endedWithoutMoney.includes(status) || (typeof failedReason === 'string' && failedReason !== ''))
    return 'not-paid';
  if (status === 'COMPLETED') return 'paid';
  if (UNDER_WAY.includes(status)) return 'under-way';
  return status !== '' && ended === 'not-paid' ? 'unclear' : undefined;
}

const OTHERS: Readonly<Record<Result, Omit<RecipientState, 'place'>>> = {
  paid: { state: 'paid', reason: 'RECIPIENT_PAID' },
  'not-paid': { state: 'rejected', reason: 'RECIPIENT_NOT_PAID' },
  'under-way': { state: 'undecided', reason: 'RECIPIENT_NOT_ENDED' },
  unclear: { state: 'undecided', reason: 'RECIPIENT_UNCLEAR' },
};

/**
 * Returns the recipients to which the record of a batch that ended gives another result than to the batch.
 *
 * @param places - The places of the recipients in the order, as they stand in the body.
 */
export function otherResults(
  details: unknown,
  body: PaymentBody,
  places: readonly number[],
  ended: 'paid' | 'not-paid',
): RecipientState[] {
  const batch = valueAt(body, 'destination.batch');
  if (!Array.isArray(batch)) return [];
  const shown = recipientsIn(details);
  const strangers = shown.filter((one) => !batch.some((recipient) => isSameRecipient(one, recipient)));
  const isAnybodys = strangers.some((one) => isOther(resultOf(one, ended), ended));
  return places.flatMap((place, index): RecipientState[] => {
    const own = shown.filter((one) => isSameRecipient(one, batch[index]));
    const results = new Set(own.map((one) => resultOf(one, ended)));
    // Several recipients look alike and have different results, or one is shown that cannot be told.
    if (results.size > 1 || (results.size === 0 && isAnybodys)) return [{ place, ...OTHERS.unclear }];
    const [result] = results;
    return isOther(result, ended) ? [{ place, ...OTHERS[result] }] : [];
  });
}

const isOther = (result: Result | undefined, ended: Result): result is Result =>
  result !== undefined && result !== ended;

function isSameRecipient(shown: unknown, recipient: unknown): boolean {
  const isPayee = ['userId', 'walletAddress'].some((field) => {
    const own = valueAt(recipient, field);
    const other = valueAt(shown, field);
    return typeof own === 'string' && typeof other === 'string' && plainId(own) === plainId(other);
  });
  const amount = valueAt(shown, 'amount');
  const isAmount =
    amount === undefined || amount === null || Number(amount) === Number(valueAt(recipient, 'amount'));
  return isPayee && isAmount;
}
