import { showsAccount, showsDeletion } from '../../shared/outcome/record.ts';
import {
  type Account,
  type AccountCreateParams,
  type AccountDeletion,
  type AccountListParams,
  account,
  accountCreateParams,
  accountDeletion,
  accountListParams,
} from '../../shared/service/accounts.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import { bySchema } from '../call/read-response.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { cursorPaging } from '../pagination/cursor.ts';
import { list, readParams } from '../pagination/list.ts';
import type { PagePromise } from '../pagination/page.ts';
import { listResponse, type ReceivedPage } from '../pagination/page-body.ts';
import { bindMethods } from './bind-methods.ts';
import { type WaitOptions, waitUntilActive } from './wait-until-active.ts';

const createAccount: Operation<Account> = {
  name: 'accounts.create',
  method: 'POST',
  path: '/v2/users/{userId}/accounts',
  retrySafety: 'once',
  check: /* @__PURE__ */ bySchema(account),
  params: accountCreateParams,
  identity: { userId: ['userId'] },
  provesCall: showsAccount,
};

const listAccounts: Operation<ReceivedPage<Account>> = {
  name: 'accounts.list',
  method: 'GET',
  path: '/v2/users/{userId}/accounts',
  retrySafety: 'read',
  check: /* @__PURE__ */ listResponse({ key: 'accounts', item: account }),
  identity: { userId: ['userId', '[].userId', '*.[].userId', '*.*.[].userId'] },
};

const retrieveAccount: Operation<Account> = {
  name: 'accounts.retrieve',
  method: 'GET',
  path: '/v2/users/{userId}/accounts/{accountId}',
  retrySafety: 'read',
  check: /* @__PURE__ */ bySchema(account),
  identity: { userId: ['userId'], accountId: ['id', 'accountId'] },
};

const deleteAccount: Operation<AccountDeletion> = {
  name: 'accounts.delete',
  method: 'DELETE',
  path: '/v2/users/{userId}/accounts/{accountId}',
  retrySafety: 'delete',
  check: /* @__PURE__ */ bySchema(accountDeletion),
  identity: { userId: ['userId'], accountId: ['id', 'accountId'] },
  provesCall: showsDeletion,
};

/** Fiat accounts: users pay onramps from them and receive offramps on them. */
export class Accounts {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Registers a fiat account that pays onramps or receives offramps. The service validates it: call `waitUntilActive`
   * before you use it. The account holder must match the user's KYC data.
   *
   * The request carries no idempotency key. It is retried only when it is certain that the service did not accept it:
   * no connection, or a 429. If `outcome` is `unknown`, look for the account in
   * `accounts.list` before you create it again.
   *
   * Spec: POST /v2/users/\{userId\}/accounts.
   *
   * @param userId - The user who owns the account.
   * @param params - The account. The details are in the field that is named like `type`, such as `us` or `africa`.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent, and `field` names it.
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
   */
  create(userId: string, params: AccountCreateParams, options?: RequestOptions): APIPromise<Account> {
    return this.#transport.call(createAccount, { path: { userId }, body: params }, options);
  }

  /**
   * Lists a user's accounts. The service does not document the response: the list is found under any key, and a `nextCursor`,
   * if there is one, is followed.
   *
   * Each page is retried after every transient failure.
   *
   * Spec: GET /v2/users/\{userId\}/accounts.
   *
   * @param userId - The user.
   * @param params - Filters: `rail`, `type`, `currency`, `createdBefore`, `createdAfter`; and `limit`, accounts per
   * page, 1 to 100. The service documents `rail`; most services take the others.
   * @param options - Limits, retries, headers, or token; `deadline` covers all pages, in milliseconds.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent. ResponseValidationError when no list can
   * be found in a response.
   *
   * @example
   * ```ts
   * const accounts = await payments.accounts.list(userId, { rail: 'onramp' }).toArray();
   * ```
   */
  list(userId: string, params: AccountListParams = {}, options?: RequestOptions): PagePromise<Account> {
    const { read, fault } = readParams(listAccounts.name, params, accountListParams);
    const input = { path: { userId }, query: { ...read }, fault };
    const paging = cursorPaging<Account>(listAccounts.name, this.#transport.cursorParam);
    return list(this.#transport, listAccounts, input, options, paging);
  }

  /**
   * Retrieves one account. The service does not document the record, so every field may be missing.
   *
   * Retried after every transient failure.
   *
   * Spec: GET /v2/users/\{userId\}/accounts/\{accountId\}.
   *
   * @param userId - The user who owns the account.
   * @param accountId - The account's id.
   * @param options - Limits, retries, headers, or token for this call.
   * @throws NotFoundError when the account does not exist.
   *
   * @example
   * ```ts
   * const { status } = await payments.accounts.retrieve(userId, accountId);
   * ```
   */
  retrieve(userId: string, accountId: string, options?: RequestOptions): APIPromise<Account> {
    return this.#transport.call(retrieveAccount, { path: { userId, accountId } }, options);
  }

  /**
   * Deletes an account. Resolves with the record of the deleted account (its status is `INACTIVE`), or with undefined
   * when the service returns no body.
   *
   * Retried after every transient failure. If the response of an attempt was lost and its retry gets a 404, `outcome` is
   * `unknown`: list the accounts.
   *
   * Spec: DELETE /v2/users/\{userId\}/accounts/\{accountId\}.
   *
   * @param userId - The user who owns the account.
   * @param accountId - The account's id.
   * @param options - Limits, retries, headers, or token for this call.
   * @throws NotFoundError when the account does not exist.
   *
   * @example
   * ```ts
   * await payments.accounts.delete(userId, accountId);
   * ```
   */
  delete(userId: string, accountId: string, options?: RequestOptions): APIPromise<AccountDeletion> {
    return this.#transport.call(deleteAccount, { path: { userId, accountId } }, options);
  }

  /**
   * Waits until the service has validated an account.
   *
   * Each request is retried after every transient failure.
   *
   * Spec: onramp account status.
   *
   * @param userId - The user who owns the account.
   * @param accountId - The account's id.
   * @param options - `interval`: milliseconds between two requests, default 2000. `deadline`: milliseconds in all,
   * default 60,000, or the client's `deadline` if it is shorter. `signal` ends the wait. The other options go to each
   * request.
   * @returns The account, once its status is `ACTIVE`; or once `isValid` is true, in records that have no status.
   * @throws AccountRejectedError with `invalidFields` and `reason` when the account is rejected, inactive, or not
   * valid. TimeoutError after the deadline. ResponseValidationError, at once, when the record has neither `status` nor
   * `isValid`: wait for the event `ACCOUNT.ONRAMP.UPDATE` instead.
   *
   * @example
   * ```ts
   * const active = await payments.accounts.waitUntilActive(userId, accountId, {
   *   deadline: 120_000,
   * });
   * ```
   */
  waitUntilActive(userId: string, accountId: string, options?: WaitOptions): Promise<Account> {
    return waitUntilActive(this.#transport, retrieveAccount, { userId, accountId }, options);
  }
}
