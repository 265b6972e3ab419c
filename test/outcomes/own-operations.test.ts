import { describe, expect, it } from 'vitest';
import type { FetchLike, PaymentsClient, RequestOptions } from '../../src/index.ts';
import { clientOf, failure } from '../client/support.ts';

const refusals: [number, object][] = [400, 409, 422].flatMap((status) => [
  [status, { code: 300001, error: 'USER_ALREADY_EXISTS', errorDetails: 'User already exists' }],
  [
    status,
    { status: 'error', error: { code: 'USER_ALREADY_EXISTS', message: 'A user with this email exists.' } },
  ],
  [status, { error: 'TRANSACTION_REQUEST_ALREADY_EXISTS', errorDetails: 'This request id exists' }],
]);

describe('an operation that you declare is about a record, and not about a payment', () => {
  const answers: [string, () => Promise<Response>][] = [
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

  it.each(answers)('%s', async (_what, answer) => {
    const client = clientOf(answer, { retries: 0 });
    const create = { method: 'POST', path: '/v2/users', body: { email: 'ada@example.com' } } as const;
    for (const call of [
      () => client.request({ ...create, idempotencyKey: { field: 'requestId' } }),
      () => client.request(create),
    ]) {
      const error = await failure(call());
      expect(error.message).not.toMatch(/payment|pay again|paid/i);
    }
  });
});

describe('an operation that you declare, where only the token says who pays', () => {
  const tokenOfB = () => 'token-of-b';
  const pay = (client: PaymentsClient, options?: RequestOptions, amount = 1) =>
    client.request(
      {
        method: 'POST',
        path: '/v2/payouts',
        body: { amount },
        idempotencyKey: { field: 'ref', value: 'invoice-7' },
      },
      options,
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

  it.each<[string, (a: PaymentsClient, fetch: FetchLike) => PromiseLike<unknown>]>([
    ['a derived client', (a) => pay(a.withOptions({ accessToken: 'token-of-b' }))],
    ['a derived client with a function', (a) => pay(a.withOptions({ accessToken: tokenOfB }))],
    ['a call with a token of its own', (a) => pay(a, { accessToken: tokenOfB })],
    ['another client', (_a, fetch) => pay(clientOf(fetch, { accessToken: 'token-of-b' }))],
  ])('%s is not told that the payment of another token was its own', async (_by, payAsB) => {
    const fetch = serviceOf();
    const a = clientOf(fetch, { accessToken: 'token-of-a' });
    await pay(a);
    const error = await failure(payAsB(a, fetch));
    expect(error).toMatchObject({ name: 'BadRequestError', outcome: 'unknown' });
    expect(error.message).not.toContain('was carried out');
    // What A knows of its own payment stays as it was.
    expect((await failure(pay(a))).outcome).toBe('succeeded');
  });

  it('the same token tells what it paid, in a derived client, in a call and in another client', async () => {
    const fetch = serviceOf();
    const a = clientOf(fetch, { accessToken: 'token-of-a' });
    await pay(a);
    const others = [
      pay(a.withOptions({ deadline: 5000 })),
      pay(a.withOptions({ accessToken: 'token-of-a' })),
      pay(a, { accessToken: 'token-of-a' }),
      pay(clientOf(fetch, { accessToken: 'token-of-a' })),
    ];
    for (const call of others) expect((await failure(call)).outcome).toBe('succeeded');
  });

  it('a token function tells it to the client that has the function, and to those derived from it', async () => {
    const fetch = serviceOf();
    const a = clientOf(fetch, { accessToken: tokenOfB });
    await pay(a);
    expect((await failure(pay(a.withOptions({ deadline: 5000 })))).outcome).toBe('succeeded');
    expect((await failure(pay(a.withOptions({ accessToken: () => 'token-of-b' })))).outcome).toBe('unknown');
  });

  it('another payload under the key is refused to its token, also in a call', async () => {
    const a = clientOf(serviceOf(), { accessToken: 'token-of-a' });
    await pay(a);
    for (const options of [{}, { accessToken: 'token-of-a' }])
      expect(await failure(pay(a, options, 2))).toMatchObject({ code: 'request_id_reused' });
  });
});
