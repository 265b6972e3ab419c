import {
  type ExternalWallet,
  type ExternalWalletListParams,
  externalWallet,
  externalWalletEnvelope,
  externalWalletListParams,
} from '../../shared/service/external-wallets.ts';
import type { RequestOptions } from '../call/call-options.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { cursorPaging } from '../pagination/cursor.ts';
import { list, readParams } from '../pagination/list.ts';
import type { PagePromise } from '../pagination/page.ts';
import { listResponse, type ReceivedPage } from '../pagination/page-body.ts';
import { bindMethods } from './bind-methods.ts';

const listWallets: Operation<ReceivedPage<ExternalWallet>> = {
  name: 'externalWallets.list',
  method: 'GET',
  path: '/v2/users/{userId}/wallets/external',
  retrySafety: 'read',
  check: /* @__PURE__ */ listResponse({
    key: 'externalWallets',
    item: externalWallet,
    envelope: externalWalletEnvelope,
  }),
  identity: { userId: ['userId', '*.[].userId'] },
};

/** Wallets outside the service that users have registered. */
export class ExternalWallets {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Lists a user's external wallets. The service documents no paging parameters: the cursor goes back under the name of the option
   * `cursorParam`, and the service may ignore `limit`.
   *
   * Each page is retried after every transient failure.
   *
   * Spec: GET /v2/users/\{userId\}/wallets/external.
   *
   * @param userId - The user.
   * @param params - `cursor`: the `nextCursor` of an earlier page. `limit`: wallets a page, from 1.
   * @param options - Limits, retries, headers, or token; `deadline` covers all pages, in milliseconds.
   * @throws PaginationError when a cursor or a page comes again.
   *
   * @example
   * ```ts
   * const wallets = await payments.externalWallets.list(userId).toArray({ limit: 500 });
   * ```
   */
  list(
    userId: string,
    params: ExternalWalletListParams = {},
    options?: RequestOptions,
  ): PagePromise<ExternalWallet> {
    const { read, fault } = readParams(listWallets.name, params, externalWalletListParams);
    const { cursorParam } = this.#transport;
    const { cursor, limit } = read;
    const input = { path: { userId }, query: { [cursorParam]: cursor, limit }, fault };
    const paging = cursorPaging<ExternalWallet>(listWallets.name, cursorParam);
    return list(this.#transport, listWallets, input, options, paging);
  }
}
