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
  quantity,
  requestId,
  strictObject,
  text,
  texts,
} from '../schema/schema.ts';
import {
  type Chain,
  type DeveloperFee,
  developerFee,
  developerFeeFields,
  type FiatCurrency,
  type GivenAmount,
  type KeyedParams,
  type OpenAmount,
  type PartyUser,
  type PurposeOfPayment,
  partyUser,
  type Stablecoin,
} from './fields.ts';
import { type QuotedPaymentRecord, quotedFields } from './payment-records.ts';
import { receiptFields, type TransferReceipt, type TransferStatus } from './transfers.ts';

/** A status of an offramp that this version lists. The service documents those of `TransferStatus` only. */
export type OfframpStatus =
  | TransferStatus
  | 'OPEN_QUOTE'
  | 'QUOTE_FAILED'
  | 'CRYPTO_INITIATED'
  | 'CRYPTO_PENDING'
  | 'CRYPTO_FAILED'
  | 'FIAT_INITIATED'
  | 'FIAT_PENDING'
  | 'FIAT_FAILED'
  | 'FIAT_RETURNED'
  | 'IN_REVIEW'
  | 'EXPIRED';

/** A payment of stablecoins that arrives as fiat. `approvalOf` finds its approval. */
export interface Offramp {
  /** `OFFRAMP`. The service does not document it. */
  transferType?: 'OFFRAMP' | (string & {}) | null;
  /** The offramp itself. */
  transferDetails: OfframpDetails;
}

/** The record of an offramp. The service does not document it: every field but `id` and `status` may be missing. */
export interface OfframpDetails extends QuotedPaymentRecord {
  /** The status of the offramp. Where it begins as `OPEN_QUOTE`, the quote must be accepted before the money moves. */
  status: OfframpStatus | (string & {});
  /** In lower case, where the record has one for both sides. */
  currency?: string | null;
  /** As given to `offramps.create`. */
  purposeOfPayment?: PurposeOfPayment | null;
  /** As given to `offramps.create`. */
  description?: string | null;
  /** The user or wallet that pays in stablecoins. */
  source?: OfframpSource | null;
  /** The account that receives fiat. */
  destination?: OfframpDestination | null;
  /** The on-chain transaction and the tracking of the bank payment. */
  receipt?: OfframpReceipt | null;
  /** Your fee; null when there is none. */
  developerFee?: OfframpDeveloperFee | null;
}

/** The on-chain transaction of an offramp, and the tracking of its bank payment. */
export interface OfframpReceipt extends TransferReceipt {
  /** The tracking data of the bank payment, in a form of the service's own. Narrow it before you use it. */
  paymentTracking?: unknown;
}

/** The fee that you charged for an offramp. */
export interface OfframpDeveloperFee extends DeveloperFee {
  /** The parts of the fee, where there are several. */
  fees?: DeveloperFee[] | null;
}

/** The sender of the stablecoins of an offramp. */
export interface OfframpSource {
  /** The user whose wallet pays. May be absent if an external wallet pays. */
  userId?: string | null;
  /** The wallet outside the service that pays. Absent if a user's wallet pays. */
  externalWalletId?: string | null;
  /** In the format of `chain`. */
  walletAddress?: string | null;
  /** In lower case. */
  currency?: Stablecoin | null;
  /** May be more exact than you gave it, such as `POLYGON_MAINNET`. */
  chain?: Chain | null;
  /** In units of the stablecoin, as a number or a decimal string. */
  amount?: number | string | null;
  /** Personal data. */
  user?: PartyUser | null;
}

/** The recipient of the fiat of an offramp. */
export interface OfframpDestination {
  /** The user who owns the account. */
  userId?: string | null;
  /** As given to `offramps.create`. */
  accountId?: string | null;
  /** In lower case. */
  currency?: FiatCurrency | null;
  /** In units of the fiat currency, as a number or a decimal string. */
  amount?: number | string | null;
  /** Personal data. */
  user?: PartyUser | null;
}

/** Parameters of `offramps.create`. Give `source.amount` ("send this much") or `destination.amount` ("receive this much"). */
export type OfframpCreateParams = OfframpOptions &
  (
    | {
        /** The payer, the stablecoin, and the amount to send. */
        source: OfframpPayerParams & GivenAmount;
        /** The receiving account and the fiat currency. */
        destination: OfframpRecipientParams & OpenAmount;
      }
    | {
        /** The payer and the stablecoin. */
        source: OfframpPayerParams & OpenAmount;
        /** The receiving account, the fiat currency, and the amount to receive. */
        destination: OfframpRecipientParams & GivenAmount;
      }
  );

interface OfframpOptions extends KeyedParams {
  /** The purpose of the payment. When it is required is not documented. */
  purposeOfPayment?: PurposeOfPayment;
  /** Your words for the payment. Its limit is not documented. */
  description?: string;
  /** The kind of document that supports the payment, such as an invoice. The values are not documented. */
  supportingDocumentType?: string;
  /** The URL of the document. Never logged. */
  supportingDocumentUrl?: string;
  /** Holds the offramp until it is approved, at most one day. Its quote is then made after the approval. */
  requireApproval?: boolean;
}

