/** What a user's KYC must be complete for: US dollars, or the African currencies. */
export type Rail = 'usd' | 'africa';

/** The states of a registered account. */
export type AccountStatus = 'ACTIVE' | 'PENDING' | 'REJECTED';

export const ACCOUNT_STATUSES = ['ACTIVE', 'PENDING', 'REJECTED'] as const;

/** A user as the emulator keeps it: who it is, which rails are active, and its KYC datums. */
export interface UserRecord {
  /** Its id. */
  id: string;
  /** The user it belongs to. */
  userId: string;
  /** The rails that are active. */
  rails: Rail[];
  /** The KYC record. */
  kycInfo: Record<string, unknown>;
  /** The KYC fields that the creator named; only these are held against an account holder. */
  statedKyc: string[];
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
}

/** A registered onramp account. */
export interface AccountRecord {
  /** Its id. */
  id: string;
  /** The user it belongs to. */
  userId: string;
  /** What the account is for. */
  rail: 'onramp' | 'offramp';
  /** The region, such as `us`, `africa` or `brazil`. */
  type: string;
  /** Who holds the account, as it was registered; `null` where nobody was named. */
  accountHolder: Record<string, unknown> | null;
  /** The bank details of an account in the United States. */
  us?: Record<string, unknown>;
  /** The bank or mobile-money details of an account in Africa. */
  africa?: Record<string, unknown>;
  /** The bank details of an account in another region. */
  details?: Record<string, unknown>;
  /** Its state. */
  status: AccountStatus;
  /** The fields that could not be verified. */
  invalidFields: string[];
  /** A sentence on the state. */
  message: string;
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
  /** When it last changed, by the emulator’s clock. */
  updatedAt: string;
}

/** An external wallet. `id` and `userId` are the emulator's own and are not part of the wire's list. */
export interface ExternalWalletRecord {
  /** Its id. */
  id: string;
  /** The user it belongs to. */
  userId: string;
  /** Its address. */
  address: string;
  /** The network, in upper case. */
  chain: string;
  /** Its name. */
  name: string;
  /** The reference of its owner. */
  referenceId: string;
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
}

/** What a user holds of a currency on a chain, where a test set it. Without a record the balance is unlimited. */
export interface BalanceRecord {
  /** Its id. */
  id: string;
  /** The user it belongs to. */
  userId: string;
  /** The currency, in lower case. */
  currency: string;
  /** The network, in upper case. */
  chain: string;
  /** The amount. */
  amount: string;
  /** How many balances were set before and with it: what was set aside of an earlier one does not come back to it. */
  version: number;
}

/** Who sends or receives, from the KYC record. */
export interface PartyUser {
  /** The e-mail address of the KYC record. */
  email: string | null;
  /** The family name of the KYC record. */
  lastName: string | null;
  /** The given name of the KYC record. */
  firstName: string | null;
  /** The name of a business. */
  businessName: string | null;
}
