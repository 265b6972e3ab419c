import type { ExternalWallet } from '../types/external-wallet.ts';
import { maybeText, nullish, number, record, text } from './field.ts';
import * as z from './zod.ts';
import { lazy, shape } from './zod.ts';

const externalWallet = /* @__PURE__ */ lazy(() =>
  record<ExternalWallet>({
    address: text(),
    chain: text(),
    name: maybeText(),
    referenceId: maybeText(),
    createdAt: text(),
    id: maybeText(),
  }),
);

export const externalWalletShape = /* @__PURE__ */ shape<ExternalWallet>(externalWallet, []);

export const externalWalletEnvelope = /* @__PURE__ */ lazy(() =>
  z.looseObject({ count: nullish(number()), nextCursor: maybeText() }),
);
