import { field, textAt } from './api.ts';

const GOOD = ['COMPLETED', 'ACTIVE', 'APPROVED', 'delivered'];
const BAD = /FAILED|REJECTED|RETURNED|EXPIRED|CANCELLED|given-up|no response/;

/** The color of a status. */
export function mood(status: string): 'good' | 'bad' | 'wait' | '' {
  if (GOOD.includes(status) || /^2\d\d$/.test(status)) return 'good';
  if (BAD.test(status) || /^[5]\d\d$/.test(status)) return 'bad';
  return status === '' || status === 'UNKNOWN' || /^3\d\d$/.test(status) ? '' : 'wait';
}

export function short(id: unknown): string {
  const text = String(id ?? '');
  return /^[0-9a-f]{8}-/i.test(text) ? text.slice(0, 8) : text;
}

export function when(iso: unknown): string {
  return typeof iso === 'string' ? iso.slice(0, 19).replace('T', ' ') : '';
}

/** A number without the dust of binary fractions: six decimals are all that an amount has. */
export function plain(value: number): string {
  return String(Number(value.toFixed(6)));
}

export function money(amount: unknown, currency: unknown, chain?: unknown): string {
  const exact = typeof amount === 'number' ? plain(amount) : amount;
  const parts = [exact, currency, typeof chain === 'string' ? `on ${chain}` : undefined];
  return parts.filter((part) => part !== undefined && part !== null).join(' ');
}

/** A length of time in its two largest units. */
function lengthOf(milliseconds: number): string {
  const units: [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ];
  let rest = Math.max(0, milliseconds);
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
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
  return at === '' ? undefined : { at, what: 'until the next attempt' };
}

export function timeLeft(record: unknown, now: string): string {
  const deadline = deadlineOf(record);
  if (deadline === undefined) return '';
  const rest = Date.parse(deadline.at) - Date.parse(now);
  return `${lengthOf(rest)} ${deadline.what}`;
}
