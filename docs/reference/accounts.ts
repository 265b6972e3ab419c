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
  Accounts,
  accountIdOf,
  isActiveAccount,
  isKnownAccountStatus,
  type WaitOptions,
} from '../../src/index.ts';
export * from '../../src/types/account.ts';
export * from '../../src/types/account-details-params.ts';
export * from '../../src/types/account-params.ts';
