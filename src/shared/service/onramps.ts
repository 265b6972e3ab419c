import * as z from 'zod/mini';
import {
  amount,
  flag,
  lazy,
  looseObject,
  matching,
  maybeText,
  notWith,
  nullishText,
  requestId,
  strictObject,
  text,
  texts,
} from '../schema/schema.ts';
import { type InboundObject, inboundObject, type OnrampDepositInfo, onrampDepositInfo } from './deposits.ts';
import {
  type Chain,
  type FeeParams,
  type FiatCurrency,
  feeParams,
  type GivenAmount,
  type KeyedParams,
  type OpenAmount,
  type PartyUser,
  type PurposeOfPayment,
  partyUser,
  type QuoteInformation,
  quoteInformation,
  type Stablecoin,
} from './fields.ts';
import { type PaymentRecord, paymentFields } from './payment-records.ts';

/** The statuses of an onramp. The service may add others. */
export const OnrampStatus = {
  /** Not started. */
  NOT_INITIATED: 'NOT_INITIATED',
  /** Created. */
  CREATED: 'CREATED',
  /** The onramp has a quote. Only in this status can the quote be refreshed. */
  OPEN_QUOTE: 'OPEN_QUOTE',
  /** The bank payment was started. */
  FIAT_INITIATED: 'FIAT_INITIATED',
  /** The onramp waits for the deposit. */
  AWAITING_FUNDS: 'AWAITING_FUNDS',
  /** The bank payment is on its way. */
  FIAT_PENDING: 'FIAT_PENDING',
  /** The bank payment arrived. */
  FIAT_PROCESSED: 'FIAT_PROCESSED',
  /** The on-chain transfer was requested. */
  CRYPTO_INITIATED: 'CRYPTO_INITIATED',
  /** The on-chain transfer is not confirmed yet. */
  CRYPTO_PENDING: 'CRYPTO_PENDING',
  /** The recipient has the stablecoins. */
  COMPLETED: 'COMPLETED',
  /** The bank payment failed; see `error` and `errorDetails`. */
  FIAT_FAILED: 'FIAT_FAILED',
  /** The bank payment was returned. */
  FIAT_RETURNED: 'FIAT_RETURNED',
  /** The on-chain transfer failed; see `error` and `errorDetails`. */
  CRYPTO_FAILED: 'CRYPTO_FAILED',
  /** The quote could not be honored; see `error` and `errorDetails`. */
  QUOTE_FAILED: 'QUOTE_FAILED',
  /** No deposit arrived in time. */
  EXPIRED: 'EXPIRED',
  /** The onramp was cancelled. */
  CANCELLED: 'CANCELLED',
  /** The service cannot tell; read the onramp again later. */
  UNKNOWN: 'UNKNOWN',
} as const;

/** A documented onramp status. */
export type OnrampStatus = (typeof OnrampStatus)[keyof typeof OnrampStatus];

/** A documented failure code: the `error` field of a failed onramp. */
export type OnrampFailureCode = 'INTERNAL_ERROR' | 'EXPIRED' | 'AMOUNT_TOO_LOW' | 'TRANSACTION_REJECTED';

/** An onramp: a user sends fiat and receives stablecoins (spec: Onramp object). */
export interface Onramp {
  /** `ONRAMP`. The service does not document the value. */
  transferType: 'ONRAMP' | (string & {});
  /** The onramp itself. */
  transferDetails: OnrampDetails;
}

