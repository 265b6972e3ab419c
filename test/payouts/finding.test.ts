import { PaymentsClient } from 'stablecoin-payments';
import { expect, test } from 'vitest';
import { findingOfError } from '../../src/payouts/rules/call-finding.ts';
import { refusal, responding } from './support.ts';

/** What the error proves that the client throws for this service. */
async function findingFor(fetch: typeof globalThis.fetch, amount = 1) {
  const payments = new PaymentsClient({
    baseUrl: 'https://service.test',
    accessToken: 'token',
    retries: 0,
    timeout: 100,
    fetch,
  });
  const params = { source: { userId: 'payer' }, destination: { userId: 'payee' }, amount };
  return payments.transfers.create({ ...params, currency: 'usdc', chain: 'POLYGON' }).then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => findingOfError(error),
  );
}

test.each([
  [409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS'), { finding: 'known' }],
  [400, { code: 1, error: 'RESOURCE_CONFLICT', errorDetails: 'try another' }, { finding: 'known' }],
  [400, refusal('USER_NOT_FOUND'), { finding: 'refused', about: 'payment', reason: 'USER_NOT_FOUND' }],
  [422, refusal('FIELD_VALIDATION_ERROR'), { finding: 'refused', about: 'payment' }],
  [400, refusal('INSUFFICIENT_BALANCE'), { finding: 'refused', about: 'payer' }],
  [403, refusal('PROFILE_FROZEN'), { finding: 'refused', about: 'payer' }],
  [401, refusal('UNAUTHORIZED'), { finding: 'refused', about: 'payer' }],
  [409, refusal('SOMETHING_ELSE'), { finding: 'open', counts: true }],
  [409, '<html>conflict</html>', { finding: 'open' }],
  [500, refusal('INTERNAL_ERROR'), { finding: 'open', counts: true }],
  [502, '<html>bad gateway</html>', { finding: 'open', counts: false }],
  [504, '', { finding: 'open', counts: false }],
  [404, refusal('ACCOUNT_000123456789_CLOSED'), { finding: 'refused', reason: 'HTTP_404' }],
  [429, refusal('SLOW_DOWN'), { finding: 'not-reached', reason: 'SLOW_DOWN' }],
  // Row 7: a page, and the JSON of a gateway or a router, prove nothing.
  [405, '', { finding: 'open', reason: 'HTTP_405' }],
  [403, { message: 'Forbidden' }, { finding: 'open', reason: 'HTTP_403' }],
  [404, { message: 'There is no such user' }, { finding: 'open', reason: 'HTTP_404' }],
  [409, refusal('INSUFFICIENT_BALANCE'), { finding: 'refused', about: 'payer' }],
  [400, '<html>bad request</html>', { finding: 'open' }],
  [499, '', { finding: 'open' }],
])('%i %j proves %j', async (status, body, expected) => {
  expect(await findingFor(responding(status, body))).toMatchObject(expected);
});

test.each(['DUPLICATE_RECIPIENT', 'USER_ALREADY_EXISTS', 'EXTERNAL_WALLET_ALREADY_EXISTS'])(
  'the name %s is no proof of a payment',
  async (name) => {
    for (const status of [400, 409]) {
      const { finding } = await findingFor(responding(status, refusal(name)));
      expect(finding).not.toBe('known');
      expect(finding).not.toBe('made');
    }
  },
);

test('a record without a status proves that the service has the payment, never that the call did not reach it', async () => {
  const incomplete = responding(200, { transferDetails: { id: 't1' } });
  expect(await findingFor(incomplete)).toMatchObject({ finding: 'open', reason: 'RESPONSE_VALIDATION' });
});

test('a lost response leaves the payment open, and a pause is as long as the service asks', async () => {
  const lost = () => Promise.reject(new TypeError('terminated'));
  expect(await findingFor(lost)).toMatchObject({ finding: 'open', counts: true });
  const busy = responding(503, refusal('MAINTENANCE'), { 'retry-after': '7' });
  // "Retry-After says when to try again, never what was proved."
  expect(await findingFor(busy)).toMatchObject({ finding: 'open', counts: false, retryAfter: 7000 });
});

test('a reason is a code, never the service’s sentence', async () => {
  const sentence = { code: 422, error: 'Ada Lovelace', errorDetails: 'a sentence about her' };
  const finding = await findingFor(responding(422, sentence));
  expect(JSON.stringify(finding)).not.toContain('Ada');
});

test('what the client refuses to send is refused', async () => {
  expect(await findingFor(responding(200, {}), -1)).toMatchObject({ finding: 'refused', about: 'payment' });
});

test('a refusal leaves the payment open while an earlier call of the key is', async () => {
  const refused = () => Response.json({ code: 300002, error: 'USER_FROZEN' }, { status: 400 });
  const responses = [() => Promise.reject(new TypeError('fetch failed')), async () => refused()];
  const payments = new PaymentsClient({
    baseUrl: 'https://service.test',
    accessToken: 'token',
    retries: 0,
    fetch: () => responses.shift()?.() ?? expect.unreachable('two calls are made'),
  });
  const pay = () =>
    payments.transfers
      .create({
        requestId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
        source: { userId: 'payer' },
        destination: { userId: 'payee' },
        amount: 1,
        currency: 'usdc',
        chain: 'POLYGON',
      })
      .catch((error: unknown) => error);
  await pay();
  expect(findingOfError(await pay())).toMatchObject({ finding: 'open', reason: 'USER_FROZEN' });
});
