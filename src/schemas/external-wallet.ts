import { externalWallet } from '../shared/service/external-wallets.ts';
import { shape } from './zod.ts';

export { externalWalletEnvelope } from '../shared/service/external-wallets.ts';

export const externalWalletShape = /* @__PURE__ */ shape(externalWallet, []);
