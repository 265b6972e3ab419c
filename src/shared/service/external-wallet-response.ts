import { externalWallet } from './external-wallets.ts';
import { shape } from './response-shape.ts';

export { externalWalletEnvelope } from './external-wallets.ts';

export const externalWalletShape = /* @__PURE__ */ shape(externalWallet, []);
