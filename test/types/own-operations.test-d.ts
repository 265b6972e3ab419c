import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { APIPromise, PagePromise, PaymentsClient, StandardSchema } from '../../src/client/index.ts';

declare const payments: PaymentsClient;

interface Payout {
  id: string;
}
const schema: StandardSchema<Payout> = z.object({ id: z.string() });

describe('paginate and request', () => {
  it('have the type of the schema', () => {
    const list = payments.paginate({ path: '/v2/x', next: () => undefined, schema });
    expectTypeOf(list).toEqualTypeOf<PagePromise<Payout>>();
    expectTypeOf(payments.paginate({ path: '/v2/x', next: () => undefined })).toEqualTypeOf<
      PagePromise<unknown>
    >();
    expectTypeOf(payments.request({ method: 'GET', path: '/v2/x', schema })).toEqualTypeOf<
      APIPromise<Payout>
    >();
  });

  it('take the data of an interface as a copy, and no promise of a body', () => {
    const create = (rule: Payout) =>
      payments.request({ method: 'POST', path: '/v2/x', body: { ...rule }, query: { ...rule } });
    expectTypeOf(create).returns.toEqualTypeOf<APIPromise<unknown>>();
    // @ts-expect-error a promise of a body: await it
    payments.request({ method: 'POST', path: '/v2/x', body: Promise.resolve({ id: 'p1' }) });
  });
});
