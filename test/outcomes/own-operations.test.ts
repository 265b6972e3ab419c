import { defineResource, ofType } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf, failure } from '../client/support.ts';

const Users = defineResource('users', {
  create: {
    method: 'POST',
    path: '/v2/users',
    body: ofType<{ email: string; requestId?: string }>(),
    idempotencyKey: { field: 'requestId' },
  },
  invite: { method: 'POST', path: '/v2/users/invite', body: ofType<{ email: string }>() },
});

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
    const { users, request } = Object(clientOf(answer, { retries: 0 }).with({ users: Users }));
    for (const call of [
      () => users.create({ email: 'ada@example.com' }),
      () => users.invite({ email: 'ada@example.com' }),
    ]) {
      const error = await failure(call());
      expect(error.message).not.toMatch(/payment|pay again|paid/i);
    }
    expect(request).toBeTypeOf('function');
  });
});
