/**
 * Fiat accounts of a user.
 *
 * ```ts
 * const account = await payments.accounts.create(userId, params);
 * const active = await payments.accounts.waitUntilActive(userId, accountIdOf(account));
 * ```
 *
 * @module accounts
 */
export {
  Accounts,
  accountIdOf,
  isActiveAccount,
  type WaitOptions,
} from '../../src/index.ts';
export * from '../../src/types/account.ts';
export * from '../../src/types/account-details-params.ts';
export type {
  AccountCreateParams,
  AccountHolderParams,
  AccountListParams,
  AfricaAccountCreateParams,
  RegionalAccountCreateParams,
  UnlistedAccountType,
  UsAccountCreateParams,
} from '../../src/types/account-params.ts';
