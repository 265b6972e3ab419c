import { expect, test } from 'vitest';
import { bench, newId } from './support.ts';

/** An emulator with operations that the service does not have. */
function withRoutes() {
  const tools = bench();
  const { emulator } = tools;
  emulator.route({ method: 'GET', path: '/v2/one', handle: () => ({ body: { from: 'first' } }) });
  emulator.route({ method: 'GET', path: '/v2/two/{id}', handle: ({ path }) => ({ body: path }) });
  emulator.route({ method: 'POST', path: '/v2/one', handle: ({ body }) => ({ status: 201, body }) });
  emulator.route({ method: 'GET', path: '/v2/one', handle: () => ({ body: { from: 'second' } }) });
  return tools;
}

test.each([
  ['GET', '/v2/one', undefined, 200, { from: 'second' }],
  ['GET', '/v2/two/a%20b', undefined, 200, { id: 'a b' }],
  ['HEAD', '/v2/one', undefined, 200, undefined],
  ['POST', '/v2/one', { a: 1 }, 201, { a: 1 }],
])('%s %s goes to the operation that was added last for it', async (method, path, sent, status, body) => {
  const { call } = withRoutes();
  expect(await call(method, path, sent)).toMatchObject({ status, body });
});

test.each([
  ['DELETE', '/v2/one'],
  ['GET', '/v2/two'],
])('%s %s has no operation', async (method, path) => {
  const { status } = await withRoutes().call(method, path);
  expect([404, 405]).toContain(status);
});

test.each([
  ['an error', new Error('no luck'), 'threw an error: no luck'],
  ['a text', 'no luck', 'threw an error: no luck'],
])('a handler that throws %s is named with it', async (_what, thrown, words) => {
  const { emulator, call } = bench();
  const handle = () => {
    throw thrown;
  };
  emulator.route({ operation: 'refunds.create', method: 'POST', path: '/v2/refunds', handle });
  const { status, text } = await call('POST', '/v2/refunds', { requestId: newId() });
  expect(status).toBe(500);
  expect(text).toContain(`The handler of refunds.create ${words}`);
});

test('a response with the status 204 has no body', async () => {
  const { emulator, call } = bench();
  emulator.route({ method: 'DELETE', path: '/v2/refunds', handle: () => ({ status: 204, body: null }) });
  const { status, text, headers } = await call('DELETE', '/v2/refunds');
  expect([status, text, headers.get('cache-control')]).toEqual([204, '', 'no-store']);
});
