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

/** Reads a stored body; undefined if it is not one. */
export function readableBody(body: string): PaymentBody | undefined {
  try {
    const read: PaymentBody = JSON.parse(body);
    return isRecord(read) && isRecord(read.destination) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the body of the payment that takes over the recipients at these places. */
export function bodyUnder(body: PaymentBody, requestId: string, places: readonly number[]): string {
  if (!isBatch(body)) return JSON.stringify({ ...body, requestId });
  const batch = body.destination.batch.filter((_one, place) => places.includes(place));
  return JSON.stringify({ ...body, requestId, destination: { batch } });
}
