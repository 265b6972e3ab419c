import * as z from 'zod/mini';
import { accountShape } from '../../shared/service/account-response.ts';
import { approvalDecisionShape, transferApprovalShape } from '../../shared/service/approval-response.ts';
import { bridgeShape } from '../../shared/service/bridge-response.ts';
import { externalWalletShape } from '../../shared/service/external-wallet-response.ts';
import { kycInformationShape } from '../../shared/service/kyc-response.ts';
import { metricResultsShape } from '../../shared/service/metric-response.ts';
import { offrampShape } from '../../shared/service/offramp-response.ts';
import { onrampShape } from '../../shared/service/onramp-response.ts';
import { transferBatchShape, transferShape } from '../../shared/service/transfer-response.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { accountListKey } from '../dialect/wire.ts';
import { ONRAMP_STATUSES } from '../service/records/onramp.ts';
import { statusesOf, TRANSFER_TYPES } from '../service/records/transfer.ts';
import { ACCOUNT_STATUSES } from '../service/records/users.ts';

const text = z.string();
const details = { details: z.optional(z.record(z.string(), text)) };
const success = { success: z.boolean(), message: text };

/** Every schema of a response in a dialect, by the name of its component: those by which the client reads it. */
export function responseSchemas(dialect: Dialect): Map<string, z.core.$ZodType> {
  const account = accountShape.schema();
  const approval = transferApprovalShape.schema();
  const wallet = externalWalletShape.schema();
  const onramp = onrampShape.schema();
  const transfer = transferShape.schema();
  const batch = transferBatchShape.schema();
  const bridge = bridgeShape.schema();
  const offramp = offrampShape.schema();
  const walletTransfer = z.union([transfer, batch]);
  const cursorList = (key: string, item: z.core.$ZodType) =>
    z.object({ count: z.int(), [key]: z.array(item), nextCursor: z.nullish(text) });
  return new Map<string, z.core.$ZodType>([
    ['Onramp', onramp],
    ['Transfer', transfer],
    ['TransferBatch', batch],
    ['Bridge', bridge],
    ['Offramp', offramp],
    ['WalletTransfer', walletTransfer],
    ['OnrampList', cursorList('records', onramp)],
    ['TransferList', cursorList('records', walletTransfer)],
    ['BridgeList', cursorList('records', bridge)],
    ['OfframpList', cursorList('records', offramp)],
    ['TransferApproval', approval],
    ['ApprovalDecision', approvalDecisionShape.schema()],
    ['ApprovalList', z.object({ ...success, count: z.int(), approvals: z.array(approval) })],
    ['Account', account],
    ['AccountList', cursorList(accountListKey(dialect), account)],
    ['DeletedAccount', z.object({ ...success, id: text })],
    ['ExternalWallet', wallet],
    ['ExternalWalletList', cursorList('externalWallets', wallet)],
    ['KycInformation', kycInformationShape.schema()],
    ['MetricResults', metricResultsShape<string, string>().schema()],
    ['NumberedError', z.object({ code: z.int(), error: text, errorDetails: text, ...details })],
    [
      'NestedError',
      z.object({ status: z.literal('error'), error: z.object({ code: text, message: text, ...details }) }),
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
