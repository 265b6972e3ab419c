import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type DriftEvent,
  defineResource,
  ofType,
  PaymentsClient,
  type StandardSchema,
} from '../../src/index.ts';
import { clientOf, failure, json, scripted } from './support.ts';

const offramp = z.object({ id: z.string(), status: z.string() });

const Quotes = defineResource('quotes', {
  accept: { method: 'POST', path: '/v2/offramps/{offrampId}/quote/accept', response: offramp },
});
const Users = defineResource('users', {
  create: {
    method: 'POST',
    path: '/v2/users',
    body: z.object({ email: z.email() }),
    response: z.object({ id: z.string(), email: z.string() }),
    essential: ['id'],
    idempotencyKey: { field: 'requestId' },
  },
  retrieve: {
    method: 'GET',
    path: '/v2/users/{userId}/cards/{cardId}',
    query: ofType<{ expand?: string[] }>(),
  },
  payouts: {
    method: 'GET',
    path: '/v2/users/{userId}/payouts',
    query: ofType<{ limit?: number }>(),
  },
});

describe('a resource of your own', () => {
  it('is a namespace of the client, with its auth, hooks and names', async () => {
    const fetch = scripted(json({ id: 'o1', status: 'CREATED' }));
    const events: string[] = [];
    const payments = clientOf(fetch, {
      hooks: { response: ({ operation, urlTemplate }) => void events.push(`${operation} ${urlTemplate}`) },
    }).with({ quotes: Quotes });
    const accepted = await payments.quotes.accept('o1');
    expect(accepted).toEqual({ id: 'o1', status: 'CREATED' });
    expect(fetch.seen[0]).toMatchObject({
      method: 'POST',
      url: 'http://127.0.0.1:4010/v2/offramps/o1/quote/accept',
    });
    expect(fetch.seen[0]?.headers.authorization).toMatch(/^Bearer /);
    expect(events).toEqual(['quotes.accept /v2/offramps/{offrampId}/quote/accept']);
  });

  it('takes the values of the path, then the body, the query and the options', async () => {
    const fetch = scripted(json({ id: 'u1', email: 'a@example.com' }));
    const payments = clientOf(fetch).with({ people: Users });
    await payments.people.create({ email: 'a@example.com' }, { headers: { 'x-a': '1' } });
    await payments.people.retrieve('u 1', 'c1', { expand: ['a', 'b'] });
    await payments.people.retrieve('u1', 'c1');
    expect(
      fetch.seen.map(({ method, url }) => `${method} ${url.slice('http://127.0.0.1:4010'.length)}`),
    ).toEqual([
      'POST /v2/users',
      'GET /v2/users/u%201/cards/c1?expand=a&expand=b',
      'GET /v2/users/u1/cards/c1',
    ]);
    expect(fetch.seen[0]?.headers['x-a']).toBe('1');
  });

  it('refuses parameters that do not pass, before anything is sent, without their values', async () => {
    const fetch = scripted(json({}));
    const payments = clientOf(fetch).with({ users: Users, quotes: Quotes });
    const error = await failure(payments.users.create({ email: 'planted' }));
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      operation: 'users.create',
      field: 'email',
      outcome: 'not-sent',
    });
    expect(error.message).not.toContain('planted');
    for (const id of ['', '..', 'a/b', undefined as never]) {
      expect(await failure(payments.quotes.accept(id))).toMatchObject({
        name: 'InvalidRequestError',
        field: 'offrampId',
      });
    }
    const late = defineResource('late', {
      create: {
        method: 'POST',
        path: '/v2/x',
        body: { '~standard': { validate: async (value) => ({ value }) } },
      },
    });
    expect((await failure(payments.with({ late }).late.create({}))).message).toContain('without a promise');
    expect(fetch.seen).toHaveLength(0);
  });

  const mine = (body: StandardSchema<unknown>, idempotencyKey?: { field: string }) => {
    const create = {
      method: 'POST',
      path: '/v2/x',
      body,
      ...(idempotencyKey && { idempotencyKey }),
    } as const;
    return (payments: PaymentsClient) =>
      payments.with({ mine: defineResource('mine', { create }) }).mine.create({ email: 'planted' });
  };
  const users = (payments: PaymentsClient) => payments.with({ Users }).Users;
  const listed = z.object({ email: z.string() }).transform(({ email }) => [email]);
  const throwing = () => {
    throw new RangeError('planted');
  };

  it.each<[what: string, words: string, call: (payments: PaymentsClient) => PromiseLike<unknown>]>([
    ['a query of a string', '`query` must be', (p) => users(p).retrieve('u1', 'c1', 'text' as never)],
    ['an empty key', 'but is empty', (p) => users(p).create({ email: 'a@b.co', requestId: '' } as never)],
    [
      'a number as key',
      '`requestId` must',
      (p) => users(p).create({ email: 'a@b.co', requestId: 7 } as never),
    ],
    ['a body without a place for a key', 'needs plain data', (p) => users(p).create(['planted'] as never)],
    ['a body that is a function', '`body` ', (p) => users(p).create((() => 'planted') as never)],
    ['a schema that leaves no place', 'needs plain data', mine(listed, { field: 'requestId' })],
    ['a schema that throws', 'cannot be read', mine({ '~standard': { validate: throwing } })],
  ])('sends nothing for %s', async (_what, words, call) => {
    const fetch = scripted(json({ id: 'u1' }));
    const error = await failure(call(clientOf(fetch)));
    expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('planted');
    expect(fetch.seen).toEqual([]);
  });

  it('sends a key in a body of its own where the operation has no body', async () => {
    const fetch = scripted(json({ id: 'o1' }));
    const cashouts = defineResource('cashouts', {
      accept: {
        method: 'POST',
        path: '/v2/offramps/{offrampId}/accept',
        idempotencyKey: { field: 'requestId' },
      },
    });
    const call = clientOf(fetch).with({ cashouts }).cashouts.accept('o1');
    await call;
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toEqual({ requestId: call.requestId });
  });

  it('compares the ids of its path by the names of their placeholders', async () => {
    const named = defineResource('limits', {
      retrieve: { method: 'GET', path: '/v2/offramps/{offrampId}/limits' },
    });
    const other = defineResource('limits', {
      retrieve: { method: 'GET', path: '/v2/offramps/{offramp}/limits' },
    });
    const payments = clientOf(scripted(json({ offrampId: 'another' })), { retries: 0 });
    const extended = payments.with({ named, other });
    expect((await failure(extended.named.retrieve('o1'))).name).toBe('ResponseMismatchError');
    expect(await extended.other.retrieve('o1')).toEqual({ offrampId: 'another' });
  });

  it.each([
    ['strips what it does not name', z.object({ email: z.string() })],
    ['refuses what it does not name', z.strictObject({ email: z.string() })],
    ['names it', z.object({ email: z.string(), requestId: z.uuid() })],
  ])('keeps its idempotency key where the schema %s, in every attempt', async (_how, body) => {
    const fetch = scripted(json({}, 500, { 'retry-after': '0' }), json({ id: 'u1' }));
    const resource = defineResource('users', {
      create: { method: 'POST', path: '/v2/users', body, idempotencyKey: { field: 'requestId' } },
    });
    const call = clientOf(fetch).with({ users: resource }).users.create({ email: 'a@example.com' });
    await call;
    const sent = fetch.seen.map(({ body: text }) => JSON.parse(text ?? ''));
    expect(sent).toEqual(Array(2).fill({ email: 'a@example.com', requestId: call.requestId }));
  });

  it('reports drift, and throws without what is essential', async () => {
    const drift: DriftEvent[] = [];
    const fetch = scripted(
      json({ id: 'u1', email: 7 }),
      json({ email: 'a@example.com' }),
      json({ id: 'u1', email: 7 }),
    );
    const payments = clientOf(fetch, { hooks: { drift: (event) => void drift.push(event) } }).with({
      users: Users,
    });
    expect(await payments.users.create({ email: 'a@example.com' })).toEqual({ id: 'u1', email: 7 });
    expect(drift).toEqual([{ operation: 'users.create', issues: [{ path: 'email', code: 'schema' }] }]);
    expect(await failure(payments.users.create({ email: 'a@example.com' }))).toMatchObject({
      name: 'ResponseValidationError',
      issues: [{ path: 'id', code: 'schema' }],
    });
    const strict = payments.withOptions({ responseValidation: 'strict' });
    expect(await failure(strict.users.create({ email: 'a@example.com' }))).toMatchObject({
      name: 'ResponseValidationError',
    });
  });

  it('refuses a response that belongs to another request', async () => {
    const fetch = scripted(
      json({ offrampId: 'o2', id: 'q1', status: 'X' }),
      json({ id: 'u1', email: 'a@example.com', requestId: 'another' }),
      json({ offrampId: 'O1', id: 'q1', status: 'X' }),
    );
    const payments = clientOf(fetch).with({
      quotes: Quotes,
      users: Users,
    });
    const mismatch = { name: 'ResponseMismatchError', outcome: 'unknown' };
    expect(await failure(payments.quotes.accept('o1'))).toMatchObject(mismatch);
    expect(await failure(payments.users.create({ email: 'a@example.com' }, { retries: 0 }))).toMatchObject(
      mismatch,
    );
    expect(await payments.quotes.accept('o1')).toMatchObject({ id: 'q1' });
  });

  it('survives withOptions and another with, and leaves the client as it was', async () => {
    const fetch = scripted(json({ id: 'o1', status: 'X' }));
    const plain = clientOf(fetch);
    const payments = plain.with({ quotes: Quotes }).with({ users: Users }).withOptions({ timeout: 5_000 });
    await payments.quotes.accept('o1');
    await payments.users.create({ email: 'a@example.com' });
    expect(payments).toBeInstanceOf(PaymentsClient);
    expect('quotes' in plain).toBe(false);
    expect(fetch.seen).toHaveLength(2);
  });

  it.each([
    [{ kyc: Quotes }, 'the name `kyc` is taken'],
    [{ request: Quotes }, 'the name `request` is taken'],
    [Object.fromEntries([['then', Quotes]]), 'the name `then` is taken'],
    [{ constructor: Quotes }, 'the name `constructor` is taken'],
    [{ quotes: {} }, 'must be a namespace'],
    [null, 'must be an object'],
  ])('%# does not take a name in use, nor something else', (resources, words) => {
    expect(() => clientOf(scripted(json({}))).with(resources as never)).toThrow(words);
  });

  it.each([
    ['quotes x', {}, 'the name must be a word'],
    ['quotes', null, 'must be an object'],
    ['quotes', { a: 'GET /v2/x' }, '`quotes.a` must be an object'],
    ['quotes', { a: { method: 'FETCH', path: '/v2/x' } }, '`method` of `quotes.a` must be one of'],
    ['quotes', { a: { method: 'GET', path: 'v2/x' } }, '`path` of `quotes.a`'],
    ['quotes', { a: { method: 'GET', path: '/v2/../x' } }, '`path` of `quotes.a`'],
    ['quotes', { a: { method: 'GET', path: '/v2/x?a=1' } }, '`path` of `quotes.a`'],
    ['quotes', { a: { method: 'GET', path: '/v2/x//' } }, '`path` of `quotes.a`'],
    ['quotes', { a: { method: 'GET', path: '/v2/{x}/y/{x}' } }, 'each placeholder once'],
    [
      'quotes',
      { a: { method: 'GET', path: '/v2/x', response: {} } },
      '`response` of `quotes.a` must be a Standard Schema',
    ],
    ['quotes', { a: { method: 'GET', path: '/v2/x', body: ofType() } }, 'does not go with GET'],
    ['quotes', Object.fromEntries([['then', { method: 'GET', path: '/v2/x' }]]), 'a name that is taken'],
  ])('%# is refused when it is defined wrongly', (name, operations, words) => {
    expect(() => defineResource(name, operations as never)).toThrow(words);
  });
});

