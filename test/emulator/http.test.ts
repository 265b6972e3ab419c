import { describe, expect, it } from 'vitest';
import { bench, onramp, withUser } from './support.ts';

describe('authentication', () => {
  const unauthorized = { code: 200001, error: 'UNAUTHORIZED', errorDetails: expect.any(String) };

  it.each(['', 'Bearer', 'Bearer   ', 'Basic abc', 'Bearer a b'])(
    'refuses %j in the documented shape',
    async (authorization) => {
      const { call } = bench();
      const { status, body, headers } = await call('GET', '/v2/transfer-approvals', undefined, {
        authorization,
      });
      expect([status, body]).toEqual([401, unauthorized]);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it('accepts any token by default, and only the given ones where there are some', async () => {
    const statuses = async (token: string | string[] | undefined) => {
      const { call } = bench(token === undefined ? {} : { token });
      const get = (authorization: string) =>
        call('GET', '/v2/transfer-approvals', undefined, { authorization });
      return Promise.all(
        ['Bearer one', 'bearer two', 'Bearer three'].map(async (value) => (await get(value)).status),
      );
    };
    expect(await statuses(undefined)).toEqual([200, 200, 200]);
    expect(await statuses('one')).toEqual([200, 401, 401]);
    expect(await statuses(['one', 'two'])).toEqual([200, 200, 401]);
  });

  it('shows no token in its refusal', async () => {
    const { call } = bench({ token: 'the-right-one' });
    const { text } = await call('GET', '/v2/transfer-approvals', undefined, {
      authorization: 'Bearer the-wrong-one',
    });
    expect(text).not.toMatch(/the-(right|wrong)-one/);
  });

  it('comes before everything else under /v2', async () => {
    const { call } = bench({ token: 'x' });
    expect((await call('POST', '/v2/onramps', '{')).status).toBe(401);
    expect((await call('GET', '/v2/nowhere')).status).toBe(401);
  });
});

describe('what cannot be understood', () => {
  it('comes to an added route as it was sent, where the path is encoded wrongly', async () => {
    const { call, emulator } = bench();
    emulator.route({ method: 'GET', path: '/v2/things/{id}', handle: ({ path }) => ({ body: path }) });
    expect((await call('GET', '/v2/things/50%25')).body).toEqual({ id: '50%' });
    expect((await call('GET', '/v2/things/50%')).body).toEqual({ id: '50%' });
  });

  it('is a 404 for a path and a 405 for a method, with what is allowed', async () => {
    const { call } = bench();
    expect((await call('GET', '/v2/nowhere')).body).toEqual({
      status: 'error',
      error: { code: 'ROUTE_NOT_FOUND', message: expect.any(String) },
    });
    expect((await call('GET', '/elsewhere')).status).toBe(404);
    const wrong = await call('PATCH', '/v2/users/x/accounts');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, GET']);
    expect((await call('GET', '/_emulator/reset')).headers.get('allow')).toBe('POST');
  });

  it.each(['{', 'undefined', '{"a":1}}', '\u0000', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
    'is a 400 for the body %.20j',
    async (body) => {
      const { call } = bench();
      const answer = await call('POST', '/v2/onramps', body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'FIELD_VALIDATION_ERROR']);
    },
  );

  it('is not confused by brackets in texts', async () => {
    const { call, userId } = withUser({ rails: ['usd'] });
    const note = `"${'[{'.repeat(100)}\\`;
    expect((await call('POST', '/v2/onramps', { ...onramp(userId), purposeOfPayment: note })).status).toBe(
      201,
    );
  });

  it('is a 413 for a body that is too large, announced or not', async () => {
    const { call, emulator } = bench();
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    expect((await call('POST', '/v2/onramps', large)).body.error.code).toBe('FIELD_VALIDATION_ERROR');
    expect((await call('POST', '/v2/onramps', '{}', { 'content-length': '99999999' })).status).toBe(413);
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
    });
    const init = { method: 'POST', headers: { authorization: 'Bearer x' }, body: stream, duplex: 'half' };
    expect((await emulator.fetch('http://a.test/v2/offramps', init)).status).toBe(413);
  });

  it('reads JSON whatever the content type says', async () => {
    const { call, userId } = withUser({ rails: ['usd'] });
    expect((await call('POST', '/v2/onramps', onramp(userId), { 'content-type': 'text/plain' })).status).toBe(
      201,
    );
  });
});

