import type { ExternalWallet } from '../../../shared/service/external-wallets.ts';
import type { PartyUser } from '../../../shared/service/fields.ts';
import type { Written } from './written.ts';

/** A rail that a user can be approved for: US dollars, or the African currencies. */
export type KycRail = 'usd' | 'africa';

/** The states of a registered account. */
export type EmulatedAccountStatus = 'ACTIVE' | 'PENDING' | 'REJECTED';

export const ACCOUNT_STATUSES = ['ACTIVE', 'PENDING', 'REJECTED'] as const;

/** A user: the id, the active rails and the KYC record. */
export interface UserRecord {
  /** The same as `userId`. */
  id: string;
  /** The id to use in requests. */
  userId: string;
  /** The rails that are active. */
  rails: KycRail[];
  /** The fields of `kyc.retrieve`, as given to `createUser` or generated. */
  kycInfo: Record<string, unknown>;
  /** The KYC fields that `createUser` received. An account holder is compared with these only. */
  statedKyc: string[];
  /** The time of creation, as an ISO 8601 time of the emulator's clock. */
  createdAt: string;
}

/** A registered onramp account. */
export interface AccountRecord {
  /** Pass it as `source.accountId` of an onramp, or as `destination.accountId` of an offramp. */
  id: string;
  /** The user who owns the account. */
  userId: string;
  /** `onramp` if it pays onramps, `offramp` if it receives offramps. */
  rail: 'onramp' | 'offramp';
  /** The region, such as `us`, `africa` or `brazil`. */
  type: string;
  /** The account holder of the request; `null` if it named none. */
  accountHolder: Record<string, unknown> | null;
  /** The bank details of an account in the United States. */
  us?: Record<string, unknown>;
  /** The bank or mobile-money details of an account in Africa. */
  africa?: Record<string, unknown>;
  /** The bank details of an account in another region. */
  details?: Record<string, unknown>;
  /** Set by the validation, or by `validateAccount`. */
  status: EmulatedAccountStatus;
  /** The fields that failed validation. */
  invalidFields: string[];
  /** An explanation of the status. */
  message: string;
  /** The time of creation, as an ISO 8601 time of the emulator's clock. */
  createdAt: string;
  /** The time of the last change, as an ISO 8601 time of the emulator's clock. */
  updatedAt: string;
}

/** The bank details of an account, whatever its region. */
export function bankDetailsOf({ us, africa, details }: AccountRecord): Record<string, unknown> {
  return us ?? africa ?? details ?? {};
}

/** An external wallet. `userId`, and in the dialect `spec` also `id`, are not part of the wire's list. */
export interface ExternalWalletRecord extends Written<ExternalWallet> {
  /** Pass it as `externalWalletId`. */
  id: string;
  /** The user who owns the wallet. */
  userId: string;
}

/** The balance of a user in a currency on a chain. It exists only after `setBalance`; without it the balance is unlimited. */
export interface BalanceRecord {
  /** One for each user, currency and chain. */
  id: string;
  /** The user whose balance it is. */
  userId: string;
  /** The currency, in lower case. */
  currency: string;
  /** The network, in upper case. */
  chain: string;
  /** A decimal string, in units of the currency. */
  amount: string;
  /** Counts calls of `setBalance`. A refund of an amount that an earlier version set aside is ignored. */
  version: number;
}

/** A sender or recipient, from the KYC record. */
export type EmulatedPartyUser = Written<PartyUser>;
