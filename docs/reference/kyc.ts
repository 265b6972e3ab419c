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
export {
  type ExternalWallet,
  type ExternalWalletListParams,
  ExternalWallets,
  Kyc,
  type KycInformation,
  redact,
} from '../../src/index.ts';
