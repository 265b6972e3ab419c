import { type PaymentBody, readBody } from './rules/body.ts';
import { type CallProof, proofOfError, proofOfRecord } from './rules/call-proof.ts';
import type { TransferRecord } from './rules/record.ts';
import type { PayoutPart } from './rules/situation.ts';
import type { PayoutClient } from './step-options.ts';

/** Calls the service once. The stored text is what every attempt sends. */
export async function callService(
  payments: PayoutClient,
  part: PayoutPart,
  deadline: number,
  onError: (error: unknown) => void,
): Promise<CallProof> {
  const body = readBody(part.body);
  if (body === undefined) return { kind: 'refused', reason: 'BODY_NOT_READABLE' };
  const options = { retries: 0, deadline, ...(part.doubtSince !== null && { inDoubt: true }) };
  try {
    return proofOfRecord(await send(payments, body, options), body, part.places);
  } catch (error) {
    const proof = proofOfError(error, body, part.places);
    if (proof.kind === 'open' && proof.reason === 'CALL_FAILED') onError(error);
    return proof;
  }
}

type CallOptions = Parameters<PayoutClient['transfers']['create']>[1];
type SingleParams = Parameters<PayoutClient['transfers']['create']>[0];
type BatchParams = Parameters<PayoutClient['transfers']['createBatch']>[0];

const send = (
  { transfers }: PayoutClient,
  body: PaymentBody,
  options: CallOptions,
): PromiseLike<TransferRecord> =>
  isBatch(body) ? transfers.createBatch(body, options) : transfers.create(toSingle(body), options);

const isBatch = (body: PaymentBody): body is PaymentBody & BatchParams => 'batch' in body.destination;

const toSingle = (body: PaymentBody): PaymentBody & SingleParams => {
  if (!isSingle(body)) throw new TypeError('The stored body is neither a transfer nor a batch.');
  return body;
};

const isSingle = (body: PaymentBody): body is PaymentBody & SingleParams =>
  !('batch' in body.destination) && body.amount !== undefined;
