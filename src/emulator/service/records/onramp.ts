import type { PartyUser } from './people.ts';

/** The states of an onramp. */
export type OnrampStatusName =
  | 'NOT_INITIATED'
  | 'CREATED'
  | 'OPEN_QUOTE'
  | 'FIAT_INITIATED'
  | 'AWAITING_FUNDS'
  | 'FIAT_PENDING'
  | 'FIAT_PROCESSED'
  | 'CRYPTO_INITIATED'
  | 'CRYPTO_PENDING'
  | 'COMPLETED'
  | 'FIAT_FAILED'
  | 'FIAT_RETURNED'
  | 'CRYPTO_FAILED'
  | 'QUOTE_FAILED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'UNKNOWN';

export const ONRAMP_STATUSES = [
  'NOT_INITIATED',
  'CREATED',
  'OPEN_QUOTE',
  'FIAT_INITIATED',
  'AWAITING_FUNDS',
  'FIAT_PENDING',
  'FIAT_PROCESSED',
  'CRYPTO_INITIATED',
  'CRYPTO_PENDING',
  'COMPLETED',
  'FIAT_FAILED',
  'FIAT_RETURNED',
  'CRYPTO_FAILED',
  'QUOTE_FAILED',
  'EXPIRED',
  'CANCELLED',
  'UNKNOWN',
] as const satisfies readonly OnrampStatusName[];

/** An amount as a decimal text. */
export interface Money {
  /** The amount. */
  amount: string;
  /** The currency, in lower case. */
  currency: string;
}

/** A quote; `sendGross` is `sendNet` plus `railFee`, to the last decimal. */
export interface QuoteInformation {
  /** What is sent, the fee included. */
  sendGross: Money;
  /** What is sent, less the fee. */
  sendNet: Money;
  /** What the rail costs. */
  railFee: Money;
  /** `sendNet` at the rate. */
  receiveGross: Money;
  /** What arrives. */
  receiveNet: Money;
  /** Units received for one that is sent, as a decimal text. */
  rate: string;
  /** Until when the quote holds, or `N/A`. */
  expiresAt: string;
}

/** The `transferDetails` of an onramp. */
export interface OnrampDetails {
  /** Its id. */
  id: string;
  /** The idempotency id of the request that made it. */
  requestId: string;
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
  /** When it last changed, by the emulator’s clock. */
  updatedAt: string;
  /** Its state. */
  status: OnrampStatusName;
  /** Why it failed; `null` where it did not. */
  failedReason: string | null;
  /** The failure’s code. */
  error?: string;
  /** The failure in a sentence. */
  errorDetails?: string;
  /** Where it comes from. */
  source: {
    /** The user it belongs to. */
    userId: string;
    /** The currency, in lower case. */
    currency: string;
    /** The amount. */
    amount: number;
    /** What kind of transfer it is. */
    transferType: string | null;
    /** The registered account; `null` for a one-time deposit. */
    accountId: string | null;
    /** Who it is, from the KYC record. */
    user: PartyUser;
    /** What the receiving bank told about the deposit. */
    bankInfo: Record<string, string> | null;
  };
  /** Where it goes. */
  destination: {
    /** The user it belongs to; `null` for an external wallet. */
    userId: string | null;
    /** The currency, in lower case. */
    currency: string;
    /** The network, in upper case. */
    chain: string;
    /** The address that receives. */
    walletAddress: string;
    /** The external wallet that receives, if one was named. */
    externalWalletId: string | null;
    /** The amount. */
    amount: number | null;
    /** Who it is, from the KYC record; `null` for an external wallet. */
    user: PartyUser | null;
  };
  /** What proves it. */
  receipt: {
    /** The transaction on the chain, once there is one. */
    transactionHash: string | null;
  };
  /** The fee of the integrator, where one was asked for. */
  developerFee: Record<string, unknown> | null;
  /** Always `null` here. */
  virtualAccountId: null;
  /** Its quote. */
  quoteInformation: QuoteInformation;
  /** Where to pay a one-time deposit; `null` with a registered account. */
  depositInfo: DepositInfo | null;
}

/** Where and how a one-time deposit is to be paid. */
export interface DepositInfo {
  /** The bank. */
  bankName: string;
  /** Where the bank is. */
  bankAddress: string;
  /** The bank’s SWIFT code. */
  swiftCode: string;
  /** In whose name the account is. */
  beneficiary: {
    /** Its name. */
    name: string;
    /** Its address. */
    address: string;
  };
  /** The numbers for ACH. */
  ach: BankNumbers;
  /** The numbers for a wire. */
  wire: BankNumbers;
  /** The numbers for a real-time payment. */
  rtp: BankNumbers;
  /** What must stand in the memo. */
  reference: string;
  /** Until when the deposit is awaited. */
  depositBy: string;
  /** All of it in a sentence. */
  instruction: string;
}

/** The bank numbers for one way of paying. */
export interface BankNumbers {
  /** The routing number. */
  routingNumber: string;
  /** The account number. */
  accountNumber: string;
}

/** An onramp: the wire object, with its ids at the top for looking it up. */
export interface OnrampRecord {
  /** Its id. */
  id: string;
  /** The idempotency id of the request that made it. */
  requestId: string;
  /** What must arrive, where the request fixed that instead of what is sent. */
  receiveAmount?: number;
  /** What kind of transfer it is. */
  transferType: 'ONRAMP';
  /** The transfer itself. */
  transferDetails: OnrampDetails;
}

/** The onramp object of the spec. */
export type OnrampObject = Pick<OnrampRecord, 'transferType' | 'transferDetails'>;
