/**
 * What the service knows about a user, and the user's wallets outside of the service.
 *
 * ```ts
 * const { kycInfo } = await payments.kyc.retrieve(userId);
 * console.log(redact(kycInfo));
 * ```
 *
 * @module kyc
 */
export { ExternalWallets, Kyc, redact } from '../../src/client/index.ts';
export type { ExternalWallet, ExternalWalletListParams } from '../../src/shared/service/external-wallets.ts';
export type { KycInfo, KycInformation } from '../../src/shared/service/kyc.ts';
