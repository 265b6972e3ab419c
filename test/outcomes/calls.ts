import type { PaymentsClient, RequestOptions } from '../../src/client/index.ts';
import {
  batchParams,
  bridgeParams,
  offrampParams,
  onrampParams,
  transferParams,
  usParams,
} from '../client/operations.ts';
import { networkFailure, type Step } from '../client/support.ts';
import type { Example } from './table.ts';

/** The kind of an operation that changes something, as the table of the design tells them apart. */
type Kind = 'payment' | 'refresh' | 'account' | 'approve' | 'reject' | 'delete';

/** An operation that changes something, and what the design says of its repeats. */
export interface Changing {
  readonly name: string;
  readonly kind: Kind;
  readonly isKeyed: boolean;
  /** True if it is repeated after an ambiguous failure. */
  readonly isRepeatable: boolean;
  readonly call: (client: PaymentsClient, options?: RequestOptions) => Promise<unknown>;
  /** A 2xx that proves it. */
  readonly record: () => Response;
}

/** The ids of the table's examples: requestId `r1`, transfer `t1`, user `u1`, account `a1`, approval `ap1`. */
const key = '6fa459ea-ee8a-4ca4-894e-db77e160355e';
const transfer = () => Response.json({ transferDetails: { id: 't1', status: 'CREATED' } });

function payment(name: string, call: Changing['call']): Changing {
  return { name, kind: 'payment', isKeyed: true, isRepeatable: true, call, record: transfer };
}

export const payments: readonly Changing[] = [
  payment('onramps.create', (client, options) =>
    client.onramps.create({ ...onrampParams, requestId: key }, options),
  ),
  payment('transfers.create', (client, options) =>
    client.transfers.create({ ...transferParams, requestId: key }, options),
  ),
  payment('transfers.createBatch', (client, options) =>
    client.transfers.createBatch({ ...batchParams, requestId: key }, options),
  ),
  payment('bridges.create', (client, options) =>
    client.bridges.create({ ...bridgeParams, requestId: key }, options),
  ),
  payment('offramps.create', (client, options) =>
    client.offramps.create({ ...offrampParams, requestId: key }, options),
  ),
];

const others: readonly Changing[] = [
  {
    name: 'onramps.refreshQuote',
    kind: 'refresh',
    isKeyed: false,
    isRepeatable: true,
    call: (client, options) => client.onramps.refreshQuote('t1', options),
    record: transfer,
  },
  {
    name: 'accounts.create',
    kind: 'account',
    isKeyed: false,
    isRepeatable: false,
    call: (client, options) => client.accounts.create('u1', usParams, options),
    record: () => Response.json({ id: 'a1', status: 'PENDING' }),
  },
  {
    name: 'approvals.approve',
    kind: 'approve',
    isKeyed: false,
    isRepeatable: false,
    call: (client, options) => client.approvals.approve('ap1', {}, options),
    record: () => Response.json({ approvalId: 'ap1', status: 'APPROVED' }),
  },
  {
    name: 'approvals.reject',
    kind: 'reject',
    isKeyed: false,
    isRepeatable: false,
    call: (client, options) => client.approvals.reject('ap1', {}, options),
    record: () => Response.json({ approvalId: 'ap1', status: 'REJECTED' }),
  },
  {
    name: 'accounts.delete',
    kind: 'delete',
    isKeyed: false,
    isRepeatable: true,
    call: (client, options) => client.accounts.delete('u1', 'a1', options),
    record: () => new Response(null, { status: 204 }),
  },
];

/** Every operation that changes something. */
export const changing: readonly Changing[] = [...payments, ...others];

/** Sends what a row of the table is about. */
export function stepOf({ status, body, text, isCut }: Example): Step {
  return () => {
    if (isCut === true) return new Response(cut(), { status });
    const isEmpty = status === 204;
    return new Response(isEmpty ? null : (text ?? JSON.stringify(body)), { status });
  };
}

function cut(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id":'));
    },
    pull(controller) {
      controller.error(
        new TypeError('terminated', { cause: Object.assign(new Error(), { code: 'UND_ERR_SOCKET' }) }),
      );
    },
  });
}

/** What one attempt may meet, in the words of the issue. */
export const fates = ['lost', 'refused', 'refused for now', 'made'] as const;
export type Fate = (typeof fates)[number];

/** The response, or the failure, of a fate. */
export function meets(fate: Fate, operation: Changing): Step {
  switch (fate) {
    case 'lost':
      return networkFailure('ECONNRESET');
    case 'refused':
      return () => Response.json({ code: 400012, error: 'INSUFFICIENT_BALANCE' }, { status: 400 });
    case 'refused for now':
      return () => new Response('', { status: 429, headers: { 'retry-after': '0' } });
    case 'made':
      return () => operation.record();
  }
}
