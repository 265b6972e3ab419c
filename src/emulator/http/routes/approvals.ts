import * as z from 'zod/mini';
import { approvalWire } from '../../dialect/transfers.ts';
import { noQuery, wholeNumberText } from '../../reading/query.ts';
import { noBody, object } from '../../reading/request-body.ts';
import { decideApproval, listPendingApprovals } from '../../service/transfers/approvals.ts';
import { ok, type Route, route } from './route.ts';

const words = z.nullish(
  z.string({ error: 'must be a text' }).check(z.maxLength(1000, { error: 'is longer than 1000 characters' })),
);

/** The body of a decision. A rejection may give a `reason` instead of a `comment`. */
export const vote = z.nullish(object({ comment: words }));
export const rejection = z.nullish(object({ comment: words, reason: words }));

const paging = object({
  limit: z._default(wholeNumberText(1, 100), 20),
  offset: z._default(wholeNumberText(0, Number.MAX_SAFE_INTEGER), 0),
});

export const approvalRoutes = [
  route({
    operation: 'approvals.list',
    method: 'GET',
    path: '/v2/transfer-approvals',
    summary: 'Lists the pending approvals, oldest first.',
    body: noBody,
    query: () => paging,
    handle: ({ world, query: { limit, offset } }) => {
      const { approvalListKey, approvalCount } = world.dialect;
      const pending = listPendingApprovals(world);
      const page = pending.slice(offset, offset + limit);
      return ok({
        success: true,
        message: `There are ${pending.length} pending approvals`,
        count: approvalCount === 'total' ? pending.length : page.length,
        [approvalListKey]: page.map((approval) => approvalWire(world.dialect, approval)),
      });
    },
  }),
  decisionRoute('approvals.approve', '/v2/transfer-approvals/:approvalId/approve', 'APPROVED', vote),
  decisionRoute('approvals.reject', '/v2/transfer-approvals/:approvalId/reject', 'REJECTED', rejection),
];

function decisionRoute(
  operation: Route['operation'],
  path: string,
  decision: 'APPROVED' | 'REJECTED',
  words: typeof vote | typeof rejection,
): Route {
  return route({
    operation,
    method: 'POST',
    path,
    summary:
      decision === 'APPROVED' ? 'Approves a transfer.' : 'Rejects a transfer, which then never executes.',
    body: () => words,
    query: noQuery,
    handle: ({ world, path, body }) => {
      const reason = rejectionReason(body);
      const comment = body?.comment ?? reason;
      const approval = decideApproval(world, path('approvalId'), decision, comment);
      return ok({
        success: true,
        message: decision === 'APPROVED' ? 'The approval was recorded' : 'The transfer was rejected',
        approvalId: approval.id,
        status: approval.status,
        timestamp: approval.updatedAt,
        ...(world.dialect.voteForm === 'vote' ? { comment: comment ?? null } : {}),
        ...(reason === undefined ? {} : { reason }),
      });
    },
  });
}

function rejectionReason(body: z.output<typeof vote> | z.output<typeof rejection>): string | undefined {
  const reason = body !== null && body !== undefined && 'reason' in body ? body.reason : undefined;
  return typeof reason === 'string' ? reason : undefined;
}