describe('the emulator’s own routes', () => {
  it('need no token', async () => {
    const { emulator } = bench({ token: 'x' });
    expect((await emulator.fetch('http://a.test/_emulator/state')).status).toBe(200);
  });

  it.each([
    [{ origin: 'https://evil.test' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://payments.test:81' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 200],
    [{ origin: 'http://payments.test' }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
  ])('answer a page with %j with %i', async (headers, status) => {
    const { call } = bench();
    expect((await call('GET', '/_emulator/state', undefined, headers)).status).toBe(status);
  });

  // Issue 61: "A cross-site POST with `Sec-Fetch-Mode: navigate` and without `Origin` is carried out: exempt GET alone."
  it.each(['cross-site', 'same-site'])('refuse a form of another page: %s', async (site) => {
    const { call, emulator, userId } = withUser({ rails: ['usd'] });
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' };
    await call('POST', '/v2/onramps', onramp(userId));
    const before = emulator.state();
    for (const [method, path] of [
      ['POST', '/_emulator/reset'],
      ['POST', '/_emulator/users'],
      ['PUT', '/_emulator/snapshot'],
      ['DELETE', '/_emulator/faults'],
    ] as const)
      expect([path, (await call(method, path, undefined, headers)).status]).toEqual([path, 403]);
    expect(emulator.state()).toEqual(before);
    expect(
      (await call('POST', '/_emulator/reset', undefined, { ...headers, 'sec-fetch-site': 'none' })).status,
    ).toBe(200);
  });

  it('show a page that no other site may frame', async () => {
    const { emulator } = bench();
    const response = await emulator.fetch('http://a.test/_emulator');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await response.text()).toContain('</html>');
  });

  it('show the state, with every list', async () => {
    const { call } = bench();
    const { body } = await call('GET', '/_emulator/state');
    expect(Object.keys(body)).toEqual(
      'now frozen users accounts onramps transfers approvals externalWallets metrics balances events faults'.split(
        ' ',
      ),
    );
  });

  it('move and stop the clock', async () => {
    const { call, emulator } = bench();
    const move = (body: object) => call('POST', '/_emulator/clock', body);
    expect((await move({ advance: '25h' })).body).toEqual({ now: '2026-03-05T13:00:00.000Z', frozen: true });
    expect((await move({ advance: 500 })).body.now).toBe('2026-03-05T13:00:00.500Z');
    expect((await move({ frozen: false })).body.frozen).toBe(false);
    expect((await move({ frozen: true })).body.frozen).toBe(true);
    expect((await move({})).status).toBe(200);
    for (const advance of ['-1h', 'tomorrow', -5, '1e3s', '999999999999w'])
      expect((await move({ advance })).status).toBe(400);
    for (let century = 0; century < 90; century += 1) await move({ advance: '36500d' });
    expect((await move({ advance: '36500d' })).status).toBe(400);
    expect(emulator.clock.now().getUTCFullYear()).toBeLessThan(9999);
  });

  it('list the latest requests without their queries and headers', async () => {
    const { call, emulator } = bench();
    await call('GET', '/v2/transfer-approvals?limit=5');
    const { body } = await call('GET', '/_emulator/requests');
    expect(body.requests).toEqual([
      {
        id: 'request-1',
        at: '2026-03-04T12:00:00.000Z',
        requestId: null,
        amount: null,
        error: null,
        method: 'GET',
        path: '/v2/transfer-approvals',
        operation: 'approvals.list',
        status: 200,
        fault: null,
        duration: expect.any(Number),
      },
    ]);
    expect(emulator.requests()).toHaveLength(2);
  });
});
