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
} from '../../src/client/index.ts';
export type {
  Account,
  AccountCreateParams,
  AccountDeletion,
  AccountListParams,
  AccountRail,
  AfricaAccountCreateParams,
  RegionalAccountCreateParams,
  UnlistedAccountType,
  UsAccountCreateParams,
} from '../../src/shared/service/accounts.ts';
export { AccountStatus } from '../../src/shared/service/accounts.ts';
