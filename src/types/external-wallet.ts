import type { Chain } from './fields.ts';

/** A wallet outside the service that a user has registered (spec: External wallet). */
export interface ExternalWallet {
  /** In the format of `chain`. */
  address: string;
  /** May be more exact than in requests, such as `POLYGON_MAINNET`. */
  chain: Chain;
  /** A label. The spec does not say who sets it. */
  name?: string | null;
  /** The spec does not say what it refers to. */
  referenceId?: string | null;
  /** The time of registration, in ISO 8601. The `nextCursor` of a page is this time of its last wallet. */
  createdAt: string;
  /** Pass it as `externalWalletId`. Not in the spec; some services send it. */
  id?: string | null;
}

/** Parameters of `externalWallets.list`. */
export interface ExternalWalletListParams {
  /** The position to continue from: the `nextCursor` of an earlier page. */
  cursor?: string;
  /** Wallets per page, from 1. Not in the spec; a service may ignore it. */
  limit?: number;
}
