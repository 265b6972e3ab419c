import { plainId } from '../evidence/key-memory.ts';
import { isRecord, plainDecimal, valueAt } from '../shared/values.ts';

/**
 * The final result of a payment.
 *
 * - `paid`: the record says `COMPLETED`.
 * - `not-paid`: it ended without moving money.
 * - `check`: it failed on the way, the money came back, or not all recipients of a batch have the same result.
 */
export type PaymentResult = 'paid' | 'not-paid' | 'check';

/** The statuses of a payment that ended without moving money. */
export const endedWithoutMoney: readonly string[] = [
  'FAILED',
  'CANCELLED',
  'CANCELED',
  'REJECTED',
  'EXPIRED',
  'QUOTE_FAILED',
];

/** Returns how the payment of a record ended, and the status that says so; undefined while it has not ended. */
export function endOf(
  record: unknown,
): { readonly ended: PaymentResult; readonly status: string } | undefined {
  const details = detailsOf(record);
  const status = statusOf(details);
  // A transfer that waits for an approval that was refused never executes. One that executes may do so all the same.
  const decided = status === 'PENDING_APPROVAL' ? statusOf(approvalIn(details)) : status;
  const isMixed = recipientsIn(details).some((one) => hasOtherResult(one, decided));
  if (status === 'COMPLETED') return { ended: isMixed ? 'check' : 'paid', status };
  if (endedWithoutMoney.includes(decided)) return { ended: isMixed ? 'check' : 'not-paid', status: decided };
  return /_(?:FAILED|RETURNED)$/.test(status) ? { ended: 'check', status } : undefined;
}

/** Returns the approval that the details of a record show: services put it in one of two places. */
export const approvalIn = (details: unknown): Record<string, unknown> | undefined =>
  [valueAt(details, 'approval'), valueAt(details, 'receipt.approval')].find(isRecord);

/** Returns the recipients that a record of a batch shows. */
export function recipientsIn(details: unknown): readonly unknown[] {
  const shown = valueAt(details, 'destination.batch') ?? valueAt(details, 'recipients');
  return Array.isArray(shown) ? shown : [];
}

/** Returns true if a recipient of a batch that ended with a status was paid, or not paid, against that status. */
export function hasOtherResult(recipient: unknown, status: string): boolean {
  const own = statusOf(recipient);
  if (status !== 'COMPLETED') return endedWithoutMoney.includes(status) && own === 'COMPLETED';
  const failedReason = valueAt(recipient, 'failedReason');
  return (own !== '' && own !== status) || (typeof failedReason === 'string' && failedReason !== '');
}

/** Returns the idempotency key that a record shows, or undefined. */
export function requestIdOf(record: unknown): string | undefined {
  const id = valueAt(detailsOf(record), 'requestId') ?? valueAt(record, 'requestId');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The fields that stand at the same path in a request and in its record: amounts, currencies and the two sides. */
const comparedPaths: readonly string[] = [
  'amount',
  'source.amount',
  'destination.amount',
  'currency',
  'source.currency',
  'destination.currency',
  'source.userId',
  'source.externalWalletId',
  'destination.userId',
  'destination.walletAddress',
  'destination.externalWalletId',
  'destination.accountId',
];

/** Returns the paths at which a record shows another amount, currency, payer or payee than was sent. */
export function differencesOf(sent: unknown, record: unknown): readonly string[] {
  const details = detailsOf(record);
  const paths = comparedPaths.filter((path) => !isSame(sentAt(sent, path), valueAt(details, path), path));
  return hasSameRecipients(sent, details) ? paths : [...paths, 'destination.batch'];
}

/** The amount of a batch is that of all its recipients. */
function sentAt(sent: unknown, path: string): unknown {
  const value = valueAt(sent, path);
  const batch = valueAt(sent, 'destination.batch');
  if (path !== 'amount' || value !== undefined || !Array.isArray(batch)) return value;
  return batch.reduce<number>((sum, one) => sum + Number(valueAt(one, 'amount')), 0);
}

const payeeFields: readonly string[] = ['userId', 'walletAddress'];

/**
 * Compares users with users and wallets with wallets, as a record may show one for the other. A list that does not show a
 * payee and an amount for each recipient proves nothing.
 */
function hasSameRecipients(sent: unknown, details: unknown): boolean {
  const wanted = valueAt(sent, 'destination.batch');
  const shown = recipientsIn(details);
  if (!Array.isArray(wanted) || ![wanted, shown].every(showsShares)) return true;
  return (
    wanted.length === shown.length &&
    payeeFields.every((field) => {
      const [lines, others] = [linesOf(wanted, field), linesOf(shown, field)];
      return others.length === 0 || lines.every((line) => timesIn(others, line) >= timesIn(lines, line));
    })
  );
}

const showsShares = (batch: readonly unknown[]): boolean =>
  batch.length > 0 && batch.every((one) => payeeFields.some((field) => linesOf([one], field).length > 0));

/** Returns the amount and the payee of each recipient that has the field. */
const linesOf = (batch: readonly unknown[], field: string): string[] =>
  batch.flatMap((one) => {
    const [id, amount] = [valueAt(one, field), Number(valueAt(one, 'amount') ?? Number.NaN)];
    return typeof id === 'string' && !Number.isNaN(amount)
      ? `${amount.toPrecision(digits)} ${plainId(id)}`
      : [];
  });

const timesIn = (lines: readonly string[], line: string): number =>
  lines.filter((one) => one === line).length;

function isSame(sent: unknown, shown: unknown, path: string): boolean {
  if ([sent, shown].some((value) => value === undefined || value === null || value === '')) return true;
  if (path.endsWith('amount')) return isSameAmount(sent, shown);
  if (path.endsWith('currency')) return !isOtherCurrency(sent, shown);
  return plainId(String(sent)) === plainId(String(shown));
}

/** The significant digits that a number of JSON is sure to keep. */
const digits = 15;

/**
 * Compares decimal strings digit by digit, and a number by the digits that it has. A value that is not an amount equals
 * no amount.
 */
function isSameAmount(sent: unknown, shown: unknown): boolean {
  if (typeof sent === 'string' && typeof shown === 'string') {
    const plain = plainDecimal(sent);
    return plain !== undefined && plain === plainDecimal(shown);
  }
  const [one, other] = [sent, shown].map((amount) =>
    typeof amount === 'number' ? amount : Number(plainDecimal(amount) ?? Number.NaN),
  );
  return Number.isFinite(one) && one?.toPrecision(digits) === other?.toPrecision(digits);
}

const currencyCode = /^[a-z]{3,5}$/i;

/** Returns true if both are codes of currencies and differ. A name such as `USD Coin` proves no other currency. */
const isOtherCurrency = (sent: unknown, shown: unknown): boolean =>
  [sent, shown].every((code) => typeof code === 'string' && currencyCode.test(code)) &&
  String(sent).toLowerCase() !== String(shown).toLowerCase();

/** Returns the details of a record; a record without them shows its fields at the top. */
const detailsOf = (record: unknown): unknown => valueAt(record, 'transferDetails') ?? record;

/** Returns a status in upper case, or an empty text. */
export function statusOf(details: unknown): string {
  const status = valueAt(details, 'status');
  return typeof status === 'string' ? status.toUpperCase() : '';
}
