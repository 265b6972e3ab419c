import { PAYOUT_STATES, type PayoutState } from './payment.ts';

/** Throws the error for a value that is not valid. Its message begins with the name of the field or the option. */
export function refuse(problem: string): never {
  throw new RangeError(problem);
}

/** Returns a name as it is stored and made part of keys: composed Unicode without outer white space. */
export function canonical(what: string, name: string): string {
  if (typeof name !== 'string') refuse(`${what} must be text.`);
  const text = name.normalize('NFC').trim();
  if (text === '') refuse(`${what} must not be empty.`);
  if (/[\p{Cc}\p{Cs}]/u.test(text)) refuse(`${what} must not contain control characters.`);
  return text;
}

/** Returns a canonical month. Another way to write the same month must not become another payout. */
export function checkMonth(month: string): string {
  const text = canonical('month', month);
  if (!/^[0-9]{4}-(?:0[1-9]|1[0-2])$/.test(text)) {
    refuse(`month must be written as 2026-11, but is ${JSON.stringify(text)}.`);
  }
  return text;
}

/** Returns a state by which payouts can be selected. Another text would select none of them, in silence. */
export function checkState(state: PayoutState): PayoutState {
  if (!PAYOUT_STATES.includes(state)) refuse(`state must be one of ${PAYOUT_STATES.join(', ')}.`);
  return state;
}

/** Returns true for a text that can be an idempotency key: the database takes no other text for a UUID. */
const isKey = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Returns the idempotency key of a payment. */
export function checkRequestId(requestId: string): string {
  if (!isKey(requestId))
    refuse('requestId must be the idempotency key of a payment, a UUID. Nothing was changed.');
  return requestId;
}
