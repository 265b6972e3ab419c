import { expect } from 'vitest';
import { InvalidRequestError, type PaymentsClient, type RequestOptions } from '../../../src/client/index.ts';
import { batchParams, bridgeParams, offrampParams, onrampParams, transferParams } from '../operations.ts';
import { clientOf, failure, json, scripted } from '../support.ts';

type Create = (client: PaymentsClient, body: never, options?: RequestOptions) => PromiseLike<unknown>;

/** Every operation that takes parameters. */
export const calls = {
  onramp: (client, body, options) => client.onramps.create(body, options),
  transfer: (client, body, options) => client.transfers.create(body, options),
  batch: (client, body, options) => client.transfers.createBatch(body, options),
  bridge: (client, body, options) => client.bridges.create(body, options),
  offramp: (client, body, options) => client.offramps.create(body, options),
  account: (client, body, options) => client.accounts.create('u1', body, options),
  approve: (client, body, options) => client.approvals.approve('a1', body, options),
  reject: (client, body, options) => client.approvals.reject('a1', body, options),
  accounts: (client, body, options) => client.accounts.list('u1', body, options),
  approvals: (client, body, options) => client.approvals.list(body, options),
  wallets: (client, body, options) => client.externalWallets.list('u1', body, options),
} as const satisfies Record<string, Create>;

export type CallName = keyof typeof calls;

/** Valid parameters of every payment. */
export const payments = {
  onramp: onrampParams,
  transfer: transferParams,
  batch: batchParams,
  bridge: bridgeParams,
  offramp: offrampParams,
} as const satisfies Partial<Record<CallName, object>>;

export const paymentNames = ['onramp', 'transfer', 'batch', 'bridge', 'offramp'] as const;

/** A copy with one dotted path set, or left out where the value is undefined. Numbers are places in lists. */
export function having(body: object, path: string, value: unknown): object {
  const [first = '', ...rest] = path.split('.');
  const copy: Record<string, unknown> | unknown[] = Array.isArray(body) ? [...body] : { ...body };
  const inner = rest.length > 0 ? having(Object(Reflect.get(copy, first)), rest.join('.'), value) : value;
  if (inner === undefined) Reflect.deleteProperty(copy, first);
  else Reflect.set(copy, first, inner);
  return copy;
}

/** The body that a call sends. What becomes of its response does not matter here. */
export async function sent(name: CallName, body: unknown, options?: RequestOptions): Promise<unknown> {
  const fetch = scripted(json({}));
  const client = clientOf(fetch, { retries: 0 });
  await Promise.allSettled([calls[name](client, body as never, options)]);
  expect(fetch.seen).toHaveLength(1);
  return JSON.parse(fetch.seen[0]?.body ?? 'null');
}

/** The refusal of a call that sends nothing. */
export async function refused(
  name: CallName,
  body: unknown,
  options?: RequestOptions,
): Promise<InvalidRequestError> {
  const fetch = scripted(json({}));
  const error = await failure(calls[name](clientOf(fetch), body as never, options));
  expect(fetch.seen).toHaveLength(0);
  if (!(error instanceof InvalidRequestError)) throw error;
  expect(error).toMatchObject({ outcome: 'not-sent', attempts: 0 });
  expect(error.message).toMatch(/^\w+\.\w+: .* Nothing was sent\.$/);
  return error;
}