/** The record of an onramp, the same after creation and after a refresh of the quote. */
export interface OnrampDetails extends PaymentRecord {
  /** The transfer id, a UUID. Pass it to `onramps.refreshQuote`. */
  id: string;
  /** The idempotency key that the onramp was created with, a UUID. */
  requestId: string;
  /** In ISO 8601. */
  createdAt: string;
  /** The time of the last change, in ISO 8601. */
  updatedAt: string;
  /** One of `OnrampStatus`, or a status that the service adds. */
  status: OnrampStatus | (string & {});
  /** The code of the failure. Present only in failed statuses. */
  error?: OnrampFailureCode | (string & {}) | null;
  /** As given to `onramps.create`. */
  purposeOfPayment?: PurposeOfPayment | null;
  /** As given to `onramps.create`. Not documented; some services send it. */
  isInstant?: boolean | null;
  /** The payer and the fiat currency. */
  source: OnrampSource;
  /** The recipient and the stablecoin. */
  destination: OnrampDestination;
  /** The on-chain transaction. */
  receipt?: OnrampReceipt | null;
  /** The virtual account that the fiat came through; null when none. */
  virtualAccountId?: string | null;
  /** Of a quote-based onramp. `onramps.refreshQuote` replaces it. */
  quoteInformation?: QuoteInformation | null;
  /** The bank details for a one-time deposit. Null while a quote is open. */
  depositInfo?: OnrampDepositInfo | null;
}

/** The sender of the fiat of an onramp. */
export interface OnrampSource {
  /** The user who pays, a UUID. */
  userId: string;
  /** In lower case, such as `usd`. */
  currency: FiatCurrency;
  /** The amount in units of the currency; null while only the amount to receive is known. */
  amount?: number | null;
  /** The rail of the bank payment, such as `ach`. */
  transferType?: 'ach' | 'wire' | (string & {}) | null;
  /** The registered account; null for a one-time deposit. */
  accountId?: string | null;
  /** Personal data. */
  user?: PartyUser | null;
  /** The details of the payment that arrived; null before it arrives. Bank data. */
  bankInfo?: InboundObject | null;
}

/** The recipient of the stablecoins of an onramp. */
export interface OnrampDestination {
  /** The user who receives, a UUID. */
  userId?: string | null;
  /** In lower case, such as `usdc`. */
  currency: Stablecoin;
  /** May be more exact than you gave it, such as `POLYGON_MAINNET`. */
  chain: Chain;
  /** The wallet that receives, in the format of `chain`. */
  walletAddress?: string | null;
  /** The receiving wallet outside the service; null when none. */
  externalWalletId?: string | null;
  /** The amount that arrives in units of the stablecoin; null while it is open. */
  amount?: number | null;
  /** Personal data. */
  user?: PartyUser | null;
}

/** The on-chain transaction of an onramp. */
export interface OnrampReceipt {
  /** The hash of the transaction; null until it is on the chain. */
  transactionHash?: string | null;
}

/** Parameters of `onramps.create`. Give `source.amount` ("send this much") or `destination.amount` ("receive this much"). */
export type OnrampCreateParams = OnrampOptions &
  (
    | {
        /** The payer, the fiat currency, and the amount to send. */
        source: OnrampPayerParams & GivenAmount;
        /** The recipient of the stablecoins: a user of the service, or an external wallet. */
        destination: OnrampDestinationParams & OpenAmount;
      }
    | {
        /** The payer and the fiat currency. */
        source: OnrampPayerParams & OpenAmount;
        /** The recipient of the stablecoins, and the amount to receive. */
        destination: OnrampDestinationParams & GivenAmount;
      }
  );

interface OnrampOptions extends KeyedParams {
  /** The purpose of the payment. Most services require it for African currencies. */
  purposeOfPayment?: PurposeOfPayment;
  /** A fee that you charge. Null means that there is no fee. Not documented; some services take it. */
  fee?: FeeParams | null;
  /** Not documented; some services take it. Its effect is the service's own. */
  isInstant?: boolean;
}

interface OnrampPayerParams {
  /** The user who pays, a UUID. Needs an active rail for the currency. */
  userId: string;
  /** In lower case, such as `usd`. */
  currency: FiatCurrency;
  /** The rail of the bank payment, in lower case. */
  transferType?: 'ach' | 'wire' | (string & {});
  /** A registered account. Leave it out for a one-time USD deposit. African currencies need it. */
  accountId?: string;
}

type OnrampDestinationParams = OnrampUserDestinationParams | OnrampWalletDestinationParams;

/** An onramp that pays a user of the service. */
interface OnrampUserDestinationParams {
  /** The user who receives, a UUID. */
  userId: string;
  /** In lower case, such as `usdc`. */
  currency: Stablecoin;
  /** In upper case, such as `POLYGON`. */
  chain: Chain;
  /** Left out, or null: the user receives. */
  externalWalletId?: null;
}