describe('with the emulator', () => {
  const emulated = () => {
    const emulator = createEmulator({ token: 'token' });
    emulator.route({
      operation: 'quotes.accept',
      method: 'POST',
      path: '/v2/offramps/{offrampId}/quote/accept',
      handle: ({ path }) => ({ body: { id: path.offrampId, status: 'CREATED' } }),
    });
    const payments = new PaymentsClient({
      baseUrl: 'http://localhost',
      accessToken: 'token',
      fetch: emulator.fetch,
    }).with({ quotes: Quotes });
    return { emulator, payments };
  };

  it('an added operation responds, and has the auth and the log of the others', async () => {
    const { emulator, payments } = emulated();
    expect(await payments.quotes.accept('o 1')).toEqual({ id: 'o 1', status: 'CREATED' });
    expect(emulator.requests().at(-1)).toMatchObject({ operation: 'quotes.accept', status: 200 });
    const stranger = payments.withOptions({ accessToken: 'other' });
    expect(await failure(stranger.quotes.accept('o1'))).toMatchObject({ status: 401 });
  });

  it('an added operation has the faults of the others', async () => {
    const { emulator, payments } = emulated();
    emulator.faults.inject({ operation: 'quotes.accept', kind: 'status', status: 503, retryAfter: 0 });
    expect(await payments.quotes.accept('o1')).toEqual({ id: 'o1', status: 'CREATED' });
    emulator.faults.inject({ operation: 'quotes.accept', kind: 'reset-after-commit' });
    expect(await failure(payments.quotes.accept('o1'))).toMatchObject({ outcome: 'unknown' });
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
    const payments = new PaymentsClient({
      baseUrl: 'http://localhost',
      accessToken: 't',
      fetch: emulator.fetch,
    });
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
      'method must be',
    );
    expect(() => emulator.route({ method: 'GET', path: 'x', handle })).toThrow('path must be');
    expect(() => emulator.route({ method: 'GET', path: '/v2/x', handle: 7 as never })).toThrow(
      'handle must be',
    );
  });
});
