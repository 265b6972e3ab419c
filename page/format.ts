import { field, listAt, textAt } from './read.ts';

const GOOD = ['COMPLETED', 'ACTIVE', 'APPROVED', 'delivered'];
const BAD = /FAILED|REJECTED|RETURNED|EXPIRED|CANCELLED|given-up|response|reset|^E[A-Z]+$|^[45]\d\d$/;

/** The color of a status, of a payment or of a response. */
export function mood(status: string): 'good' | 'bad' | 'wait' | '' {
  if (GOOD.includes(status) || /^2\d\d$/.test(status)) return 'good';
  if (BAD.test(status)) return 'bad';
  return status === '' || status === 'UNKNOWN' || /^3\d\d$/.test(status) ? '' : 'wait';
}

export function short(id: unknown): string {
  const text = String(id ?? '');
  if (/^0x[0-9a-f]{12,}$/i.test(text)) return `${text.slice(0, 6)}…${text.slice(-4)}`;
  return /^[0-9a-f]{8}-/i.test(text) ? text.slice(0, 8) : text;
}

/** A text with each UUID in it cut to its start. */
export const shortened = (text: string): string =>
  text.replaceAll(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '$1');

export function when(iso: unknown): string {
  return typeof iso === 'string' ? iso.slice(0, 19).replace('T', ' ') : '';
}

/** A number of things: `1 attempt`, `2 attempts`. */
export const counted = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** The name of a currency, as people write it. */
export const unitOf = (currency: string): string => currency.toUpperCase();

const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** An amount with thousands and at least two decimals; `—` where there is none yet. */
export function amountOf(amount: unknown): string {
  const value = amount === '' || amount === null || amount === undefined ? Number.NaN : Number(amount);
  return Number.isNaN(value) ? '—' : amounts.format(value);
}

export const money = (amount: unknown, currency: string): string =>
  `${amountOf(amount)} ${unitOf(currency)}`.trim();

/** A number without the dust of binary fractions: six decimals are all that an amount has. */
export function plain(value: number): string {
  return String(Number(value.toFixed(6)));
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** A length of time in its two largest units. */
export function lengthOf(milliseconds: number): string {
  let rest = Math.max(0, milliseconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}

/** The time from one instant to a later one: to the millisecond, where it is short. */
export function since(before: string, after: string): string {
  const milliseconds = Date.parse(after) - Date.parse(before);
  if (milliseconds >= 60_000) return `+${lengthOf(milliseconds)}`;
  return milliseconds < 1000 ? `+${milliseconds} ms` : `+${plain(milliseconds / 1000)} s`;
}

const DAY = 86_400_000;

/** Until when a record waits, and what for; `undefined` where it waits for nothing. */
function deadlineOf(record: unknown): { at: string; what: string } | undefined {
  const status = textAt(record, 'status') || textAt(record, 'transferDetails.status');
  if (field(record, 'votes') !== undefined && status === 'PENDING') {
    const days = textAt(record, 'transferType').startsWith('OFFRAMP') ? 1 : 7;
    const end = Date.parse(textAt(record, 'createdAt')) + days * DAY;
    return { at: new Date(end).toISOString(), what: 'to decide' };
  }
  if (status === 'OPEN_QUOTE') {
    const at = textAt(record, 'transferDetails.quoteInformation.expiresAt');
    return Number.isNaN(Date.parse(at)) ? undefined : { at, what: 'until the quote expires' };
  }
  if (status === 'AWAITING_FUNDS') {
    const at = textAt(record, 'transferDetails.depositInfo.depositBy');
    return at === '' ? undefined : { at, what: 'to deposit' };
  }
  const at = textAt(record, 'nextAttemptAt');
  return at === '' || listAt(record, 'attempts').length === 0
    ? undefined
    : { at, what: 'until the next attempt' };
}

export function timeLeft(record: unknown, now: string): string {
  const deadline = deadlineOf(record);
  if (deadline === undefined) return '';
  const rest = Date.parse(deadline.at) - Date.parse(now);
  return `${lengthOf(rest)} ${deadline.what}`;
}

/** The response as the client of a request saw it: faults on the network leave no status, or half a body. */
export function responseSeen(status: string, fault: string): string {
  const seen = SEEN[fault];
  return seen ?? (status || 'no response');
}

const SEEN: Readonly<Record<string, string>> = {
  'reset-before-commit': 'connection reset',
  'reset-after-commit': 'response lost',
  'stall-headers': 'no response',
  'stall-body': 'response stalled',
  'cut-body': 'response cut off',
  'malformed-json': 'malformed response',
};
