import { cursorPaging } from '../pagination/cursor.ts';
import { list } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/list-options.ts';
import { listResponse, type ReceivedPage } from '../pagination/list-response.ts';
import type { PagePromise } from '../pagination/page.ts';
import { accountDeletionShape, accountShape } from '../schemas/account.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Operation, RequestOptions, Transport } from '../transport/types.ts';
import type { Account, AccountDeletion } from '../types/account.ts';
import type { AccountCreateParams, AccountListParams } from '../types/account-params.ts';
import { checkAccount } from './checks/account-rules.ts';
import { checkParams, optional, ownParams, type Rules, requiredText } from './checks/rules.ts';
import { call } from './start-call.ts';
import { type WaitOptions, waitUntilActive } from './wait-until-active.ts';

const create: Operation<Account> = {
  name: 'accounts.create',
  method: 'POST',
  path: '/v2/users/{userId}/accounts',
  retrySafety: 'once',
  response: accountShape,
};

const listAccounts: Operation<ReceivedPage<Account>> = {
  name: 'accounts.list',
  method: 'GET',
  path: '/v2/users/{userId}/accounts',
  retrySafety: 'read',
  response: listResponse({ key: 'accounts', item: accountShape }),
};

const retrieve: Operation<Account> = {
  name: 'accounts.retrieve',
  method: 'GET',
  path: '/v2/users/{userId}/accounts/{accountId}',
  retrySafety: 'read',
  response: accountShape,
};

const remove: Operation<AccountDeletion> = {
  name: 'accounts.delete',
  method: 'DELETE',
  path: '/v2/users/{userId}/accounts/{accountId}',
  retrySafety: 'delete',
  response: accountDeletionShape,
};

const listRules: Rules = {
  rail: optional(requiredText),
};

/** Fiat accounts that a user pays in from. */
export class Accounts {
  readonly #transport: Transport;

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @internal */
  static forTransport(transport: Transport): Accounts {
    return new this(transport);
  }

  /**
   * Registers a fiat account in the United States or in Africa. The service validates it: wait with
   * `waitUntilActive` before you use it. The account holder must match the user's KYC data.
   *
   * @param userId - The user who owns the account.
   * @param params - The account; `us` or `africa` as `type` says.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError before anything is sent, naming the field.
   *
   * The call carries no idempotency id, so it is repeated only when the service surely did not take it (no
   * connection, 429, 503 with Retry-After). After any other failure the error has `outcome: 'unknown'`: look for the account in
   * `accounts.list` before you create it again.
   *
   * @example
   * ```ts
   * const account = await payments.accounts.create(userId, {
   *   rail: 'onramp',
   *   type: 'africa',
   *   accountHolder: { type: 'individual', name, phone: '+256700000000', email, address },
   *   africa: { financialInstitute: 'MTN', accountType: 'momo', accountNumber, currency: 'ugx', country: 'uga' },
   * });
   * ```
   *
   * Spec: POST /v2/users/\{userId\}/accounts.
   */
  create(userId: string, params: AccountCreateParams, options?: RequestOptions): APIPromise<Account> {
    const problem = checkAccount(create.name, params);
    return call(this.#transport, create, { path: { userId }, body: { ...params }, problem }, options);
  }

  /**
   * Lists a user's accounts. The spec does not show the answer: the list is found under whatever key it has, and
   * a `nextCursor`, if there is one, is followed.
   *
   * @param userId - The user.
   * @param params - `rail`: only accounts of this rail, such as `onramp`.
   * @param options - Limits, retries, headers or a token; `deadline` covers the whole walk.
   * @throws ResponseValidationError when no list can be found in the answer.
   *
   * Retried after any failure that a repeat can cure.
   *
   * @example
   * ```ts
   * const accounts = await payments.accounts.list(userId, { rail: 'onramp' }).toArray();
   * ```
   *
   * Spec: GET /v2/users/\{userId\}/accounts.
   */
  list(userId: string, params: AccountListParams = {}, options?: ListOptions): PagePromise<Account> {
    const problem = checkParams(listAccounts.name, params, listRules);
    const input = { path: { userId }, query: { rail: ownParams(params).rail }, problem };
    const strategy = cursorPaging<Account>(this.#transport.cursorParam, listAccounts.name, {
      prefetch: options?.prefetch,
    });
    return list(this.#transport, listAccounts, input, options, strategy);
  }

  /**
   * Retrieves one account. The spec does not show the record, so all but `id` may be missing.
   *
   * @param userId - The user who owns the account.
   * @param accountId - The account's id.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws NotFoundError when there is no such account.
   *
   * Retried after any failure that a repeat can cure.
   *
   * @example
   * ```ts
   * const { status } = await payments.accounts.retrieve(userId, accountId);
   * ```
   *
   * Spec: GET /v2/users/\{userId\}/accounts/\{accountId\}.
   */
  retrieve(userId: string, accountId: string, options?: RequestOptions): APIPromise<Account> {
    return call(this.#transport, retrieve, { path: { userId, accountId } }, options);
  }

  /**
   * Deletes an account. Resolves with the service's answer, which the spec does not show, or with undefined.
   *
   * @param userId - The user who owns the account.
   * @param accountId - The account's id.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws NotFoundError when there is no such account.
   *
   * Retried after any failure that a repeat can cure; a 404 in the documented
   * shape after an attempt whose response was lost counts as deleted.
   *
   * @example
   * ```ts
   * await payments.accounts.delete(userId, accountId);
   * ```
   *
   * Spec: DELETE /v2/users/\{userId\}/accounts/\{accountId\}.
   */
  delete(userId: string, accountId: string, options?: RequestOptions): APIPromise<AccountDeletion> {
    return call(this.#transport, remove, { path: { userId, accountId } }, options);
  }

  /**
   * Waits until the service has validated an account.
   *
   * @param userId - The user who owns the account.
   * @param accountId - The account's id.
   * @param options - `interval`: milliseconds between looks, default 2000. `deadline`: milliseconds in all,
   * default 60 000. `signal` ends the wait. The rest goes to each look.
   * @returns The account, once its status is `ACTIVE`.
   * @throws AccountRejectedError on `REJECTED`, with `invalidFields`; TimeoutError after the deadline.
   *
   * Each look is retried after any failure that a repeat can cure.
   *
   * @example
   * ```ts
   * const active = await payments.accounts.waitUntilActive(userId, account.id, { deadline: 120_000 });
   * ```
   *
   * Spec: onramp account status.
   */
  waitUntilActive(userId: string, accountId: string, options?: WaitOptions): Promise<Account> {
    return waitUntilActive(
      (lookOptions) => this.retrieve(userId, accountId, lookOptions),
      accountId,
      options,
      this.#transport.deadline,
    );
  }
}
