import * as z from 'zod';
import type { TransferRecord } from '../../service/records/index.ts';
import { createTransfer, type NewTransfer } from '../../service/transfers/transfers.ts';
import { isObject } from '../json.ts';
import { invalidField } from '../problem.ts';
import { amount, check, object, optionalText, requestId, text } from '../request-body.ts';
import { once, type Route } from './route.ts';

const MOST_RECIPIENTS = 50;

/** Where the recipients of a batch may stand: the spec does not show it. */
const RECIPIENT_LISTS = ['destination.batch', 'recipients', 'destinations', 'batch', 'transfers'] as const;

const requireApproval = z.boolean({ error: 'must be true or false' }).nullish();
const source = object({
  userId: text,
  currency: optionalText,
  chain: optionalText,
  amount: amount.optional(),
});
const destination = object({
  userId: optionalText,
  currency: optionalText,
  chain: optionalText,
  amount: amount.optional(),
});

const walletTransfer = object({
  requestId,
  source,
  destination: destination.extend({ userId: text }),
  amount,
  currency: text,
  chain: text,
  requireApproval,
});

const batchTransfer = object({
  requestId,
  source,
  destination: z.unknown().optional(),
  amount: amount.optional(),
  currency: optionalText,
  chain: optionalText,
  requireApproval,
});

const recipient = object({ userId: optionalText, amount: amount.optional() });

/** Bridges and offramps, whose bodies the spec does not show: the parts common to all transfers are checked. */
const conversion = object({
  requestId,
  source,
  destination: destination.optional(),
  amount: amount.optional(),
  currency: optionalText,
  chain: optionalText,
  requireApproval,
});

export const transferRoutes: readonly Route[] = [
  {
    operation: 'transfers.create',
    method: 'POST',
    path: '/v2/wallets/transfers',
    handle: (call) => {
      const params = check(walletTransfer, call.body);
      return create(call, 'transfers.create', {
        ...common(params),
        transferType: 'WALLET.TRANSFER',
        destination: params.destination,
        parts: [{ userId: params.destination.userId, amount: params.amount, field: 'amount' }],
      });
    },
  },
  {
    operation: 'transfers.createBatch',
    method: 'POST',
    path: '/v2/wallets/transfers/batches',
    handle: (call) => {
      const params = check(batchTransfer, call.body);
      const { field, recipients } = recipientsOf(params);
      return create(call, 'transfers.createBatch', {
        ...common(params),
        transferType: 'WALLET.TRANSFER.BATCH',
        destination: params.destination ?? null,
        recipients,
        parts: recipients.map((item, place) => partOf(item, params.amount, `${field}.${place}`)),
      });
    },
  },
  {
    operation: 'bridges.create',
    method: 'POST',
    path: '/v2/wallets/bridges',
    handle: (call) => {
      const params = check(conversion, call.body);
      const arrivesOn = params.destination?.chain ?? null;
      return create(call, 'bridges.create', {
        ...converted(params),
        transferType: 'WALLET.BRIDGE',
        arrivesOn,
      });
    },
  },
  {
    operation: 'offramps.create',
    method: 'POST',
    path: '/v2/offramps',
    handle: (call) => {
      const params = check(conversion, call.body);
      const receives = params.destination?.currency ?? null;
      return create(call, 'offramps.create', { ...converted(params), transferType: 'OFFRAMP', receives });
    },
  },
];

/** The transfer object of the spec. */
export function transferWire({ transferType, transferDetails }: TransferRecord): Record<string, unknown> {
  return { transferType, transferDetails };
}

function create(call: Parameters<Route['handle']>[0], operation: Route['operation'], params: NewTransfer) {
  return once(call, operation, params.requestId, () => transferWire(createTransfer(call.world, params)));
}

function common(params: z.output<typeof batchTransfer> | z.output<typeof walletTransfer>) {
  return {
    requestId: params.requestId,
    source: params.source,
    currency: params.currency ?? params.source.currency ?? null,
    chain: params.chain ?? params.source.chain ?? null,
    receives: null,
    arrivesOn: null,
    requireApproval: params.requireApproval ?? false,
  };
}

function converted(params: z.output<typeof conversion>) {
  const places = [
    ['amount', params.amount],
    ['source.amount', params.source.amount],
    ['destination.amount', params.destination?.amount],
  ] as const;
  for (const [field, value] of places) {
    if (value === undefined) continue;
    const part = { userId: params.destination?.userId ?? null, amount: value, field };
    return {
      ...common({ ...params, destination: params.destination }),
      destination: params.destination ?? null,
      parts: [part],
    };
  }
  throw invalidField('amount', 'is required: must be a finite number greater than 0');
}

function recipientsOf(body: Record<string, unknown>): { field: string; recipients: unknown[] } {
  for (const field of [...RECIPIENT_LISTS, 'destination']) {
    const found = field
      .split('.')
      .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), body);
    if (!Array.isArray(found)) continue;
    if (found.length === 0) throw invalidField(field, 'must name at least one recipient');
    if (found.length > MOST_RECIPIENTS) {
      throw invalidField(field, `names ${found.length} recipients; a batch takes at most ${MOST_RECIPIENTS}`);
    }
    return { field, recipients: found };
  }
  throw invalidField(
    RECIPIENT_LISTS[0],
    `is required: a list of recipients here or in ${RECIPIENT_LISTS.slice(1).join(', ')}`,
  );
}

function partOf(item: unknown, otherwise: number | undefined, field: string) {
  const result = recipient.safeParse(item);
  const wrong = result.error?.issues[0];
  if (!result.success)
    throw invalidField([field, ...(wrong?.path ?? [])].map(String).join('.'), wrong?.message ?? '');
  const value = result.data.amount ?? otherwise;
  if (value === undefined)
    throw invalidField(`${field}.amount`, 'is required: must be a finite number greater than 0');
  return { userId: result.data.userId ?? null, amount: value, field: `${field}.amount` };
}
