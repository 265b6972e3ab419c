import { cursorPaging } from '../pagination/cursor.ts';
import type { ListOptions } from '../pagination/list.ts';
import { list } from '../pagination/list.ts';
import { listResponse, showsList } from '../pagination/list-response.ts';
import { startParam } from '../pagination/next-queries.ts';
import type { PagePromise } from '../pagination/page.ts';
import type { ReceivedPage } from '../pagination/read-list.ts';
import { externalWalletEnvelope, externalWalletShape } from '../schemas/external-wallet.ts';
import { externalWalletListParams } from '../schemas/params/external-wallet.ts';
import { bindMethods } from '../shared/bind-methods.ts';
import type { Operation, Transport } from '../transport/types.ts';
import type { ExternalWallet, ExternalWalletListParams } from '../types/external-wallet.ts';
import { readParams } from './namespace.ts';

const listWallets: Operation<ReceivedPage<ExternalWallet>> = {
  name: 'externalWallets.list',
  method: 'GET',
  path: '/v2/users/{userId}/wallets/external',
  retrySafety: 'read',
  response: /* @__PURE__ */ listResponse({
    key: 'externalWallets',
    item: externalWalletShape,
    envelope: externalWalletEnvelope,
  }),
  echoes: { userId: ['userId', '*.[].userId'] },
  settledBy: /* @__PURE__ */ showsList('externalWallets'),
  moreOptions: { prefetch: true },
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
   * Lists a user's external wallets. The spec shows no paging parameters: with `cursorParam: 'auto'` the client finds
   * the name of the cursor, and `limit` may be ignored by the service.
   *
   * Each page is retried after every transient failure.
   *
   * Spec: GET /v2/users/\{userId\}/wallets/external.
   *
   * @param userId - The user.
   * @param params - `cursor`: the `nextCursor` of an earlier page. `limit`: wallets a page, from 1.
   * @param options - Limits, retries, headers, or token; `deadline` covers the whole walk, and
   * `prefetch` fetches the next page while you work on the current one.
   * @throws PaginationError when a cursor or a page comes twice.
   *
   * @example
   * ```ts
   * const wallets = await payments.externalWallets.list(userId).toArray({ limit: 500 });
   * ```
   */
  list(
    userId: string,
    params: ExternalWalletListParams = {},
    options?: ListOptions,
  ): PagePromise<ExternalWallet> {
    const { read, problem } = readParams(listWallets.name, params, externalWalletListParams);
    const { cursorParam } = this.#transport;
    const { cursor, limit } = read;
    const input = { path: { userId }, query: { [startParam(cursorParam)]: cursor, limit }, problem };
    const strategy = cursorPaging<ExternalWallet>(cursorParam, listWallets.name, {
      prefetch: options?.prefetch,
      start: cursor,
    });
    return list(this.#transport, listWallets, input, options, strategy);
  }
}
