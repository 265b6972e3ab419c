import { lazy, optionalText, shape } from './common.ts';
import * as z from './zod.ts';

const externalWallet = lazy(() =>
  z.looseObject({
    /** The address on its chain. */
    address: z.string(),
    /** Network name. */
    chain: z.string(),
    /** What the user calls it. */
    name: optionalText(),
    /** A reference of the user's or yours. */
    referenceId: optionalText(),
    /** When it was registered. */
    createdAt: z.string(),
  }),
);

/** A wallet outside the service that a user has registered. */
export interface ExternalWallet extends z.infer<ReturnType<typeof externalWallet>> {}

export const externalWalletShape = shape<ExternalWallet>(externalWallet, []);

export const externalWalletEnvelope = lazy(() =>
  z.looseObject({ count: z.nullish(z.number()), nextCursor: optionalText() }),
);

/** What `externalWallets.list` takes. */
export interface ExternalWalletListParams {
  /** Where to go on: the `nextCursor` of an earlier page. */
  cursor?: string;
  /** Wallets a page. The spec does not show this parameter; a service may ignore it. */
  limit?: number;
}
