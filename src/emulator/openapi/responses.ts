import * as z from 'zod/mini';
import { account } from '../../shared/service/accounts.ts';
import { approvalDecision, transferApproval } from '../../shared/service/approvals.ts';
import { bridge } from '../../shared/service/bridges.ts';
import { externalWallet } from '../../shared/service/external-wallets.ts';
import { kycInformation } from '../../shared/service/kyc.ts';
import { metricResults } from '../../shared/service/metrics.ts';
import { offramp } from '../../shared/service/offramps.ts';
import { onramp } from '../../shared/service/onramps.ts';
import { transfer, transferBatch } from '../../shared/service/transfers.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { accountListKey } from '../dialect/wire.ts';
import { ONRAMP_STATUSES } from '../service/records/onramp.ts';
import { statusesOf, TRANSFER_TYPES } from '../service/records/transfer.ts';
import { ACCOUNT_STATUSES } from '../service/records/users.ts';

const textSchema = z.string();
const details = { details: z.optional(z.record(z.string(), textSchema)) };
const success = { success: z.boolean(), message: textSchema };

/** Every schema of a response in a dialect, by the name of its component: those by which the client reads it. */
export function responseSchemas(dialect: Dialect): Map<string, z.core.$ZodType> {
  const walletTransfer = z.union([transfer(), transferBatch()]);
  const cursorList = (key: string, item: z.core.$ZodType) =>
    z.object({ count: z.int(), [key]: z.array(item), nextCursor: z.nullish(textSchema) });
  return new Map<string, z.core.$ZodType>([
    ['Onramp', onramp()],
    ['Transfer', transfer()],
    ['TransferBatch', transferBatch()],
    ['Bridge', bridge()],
    ['Offramp', offramp()],
    ['WalletTransfer', walletTransfer],
    ['OnrampList', cursorList('records', onramp())],
    ['TransferList', cursorList('records', walletTransfer)],
    ['BridgeList', cursorList('records', bridge())],
    ['OfframpList', cursorList('records', offramp())],
    ['TransferApproval', transferApproval()],
    ['ApprovalDecision', approvalDecision()],
    ['ApprovalList', z.object({ ...success, count: z.int(), approvals: z.array(transferApproval()) })],
    ['Account', account()],
    ['AccountList', cursorList(accountListKey(dialect), account())],
    ['DeletedAccount', z.object({ ...success, id: textSchema })],
    ['ExternalWallet', externalWallet()],
    ['ExternalWalletList', cursorList('externalWallets', externalWallet())],
    ['KycInformation', kycInformation()],
    ['MetricResults', metricResults()],
    ['NumberedError', z.object({ code: z.int(), error: textSchema, errorDetails: textSchema, ...details })],
    [
      'NestedError',
      z.object({
        status: z.literal('error'),
        error: z.object({ code: textSchema, message: textSchema, ...details }),
      }),
    ],
  ]);
}

type Json = Record<string, unknown>;

/** The values of `status` in each component. The client takes any text, since a service may add others. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  Onramp: ONRAMP_STATUSES,
  Transfer: statusesOf('WALLET.TRANSFER'),
  TransferBatch: statusesOf('WALLET.TRANSFER.BATCH'),
  Bridge: statusesOf('WALLET.BRIDGE'),
  Offramp: statusesOf('OFFRAMP'),
  TransferApproval: ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'],
  ApprovalDecision: ['PENDING', 'APPROVED', 'REJECTED'],
  Account: [...ACCOUNT_STATUSES, 'INACTIVE'],
};

const FORMATS = new Map([
  ['createdAt', 'date-time'],
  ['updatedAt', 'date-time'],
  ['timestamp', 'date-time'],
  ['depositBy', 'date-time'],
  ['requestId', 'uuid'],
  ['transferId', 'uuid'],
  ['approvalId', 'uuid'],
]);

/** Adds the known values and the formats to the properties of a component. */
export function annotated(component: string, schema: Json): Json {
  const properties = schema.properties as Record<string, Json> | undefined;
  for (const [name, property] of Object.entries(properties ?? {})) {
    // The names of values and breakdowns belong to the metric.
    if (component === 'MetricResults' && name === 'data') Object(property.items).additionalProperties = true;
    const [first] = (property.anyOf as Json[] | undefined) ?? [property];
    if (first?.type !== 'string') {
      if (name === 'transferDetails') annotated(component, property);
      continue;
    }
    const format = FORMATS.get(name);
    if (format !== undefined) first.format = format;
    if (name === 'status' && component in STATUSES) first.enum = STATUSES[component];
    if (name === 'transferType') first.enum = component === 'Onramp' ? ['ONRAMP'] : TRANSFER_TYPES;
  }
  return schema;
}
