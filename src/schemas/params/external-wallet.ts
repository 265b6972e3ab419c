import type { ExternalWalletListParams } from '../../shared/service/external-wallets.ts';
import { lazy } from '../zod.ts';
import { maybe, object, text, wholeNumber } from './param.ts';

export const externalWalletListParams = /* @__PURE__ */ lazy(() =>
  object<ExternalWalletListParams>({ cursor: maybe(text()), limit: maybe(wholeNumber(1)) }),
);
