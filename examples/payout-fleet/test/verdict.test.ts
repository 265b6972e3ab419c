import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaymentsClient } from 'stablecoin-payments';
import { judge } from '../src/verdict.ts';

/** The error that the client gives for an answer of the service. */
async function errorFor(fetch: typeof globalThis.fetch, amount = 1): Promise<unknown> {
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'token',
    retries: 0,
    timeout: 50,
    fetch,
  });
  const user = { userId: 'user' };
  return payments.transfers
    .create({ source: user, destination: user, amount, currency: 'usdc', chain: 'POLYGON' })
    .then(
      () => assert.fail('the call should have failed'),
      (error: unknown) => error,
    );
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  errorFor(async () => new Response(JSON.stringify(body), { status, headers }));
const refusal = (code: string) => ({ status: 'error', error: { code, message: 'no' } });

const cases: [string, () => Promise<unknown>, boolean, ReturnType<typeof judge>][] = [
  [
    'a 429 pauses the fleet for as long as the service asks',
    () => answer(429, refusal('SLOW_DOWN'), { 'retry-after': '7' }),
    false,
    { action: 'pause', seconds: 7, reason: 'SLOW_DOWN', sent: false },
  ],
  [
    'a 503 that says nothing pauses it for a second',
    () => answer(503, ''),
    false,
    { action: 'pause', seconds: 1, reason: 'unavailable', sent: false },
  ],
  [
    'a refused token pauses the fleet and refuses no payout',
    () => answer(401, { code: 401, error: 'Unauthorized', errorDetails: 'expired' }),
    false,
    { action: 'pause', seconds: 30, reason: '401', sent: false },
  ],
  [
    'a 500 is repeated, and leaves the payment in doubt',
    () => answer(500, { code: 500, error: 'Internal', errorDetails: '' }),
    false,
    { action: 'retry', reason: '500', sent: true },
  ],
  [
    'a success that cannot be read is repeated, and leaves the payment in doubt',
    () => answer(201, { unreadable: true }),
    false,
    { action: 'retry', reason: 'response_validation', sent: true },
  ],
  [
    'a timeout is repeated, and leaves the payment in doubt',
    () =>
      errorFor(
        (_url, init) =>
          new Promise((_resolve, reject) => {
            init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          }),
      ),
    false,
    { action: 'retry', reason: 'timeout', sent: true },
  ],
  [
    'a refusal ends the row with the code of the service',
    () => answer(400, refusal('INSUFFICIENT_BALANCE')),
    false,
    { action: 'reject', reason: 'INSUFFICIENT_BALANCE' },
  ],
  [
    'a refusal after an attempt whose answer was lost is for a person',
    () => answer(400, refusal('INSUFFICIENT_BALANCE')),
    true,
    { action: 'look', reason: 'REFUSED_AFTER_LOST_ANSWER INSUFFICIENT_BALANCE' },
  ],
  [
    'a 409 is for a person, also at the first attempt: somebody used this id',
    () => answer(409, refusal('REQUEST_ALREADY_EXISTS')),
    false,
    { action: 'look', reason: 'REQUEST_ALREADY_EXISTS' },
  ],
  [
    'so is a duplicate that the service announces with another status',
    () => answer(422, refusal('DUPLICATE_REQUEST')),
    false,
    { action: 'look', reason: 'DUPLICATE_REQUEST' },
  ],
  [
    'a redirect is a wrong address, and ends no row',
    () => answer(302, '', { location: 'http://elsewhere.test/' }),
    false,
    { action: 'retry', reason: 'unexpected_redirect', sent: true },
  ],
  [
    'a 404 that is not in the words of the service is a wrong address too',
    () => answer(404, 'Not here'),
    false,
    { action: 'retry', reason: 'not_found', sent: false },
  ],
  [
    'a 404 in its words ends the row',
    () => answer(404, refusal('USER_NOT_FOUND')),
    false,
    { action: 'reject', reason: 'USER_NOT_FOUND' },
  ],
  [
    'what the client itself refuses to send ends the row',
    () => errorFor(async () => new Response(), -1),
    false,
    { action: 'reject', reason: 'invalid_request' },
  ],
];

for (const [title, make, inDoubt, expected] of cases) {
  test(title, async () => {
    const { reason, ...verdict } = judge(await make(), inDoubt);
    const { reason: expectedReason, ...expectedVerdict } = expected;
    assert.deepEqual(verdict, expectedVerdict);
    if (/^[A-Z\d ]/.test(expectedReason)) assert.equal(reason, expectedReason);
    else assert.match(reason, /^[a-z_]+$/);
  });
}

test('an error of our own is repeated, and leaves the payment in doubt', () => {
  assert.deepEqual(judge(new Error('a bug'), false), {
    action: 'retry',
    reason: 'WORKER_FAILED',
    sent: true,
  });
});

test('a code that is no code is not kept: it may repeat what was sent', async () => {
  const error = await answer(400, refusal('the payee Ada Lovelace is unknown'));
  const verdict = judge(error, false);
  assert.equal(verdict.action, 'reject');
  assert.doesNotMatch(verdict.reason, /Ada/);
});
