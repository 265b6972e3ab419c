import { describe, expect, it } from 'vitest';
import type { PaymentsClient, RequestOptions, StandardSchema } from '../../src/client/index.ts';
import { bridge, clientOf, failure, networkFailure, scripted } from '../client/support.ts';

const refusals: [number, object][] = [400, 409, 422].flatMap((status) => [
  [status, { code: 300001, error: 'USER_ALREADY_EXISTS', errorDetails: 'User already exists' }],
  [
    status,
    { status: 'error', error: { code: 'USER_ALREADY_EXISTS', message: 'A user with this email exists.' } },
  ],
  [status, { error: 'TRANSACTION_REQUEST_ALREADY_EXISTS', errorDetails: 'This request id exists' }],
]);

describe('an operation that you declare is about a record, and not about a payment', () => {
  const responses: [string, () => Promise<Response>][] = [
    ...refusals.map(([status, body]): [string, () => Promise<Response>] => [
      `${status} ${JSON.stringify(body)}`,
      async () => Response.json(body, { status }),
    ]),
    ['500', async () => Response.json({ error: 'INTERNAL_ERROR' }, { status: 500 })],
    ['429', async () => Response.json({}, { status: 429 })],
    ['a page', async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['an error with status 200', async () => Response.json({ error: 'USER_ALREADY_EXISTS' })],
    ['a lost connection', () => Promise.reject(new TypeError('fetch failed'))],
  ];

  it.each(responses)('%s', async (_what, response) => {
    const client = clientOf(response, { retries: 0 });
    const create = { method: 'POST', path: '/v2/users', body: { email: 'ada@example.com' } } as const;
    for (const call of [
      () => client.request(create, { headers: { 'idempotency-key': 'k1' } }),
      () => client.request(create),
    ]) {
      const error = await failure(call());
      expect(error.message).not.toMatch(/payment|pay again|paid/i);
    }
  });
});

describe('an operation that you declare, with a key', () => {
  const pay = (client: PaymentsClient, options?: RequestOptions, amount = 1) =>
    client.request(
      { method: 'POST', path: '/v2/payouts', body: { amount } },
      { ...options, headers: { 'Idempotency-Key': 'invoice-7' } },
    );
  /** Makes the first payment, and refuses all others. */
  const serviceOf = () => {
    let made = false;
    return async () => {
      if (made) return Response.json({ code: 1, error: 'INSUFFICIENT_BALANCE' }, { status: 400 });
      made = true;
      return Response.json({ id: 'p1' }, { status: 201 });
    };
  };

  // "No payloads, digests or owners": the entry of a key counts for every call of the client, and of those derived from it.
  it.each<[string, (a: PaymentsClient) => PromiseLike<unknown>]>([
    ['the same client', (a) => pay(a)],
    ['another payload', (a) => pay(a, {}, 2)],
    ['a derived client', (a) => pay(a.withOptions({ deadline: 5000 }))],
    ['a derived client with another token', (a) => pay(a.withOptions({ accessToken: () => 'token-of-b' }))],
    ['a call with a token of its own', (a) => pay(a, { accessToken: 'token-of-b' })],
  ])('is unknown where an earlier call was made: %s', async (_by, again) => {
    const a = clientOf(serviceOf(), { accessToken: 'token-of-a' });
    await pay(a);
    expect(await failure(again(a))).toMatchObject({
      name: 'BadRequestError',
      outcome: 'unknown',
      requestId: 'invoice-7',
    });
  });

  it('is rejected for another client, which knows nothing of it', async () => {
    const fetch = serviceOf();
    await pay(clientOf(fetch));
    expect(await failure(pay(clientOf(fetch)))).toMatchObject({ outcome: 'rejected' });
  });
});

describe('a request to an operation that the client does not know', () => {
  const post = { method: 'POST', path: '/v2/things' } as const;
  const schema: StandardSchema<{ id: string }> = {
    '~standard': {
      validate: (value) => {
        const { id } = Object(value);
        return typeof id === 'string' ? { value: { id } } : { issues: [{ message: 'x', path: ['id'] }] };
      },
    },
  };
  const keyHeader = { headers: { 'idempotency-key': 'k1' } };
  const responding = (make: () => Response) => scripted(() => make());

  it('is done by a 2xx that is empty or JSON, in every mode', async () => {
    for (const responseValidation of ['tolerant', 'strict'] as const)
      for (const [text, data] of [
        ['', undefined],
        ['null', null],
        ['{}', {}],
        ['"ok"', 'ok'],
        ['{"requestId":"another","userId":"another"}', { requestId: 'another', userId: 'another' }],
      ] as const)
        for (const options of [{}, keyHeader]) {
          const client = clientOf(
            responding(() => new Response(text, { status: 202 })),
            { responseValidation },
          );
          expect(await client.request({ ...post, body: { requestId: 'k1' } }, options)).toEqual(data);
        }
  });

  it('is unknown after a page, an error shape and a schema that fails; the last is not repeated', async () => {
    const options = { retries: { limit: 1, minDelay: 0 } };
    for (const [make, attempts] of [
      [() => new Response('<html>'), 2],
      [() => Response.json({ success: false }), 2],
      [() => Response.json({ error: 'INSUFFICIENT_BALANCE' }), 2],
      [() => Response.json({ id: 7 }), 1],
    ] as const)
      for (const responseValidation of ['tolerant', 'strict'] as const) {
        const fetch = responding(make);
        const client = clientOf(fetch, { ...options, responseValidation });
        expect(await failure(client.request({ ...post, schema }, keyHeader))).toMatchObject({
          name: 'ResponseValidationError',
          outcome: 'unknown',
          attempts,
        });
        // "`asResponse` hides departures, never rows 8–11".
        expect(await failure(client.request({ ...post, schema }).asResponse())).toMatchObject({
          name: 'ResponseValidationError',
          outcome: 'unknown',
        });
        expect(await failure(client.request({ ...post, schema }))).toMatchObject({
          outcome: 'unknown',
          attempts: 1,
        });
      }
  });

  // "a schema that passes outweighs a *number* in `status` or `statusCode`: a record may have one of its own"
  describe('whose record has a number of its own in `status` or `statusCode`', () => {
    const kept = { 'retry-after': '0' };
    const options = { retries: { limit: 1, minDelay: 0 } };
    const late: StandardSchema<unknown> = {
      '~standard': { validate: async (value) => schema['~standard'].validate(value) },
    };
    const modes = ['tolerant', 'strict'] as const;
    const jsonOf = (body: object) => responding(() => Response.json(body, { headers: kept }));

    it.each([
      [{ id: 'f1', kind: 'status', status: 503 }],
      [{ id: 'f1', statusCode: 400 }],
      [{ id: 'f1', status: 1000, statusCode: 422 }],
    ])('is done where its `schema` passes: %j', async (body) => {
      for (const responseValidation of modes)
        for (const given of [schema, late]) {
          const client = clientOf(jsonOf(body), { ...options, responseValidation });
          expect(await client.request({ ...post, schema: given })).toEqual({ id: 'f1' });
          expect(await client.request({ ...post, schema: given }, keyHeader)).toEqual({ id: 'f1' });
          expect(await client.request({ ...post, method: 'DELETE', schema: given })).toEqual({ id: 'f1' });
          const response = await client.request({ ...post, schema: given }).asResponse();
          expect(await response.json()).toEqual(body);
        }
    });

    it('is unknown without one, or where it fails, and the message names `schema`', async () => {
      for (const responseValidation of modes)
        for (const [body, given] of [
          [{ id: 'f1', status: 503 }, undefined],
          [{ id: 7, statusCode: 422 }, schema],
          [{ id: 7, statusCode: 422 }, late],
        ] as const) {
          const fetch = jsonOf(body);
          const client = clientOf(fetch, { ...options, responseValidation });
          const error = await failure(
            client.request({ ...post, ...(given && { schema: given }) }, keyHeader),
          );
          expect(error).toMatchObject({
            name: 'ResponseValidationError',
            outcome: 'unknown',
            issues: [{ path: '', code: 'error_shape' }],
            attempts: 2,
          });
          expect(error.message).toContain('give the request a `schema` that the record passes');
        }
    });

    it.each([
      [{ id: 'f1', status: 'ERROR' }],
      [{ id: 'f1', status: 'Failed' }],
      [{ id: 'f1', status: 500, error: 'x' }],
      [{ id: 'f1', statusCode: 500, success: false }],
      [{ id: 'f1', status: 'fail', statusCode: 500 }],
      [{ id: 'f1', status: 500, code: 'INSUFFICIENT_BALANCE' }],
      [{ id: 'f1', status: 500, code: 'RESOURCE_CONFLICT' }],
    ])('is unknown where anything else makes it an error, whatever the `schema` says: %j', async (body) => {
      for (const responseValidation of modes)
        for (const given of [schema, late]) {
          const client = clientOf(jsonOf(body), { retries: 0, responseValidation });
          const error = await failure(client.request({ ...post, schema: given }));
          expect(error.outcome).toBe('unknown');
          expect(error.message).not.toContain('`schema`');
        }
    });

    it('needs a schema that passes in every field, and no function that decides otherwise', async () => {
      const request = { ...post, schema, essential: ['status'] };
      const body = { id: 7, status: 503 };
      expect(await failure(clientOf(jsonOf(body), { retries: 0 }).request(request))).toMatchObject({
        outcome: 'unknown',
      });
      const refusals = () => 'rejected' as const;
      const client = clientOf(jsonOf({ id: 'f1', status: 503 }), { retries: 0, refusals });
      expect(await failure(client.request({ ...post, schema }))).toMatchObject({ outcome: 'rejected' });
    });

    it('is an error of a documented operation, which has no such record', async () => {
      const body = { transferDetails: { id: 't1', status: 'CREATED' }, status: 503 };
      const error = await failure(clientOf(jsonOf(body), { retries: 0 }).bridges.create(bridge));
      expect(error).toMatchObject({ outcome: 'unknown' });
      expect(error.message).not.toContain('`schema`');
    });
  });

  it('gives whatever came, where it is a read', async () => {
    for (const [text, data] of [
      ['<html>', '<html>'],
      ['', undefined],
      ['{"success":false,"error":"x"}', { success: false, error: 'x' }],
    ] as const)
      expect(
        await clientOf(responding(() => new Response(text))).request({ method: 'GET', path: '/v2/x' }),
      ).toEqual(data);
    const failed = clientOf(responding(() => Response.json({ id: 7 }))).request({
      method: 'GET',
      path: '/v2/x',
      schema,
    });
    expect(await failure(failed)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  it('is not repeated for a `requestId` in its body, which proves nothing and gets no field beside it', async () => {
    const fetch = scripted(networkFailure('ECONNRESET'));
    const client = clientOf(fetch, { retries: { limit: 2, minDelay: 0 } });
    for (const path of ['/v2/things', '/v2/wallets/transfers']) {
      const call = client.request({ method: 'POST', path, body: { requestId: 'k1', amount: 5 } });
      expect(await failure(call)).toMatchObject({ outcome: 'unknown', attempts: 1, requestId: undefined });
    }
    await failure(client.request({ method: 'POST', path: '/v2/things', body: { amount: 5 } }));
    expect(fetch.seen.map(({ body }) => body)).toEqual([
      '{"requestId":"k1","amount":5}',
      '{"requestId":"k1","amount":5}',
      '{"amount":5}',
    ]);
  });

  it('is repeated under a key: of an idempotency header, else of the body of a `keyed` one', async () => {
    const body = { requestId: 'in-body' };
    const cases: readonly [object, RequestOptions, string][] = [
      [{ body }, { headers: { 'X-Idempotency-Token': 'in-header' } }, 'in-header'],
      [{ body, retrySafety: 'keyed' }, { headers: { 'idempotency-key': 'in-header' } }, 'in-header'],
      [{ body, retrySafety: 'keyed' }, {}, 'in-body'],
    ];
    for (const [given, options, requestId] of cases) {
      const fetch = scripted(networkFailure('ECONNRESET'));
      const client = clientOf(fetch, { retries: { limit: 2, minDelay: 0 } });
      const call = client.request({ ...post, ...given }, options);
      expect(call.requestId).toBe(requestId);
      expect(await failure(call)).toMatchObject({ outcome: 'unknown', attempts: 3, requestId });
      expect(new Set(fetch.seen.map((seen) => seen.body))).toEqual(new Set([JSON.stringify(body)]));
    }
  });

  it('that is `keyed` is refused without a key, and with one that is no text', async () => {
    const fetch = scripted(networkFailure('ECONNRESET'));
    const client = clientOf(fetch);
    for (const body of [
      undefined,
      {},
      { requestId: null },
      { requestId: 7 },
      { requestId: '' },
      { requestId: 'undefined' },
    ])
      expect(
        await failure(client.request({ ...post, retrySafety: 'keyed', ...(body !== undefined && { body }) })),
      ).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
    for (const key of ['', ' ', 'null'])
      expect(await failure(client.request(post, { headers: { 'idempotency-key': key } }))).toMatchObject({
        name: 'InvalidRequestError',
      });
    expect(fetch.seen).toHaveLength(0);
  });

  it('is typed by `api`, which does the same', async () => {
    const fetch = scripted(networkFailure('ECONNRESET'));
    const api = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } }).api<{
      '/v2/things': {
        post: {
          requestBody: { content: { 'application/json': { requestId: string } } };
          parameters: { header?: { 'Idempotency-Key'?: string } };
          responses: { 200: { content: { 'application/json': object } } };
        };
      };
    }>();
    const body = { requestId: 'k1' };
    expect(await failure(api.POST('/v2/things', { body }))).toMatchObject({
      attempts: 1,
      requestId: undefined,
    });
    const header = { 'Idempotency-Key': 'k2' };
    expect(await failure(api.POST('/v2/things', { body, params: { header } }))).toMatchObject({
      attempts: 2,
      requestId: 'k2',
    });
    expect(await failure(api.POST('/v2/things', { body, retrySafety: 'keyed' }))).toMatchObject({
      attempts: 2,
      requestId: 'k1',
    });
  });
});
