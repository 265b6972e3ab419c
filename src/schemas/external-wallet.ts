import type { ExternalWallet } from '../types/external-wallet.ts';
import { lazy, maybeText, nullish, number, record, shape, text, texts } from './zod.ts';

const externalWallet = /* @__PURE__ */ lazy(() =>
  record<ExternalWallet>({
    address: text(),
    chain: text(),
    createdAt: text(),
    ...texts('id name referenceId'),
  }),
);

export const externalWalletShape = /* @__PURE__ */ shape<ExternalWallet>(externalWallet, []);

export const externalWalletEnvelope = /* @__PURE__ */ lazy(() =>
  record<{ count?: number | null; nextCursor?: string | null }>({
    count: nullish(number()),
    nextCursor: maybeText(),
  }),
);
