import * as z from 'zod';
import { decideApproval, listPendingApprovals } from '../../service/transfers/approvals.ts';
import { check, object } from '../request-body.ts';
import { ok, type Route, wholeNumber } from './route.ts';

/** What comes with a decision. */
export const vote = object({
  comment: z
    .string({ error: 'must be a text' })
    .max(1000, { error: 'is longer than 1000 characters' })
    .nullish(),
});

export const approvalRoutes: readonly Route[] = [
  {
    operation: 'approvals.list',
    method: 'GET',
    path: '/v2/transfer-approvals',
    handle: ({ world, query }) => {
      const limit = wholeNumber(query, 'limit', { least: 1, most: 100, otherwise: 20 });
      const offset = wholeNumber(query, 'offset', { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 });
      const pending = listPendingApprovals(world);
      return ok({
        success: true,
        message: `There are ${pending.length} pending approvals`,
        count: pending.length,
        approvals: pending.slice(offset, offset + limit),
      });
    },
  },
  decisionRoute('approvals.approve', '/v2/transfer-approvals/:approvalId/approve', 'APPROVED'),
  decisionRoute('approvals.reject', '/v2/transfer-approvals/:approvalId/reject', 'REJECTED'),
];

function decisionRoute(operation: Route['operation'], path: string, decided: 'APPROVED' | 'REJECTED'): Route {
  return {
    operation,
    method: 'POST',
    path,
    handle: ({ world, path, body }) => {
      const { comment } = check(vote, body ?? {});
      const approval = decideApproval(world, path('approvalId'), decided, comment ?? undefined);
      return ok({
        success: true,
        message: decided === 'APPROVED' ? 'The transfer was approved' : 'The transfer was rejected',
        approvalId: approval.id,
        status: approval.status,
        timestamp: approval.updatedAt,
      });
    },
  };
}
