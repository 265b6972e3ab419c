import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPaymentsError, type PaymentsClient } from '../../src/client/index.ts';
import { anyCharacter, cases } from '../cases.ts';
import * as wire from '../fixtures/index.ts';
import { type OperationCase, operations } from './operations.ts';
import { clientOf, token } from './support.ts';

const responsesTried = cases(2_000, 100_000);
const perRun = 20;

const rejections: unknown[] = [];
const record = (reason: unknown) => rejections.push(reason);
beforeAll(() => {
  process.on('unhandledRejection', record);
});
afterAll(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', record);
  expect(rejections).toEqual([]);
});

interface Served {
  status: number;
  headers: [string, string][];
  body: string | Uint8Array<ArrayBuffer> | null;
}

let response: Served = { status: 200, headers: [], body: null };
let requests = 0;

/** After some requests a walk must have noticed that it is led round in circles. */
const mostRequests = 300;

const fetch = async () => {
  requests += 1;
  if (requests > mostRequests) throw new Error('the walk does not end');
  const { status, headers, body } = response;
  const bodyless = status === 204 || status === 205 || status === 304;
  return new Response(bodyless ? null : body, { status, headers });
};

const shared = { retries: 0, headers: { 'x-a': '1' } };
const clients: readonly PaymentsClient[] = (['tolerant', 'strict'] as const).flatMap((responseValidation) => [
  clientOf(fetch, { ...shared, responseValidation }),
  clientOf(fetch, {
    ...shared,
    responseValidation,
    accessToken: () => token,
    hooks: { drift: () => undefined },
  }),
]);

const fixtures: readonly unknown[] = [...operations.map(({ response }) => response), ...Object.values(wire)];

/** A fixture with one of its parts, at a random place, replaced by something else. */
function damaged(value: unknown, path: readonly number[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(keys.length, 1)];
  if (key === undefined) return replacement;
  const inner: unknown = damaged(Reflect.get(value, key), rest, replacement);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? inner : item));
  return { ...value, [key]: inner };
}

const json = fc.jsonValue({ maxDepth: 3 });
const bodies = fc.oneof(
  { weight: 3, arbitrary: json.map((value) => JSON.stringify(value)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat({ max: fixtures.length - 1 }), fc.array(fc.nat({ max: 20 }), { maxLength: 4 }), json)
      .map(([which, path, replacement]) => JSON.stringify(damaged(fixtures[which], path, replacement))),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, '', '{', '[[[', '{"__proto__":{"a":1}}', '"\\ud800"', '1e999', 'NaN'),
  },
);
const statuses = fc.oneof(
  { weight: 4, arbitrary: fc.constant(200) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(201, 202, 204, 206, 301, 304, 400, 401, 403, 404, 409, 422, 429, 500, 503),
  },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
);
const headers = fc.array(
  fc.constantFrom<[string, string]>(
    ['content-type', 'text/html'],
    ['content-length', '7'],
    ['content-encoding', 'identity'],
    ['retry-after', '1'],
    ['retry-after', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['location', 'https://elsewhere.example'],
  ),
  { maxLength: 2 },
);
const responses: fc.Arbitrary<Served> = fc.record({ status: statuses, headers, body: bodies });
const calls = fc.record({
  client: fc.constantFrom(...clients),
  operation: fc.constantFrom(...operations),
  how: fc.constantFrom('await', 'withResponse', 'walk', 'pages'),
  response: responses,
});

/** Ends in a value or a PaymentsError, or throws. */
async function end(operation: OperationCase, how: string, client: PaymentsClient): Promise<void> {
  requests = 0;
  try {
    if (how === 'walk') {
      await client.approvals.list({ limit: 2 }).toArray({ limit: 500 });
      await client.externalWallets.list('u1').toArray({ limit: 500 });
    } else if (how === 'pages') {
      let page = await client.accounts.list('u1');
      for (let count = 0; page.hasNextPage() && count < 3; count += 1) page = await page.nextPage();
    } else if (how === 'withResponse') {
      const { response, data } = await client.request({ method: 'GET', path: '/v2/x' }).withResponse();
      JSON.stringify([data, await response.text()]);
    } else await operation.call(client);
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    JSON.stringify(error);
    if (requests > mostRequests) throw new Error('a walk did not notice that it goes in circles');
  }
}

describe('whatever the service responds with', () => {
  it(`a call ends with a value or a PaymentsError (${responsesTried} responses)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { minLength: perRun, maxLength: perRun }), async (batch) => {
        for (const { client, operation, how, response: given } of batch) {
          response = given;
          await end(operation, how, client);
        }
      }),
      { numRuns: responsesTried / perRun },
    );
    expect(rejections).toEqual([]);
  }, 600_000);
});
