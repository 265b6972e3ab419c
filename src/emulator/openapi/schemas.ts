import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { accountOf, newAccount } from './account-schemas.ts';
import { kycOf } from './kyc-schemas.ts';
import { onrampOf } from './onramp-schemas.ts';
import { date, text, time, uuid } from './parts.ts';
import { approvalOf, transferSchemas } from './transfer-schemas.ts';

const listed = { address: text, chain: text, name: text, referenceId: text, createdAt: time };
const decisionOf = ({ voteForm }: Dialect) =>
  z.object({
    success: z.boolean(),
    message: text,
    approvalId: uuid,
    status: z.enum(['PENDING', 'APPROVED', 'REJECTED']),
    timestamp: time,
    ...(voteForm === 'vote' ? { comment: z.nullable(text) } : {}),
    reason: z.optional(text),
  });

const METRIC_FILTERS = [
  'createdAfter',
  'createdBefore',
  'calculationInterval',
  'transactionTypes',
  'userIds',
];

function metricOf({ metricBreakdowns }: Dialect) {
  const names = z.array(text);
  const breakdowns =
    metricBreakdowns === 'names'
      ? names
      : z.object({ dimensions: names, dimensionCounts: z.record(z.string(), z.int()) });
  const filter = z.object({
    applied: z.enum(['subset', 'all']),
    specified: z.boolean(),
    values: z.optional(names),
    count: z.optional(z.int()),
    note: z.optional(text),
  });
  return z.object({
    status: z.literal('success'),
    data: z.array(
      z.looseObject({ periodStart: date, transactionCount: z.int(), grossVolume: z.optional(z.number()) }),
    ),
    metadata: z.object({
      template: z.enum(['GROSS_VOLUME', 'TRANSACTION_COUNT']),
      recordCount: z.int(),
      projectedRowCount: z.nullable(z.int()),
      filledCount: z.int(),
      calculationInterval: z.enum(['day', 'week', 'month', 'quarter', 'year']),
      dateRange: z.object({ start: date, end: date }),
      filters: z.object(Object.fromEntries(METRIC_FILTERS.map((name) => [name, z.optional(filter)]))),
      breakdowns: z.nullable(breakdowns),
    }),
  });
}

/** Every schema of a response in a dialect, by the name of its component. */
export function responseSchemas(dialect: Dialect) {
  const approval = approvalOf(dialect);
  const account = accountOf(dialect);
  const wallet = z.object(dialect.transferFields === 'all' ? { id: uuid, ...listed } : listed);
  const message = z.object({ success: z.boolean(), message: text, id: uuid });
  const cursorList = (key: string, item: z.ZodMiniType) =>
    z.object({ count: z.int(), [key]: z.array(item), nextCursor: z.nullish(text) });
  return {
    Onramp: onrampOf(dialect),
    ...transferSchemas(dialect, approval),
    TransferApproval: approval,
    ApprovalDecision: decisionOf(dialect),
    ApprovalList: z.object({
      success: z.boolean(),
      message: text,
      count: z.int(),
      [dialect.approvalListKey]: z.array(approval),
    }),
    Account: account,
    NewAccount: newAccount,
    AccountList: cursorList(dialect.accountListKey, account),
    DeletedAccount:
      dialect.accountDeletion === 'message' ? message : z.looseObject({ status: z.literal('INACTIVE') }),
    ExternalWallet: wallet,
    ExternalWalletList: cursorList(dialect.externalWalletListKey, wallet),
    KycInformation: kycOf(dialect),
    MetricResults: metricOf(dialect),
    ...errorSchemas(dialect),
  } satisfies Record<string, z.ZodMiniType>;
}

function errorSchemas({ errorNames }: Dialect) {
  const field = errorNames === 'field';
  const details = field
    ? { details: z.optional(z.record(z.string(), text)) }
    : { fields: z.optional(z.array(z.object({ field: text, message: text }))) };
  return {
    NumberedError: z.object({ code: z.int(), error: text, errorDetails: text, ...details }),
    NestedError: z.object({
      status: z.literal('error'),
      error: z.object({ code: text, message: text, ...details }),
    }),
    BareError: z.object({ error: text }),
  };
}
