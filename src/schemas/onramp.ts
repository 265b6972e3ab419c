import { lazy, openEnum, optionalText, shape } from './common.ts';
import { inboundObject, onrampDepositInfo } from './deposit.ts';
import { quoteInformation } from './quote.ts';
import * as z from './zod.ts';

/** The statuses of an onramp that the service documents. The service may add others. */
export const OnrampStatus = {
  /** Not begun. */
  NOT_INITIATED: 'NOT_INITIATED',
  /** Created. */
  CREATED: 'CREATED',
  /** Has a quote that can be refreshed. */
  OPEN_QUOTE: 'OPEN_QUOTE',
  /** The payment was started. */
  FIAT_INITIATED: 'FIAT_INITIATED',
  /** Waits for the deposit. */
  AWAITING_FUNDS: 'AWAITING_FUNDS',
  /** The payment is on its way. */
  FIAT_PENDING: 'FIAT_PENDING',
  /** The payment has arrived. */
  FIAT_PROCESSED: 'FIAT_PROCESSED',
  /** The coins were sent for. */
  CRYPTO_INITIATED: 'CRYPTO_INITIATED',
  /** The coins are on their way. */
  CRYPTO_PENDING: 'CRYPTO_PENDING',
  /** Done. */
  COMPLETED: 'COMPLETED',
  /** The payment failed. */
  FIAT_FAILED: 'FIAT_FAILED',
  /** The payment was returned. */
  FIAT_RETURNED: 'FIAT_RETURNED',
  /** The coins could not be sent. */
  CRYPTO_FAILED: 'CRYPTO_FAILED',
  /** The quote could not be kept. */
  QUOTE_FAILED: 'QUOTE_FAILED',
  /** Nothing arrived in time. */
  EXPIRED: 'EXPIRED',
  /** Called off. */
  CANCELLED: 'CANCELLED',
  /** The service cannot tell; look again later. */
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

/** `INTERNAL_ERROR`, `EXPIRED`, `AMOUNT_TOO_LOW` or `TRANSACTION_REJECTED`: what was seen in the `error` field of failed onramps. */
export type OnrampFailureCode = (typeof onrampFailureCodes)[number];

const party = lazy(() =>
  z.looseObject({
    /** E-mail address. Personal data. */
    email: optionalText(),
    /** Last name. Personal data. */
    lastName: optionalText(),
    /** First name. Personal data. */
    firstName: optionalText(),
    /** Name of a business. */
    businessName: optionalText(),
  }),
);

const source = lazy(() =>
  z.looseObject({
    /** The paying user. */
    userId: z.string(),
    /** Fiat currency in lower case. */
    currency: z.string(),
    /** Amount in units of the currency. */
    amount: z.number(),
    /** The registered account, or null for a one-time deposit. */
    accountId: optionalText(),
    /** Who pays. */
    user: z.nullish(party()),
    /** How the payment arrived; null until it has. Bank data. */
    bankInfo: z.nullish(inboundObject()),
  }),
);

const destination = lazy(() =>
  z.looseObject({
    /** The receiving user. */
    userId: z.string(),
    /** Stablecoin in lower case. */
    currency: z.string(),
    /** Network name. */
    chain: z.string(),
    /** Where the coins go. */
    walletAddress: optionalText(),
    /** The external wallet, if it is one. */
    externalWalletId: optionalText(),
    /** What arrives, in units of the currency; null while it is open. */
    amount: z.nullish(z.number()),
    /** Who receives. */
    user: z.nullish(party()),
  }),
);

const onramp = lazy(() =>
  z.looseObject({
    /** Kind of transfer. */
    transferType: z.string(),
    /** The transfer's record. */
    transferDetails: z.looseObject({
      /** The transfer's id: what `refreshQuote` takes. */
      id: z.string(),
      /** The idempotency id that it was created with. */
      requestId: z.string(),
      /** When it was created. */
      createdAt: z.string(),
      /** When it last changed. */
      updatedAt: z.string(),
      /** One of `OnrampStatus`, or what the service adds. */
      status: openEnum(Object.values(OnrampStatus)),
      /** Why it failed; null when it has not. */
      failedReason: optionalText(),
      /** Code of the failure, in failed states. */
      error: z.nullish(openEnum(onrampFailureCodes)),
      /** Words on the failure, in failed states. */
      errorDetails: optionalText(),
      /** Where the fiat comes from. */
      source: source(),
      /** Where the stablecoins go. */
      destination: destination(),
      /** `transactionHash` is set once the coins are on the chain. */
      receipt: z.nullish(
        z.looseObject({
          /** The transaction; null until it is on the chain. */
          transactionHash: optionalText(),
        }),
      ),
      /** Your fee; null when there is none. The spec does not show its fields. */
      developerFee: z.nullish(z.looseObject({})),
      /** The virtual account, if it came through one. */
      virtualAccountId: optionalText(),
      /** The quote. */
      quoteInformation: z.nullish(quoteInformation()),
      /** Where to pay in, for a one-time deposit. */
      depositInfo: z.nullish(onrampDepositInfo()),
    }),
  }),
);

/** An onramp: fiat in, stablecoins out. The spec's "Onramp object". */
export interface Onramp extends z.infer<ReturnType<typeof onramp>> {}

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
