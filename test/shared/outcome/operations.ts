import type { OperationFacts } from '../../../src/shared/outcome/operation.ts';
import {
  showsAccount,
  showsDecision,
  showsDeletion,
  showsTransfer,
} from '../../../src/shared/outcome/record.ts';

/** The facts of one operation of each kind, and what a call of it sends. */
export const kinds = {
  payment: {
    operation: {
      name: 'transfers.create',
      retrySafety: 'keyed',
      record: 'transferDetails',
      provesCall: showsTransfer,
    },
    path: {},
    sent: { requestId: 'r1', amount: 25.5, currency: 'usdc', source: { userId: 'payer' } },
  },
  refresh: {
    operation: {
      name: 'onramps.refreshQuote',
      retrySafety: 'refresh',
      identity: { transferId: ['transferDetails.id'] },
      provesCall: showsTransfer,
    },
    path: { transferId: 't1' },
    sent: undefined,
  },
  account: {
    operation: {
      name: 'accounts.create',
      retrySafety: 'once',
      identity: { userId: ['userId'] },
      provesCall: showsAccount,
    },
    path: { userId: 'u1' },
    sent: { rail: 'onramp', type: 'us' },
  },
  approve: {
    operation: {
      name: 'approvals.approve',
      retrySafety: 'once',
      identity: { approvalId: ['approvalId'] },
      provesCall: showsDecision('APPROVED', 'PENDING'),
    },
    path: { approvalId: 'ap1' },
    sent: {},
  },
  reject: {
    operation: {
      name: 'approvals.reject',
      retrySafety: 'once',
      identity: { approvalId: ['approvalId'] },
      provesCall: showsDecision('REJECTED'),
    },
    path: { approvalId: 'ap1' },
    sent: {},
  },
  delete: {
    operation: {
      name: 'accounts.delete',
      retrySafety: 'delete',
      identity: { userId: ['userId'], accountId: ['id', 'accountId'] },
      provesCall: showsDeletion,
    },
    path: { userId: 'u1', accountId: 'a1' },
    sent: undefined,
  },
} satisfies Record<
  string,
  { operation: OperationFacts; path: Readonly<Record<string, string>>; sent: unknown }
>;

export type Kind = keyof typeof kinds;
