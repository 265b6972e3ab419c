import * as z from 'zod/mini';
import { approvalWire } from '../../dialect/payments.ts';
import { noBody, noQuery, objectField, wholeNumberText } from '../../reading/check.ts';
import { decisionBodies } from '../../reading/payment-bodies.ts';
import { decideApproval, listPendingApprovals } from '../../service/transfers/approvals.ts';
import { ok, type Route, route } from './route.ts';

const paging = objectField({
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
      const pending = listPendingApprovals(world);
      const page = pending.slice(offset, offset + limit);
      return ok({
        success: true,
        message: `There are ${pending.length} pending approvals`,
        count: world.dialect.name === 'spec' ? pending.length : page.length,
        approvals: page.map((approval) => approvalWire(world.dialect, approval)),
      });
    },
  }),
  decisionRoute('approvals.approve', 'APPROVED', 'Approves a transfer.', 'The approval was recorded'),
  decisionRoute(
    'approvals.reject',
    'REJECTED',
    'Rejects a transfer, which then never executes.',
    'The transfer was rejected',
  ),
];

function decisionRoute(
  operation: 'approvals.approve' | 'approvals.reject',
  decision: 'APPROVED' | 'REJECTED',
  summary: string,
  message: string,
): Route {
  return route({
    operation,
    method: 'POST',
    path: `/v2/transfer-approvals/:approvalId/${operation.slice('approvals.'.length)}`,
    summary,
    body: () => decisionBodies[decision],
    query: noQuery,
    handle: ({ world, path, body }) => {
      const { comment, reason } = body ?? {};
      const words = comment ?? reason;
      const approval = decideApproval(world, path('approvalId'), decision, words);
      return ok({
        success: true,
        message,
        approvalId: approval.id,
        status: approval.status,
        timestamp: approval.updatedAt,
        ...(world.dialect.name === 'field' ? { comment: words ?? null } : {}),
        ...(typeof reason === 'string' ? { reason } : {}),
      });
    },
  });
}
