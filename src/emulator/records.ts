// The emulator's records, written as they go over the wire.

/** What a user's KYC must be complete for: US dollars, or the African currencies. */
export type Rail = 'usd' | 'africa';
/** The states of a registered account. */
export type AccountStatus = 'ACTIVE' | 'PENDING' | 'REJECTED';
/** The states of an approval; `EXPIRED` is the emulator's word for one that nobody decided in time. */
export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED';
/** The length of a metric's buckets. */
export type Interval = 'day' | 'week' | 'month';

export const ACCOUNT_STATUSES = ['ACTIVE', 'PENDING', 'REJECTED'] as const;

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
] as const;
/** The states of an onramp. */
export type OnrampStatusName = (typeof ONRAMP_STATUSES)[number];

/** A user as the emulator keeps it: who it is, which rails are active, and its KYC datums. */
export interface UserRecord {
  id: string;
  userId: string;
  rails: Rail[];
  kycInfo: Record<string, unknown>;
  /** The KYC fields that the creator named; only these are held against an account holder. */
  statedKyc: string[];
  createdAt: string;
}

/** A registered onramp account. */
export interface AccountRecord {
  id: string;
  userId: string;
  rail: 'onramp';
  type: 'us' | 'africa';
  accountHolder: Record<string, unknown>;
  us?: Record<string, unknown>;
  africa?: Record<string, unknown>;
  status: AccountStatus;
  invalidFields: string[];
  message: string;
  createdAt: string;
  updatedAt: string;
}

/** An amount as a decimal text. */
export interface Money {
  amount: string;
  currency: string;
}

/** A quote; `sendGross` is `sendNet` plus `railFee`, to the last decimal. */
export interface QuoteInformation {
  sendGross: Money;
  sendNet: Money;
  railFee: Money;
  receiveGross: Money;
  receiveNet: Money;
  rate: string;
  expiresAt: string;
}

/** Who sends or receives, from the KYC record. */
export interface PartyUser {
  email: string | null;
  lastName: string | null;
  firstName: string | null;
  businessName: string | null;
}

/** The `transferDetails` of an onramp. */
export interface OnrampDetails {
  id: string;
  requestId: string;
  createdAt: string;
  updatedAt: string;
  status: OnrampStatusName;
  failedReason: string | null;
  error?: string;
  errorDetails?: string;
  source: {
    userId: string;
    currency: string;
    amount: number;
    transferType: string | null;
    accountId: string | null;
    user: PartyUser;
    bankInfo: Record<string, string> | null;
  };
  destination: {
    userId: string;
    currency: string;
    chain: string;
    walletAddress: string;
    externalWalletId: string | null;
    amount: number | null;
    user: PartyUser;
  };
  receipt: { transactionHash: string | null };
  developerFee: null;
  virtualAccountId: null;
  quoteInformation: QuoteInformation;
  depositInfo: DepositInfo | null;
}

/** Where and how a one-time deposit is to be paid. */
export interface DepositInfo {
  bankName: string;
  bankAddress: string;
  swiftCode: string;
  beneficiary: { name: string; address: string };
  ach: BankNumbers;
  wire: BankNumbers;
  rtp: BankNumbers;
  reference: string;
  depositBy: string;
  instruction: string;
}

/** The bank numbers for one way of paying. */
export interface BankNumbers {
  routingNumber: string;
  accountNumber: string;
}

/** An onramp: the wire object, with its ids at the top for looking it up. */
export interface OnrampRecord {
  id: string;
  requestId: string;
  transferType: 'ONRAMP';
  transferDetails: OnrampDetails;
}

/** The kinds of transfers that can need an approval. */
export type TransferType = 'WALLET.TRANSFER' | 'WALLET.TRANSFER.BATCH' | 'WALLET.BRIDGE' | 'OFFRAMP';
/** The states of a transfer; one that expired undecided is `CANCELLED` with the error `EXPIRED`. */
export type TransferStatus =
  | 'PENDING_APPROVAL'
  | 'APPROVED'
  | 'REJECTED'
  | 'CREATED'
  | 'INITIATED'
  | 'PENDING'
  | 'COMPLETED'
  | 'CANCELLED';

/** A vote; the spec does not show its shape. */
export interface ApprovalVote {
  decision: 'APPROVED' | 'REJECTED';
  comment: string | null;
  createdAt: string;
}

/** A transfer approval. */
export interface ApprovalRecord {
  id: string;
  transferId: string;
  transferType: TransferType;
  status: ApprovalStatus;
  createdAt: string;
  updatedAt: string;
  votes: ApprovalVote[];
}

/** The `transferDetails` of a wallet, batch, bridge or offramp transfer. */
export interface TransferDetails {
  id: string;
  requestId: string;
  status: TransferStatus;
  amount: number;
  currency: string | null;
  chain: string | null;
  createdAt: string;
  updatedAt: string;
  failedReason: string | null;
  error?: string;
  errorDetails?: string;
  source: Record<string, unknown>;
  destination: unknown;
  recipients?: unknown[];
  quoteInformation?: QuoteInformation | null;
  receipt: { transactionHash: string | null; approval?: ApprovalRecord };
}

/** A wallet, batch, bridge or offramp transfer as the state shows it: the wire object, with its ids at the top. */
export interface TransferState {
  id: string;
  requestId: string;
  transferType: TransferType;
  transferDetails: TransferDetails;
}

/** A transfer as the emulator keeps it: with what its execution needs and no answer shows. */
export interface TransferRecord extends TransferState {
  parts: TransferPart[];
  receives: string | null;
  arrivesOn: string | null;
}

/** What one recipient gets of a transfer. */
export interface TransferPart {
  userId: string | null;
  amount: number;
}

/** An external wallet. `id` and `userId` are the emulator's own and are not part of the wire's list. */
export interface ExternalWalletRecord {
  id: string;
  userId: string;
  address: string;
  chain: string;
  name: string;
  referenceId: string;
  createdAt: string;
}

/** A saved metric. */
export interface MetricRecord {
  id: string;
  name: string;
  template: 'GROSS_VOLUME' | 'TRANSACTION_COUNT';
  calculationInterval: Interval;
  breakdowns: string[];
  filters: {
    createdAfter?: string | undefined;
    createdBefore?: string | undefined;
    transactionTypes?: string[] | undefined;
    transactionStatuses?: string[] | undefined;
    userIds?: string[] | undefined;
  };
  createdAt: string;
}

/** What a user holds of a currency on a chain, where a test set it. Without a record the balance is unlimited. */
export interface BalanceRecord {
  id: string;
  userId: string;
  currency: string;
  chain: string;
  amount: string;
}

/** The kinds of events. */
export type EventType =
  | 'ACCOUNT.ONRAMP.CREATE'
  | 'ACCOUNT.ONRAMP.UPDATE'
  | 'TRANSFER.APPROVAL.PENDING'
  | 'TRANSFER.APPROVAL.APPROVED'
  | 'TRANSFER.APPROVAL.REJECTED';

/** An event as it is delivered, with `id` equal to `eventId` where it stands in a list of the state. */
export interface EmulatorEvent {
  eventId: string;
  eventType: EventType;
  data: Record<string, unknown>;
  createdAt: string;
}
