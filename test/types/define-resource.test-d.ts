import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import {
  type APIPromise,
  createClient,
  defineResource,
  type ExtendedClient,
  Kyc,
  ofType,
  type PagePromise,
  type PaymentsClient,
  type RequestOptions,
  requestIdFrom,
} from '../../src/index.ts';

declare const payments: PaymentsClient;

interface Payout {
  id: string;
}
const Payouts = defineResource('payouts', {
  create: {
    method: 'POST',
    path: '/v2/users/{userId}/payouts',
    body: z.object({ amount: z.number(), clientRef: z.string() }),
    response: z.object({ id: z.string() }),
    idempotencyKey: { field: 'clientRef' },
  },
  retrieve: { method: 'GET', path: '/v2/users/{userId}/payouts/{payoutId}', response: ofType<Payout>() },
  list: {
    method: 'GET',
    path: '/v2/payouts',
    query: ofType<{ status?: string }>(),
    response: ofType<Payout>(),
  },
  search: { method: 'GET', path: '/v2/payouts/search', query: ofType<{ text: string }>() },
  cancel: { method: 'POST', path: '/v2/payouts/{payoutId}/cancel' },
});

describe('a defined resource', () => {
  const extended = payments.with({ payouts: Payouts });

  it('has methods that follow from its operations', () => {
    expectTypeOf(extended.payouts.retrieve).parameters.toEqualTypeOf<
      [id: string, id: string, options?: RequestOptions]
    >();
    expectTypeOf(extended.payouts.retrieve).returns.toEqualTypeOf<APIPromise<Payout>>();
    expectTypeOf(extended.payouts.list).parameters.toEqualTypeOf<
      [params?: { status?: string }, options?: RequestOptions]
    >();
    expectTypeOf(extended.payouts.list).returns.toEqualTypeOf<APIPromise<Payout>>();
    expectTypeOf(extended.payouts.search).parameters.toEqualTypeOf<
      [params: { text: string }, options?: RequestOptions]
    >();
    expectTypeOf(extended.payouts.cancel).parameters.toEqualTypeOf<[id: string, options?: RequestOptions]>();
    expectTypeOf(extended.payouts.cancel).returns.toEqualTypeOf<APIPromise<unknown>>();
  });

  it('lets the idempotency key be left out, and nothing else', () => {
    const create = (): void => {
      void extended.payouts.create('u1', { amount: 1 });
      void extended.payouts.create('u1', { amount: 1, clientRef: 'mine' });
      // @ts-expect-error the amount is missing
      void extended.payouts.create('u1', {});
      // @ts-expect-error a misspelled field
      void extended.payouts.create('u1', { amount: 1, clientRe: 'mine' });
      // @ts-expect-error the user is missing
      void extended.payouts.create({ amount: 1 });
      // @ts-expect-error there is no such method
      void extended.payouts.remove('u1');
    };
    expectTypeOf(create).toBeFunction();
    expectTypeOf(extended.payouts.create).returns.toEqualTypeOf<APIPromise<{ id: string }>>();
  });

  it('stays with the client', () => {
    expectTypeOf(extended).toExtend<PaymentsClient>();
    expectTypeOf(extended.withOptions({}).payouts).toEqualTypeOf(extended.payouts);
    expectTypeOf(extended.with({ more: Payouts }).payouts).toEqualTypeOf(extended.payouts);
    expectTypeOf(extended.with({ more: Payouts }).more).toEqualTypeOf(extended.payouts);
    expectTypeOf(extended.kyc).toEqualTypeOf<Kyc>();
    expectTypeOf(extended).toExtend<ExtendedClient<{ payouts: typeof Payouts }>>();
    expectTypeOf(extended.paginate).toEqualTypeOf(payments.paginate);
  });

  it('goes into a composed client', () => {
    const composed = createClient({ kyc: Kyc, payouts: Payouts });
    expectTypeOf(composed.payouts).toEqualTypeOf(extended.payouts);
    expectTypeOf(composed.kyc).toEqualTypeOf<Kyc>();
    expectTypeOf(composed.with({ more: Payouts }).withOptions({}).more).toEqualTypeOf(extended.payouts);
    expectTypeOf(composed).not.toHaveProperty('paginate');
  });

  it('cannot take a name in use, nor be something else', () => {
    const wrong = (): void => {
      // @ts-expect-error the name is taken
      void payments.with({ kyc: Payouts });
      // @ts-expect-error a class is no resource
      void payments.with({ dates: Date });
      // @ts-expect-error a path begins with a slash
      defineResource('x', { a: { method: 'GET', path: 'v2/x' } });
      // @ts-expect-error a misspelled property
      defineResource('x', { a: { method: 'POST', path: '/v2/x', idempotencykey: { field: 'id' } } });
      // @ts-expect-error an unknown retry safety
      defineResource('x', { a: { method: 'POST', path: '/v2/x', retrySafety: 'never' } });
      // @ts-expect-error a key that is no object
      defineResource('x', { a: { method: 'POST', path: '/v2/x', idempotencyKey: 'requestId' } });
      // @ts-expect-error without a part, all payments would get one key
      requestIdFrom();
      // @ts-expect-error an option that does not exist
      void payments.kyc.retrieve('u1', { idempotencyKey: 'k' });
    };
    expectTypeOf(wrong).toBeFunction();
  });
});

describe('paginate and request', () => {
  it('have the type of the schema', () => {
    const next = () => undefined;
    const list = payments.paginate({ path: '/v2/x', next, schema: ofType<Payout>() });
    expectTypeOf(list).toEqualTypeOf<PagePromise<Payout>>();
    expectTypeOf(payments.paginate({ path: '/v2/x', next })).toEqualTypeOf<PagePromise<unknown>>();
    // The type of the body comes from the type argument, or from the parameter of `next`.
    payments.paginate<Payout, { cursor: string }>({
      path: '/v2/x',
      next: ({ body, items, query }) => {
        expectTypeOf(body).toEqualTypeOf<{ cursor: string }>();
        expectTypeOf(items).toEqualTypeOf<readonly Payout[]>();
        return { ...query, cursor: body.cursor };
      },
    });
    payments.paginate({
      path: '/v2/x',
      next: ({ body }: { body: { cursor: string } }) => ({ cursor: body.cursor }),
      items: (body) => [body.cursor],
    });
    expectTypeOf(payments.request({ method: 'GET', path: '/v2/x', schema: ofType<Payout>() })).toEqualTypeOf<
      APIPromise<Payout>
    >();
  });
});
