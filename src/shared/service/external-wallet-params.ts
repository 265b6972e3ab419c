import type { ExternalWalletListParams } from './external-wallets.ts';
import { maybe, object, text, wholeNumber } from './param.ts';
import { lazy } from './response-shape.ts';

export const externalWalletListParams = /* @__PURE__ */ lazy(() =>
  object<ExternalWalletListParams>({ cursor: maybe(text()), limit: maybe(wholeNumber(1)) }),
);
