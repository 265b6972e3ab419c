import { differencesOf } from '../../evidence/record.ts';
import { isRecord } from '../../shared/values.ts';

interface CommonBody {
  readonly requestId: string;
  readonly source: { readonly userId: string };
  readonly currency: string;
  readonly chain: string;
  readonly requireApproval: boolean;
}

interface SingleBody extends CommonBody {
  readonly destination: { readonly userId: string };
  readonly amount: number;
}

interface BatchBody extends CommonBody {
  readonly destination: {
    readonly batch: readonly { readonly userId: string; readonly amount: string | number }[];
  };
}

/** The parameters of the request that a payment sends: of a single transfer or of a batch. */
export type PaymentBody = SingleBody | BatchBody;

/** Returns true for the body of a batch. */
export const isBatch = (body: PaymentBody): body is BatchBody => 'batch' in body.destination;

/** The form in which the service takes the amounts of a batch. */
export type BatchAmounts = 'text' | 'number';

/** The values of a payment's body. */
export interface BodyParts {
  readonly requestId: string;
  readonly payer: string;
  readonly currency: string;
  readonly chain: string;
  readonly needsApproval: boolean;
  readonly isBatch: boolean;
  readonly recipients: readonly { readonly payee: string; readonly amount: string }[];
}

/**
 * Writes the body of a payment. It is stored, and every attempt sends it again to the byte: a service compares a retry
 * with the first request.
 */
export function writeBody(
  { requestId, payer, currency, chain, needsApproval, isBatch, recipients }: BodyParts,
  batchAmounts: BatchAmounts,
): string {
  const common = { requestId, source: { userId: payer }, currency, chain, requireApproval: needsApproval };
  const batch = recipients.map(({ payee, amount }) => ({
    userId: payee,
    amount: batchAmounts === 'text' ? amount : Number(amount),
  }));
  const [first] = recipients;
  const body: PaymentBody = isBatch
    ? { ...common, destination: { batch } }
    : { ...common, destination: { userId: first?.payee ?? '' }, amount: Number(first?.amount) };
  return JSON.stringify(body);
}

/** Reads a stored body that somebody may have edited; undefined if it is not a body. */
export function readableBody(body: string): PaymentBody | undefined {
  try {
    const read: PaymentBody = JSON.parse(body);
    return isRecord(read) && isRecord(read.destination) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The rows that a body was written from. */
export interface BodyRows {
  readonly request_id: string;
  readonly payer: string;
  readonly body: string;
  /** The payees with their amounts, as JSON. */
  readonly recipients: string | null;
  readonly currency: string | null;
  readonly chain: string | null;
  readonly approval: boolean | null;
}

/** Reads the body of a payment; undefined if it is not the one of its rows, because somebody edited them. */
export function ownBody({ request_id, payer, recipients, ...row }: BodyRows): PaymentBody | undefined {
  const body = readableBody(row.body);
  if (body === undefined || recipients === null || body.requestId !== request_id) return undefined;
  if (body.chain !== row.chain || body.requireApproval !== row.approval) return undefined;
  const batch: readonly object[] = JSON.parse(recipients);
  const paid = isBatch(body) ? { destination: { batch } } : { ...batch[0], destination: batch[0] };
  const ordered = { source: { userId: payer }, currency: row.currency, ...paid };
  return differencesOf(body, ordered).length === 0 && (isBatch(body) || batch.length === 1)
    ? body
    : undefined;
}

/** Returns the body of the payment that takes over the recipients from one place to before another. */
export function bodyUnder(body: PaymentBody, requestId: string, from: number, to: number): string {
  if (!isBatch(body)) return JSON.stringify({ ...body, requestId });
  return JSON.stringify({
    ...body,
    requestId,
    destination: { batch: body.destination.batch.slice(from, to) },
  });
}
