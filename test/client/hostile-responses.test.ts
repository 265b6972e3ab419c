import * as undici from 'undici';
import * as undici6 from 'undici6';
import { describe, expect, it } from 'vitest';
import type { ClientOptions, PaymentsClient } from '../../src/client/index.ts';
import { readsSlotOfUndici6, useGlobally } from '../node-transport/support.ts';
import { serve } from '../servers.ts';
import { bridge, clientAt, clientOf, failure } from './support.ts';

const once: ClientOptions = { retries: 0 };
const wait = { interval: 100, deadline: 150 };
const responding = (text: string, status: number, options: ClientOptions = {}) =>
  clientOf(async () => new Response(text, { status }), { ...once, ...options });

/** So many that a pattern with a counted loop needs more stack than there is. */
const many = 6_000_000;

/** Values in JSON that are longer, or nest deeper, than anything that a service means. */
const values: Record<string, () => string> = {
  'a word': () => JSON.stringify('a'.repeat(many)),
  spaces: () => JSON.stringify(' '.repeat(many / 10)),
  digits: () => JSON.stringify('1'.repeat(many / 10)),
  escapes: () => JSON.stringify('\\"%41&amp;'.repeat(many / 20)),
  'beginnings of tokens': () => JSON.stringify('-eyJ'.repeat(many / 20)),
  'parts of addresses': () => JSON.stringify('a.@'.repeat(many / 20)),
  'full stops': () => JSON.stringify(`${'.'.repeat(300_000)}b`),
  'halves of characters': () => `"${'\\ud800'.repeat(100_000)}"`,
  'a long name': () => JSON.stringify({ ['k'.repeat(many / 10)]: 'x' }),
  'many names': () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 'x']))),
  'many texts': () => JSON.stringify(Array(200_000).fill('amount')),
  'many objects': () => JSON.stringify(Array(100_000).fill({ field: 'amount', message: 'x' })),
  'deep lists': () => '['.repeat(100_000) + ']'.repeat(100_000),
  'deep objects': () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'names of a prototype': () =>
    '{"__proto__":{"error":"x"},"constructor":{"prototype":1},"toJSON":"x","then":"y","length":1e9,"toString":1}',
};

/** The places in an error body whose words a message may show. */
const places = ['errorDetails', 'details', 'code', 'title'];

const operations: [string, (client: PaymentsClient) => PromiseLike<unknown>][] = [
  ['bridges.create', (client) => client.bridges.create(bridge)],
  ['kyc.retrieve', (client) => client.kyc.retrieve('u1')],
];

// "Nothing that a response contains leaves as anything but a `PaymentsError`; lengths are cut before patterns run."
describe.each(Object.entries(values))('an error body with %s', (_what, make) => {
  it('costs a refusal nothing: its name decides', async () => {
    for (const place of places) {
      const text = `{"error":"INSUFFICIENT_BALANCE","${place}":${make()}}`;
      for (const [name, call] of operations) {
        const error = await failure(call(responding(text, 400)));
        expect(error, `${name} ${place}`).toMatchObject({ name: 'BadRequestError', outcome: 'rejected' });
        expect(error.message, `${name} ${place}`).toContain('INSUFFICIENT_BALANCE');
        expect(error.message.length).toBeLessThan(2_000);
        expect(JSON.stringify(error).length).toBeLessThan(4_000);
      }
    }
  });

  it.each([
    ['its name', (value: string) => `{"error":${value}}`],
    ['its inner name', (value: string) => `{"error":{"code":${value},"message":${value}}}`],
    ['its whole', (value: string) => value],
    ['a text that is no JSON', (value: string) => `<p>${value}`],
  ])('is read in %s', async (_place, textOf) => {
    const text = textOf(make());
    for (const status of [200, 429])
      for (const [name, call] of operations) {
        const error = await failure(call(responding(text, status)));
        expect(error.name, `${name} ${status}`).toMatch(/^(?:ResponseValidation|RateLimit)Error$/);
        expect(error.message.length).toBeLessThan(2_000);
      }
  });
});

describe.each(Object.entries(values))('a record with %s', (_what, make) => {
  /** A value, or a PaymentsError that is none of the last resort. */
  const ended = async (call: PromiseLike<unknown>) => {
    const error = await Promise.resolve(call).then(
      () => undefined,
      (thrown: unknown) => failure(Promise.reject(thrown)),
    );
    expect(error?.message ?? '').not.toContain('unexpected error');
    expect((error?.message ?? '').length).toBeLessThan(2_000);
  };

  it('ends its call', async () => {
    const value = make();
    const details = ['id', 'status', 'requestId', 'amount', 'currency', 'source', 'receipt'];
    for (const field of details) {
      const record = `{"transferDetails":{"id":"t1","status":"CREATED","${field}":${value}}}`;
      await ended(responding(record, 200, { responseValidation: 'strict' }).bridges.create(bridge));
    }
    for (const field of ['id', 'status', 'isValid', 'reason', 'invalidFields', 'rail'])
      await ended(
        responding(`{"id":"a1","status":"REJECTED","${field}":${value}}`, 200).accounts.waitUntilActive(
          'u1',
          'a1',
          wait,
        ),
      );
    await ended(responding(`{"userId":"u1","kycInfo":${value}}`, 200).kyc.retrieve('u1'));
    for (const list of [
      `{"externalWallets":[{"address":"a"}],"nextCursor":${value}}`,
      `{"externalWallets":[${value}]}`,
    ])
      await ended(responding(list, 200).externalWallets.list('u1').toArray({ limit: 20 }));
  });
});

describe('a record of which much departs from its schema', () => {
  const fields = JSON.stringify(Array(150_000).fill(1));
  const record = `{"id":"a1","status":"PENDING","invalidFields":${fields}}`;
  const modes = ['tolerant', 'strict'] as const;

  it.each(modes)('is a record in a list, %s', async (responseValidation) => {
    const client = responding(`{"accounts":[${record}]}`, 200, { responseValidation });
    const list = client.accounts.list('u1');
    if (responseValidation === 'strict')
      expect(await failure(list)).toMatchObject({ name: 'ResponseValidationError', outcome: 'succeeded' });
    else expect((await list).items).toHaveLength(1);
  });

  it('is one in a list that the caller describes', async () => {
    const schema = {
      '~standard': {
        validate: () => ({ issues: Array.from({ length: 150_000 }, (_, at) => ({ path: [at] })) }),
      },
    };
    const walk = responding('[1]', 200).paginate({ path: '/v2/x', next: () => undefined, schema });
    expect(await failure(walk)).toMatchObject({ name: 'ResponseValidationError' });
  });
});

describe.each<[string, ClientOptions]>([
  ['the dispatcher of Node', {}],
  ['a `fetch`', { fetch: (url, init) => fetch(url, init) }],
])('a header of many characters, over %s', (_way, options) => {
  it.each(['content-encoding', 'retry-after', 'x-request-id', 'date'])('is no failure: %s', async (name) => {
    // As many bytes as a call can have arguments, and more.
    const value = '1'.repeat(300_000);
    const large = { maxHeaderSize: 1_000_000 };
    if (readsSlotOfUndici6) useGlobally(new undici6.Agent(large), undici6);
    else useGlobally(new undici.Agent(large), undici);
    const { url } = await serve((_request, response) => {
      response.writeHead(429, { [name]: value }).end('{"error":"LIMIT"}');
    });
    const error = await failure(clientAt(url, options).bridges.create(bridge));
    expect(error).toMatchObject({ name: 'RateLimitError', outcome: 'rejected' });
    expect(error.message.length).toBeLessThan(1_000);
  });
});