/** An onramp that pays an external wallet, which has a currency and a chain of its own. */
interface OnrampWalletDestinationParams {
  /** The wallet outside the service that receives: an `id` of `externalWallets.list`. */
  externalWalletId: string;
  /** In lower case, such as `usdc`. */
  currency?: Stablecoin;
  /** In upper case, such as `POLYGON`. */
  chain?: Chain;
  /** Left out, or null: the wallet receives. */
  userId?: null;
}

const onrampSource = /* @__PURE__ */ lazy(() =>
  matching<OnrampSource>()(
    looseObject({
      userId: z.string(),
      currency: z.string(),
      amount: z.nullish(z.number()),
      ...texts('transferType', 'accountId'),
      user: z.nullish(partyUser()),
      bankInfo: z.nullish(inboundObject()),
    }),
  ),
);

const onrampDestination = /* @__PURE__ */ lazy(() =>
  matching<OnrampDestination>()(
    looseObject({
      userId: nullishText(),
      currency: z.string(),
      chain: z.string(),
      ...texts('walletAddress', 'externalWalletId'),
      amount: z.nullish(z.number()),
      user: z.nullish(partyUser()),
    }),
  ),
);

export const onramp = /* @__PURE__ */ lazy(() =>
  matching<Onramp>()(
    looseObject({
      transferType: z.string(),
      transferDetails: matching<OnrampDetails>()(
        looseObject({
          ...paymentFields(),
          requestId: z.string(),
          createdAt: z.string(),
          updatedAt: z.string(),
          ...texts('purposeOfPayment', 'virtualAccountId'),
          isInstant: z.nullish(z.boolean()),
          source: onrampSource(),
          destination: onrampDestination(),
          receipt: z.nullish(matching<OnrampReceipt>()(looseObject(texts('transactionHash')))),
          quoteInformation: z.nullish(quoteInformation()),
          depositInfo: z.nullish(onrampDepositInfo()),
        }),
      ),
    }),
  ),
);

const african = /^(?:ngn|ugx|kes|zmw|mwk|rwf|tzs|xaf|xof|bwp|cdf|ghs|zar)$/i;

const onrampPayerParams = <Amount extends z.ZodMiniType>(itsAmount: Amount) =>
  strictObject({
    userId: text(),
    currency: text(),
    amount: itsAmount,
    transferType: maybeText(),
    accountId: maybeText(),
  }).check(
    // The service has no one-time deposits in the currencies of Africa.
    z.refine(({ currency, accountId }) => accountId !== undefined || !african.test(currency), {
      path: ['accountId'],
      error: 'is missing: African currencies need an active account (`accounts.create`)',
      abort: true,
      params: { kind: 'rule' },
    }),
  );

const onrampRecipientParams = <Amount extends z.ZodMiniType>(itsAmount: Amount) =>
  z.union([
    strictObject({
      userId: text(),
      externalWalletId: notWith('userId'),
      currency: text(),
      chain: text(),
      amount: itsAmount,
    }),
    strictObject({
      userId: notWith('externalWalletId'),
      externalWalletId: text(),
      currency: maybeText(),
      chain: maybeText(),
      amount: itsAmount,
    }),
  ]);

const onrampOptionParams = /* @__PURE__ */ lazy(() => ({
  purposeOfPayment: maybeText(),
  fee: z.nullish(feeParams()),
  isInstant: z.optional(flag()),
}));

export const onrampCreateParams = /* @__PURE__ */ lazy(() =>
  matching<OnrampCreateParams>()(
    z.union([
      strictObject({
        requestId: z.exactOptional(requestId()),
        source: onrampPayerParams(amount()),
        destination: onrampRecipientParams(notWith('source.amount')),
        ...onrampOptionParams(),
      }),
      strictObject({
        requestId: z.exactOptional(requestId()),
        source: onrampPayerParams(notWith('destination.amount')),
        destination: onrampRecipientParams(amount()),
        ...onrampOptionParams(),
      }),
    ]),
  ),
);
