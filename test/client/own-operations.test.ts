import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { DriftEvent, PaymentsClient } from '../../src/client/index.ts';
import { clientOf, failure, json, scripted, token } from './support.ts';

const quote = z.object({ id: z.string(), status: z.string() });

/** Accepts the quote of an offramp, an operation for which the client has no method. */
const accept = (payments: PaymentsClient, offrampId: string) =>
  payments.request({
    method: 'POST',
    path: `/v2/offramps/${encodeURIComponent(offrampId)}/quote/accept`,
    operation: 'quotes.accept',
    schema: quote,
  });

describe('a request of your own', () => {
  it('has the auth, the hooks and the limits of the others, under its own name', async () => {
    const fetch = scripted(json({ id: 'o1', status: 'CREATED' }));
    const events: string[] = [];
    const payments = clientOf(fetch, {
      hooks: { response: ({ operation, urlTemplate }) => void events.push(`${operation} ${urlTemplate}`) },
    });
    expect(await accept(payments, 'o1')).toEqual({ id: 'o1', status: 'CREATED' });
    expect(fetch.seen[0]).toMatchObject({
      method: 'POST',
      url: 'http://127.0.0.1:4010/v2/offramps/o1/quote/accept',
    });
    expect(fetch.seen[0]?.headers.authorization).toMatch(/^Bearer /);
    expect(events).toEqual(['quotes.accept /v2/offramps/{…}/quote/accept']);
  });

  it('reports drift, and throws without what is essential', async () => {
    const drift: DriftEvent[] = [];
    const fetch = scripted(
      json({ id: 'u1', email: 7 }),
      json({ email: 'a@example.com' }),
      json({ id: 'u1', email: 7 }),
    );
    const payments = clientOf(fetch, { hooks: { drift: (event) => void drift.push(event) } });
    const create = (client: PaymentsClient) =>
      client.request({
        method: 'POST',
        path: '/v2/users',
        operation: 'users.create',
        body: { email: 'a@example.com' },
        schema: z.object({ id: z.string(), email: z.string() }),
        essential: ['id'],
      });
    expect(await create(payments)).toEqual({ id: 'u1', email: 7 });
    expect(drift).toEqual([{ operation: 'users.create', issues: [{ path: 'email', code: 'schema' }] }]);
    expect(await failure(create(payments))).toMatchObject({
      name: 'ResponseValidationError',
      issues: [{ path: 'id', code: 'schema' }],
    });
    const strict = payments.withOptions({ responseValidation: 'strict' });
    expect(await failure(create(strict))).toMatchObject({ name: 'ResponseValidationError' });
  });
});

describe('paginate', () => {
  it('walks by cursor and by offset', async () => {
    const fetch = scripted(({ url }) => {
      const { searchParams } = new URL(url);
      const from = Number(searchParams.get('offset') ?? searchParams.get('after') ?? 0);
      const rows = Array.from({ length: 25 }, (_row, id) => ({ id })).slice(from, from + 10);
      return Response.json({ data: { rows }, nextCursor: from + 10 < 25 ? from + 10 : null });
    });
    const payments = clientOf(fetch);
    const schema = z.object({ id: z.number() });
    const byOffset = payments.paginate({
      path: '/v2/rows',
      schema,
      next: ({ items, query: { offset } }) =>
        items.length > 0 ? { offset: Number(offset ?? 0) + items.length } : undefined,
    });
    expect((await byOffset.toArray()).map(({ id }) => id)).toEqual(
      Array.from({ length: 25 }, (_row, id) => id),
    );
    const byCursor = payments.paginate<unknown, { nextCursor: number | null }>({
      path: '/v2/rows',
      query: { kind: ['a', 'b'] },
      next: ({ body, query }) =>
        body.nextCursor === null ? undefined : { ...query, after: body.nextCursor },
    });
    expect(await byCursor.toArray()).toHaveLength(25);
    expect(fetch.seen.at(-1)?.url).toContain('kind=a&kind=b');
  });

  const end = () => undefined;

  it.each([
    [undefined, 'list'],
    [{ path: '/v2/x' }, 'next'],
    [{ path: '/v2/x', next: 'cursor' }, 'next'],
    [{ path: 'x', next: end }, 'path'],
    [{ path: '/v2/x', next: end, schema: 7 }, 'schema'],
    [{ path: '/v2/x', next: end, items: 'rows' }, 'items'],
    [{ path: '/v2/x', next: end, strategy: 'cursor' }, 'list'],
  ])('refuses %j', async (list, field) => {
    const fetch = scripted(json([]));
    expect(await failure(clientOf(fetch).paginate(list as never))).toMatchObject({
      name: 'InvalidRequestError',
      field,
    });
    expect(fetch.seen).toHaveLength(0);
  });

  it('checks each item', async () => {
    const fetch = scripted(json({ rows: [{ id: 1 }, { id: 'planted' }] }));
    const list = clientOf(fetch).paginate({
      path: '/v2/x',
      next: () => undefined,
      schema: z.object({ id: z.number() }),
    });
    expect(await failure(list)).toMatchObject({
      name: 'ResponseValidationError',
      issues: [{ path: '1.id', code: 'schema' }],
    });
  });
});

