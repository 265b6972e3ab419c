export type { ExternalWallet, ExternalWalletListParams } from '../shared/service/external-wallets.ts';
