import * as z from 'zod/mini';
import { lazy, nullishText, quantity, texts } from '../schema/schema.ts';
import { type TransferApproval, transferApproval } from './approvals.ts';
import {
  type Chain,
  type DeveloperFee,
  developerFee,
  type QuoteInformation,
  quoteInformation,
  type Stablecoin,
} from './fields.ts';

/** The fields that the record of every payment has. */
export interface PaymentRecord {
  /** Assigned by the service. It is not the `requestId`. */
  id: string;
  /** The idempotency key that the payment was created with, a UUID. */
  requestId?: string | null;
  /** In ISO 8601. */
  createdAt?: string | null;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** Other values than those of the type are possible. */
  status: string;
  /** The reason of the failure, as text; null if the payment did not fail. */
  failedReason?: string | null;
  /** The code of the failure. The codes of transfers are not documented. */
  error?: string | null;
  /** The explanation of the failure, for people. Do not parse it. */
  errorDetails?: string | null;
  /** Your fee; null when there is none. */
  developerFee?: DeveloperFee | null;
}

/** The fields that the records of payments in stablecoins have. */
export interface StablecoinPaymentRecord extends PaymentRecord {
  /** In units of `currency`, as a number or a decimal string. */
  amount?: number | string | null;
  /** The stablecoin in lower case. */
  currency?: Stablecoin | null;
  /** May be more exact than you gave it, such as `POLYGON_MAINNET`. */
  chain?: Chain | null;
  /** The approval that the payment waits for. Some records have it in `receipt`; `approvalOf` reads both. */
  approval?: TransferApproval | null;
}

/** The fields that the records of bridges and offramps have. */
export interface QuotedPaymentRecord extends StablecoinPaymentRecord {
  /** The fee of the service, in a form of its own. Narrow it before you use it. */
  fee?: unknown;
  /** The quote. With `requireApproval` it is made after the approval. */
  quoteInformation?: QuoteInformation | null;
}

export const paymentFields = /* @__PURE__ */ lazy(() => ({
  id: z.string(),
  status: z.string(),
  ...texts('requestId', 'createdAt', 'updatedAt', 'failedReason', 'error', 'errorDetails'),
  developerFee: z.nullish(developerFee()),
}));

export const stablecoinFields = /* @__PURE__ */ lazy(() => ({
  ...paymentFields(),
  amount: z.nullish(quantity()),
  currency: nullishText(),
  chain: nullishText(),
  approval: z.nullish(transferApproval()),
}));

export const quotedFields = /* @__PURE__ */ lazy(() => ({
  ...stablecoinFields(),
  fee: z.optional(z.unknown()),
  quoteInformation: z.nullish(quoteInformation()),
}));
