import { showsDecision } from '../../shared/outcome/record.ts';
import {
  type ApprovalDecision,
  type ApprovalDecisionParams,
  type ApprovalListParams,
  type ApprovalRejectParams,
  approvalDecision,
  approvalDecisionParams,
  approvalEnvelope,
  approvalListParams,
  approvalRejectParams,
  type TransferApproval,
  transferApproval,
} from '../../shared/service/approvals.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import { bySchema } from '../call/read-response.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { list, readParams } from '../pagination/list.ts';
import { offsetPaging } from '../pagination/offset.ts';
import type { PagePromise } from '../pagination/page.ts';
import { listResponse, type ReceivedPage } from '../pagination/page-body.ts';
import { bindMethods } from './bind-methods.ts';

const listPending: Operation<ReceivedPage<TransferApproval>> = {
  name: 'approvals.list',
  method: 'GET',
  path: '/v2/transfer-approvals',
  retrySafety: 'read',
  check: /* @__PURE__ */ listResponse({
    key: 'approvals',
    item: transferApproval,
    essential: ['id', 'status'],
    envelope: approvalEnvelope,
  }),
};

/** The ids of a transfer and of its approval look alike. */
const ifNotFound =
  "`approvalId` may be a transfer's id: an approval has an id of its own, `approvalOf(transfer)?.id`.";

const approve: Operation<ApprovalDecision> = {
  name: 'approvals.approve',
  method: 'POST',
  path: '/v2/transfer-approvals/{approvalId}/approve',
  retrySafety: 'once',
  check: /* @__PURE__ */ bySchema(approvalDecision),
  essential: ['approvalId', 'status'],
  params: approvalDecisionParams,
  identity: { approvalId: ['approvalId'] },
  ifNotFound,
  // More votes may be needed.
  provesCall: /* @__PURE__ */ showsDecision('APPROVED', 'PENDING'),
};

const reject: Operation<ApprovalDecision> = {
  name: 'approvals.reject',
  method: 'POST',
  path: '/v2/transfer-approvals/{approvalId}/reject',
  retrySafety: 'once',
  check: /* @__PURE__ */ bySchema(approvalDecision),
  essential: ['approvalId', 'status'],
  params: approvalRejectParams,
  identity: { approvalId: ['approvalId'] },
  ifNotFound,
  provesCall: /* @__PURE__ */ showsDecision('REJECTED'),
};

/** Approvals that transfers wait for. */
export class Approvals {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Lists the pending approvals. A walk from the start gives every approval that stays pending once, even if you decide
   * approvals during the walk. Each page asks for one approval more than `limit`, because it begins with the last one of
   * the page before. If the list moved, the walk starts again and leaves out what it gave.
   *
   * Each page is retried after every transient failure.
   *
   * Spec: GET /v2/transfer-approvals.
   *
   * @param params - `limit`: approvals per page, 1 to 100 (the service's default is 20). `offset`: from 0.
   * @param options - Limits, retries, headers or a token; `deadline` covers all pages, in milliseconds.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent; PaginationError when the
   * list changes too fast: 20 restarts without a new approval, or 1,000 in all.
   *
   * @example
   * ```ts
   * for await (const { id, transferType, transferId } of payments.approvals.list()) show(id, transferType, transferId);
   * ```
   */
  list(params: ApprovalListParams = {}, options?: RequestOptions): PagePromise<TransferApproval> {
    const { read, fault } = readParams(listPending.name, params, approvalListParams);
    const input = { query: { limit: read.limit, offset: read.offset }, fault };
    return list(this.#transport, listPending, input, options, offsetPaging);
  }

  /**
   * Approves a transfer, which then executes at once. Some services need more than one vote: the approval then stays
   * `PENDING`.
   *
   * Retried only when it is certain that the service did not accept the request: no connection, or a 429. If `outcome` is
   * `unknown`, the transfer may be executing. List the pending approvals: if this one is no
   * longer among them, it was decided.
   *
   * Spec: POST /v2/transfer-approvals/\{approvalId\}/approve.
   *
   * @param approvalId - The approval's `id`, not the transfer's: `approvalOf(transfer)?.id`.
   * @param params - `comment`: at most 1000 characters.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent. NotFoundError when the approval does not
   * exist.
   *
   * @example
   * ```ts
   * const { status } = await payments.approvals.approve(approval.id, { comment: 'checked against invoice 42' });
   * ```
   */
  approve(
    approvalId: string,
    params: ApprovalDecisionParams = {},
    options?: RequestOptions,
  ): APIPromise<ApprovalDecision> {
    return this.#transport.call(approve, { path: { approvalId }, body: params }, options);
  }

  /**
   * Rejects a transfer, which then never executes.
   *
   * Retried only when it is certain that the service did not accept the request: no connection, or a 429. If `outcome` is
   * `unknown`, list the pending approvals: if this one is no longer among them, it was
   * decided.
   *
   * Spec: POST /v2/transfer-approvals/\{approvalId\}/reject.
   *
   * @param approvalId - The approval's `id`, not the transfer's: `approvalOf(transfer)?.id`.
   * @param params - `comment`: at most 1000 characters. `reason`: some services take it in place of `comment`.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent. NotFoundError when the approval does not
   * exist.
   *
   * @example
   * ```ts
   * await payments.approvals.reject(approval.id, { comment: 'unknown payee' });
   * ```
   */
  reject(
    approvalId: string,
    params: ApprovalRejectParams = {},
    options?: RequestOptions,
  ): APIPromise<ApprovalDecision> {
    return this.#transport.call(reject, { path: { approvalId }, body: params }, options);
  }
}
