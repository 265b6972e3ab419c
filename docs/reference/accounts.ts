/**
 * Fiat accounts of a user.
 *
 * ```ts
 * const { id } = await payments.accounts.create(userId, account);
 * const active = await payments.accounts.waitUntilActive(userId, id);
 * ```
 *
 * @module accounts
 */
export {
  type Account,
  type AccountCreateParams,
  type AccountDeletion,
  type AccountHolderParams,
  type AccountListParams,
  AccountStatus,
  Accounts,
  type AddressParams,
  type AfricaAccountParams,
  isKnownAccountStatus,
  type UsAccountParams,
  type WaitOptions,
} from '../../src/index.ts';
