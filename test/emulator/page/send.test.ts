import { expect, test } from 'vitest';
import { bench, newId, transfer } from '../support.ts';

test('a request is sent again as it arrived, with its token, and is logged as another request', async () => {
  const { emulator, call } = bench({ token: 'only' });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const authorization = { authorization: 'Bearer only' };
  const body = transfer(userId, { requestId: newId() });
  emulator.faults.inject({ kind: 'status', status: 503 });
  await call('POST', '/v2/wallets/transfers', body, authorization);
  await call('POST', '/v2/wallets/transfers', body);
  const first = await call('POST', '/_emulator/requests/request-1/send');
  expect(first.body).toMatchObject({ request: { operation: 'transfers.create', status: 201 } });
  const [payment] = emulator.state().transfers;
  expect(first.body.record).toEqual({ list: 'transfers', id: payment?.id });
  const again = await call('POST', '/_emulator/requests/request-1/send');
  expect(again.body.record).toEqual({ list: 'transfers', id: payment?.id });
  expect(emulator.state().transfers).toHaveLength(1);
  // The one without a token is refused as it was.
  const refused = await call('POST', '/_emulator/requests/request-2/send');
  expect(refused.body).toMatchObject({ request: { status: 401 } });
});

test('only requests to the service that were kept whole are sent again', async () => {
  const { call } = bench();
  await call('POST', '/_emulator/users', {});
  expect((await call('POST', '/_emulator/requests/request-1/send')).status).toBe(409);
  expect((await call('POST', '/_emulator/requests/request-99/send')).status).toBe(404);
  await call('POST', '/v2/wallets/transfers', { text: 'x'.repeat(70_000) });
  const { body } = await call('GET', '/_emulator/requests');
  const { id } = body.requests.at(-1);
  const refused = await call('POST', `/_emulator/requests/${id}/send`);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('longer than');
});

test('a request to the service can be made without knowing its token, and only to the service', async () => {
  const { emulator, call } = bench({ token: 'only' });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const made = await call('POST', '/_emulator/requests', {
    method: 'POST',
    path: '/v2/wallets/transfers',
    body: transfer(userId, { requestId: newId() }),
  });
  expect(made.status).toBe(201);
  expect(made.body.record).toEqual({ list: 'transfers', id: emulator.state().transfers[0]?.id });
  expect(made.body.request).toMatchObject({ path: '/v2/wallets/transfers', status: 201 });
  const own = await call('POST', '/_emulator/requests', { method: 'POST', path: '/_emulator/reset' });
  expect(own.fields).toMatchObject([{ field: 'path' }]);
  const elsewhere = await call('POST', '/_emulator/requests', { method: 'GET', path: '//other.test/v2' });
  expect(elsewhere.fields).toMatchObject([{ field: 'path' }]);
});

test.each([
  ['GET', '/v2/transfer-approvals', 200, { count: 0 }],
  ['DELETE', '/v2/refunds', 204, null],
  ['GET', '/v2/refunds/none', 404, {}],
])('a request without a body, %s %s, shows its response', async (method, path, status, body) => {
  const { emulator, call } = bench({ token: 'only' });
  emulator.route({ method: 'DELETE', path: '/v2/refunds', handle: () => ({ status: 204, body: null }) });
  const sent = await call('POST', '/_emulator/requests', { method, path });
  expect(sent.body.request).toMatchObject({ method, path, status });
  expect(sent.body.response.status).toBe(status);
  if (body === null) expect(sent.body.response.body).toBeNull();
  else expect(sent.body.response.body).toMatchObject(body);
  expect(sent.body.record).toBeNull();
});

test('a request whose response a fault withholds shows no body, and is found by that', async () => {
  const { emulator, call } = bench();
  emulator.faults.inject({ kind: 'reset-before-commit', operation: 'approvals.list' });
  const sent = await call('POST', '/_emulator/requests', { method: 'GET', path: '/v2/transfer-approvals' });
  expect(sent.body).toMatchObject({ request: { status: null }, response: { body: null } });
  const again = await call('POST', `/_emulator/requests/${sent.body.request.id}/send`);
  expect(again.body.request.status).toBe(200);
  const { body } = await call('GET', '/_emulator/view?list=requests&status=no%20response');
  expect(body.lists.requests.map(({ id }: { id: string }) => id)).toEqual([sent.body.request.id]);
});
