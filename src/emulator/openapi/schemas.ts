import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { documentedHolder, PARTS } from '../reading/account-body.ts';
import { address, date, open, text, texts, time, uuid } from './shared-schemas.ts';
import { approvalSchema, onrampSchema, transferSchemas } from './transfer-schemas.ts';

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

function metricSchema({ metricBreakdowns }: Dialect) {
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
  const approval = approvalSchema(dialect);
  const account = accountSchema(dialect);
  const wallet = z.object(dialect.transferFields === 'all' ? { id: uuid, ...listed } : listed);
  const message = z.object({ success: z.boolean(), message: text, id: uuid });
  const cursorList = (key: string, item: z.ZodMiniType) =>
    z.object({ count: z.int(), [key]: z.array(item), nextCursor: z.nullish(text) });
  return {
    Onramp: onrampSchema(dialect),
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
    KycInformation: kycSchema(dialect),
    MetricResults: metricSchema(dialect),
    ...errorSchemas(),
  } satisfies Record<string, z.ZodMiniType>;
}

function errorSchemas() {
  const details = { details: z.optional(z.record(z.string(), text)) };
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

const holder = z.object({ ...texts(Object.keys(documentedHolder.shape)), address: z.nullish(address) });
/** The bank details stand in a part with the name of the region, as they were sent. */
const regions = Object.fromEntries(
  Object.entries(PARTS).map(([region, part]) => {
    const fields = texts(Object.keys(part.shape));
    const more = region === 'us' ? { bankAddress: z.nullish(z.union([text, address])) } : {};
    return [region, z.optional(z.object({ ...fields, ...more }))];
  }),
);

function accountSchema({ accountForm, accountRail }: Dialect) {
  const rail =
    accountRail === 'text'
      ? z.enum(['onramp', 'offramp'])
      : z.object({
          currency: z.nullable(text),
          railType: z.enum(['onramp', 'offramp']),
          paymentRail: z.nullable(text),
        });
  const common = {
    userId: uuid,
    rail,
    type: text,
    accountHolder: z.nullable(holder),
    ...regions,
    createdAt: time,
    updatedAt: time,
  };
  const forms = {
    neither: z.looseObject({ id: uuid, ...common }),
    status: z.looseObject({ id: uuid, ...common, status: accountStatus, invalidFields, message: text }),
    isValid: z.looseObject({
      id: uuid,
      ...common,
      isValid: z.nullable(z.boolean()),
      reason: z.nullable(text),
    }),
    accountId: z.looseObject({
      accountId: uuid,
      accountType: text,
      currency: z.nullable(text),
      ...common,
      status: accountStatus,
      invalidFields,
    }),
  };
  return accountForm === 'mixed'
    ? z.union([forms.status, forms.isValid, forms.accountId])
    : forms[accountForm];
}

/** The fields of a person, and of an owner of a business. */
const PERSON = [
  'firstName firstNameLocal middleName middleNameLocal lastName lastNameLocal nationality email phone dateOfBirth',
  'countryOfBirth stateOfBirth placeOfBirth taxIdentificationNumber taxResidenceCountry govIdType govIdNumber',
  'govIdFrontUrl govIdBackUrl govIdCountry govIdIssuanceDate govIdExpirationDate govIdIssuanceAuthority',
  'govIdHandHoldUrl proofOfAddressType proofOfAddressUrl ipAddress idType idNumber additionalIdType additionalIdNumber',
].flatMap((line) => line.split(' '));

/** The other fields of a record, those of a business among them. */
const MORE = [
  'type purpose productServiceCategory supplementaryInfo supplementaryUrl businessName taxIdentificationNumberType',
  'leiNumber registrationNumber incorporationDate incorporationCountry',
].flatMap((line) => line.split(' '));

/** The KYC information of a user in a dialect. A test may add fields of its own. */
function kycSchema({ kycQuestionnaire }: Dialect) {
  const person = { ...texts(PERSON), address: z.nullish(address) };
  const documents = z.array(z.unknown());
  const kycInfo = z.looseObject({
    ...person,
    ...texts(MORE),
    sofEuQuestionnaire: kycQuestionnaire === 'text' ? z.nullish(text) : z.nullish(z.union([open, text])),
    documents,
    registeredAddress: z.nullish(address),
    postalAddress: z.nullish(address),
    ultimateBeneficialOwners: z.nullish(
      z.array(z.looseObject({ ...person, documents: z.nullish(documents) })),
    ),
  });
  return z.object({ userId: uuid, kycInfo });
}
