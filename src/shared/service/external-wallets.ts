import * as z from 'zod/mini';
import {
  lazy,
  looseObject,
  matching,
  maybeText,
  nullishText,
  strictObject,
  texts,
  wholeNumber,
} from '../schema/schema.ts';
import type { Chain } from './fields.ts';

/** A wallet outside the service that a user has registered (spec: External wallet). */
export interface ExternalWallet {
  /** In the format of `chain`. */
  address: string;
  /** May be more exact than in requests, such as `POLYGON_MAINNET`. */
  chain: Chain;
  /** A label. The documentation does not say who sets it. */
  name?: string | null;
  /** The documentation does not say what it refers to. */
  referenceId?: string | null;
  /** The time of registration, in ISO 8601. The `nextCursor` of a page is this time of its last wallet. */
  createdAt: string;
  /** Pass it as `externalWalletId`. Not documented; some services send it. */
  id?: string | null;
}

/** Parameters of `externalWallets.list`. */
export interface ExternalWalletListParams {
  /** The position to continue from: the `nextCursor` of an earlier page. */
  cursor?: string;
  /** Wallets per page, from 1. Not documented; a service may ignore it. */
  limit?: number;
}

export const externalWallet = /* @__PURE__ */ lazy(() =>
  matching<ExternalWallet>()(
    looseObject({
      address: z.string(),
      chain: z.string(),
      createdAt: z.string(),
      ...texts('name', 'referenceId', 'id'),
    }),
  ),
);

/** What is around the list of external wallets. */
export const externalWalletEnvelope = /* @__PURE__ */ lazy(() =>
  looseObject({ count: z.nullish(z.number()), nextCursor: nullishText() }),
);

export const externalWalletListParams = /* @__PURE__ */ lazy(() =>
  matching<ExternalWalletListParams>()(
    strictObject({ cursor: maybeText(), limit: z.optional(wholeNumber(1)) }),
  ),
);
