import { requestIdFrom } from '../../shared/request-id.ts';
import { isRecord, jsonIn } from '../../shared/values.ts';
import type { CheckedOrder } from './order.ts';

/** The parameters of a transfer, as they were stored and are sent. */
export interface PaymentBody {
  readonly requestId: string;
  readonly source: { readonly userId: string };
  readonly destination: Payee | { readonly batch: readonly (Payee & { readonly amount: string })[] };
  readonly amount?: number;
  readonly currency: string;
  readonly chain: string;
  readonly requireApproval: boolean;
}

type Payee = { readonly userId: string } | { readonly walletAddress: string };

/**
 * Writes the body of a payment. It is stored as text, and every attempt sends it again: a service compares a retry with the
 * first request, and a database that reorders the fields of JSON would make it another one.
 */
export function writeBody(order: CheckedOrder, places: readonly number[], requestId: string): string {
  const recipients = order.recipients.filter((_one, place) => places.includes(place));
  const { payer, currency, chain, requireApproval } = order;
  const common = { currency, chain, requireApproval };
  const source = { userId: payer };
  const single = recipients.length === 1 ? recipients[0] : undefined;
  const body: PaymentBody =
    single === undefined
      ? {
          requestId,
          source,
          destination: { batch: recipients.map(({ payee, amount }) => ({ ...payee, amount })) },
          ...common,
        }
      : { requestId, source, destination: single.payee, amount: Number(single.amount), ...common };
  return JSON.stringify(body);
}

/** Reads a stored body; undefined if it is not one. */
export function readBody(text: string): PaymentBody | undefined {
  const body = jsonIn(text);
  return isBody(body) ? body : undefined;
}

const isBody = (value: unknown): value is PaymentBody =>
  isRecord(value) &&
  typeof value.requestId === 'string' &&
  isRecord(value.source) &&
  isRecord(value.destination);

/** Returns the idempotency key of a round of a payout. */
export const keyOfRound = (payer: string, id: string, round: number): string =>
  requestIdFrom('payouts', payer, id, round);

/** Returns the idempotency key of one half of a batch that was split. */
export const keyOfHalf = (requestId: string, half: 1 | 2): string =>
  requestIdFrom('payouts half', requestId, half);
