/**
 * Approvals that transfers wait for.
 *
 * ```ts
 * for await (const approval of payments.approvals.list()) {
 *   console.log(approval.id, approval.transferType, approvalExpiresAt(approval));
 * }
 * ```
 *
 * @module approvals
 */
export { Approvals, approvalExpiresAt } from '../../src/index.ts';
export * from '../../src/types/approval.ts';
