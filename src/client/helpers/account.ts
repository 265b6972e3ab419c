import { refusePromise } from '../../shared/awaited.ts';
import { ResponseValidationError } from '../../shared/errors/index.ts';
import { type Account, AccountStatus } from '../../shared/service/accounts.ts';

/**
 * Reads the id of an account: `id`, or `accountId` in records that have no `id`.
 *
 * Spec: Onramp account.
 *
 * @param account - A record that the client returned.
 * @throws ResponseValidationError when the record has neither. List the user's accounts to find it.
 * InvalidRequestError for a promise: await it first.
 *
 * @example
 * ```ts
 * const account = await payments.accounts.create(userId, params);
 * await payments.accounts.waitUntilActive(userId, accountIdOf(account));
 * ```
 */
export function accountIdOf(account: Pick<Account, 'id' | 'accountId'>): string {
  refusePromise('accountIdOf', account);
  for (const id of [account.id, account.accountId]) {
    if (typeof id === 'string' && id !== '') return id;
  }
  throw new ResponseValidationError(
    'accountIdOf: the account record has neither `id` nor `accountId`. List the accounts of the user to find it.',
    { outcome: 'unknown', issues: [{ path: 'id', code: 'invalid_type' }], body: account },
  );
}

/** The service's decision about an account. */
export type AccountVerdict = 'active' | 'refused' | 'pending' | 'unreadable';

/**
 * Reads the verdict from `status` where that is one of the four words, else from `isValid`. Any other text as `status` may
 * become one of them. A live service may send other types than documented.
 */
export function verdictOf({ status, isValid }: { status?: unknown; isValid?: unknown }): AccountVerdict {
  const word = typeof status === 'string' ? status.toUpperCase() : undefined;
  if (word === AccountStatus.ACTIVE) return 'active';
  if (word === AccountStatus.REJECTED || word === AccountStatus.INACTIVE) return 'refused';
  if (word === AccountStatus.PENDING) return 'pending';
  if (typeof isValid === 'boolean') return isValid ? 'active' : 'refused';
  return word !== undefined || isValid === null ? 'pending' : 'unreadable';
}

/**
 * Checks whether an account can be used: `status` is `ACTIVE`, or `isValid` is true in records that have no `status`.
 *
 * Spec: Onramp account status.
 *
 * @param account - A record that the client returned.
 * @throws InvalidRequestError for a promise: await it first.
 *
 * @example
 * ```ts
 * const usable = (await payments.accounts.list(userId).toArray()).filter(isActiveAccount);
 * ```
 */
export function isActiveAccount(account: Pick<Account, 'status' | 'isValid'>): boolean {
  refusePromise('isActiveAccount', account);
  return verdictOf(account) === 'active';
}