/** The sender of the stablecoins of an offramp: a user or an external wallet. */
type OfframpPayerParams = {
  /** In lower case, such as `usdc`. */
  currency: Stablecoin;
  /** In upper case, such as `POLYGON`. */
  chain: Chain;
} & (
  | {
      /** The user whose wallet pays, a UUID. */
      userId: string;
      /** Left out, or null: the user pays. */
      externalWalletId?: null;
    }
  | {
      /** The wallet outside the service that pays: an `id` of `externalWallets.list`. */
      externalWalletId: string;
      /** Left out, or null: the wallet pays. */
      userId?: null;
    }
);

/** The account that receives the fiat of an offramp. */
interface OfframpRecipientParams {
  /** The account that receives, registered with `accounts.create` on the rail `offramp`. */
  accountId: string;
  /** In lower case, such as `usd`. */
  currency: FiatCurrency;
  /** The user who receives, a UUID. */
  userId?: string;
  /** True asks for same-day ACH. */
  sameDayAch?: boolean;
  /** The reference of an ACH payment, at most 10 characters. */
  achReference?: string;
  /** The message of a wire, at most 4 lines of 35 characters. */
  wireMessage?: string;
  /** The reference of a SEPA payment, 6 to 140 characters. */
  sepaReference?: string;
  /** For a SWIFT payment. Its limit is not documented. */
  swiftReference?: string;
  /** The side that pays the charges of a SWIFT payment: both (`sha`) or the sender (`our`). */
  swiftCharges?: 'sha' | 'our' | (string & {});
  /** The reference of a payment on any other rail. Its limit is not documented. */
  paymentReference?: string;
}

const offrampSource = /* @__PURE__ */ lazy(() =>
  matching<OfframpSource>()(
    looseObject({
      ...texts('userId', 'externalWalletId', 'walletAddress', 'currency', 'chain'),
      amount: z.nullish(quantity()),
      user: z.nullish(partyUser()),
    }),
  ),
);

const offrampDestination = /* @__PURE__ */ lazy(() =>
  matching<OfframpDestination>()(
    looseObject({
      ...texts('userId', 'accountId', 'currency'),
      amount: z.nullish(quantity()),
      user: z.nullish(partyUser()),
    }),
  ),
);

const offrampReceipt = /* @__PURE__ */ lazy(() =>
  matching<OfframpReceipt>()(looseObject({ ...receiptFields(), paymentTracking: z.optional(z.unknown()) })),
);

const offrampFee = /* @__PURE__ */ lazy(() =>
  matching<OfframpDeveloperFee>()(
    looseObject({ ...developerFeeFields(), fees: z.nullish(z.array(developerFee())) }),
  ),
);

export const offramp = /* @__PURE__ */ lazy(() =>
  matching<Offramp>()(
    looseObject({
      transferType: nullishText(),
      transferDetails: matching<OfframpDetails>()(
        looseObject({
          ...quotedFields(),
          ...texts('purposeOfPayment', 'description'),
          source: z.nullish(offrampSource()),
          destination: z.nullish(offrampDestination()),
          receipt: z.nullish(offrampReceipt()),
          developerFee: z.nullish(offrampFee()),
        }),
      ),
    }),
  ),
);

const offrampPayerParams = <Amount extends z.ZodMiniType>(itsAmount: Amount) =>
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
      currency: text(),
      chain: text(),
      amount: itsAmount,
    }),
  ]);

const offrampRecipientParams = <Amount extends z.ZodMiniType>(itsAmount: Amount) =>
  strictObject({
    accountId: text(),
    currency: text(),
    amount: itsAmount,
    userId: maybeText(),
    sameDayAch: z.optional(flag()),
    achReference: maybeText(),
    wireMessage: maybeText(),
    sepaReference: maybeText(),
    swiftReference: maybeText(),
    swiftCharges: maybeText(),
    paymentReference: maybeText(),
  });

const offrampOptionParams = /* @__PURE__ */ lazy(() => ({
  purposeOfPayment: maybeText(),
  description: maybeText(),
  supportingDocumentType: maybeText(),
  supportingDocumentUrl: maybeText(),
  requireApproval: z.optional(flag()),
}));

export const offrampCreateParams = /* @__PURE__ */ lazy(() =>
  matching<OfframpCreateParams>()(
    z.union([
      strictObject({
        requestId: z.exactOptional(requestId()),
        source: offrampPayerParams(amount()),
        destination: offrampRecipientParams(notWith('source.amount')),
        ...offrampOptionParams(),
      }),
      strictObject({
        requestId: z.exactOptional(requestId()),
        source: offrampPayerParams(notWith('destination.amount')),
        destination: offrampRecipientParams(amount()),
        ...offrampOptionParams(),
      }),
    ]),
  ),
);