describe('with the emulator', () => {
  const emulated = () => {
    const emulator = createEmulator({ token });
    emulator.route({
      operation: 'quotes.accept',
      method: 'POST',
      path: '/v2/offramps/{offrampId}/quote/accept',
      handle: ({ path }) => ({ body: { id: path.offrampId, status: 'CREATED' } }),
    });
    const payments = clientOf(emulator.fetch);
    return { emulator, payments };
  };

  it('an added operation responds, and has the auth and the log of the others', async () => {
    const { emulator, payments } = emulated();
    expect(await accept(payments, 'o 1')).toEqual({ id: 'o 1', status: 'CREATED' });
    expect(emulator.requests().at(-1)).toMatchObject({ operation: 'quotes.accept', status: 200 });
    const stranger = payments.withOptions({ accessToken: 'other' });
    expect(await failure(accept(stranger, 'o1'))).toMatchObject({ status: 401 });
  });

  it('an added operation has the faults of the others', async () => {
    const { emulator, payments } = emulated();
    emulator.faults.inject({ operation: 'quotes.accept', kind: 'status', status: 429, retryAfter: 0 });
    expect(await accept(payments, 'o1')).toEqual({ id: 'o1', status: 'CREATED' });
    emulator.faults.inject({ operation: 'quotes.accept', kind: 'reset-after-commit' });
    expect(await failure(accept(payments, 'o1'))).toMatchObject({ outcome: 'unknown' });
    expect(() => emulator.faults.inject({ operation: 'quotes.reject', kind: 'latency' })).toThrow(
      'one that was added',
    );
  });

  it('takes forms and JSON', async () => {
    const emulator = createEmulator({
      routes: [
        {
          method: 'POST',
          path: '/v2/files',
          handle: ({ body, query }) => ({ status: 201, body: { body, q: query.get('q') } }),
        },
      ],
    });
    const payments = clientOf(emulator.fetch);
    const form = new FormData();
    form.append('a', '1');
    expect(await payments.request({ method: 'POST', path: '/v2/files', body: form })).toEqual({ q: null });
    expect(
      await payments.request({ method: 'POST', path: '/v2/files', body: [1], query: { q: 'x' } }),
    ).toEqual({ body: [1], q: 'x' });
  });

  it('refuses a route that is none', () => {
    const emulator = createEmulator();
    const handle = () => ({ body: {} });
    expect(() => emulator.route({ method: 'HEAD' as never, path: '/v2/x', handle })).toThrow(
      '`method` must be',
    );
    expect(() => emulator.route({ method: 'GET', path: 'x', handle })).toThrow('`path` must be');
    expect(() => emulator.route({ method: 'GET', path: '/v2/x', handle: 7 as never })).toThrow(
      '`handle` must be',
    );
  });
});
