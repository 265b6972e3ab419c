import * as z from 'zod';
import type { Dialect } from '../dialect/dialect.ts';
import { ONRAMP_STATUSES } from '../service/records/index.ts';
import { date, developerFee, failure, identity, open, quote, text, time, uuid } from './parts.ts';
import { approvalOf, transferOf } from './transfer-schemas.ts';

const wallet = z.object({ address: text, chain: text, name: text, referenceId: text, createdAt: time });
const decision = z.object({
  success: z.boolean(),
  message: text,
  approvalId: uuid,
  status: z.enum(['PENDING', 'APPROVED', 'REJECTED']),
  timestamp: time,
  reason: text.optional(),
});

function kycOf({ kycQuestionnaire }: Dialect) {
  const questionnaire = kycQuestionnaire === 'text' ? z.unknown() : z.union([open, text]);
  const kycInfo = z.looseObject({
    type: text.nullish(),
    sofEuQuestionnaire: questionnaire,
    documents: z.array(z.unknown()),
  });
  return z.object({ userId: uuid, kycInfo });
}

function metricOf({ metricBreakdowns }: Dialect) {
  const names = z.array(text);
  const breakdowns =
    metricBreakdowns === 'names'
      ? names
      : z.object({ dimensions: names, dimensionCounts: z.record(z.string(), z.int()) });
  const filter = z.object({
    applied: z.enum(['subset', 'all']),
    specified: z.boolean(),
    values: names.optional(),
    count: z.int().optional(),
    note: text.optional(),
  });
  return z.object({
    status: z.literal('success'),
    data: z.array(
      z.looseObject({ periodStart: date, transactionCount: z.int(), grossVolume: z.number().optional() }),
    ),
    metadata: z.object({
      template: z.enum(['GROSS_VOLUME', 'TRANSACTION_COUNT']),
      recordCount: z.int(),
      projectedRowCount: z.int().nullable(),
      filledCount: z.int(),
      calculationInterval: z.enum(['day', 'week', 'month', 'quarter', 'year']),
      dateRange: z.object({ start: date, end: date }),
      filters: z.record(z.string(), filter),
      breakdowns: breakdowns.nullable(),
    }),
  });
}

/** Every schema of a response in a dialect, by the name of its component. */
export function responseSchemas(dialect: Dialect) {
  const approval = approvalOf(dialect);
  const account = accountOf(dialect);
  const message = z.object({ success: z.boolean(), message: text, id: uuid });
  const cursorList = (key: string, item: z.ZodType) =>
    z.object({ count: z.int(), [key]: z.array(item), nextCursor: text.nullish() });
  return {
    Onramp: onramp,
    Transfer: transferOf(dialect, approval),
    TransferApproval: approval,
    ApprovalDecision: decision,
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
  } satisfies Record<string, z.ZodType>;
}

function errorSchemas({ errorNames }: Dialect) {
  const field = errorNames === 'field';
  const details = field
    ? { details: z.record(z.string(), text).optional() }
    : { fields: z.array(z.object({ field: text, message: text })).optional() };
  return {
    NumberedError: z.object({ code: z.int(), error: text, errorDetails: text, ...details }),
    NestedError: z.object({
      status: z.literal('error'),
      error: z.object({ code: text, message: text, ...details }),
    }),
    BareError: z.object({ error: text }),
  };
}

const accountStatus = z.enum(['ACTIVE', 'PENDING', 'REJECTED', 'INACTIVE']);
const invalidFields = z.array(text);
/** The response to a creation. */
const newAccount = z.object({ id: uuid, status: accountStatus, invalidFields, message: text });

/** An account record in a dialect. */
function accountOf({ accountForm, accountRail }: Dialect) {
  const rail =
    accountRail === 'text'
      ? z.enum(['onramp', 'offramp'])
      : z.object({
          currency: text.nullable(),
          railType: z.enum(['onramp', 'offramp']),
          paymentRail: text.nullable(),
        });
  // The bank details stand in a part of the name of the region.
  const common = {
    userId: uuid,
    rail,
    type: text,
    accountHolder: open.nullable(),
    createdAt: time,
    updatedAt: time,
  };
  const forms = {
    neither: z.looseObject({ id: uuid, ...common }),
    status: z.looseObject({ id: uuid, ...common, status: accountStatus, invalidFields, message: text }),
    isValid: z.looseObject({ id: uuid, ...common, isValid: z.boolean().nullable(), reason: text.nullable() }),
    accountId: z.looseObject({
      accountId: uuid,
      accountType: text,
      ...common,
      status: accountStatus,
      invalidFields,
    }),
  };
  return accountForm === 'mixed'
    ? z.union([forms.status, forms.isValid, forms.accountId])
    : forms[accountForm];
}

const party = z.object({
  email: text.nullable(),
  lastName: text.nullable(),
  firstName: text.nullable(),
  businessName: text.nullable(),
});
const numbers = z.object({ routingNumber: text, accountNumber: text });
const deposit = z.object({
  bankName: text,
  bankAddress: text,
  swiftCode: text,
  beneficiary: z.object({ name: text, address: text }),
  ach: numbers,
  wire: numbers,
  rtp: numbers,
  reference: text,
  depositBy: time,
  instruction: text,
});
/** An onramp. */
const onramp = z.object({
  transferType: z.literal('ONRAMP'),
  transferDetails: z.object({
    ...identity,
    ...failure,
    status: z.enum(ONRAMP_STATUSES),
    source: z.object({
      userId: uuid,
      currency: text,
      amount: z.number(),
      transferType: text.nullable(),
      accountId: uuid.nullable(),
      user: party,
      bankInfo: open.nullable(),
    }),
    destination: z.object({
      userId: uuid.nullable(),
      currency: text,
      chain: text,
      walletAddress: text,
      externalWalletId: text.nullable(),
      amount: z.number().nullable(),
      user: party.nullable(),
    }),
    receipt: z.object({ transactionHash: text.nullable() }),
    developerFee: developerFee.nullable(),
    virtualAccountId: z.null(),
    quoteInformation: quote,
    depositInfo: deposit.nullable(),
  }),
});
