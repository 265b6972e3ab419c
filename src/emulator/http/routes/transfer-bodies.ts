import * as z from 'zod';
import { amount, object, optionalText, requestId, text } from '../reading/request-body.ts';
import { fee } from './money-fields.ts';

const requireApproval = z.boolean({ error: 'must be true or false' }).nullish();
const source = object({
  userId: text,
  currency: optionalText,
  chain: optionalText,
  amount: amount.optional(),
});
const recipient = {
  userId: optionalText,
  walletAddress: optionalText,
  currency: optionalText,
  chain: optionalText,
  amount: amount.optional(),
};
const common = {
  requestId,
  amount: amount.optional(),
  currency: optionalText,
  chain: optionalText,
  requireApproval,
  fee,
};

export const walletTransfer = object({
  ...common,
  source,
  destination: object(recipient),
  amount,
  currency: text,
  chain: text,
});

/** An amount of a batch: a number, or a decimal text. */
export const batchAmount = z.union([amount, z.string().regex(/^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,18})?$/)], {
  error: 'must be a finite number greater than 0, or a decimal text such as "0.01"',
});

/** One recipient of a batch. */
export const batchRecipient = object({
  userId: optionalText,
  walletAddress: optionalText,
  amount: batchAmount.optional(),
  currency: optionalText,
  chain: optionalText,
});

/** Where the recipients of a batch may stand: the description does not show it. */
export const RECIPIENT_LISTS = [
  'destination.batch',
  'recipients',
  'destinations',
  'batch',
  'transfers',
] as const;

const anything = z.unknown().optional();
export const batchTransfer = object({
  ...common,
  source,
  amount: batchAmount.optional(),
  destination: anything,
  recipients: anything,
  destinations: anything,
  batch: anything,
  transfers: anything,
});

/** The body of a batch as the description of the service has it: the recipients stand in `destination.batch`. */
export const documentedBatch = object({
  ...common,
  source,
  amount: batchAmount.optional(),
  destination: object({ batch: z.array(batchRecipient).min(1).max(50) }),
});

export const bridge = object({ ...common, source, destination: object(recipient).optional() });

export const offramp = object({
  ...common,
  purposeOfPayment: optionalText,
  description: optionalText,
  supportingDocumentType: optionalText,
  supportingDocumentUrl: optionalText,
  source: source.extend({ userId: optionalText, externalWalletId: optionalText }),
  destination: object({
    ...recipient,
    accountId: optionalText,
    sameDayAch: z.boolean({ error: 'must be true or false' }).nullish(),
    achReference: limited(0, 10),
    wireMessage: wireMessage(),
    sepaReference: limited(6, 140),
    swiftReference: optionalText,
    swiftCharges: z.enum(['sha', 'our', 'SHA', 'OUR'], { error: "must be 'sha' or 'our'" }).nullish(),
    paymentReference: optionalText,
  }).optional(),
});

function limited(least: number, most: number) {
  const error =
    least === 0
      ? `must be a text of at most ${most} characters`
      : `must be a text of ${least} to ${most} characters`;
  return z.string({ error }).min(least, { error }).max(most, { error }).nullish();
}

/** Up to four lines of 35 characters, as one text or as a list. */
function wireMessage() {
  const error = 'must be at most four lines of 35 characters';
  const lines = (value: readonly string[]) => value.length <= 4 && value.every((line) => line.length <= 35);
  return z
    .union(
      [
        z.string().refine((value) => value.length <= 140 || lines(value.split('\n')), { error }),
        z.array(z.string()).refine(lines, { error }),
      ],
      { error },
    )
    .nullish();
}
