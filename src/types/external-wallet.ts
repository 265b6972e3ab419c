import type { Chain } from './fields.ts';

/** A wallet outside the service that a user has registered. */
export interface ExternalWallet {
  /** The address on its chain. */
  address: string;
  /** The network. */
  chain: Chain;
  /** The name that the user gave it. */
  name?: string | null;
  /** A reference of the user's or yours. */
  referenceId?: string | null;
  /** The time of registration, in ISO 8601. */
  createdAt: string;
  /** The id of the wallet. Pass it as `externalWalletId`. */
  id?: string | null;
}

/** Parameters of `externalWallets.list`. */
export interface ExternalWalletListParams {
  /** The position to continue from: the `nextCursor` of an earlier page. */
  cursor?: string;
  /** Wallets per page, from 1. A service may ignore it. */
  limit?: number;
}
