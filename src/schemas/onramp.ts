import { lazy, openEnum, optionalText, shape } from './common.ts';
import { inboundObject, onrampDepositInfo } from './deposit.ts';
import { quoteInformation } from './quote.ts';
import * as z from './zod.ts';

/** The statuses of an onramp that the service documents. The service may add others. */
export const OnrampStatus = {
  NOT_INITIATED: 'NOT_INITIATED',
  CREATED: 'CREATED',
  OPEN_QUOTE: 'OPEN_QUOTE',
  FIAT_INITIATED: 'FIAT_INITIATED',
  AWAITING_FUNDS: 'AWAITING_FUNDS',
  FIAT_PENDING: 'FIAT_PENDING',
  FIAT_PROCESSED: 'FIAT_PROCESSED',
  CRYPTO_INITIATED: 'CRYPTO_INITIATED',
  CRYPTO_PENDING: 'CRYPTO_PENDING',
  COMPLETED: 'COMPLETED',
  FIAT_FAILED: 'FIAT_FAILED',
  FIAT_RETURNED: 'FIAT_RETURNED',
  CRYPTO_FAILED: 'CRYPTO_FAILED',
  QUOTE_FAILED: 'QUOTE_FAILED',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'CANCELLED',
  UNKNOWN: 'UNKNOWN',
} as const;

/** A documented onramp status. */
export type OnrampStatus = (typeof OnrampStatus)[keyof typeof OnrampStatus];

/** Failure codes seen in the `error` field of a failed onramp. */
export const onrampFailureCodes = [
  'INTERNAL_ERROR',
  'EXPIRED',
  'AMOUNT_TOO_LOW',
  'TRANSACTION_REJECTED',
] as const;

/** A failure code seen in the `error` field of a failed onramp. */
export type OnrampFailureCode = (typeof onrampFailureCodes)[number];

const party = lazy(() =>
  z.looseObject({
    email: optionalText(),
    lastName: optionalText(),
    firstName: optionalText(),
    businessName: optionalText(),
  }),
);

const source = lazy(() =>
  z.looseObject({
    userId: z.string(),
    currency: z.string(),
    amount: z.number(),
    accountId: optionalText(),
    user: z.nullish(party()),
    bankInfo: z.nullish(inboundObject()),
  }),
);

const destination = lazy(() =>
  z.looseObject({
    userId: z.string(),
    currency: z.string(),
    chain: z.string(),
    walletAddress: optionalText(),
    externalWalletId: optionalText(),
    amount: z.nullish(z.number()),
    user: z.nullish(party()),
  }),
);

const onramp = lazy(() =>
  z.looseObject({
    transferType: z.string(),
    transferDetails: z.looseObject({
      id: z.string(),
      requestId: z.string(),
      createdAt: z.string(),
      updatedAt: z.string(),
      status: openEnum(Object.values(OnrampStatus)),
      failedReason: optionalText(),
      error: z.nullish(openEnum(onrampFailureCodes)),
      errorDetails: optionalText(),
      source: source(),
      destination: destination(),
      receipt: z.nullish(z.looseObject({ transactionHash: optionalText() })),
      developerFee: z.nullish(z.looseObject({})),
      virtualAccountId: optionalText(),
      quoteInformation: z.nullish(quoteInformation()),
      depositInfo: z.nullish(onrampDepositInfo()),
    }),
  }),
);

/** An onramp: fiat in, stablecoins out. The spec's "Onramp object". */
export type Onramp = z.infer<ReturnType<typeof onramp>>;

export const onrampShape = shape<Onramp>(onramp, ['transferDetails.id', 'transferDetails.status']);

/** What `onramps.create` takes. Fields that the service does not document may be added. */
export interface OnrampCreateParams {
  /** Idempotency id, a UUID. Made by the client when left out; see `requestIdFrom` for one of your own. */
  requestId?: string;
  /** Where the fiat comes from. */
  source: {
    /** The paying user. */
    userId: string;
    /** Fiat currency in lower case, such as `usd`. */
    currency: string;
    /** Amount in units of the currency; finite and above 0. */
    amount: number;
    /** How the fiat travels, such as `ach`. */
    transferType?: string;
    /** A registered onramp account. Leave it out for a one-time USD deposit; African currencies need it. */
    accountId?: string;
    /** Fields that the spec does not show. */
    [field: string]: unknown;
  };
  /** Where the stablecoins go. */
  destination: {
    /** The receiving user. */
    userId: string;
    /** Stablecoin in lower case, such as `usdc`. */
    currency: string;
    /** Network name in upper case. */
    chain: string;
    /** Fields that the spec does not show. */
    [field: string]: unknown;
  };
  /** Fields that the spec does not show. */
  [field: string]: unknown;
}
