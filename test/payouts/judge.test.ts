import { PaymentsClient } from 'stablecoin-payments';
import { judge } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import { refusalName } from '../../src/payouts/rules/refusals.ts';
import { refusal, responding } from './support.ts';

type Fetch = typeof globalThis.fetch;

/** The verdict on what the client throws for this service. */
async function verdictOn(fetch: Fetch, amount = 1, signal = new AbortController().signal) {
  const payments = new PaymentsClient({
    baseUrl: 'https://service.test',
    accessToken: 'token',
    retries: 0,
    timeout: 50,
    fetch,
  });
  const params = { source: { userId: 'payer' }, destination: { userId: 'payee' }, amount };
  return payments.transfers.create({ ...params, currency: 'usdc', chain: 'POLYGON' }, { signal }).then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => judge(error),
  );
}

const numbered = (code: number, error: string) => ({ code, error, errorDetails: 'a sentence' });

describe('a refusal in the words of the service, about this payout, rejects it', () => {
  test.each([
    [400, refusal('FIELD_VALIDATION_ERROR'), 'FIELD_VALIDATION_ERROR'],
    [400, numbered(100001, 'FIELD_VALIDATION_ERROR'), 'FIELD_VALIDATION_ERROR'],
    [404, refusal('USER_NOT_FOUND'), 'USER_NOT_FOUND'],
    [403, refusal('USER_FROZEN'), 'USER_FROZEN'],
    [422, numbered(300002, 'USER_COMPLIANCE_VERIFICATION_FAILED'), 'USER_COMPLIANCE_VERIFICATION_FAILED'],
    [400, { status: 'error', error: { code: 400123, message: 'no' } }, '400123'],
    [400, numbered(400, 'Bad Request'), 'HTTP_400'],
    [404, { error: 'USER_NOT_FOUND' }, 'USER_NOT_FOUND'],
    [404, { error: 'The user p1 does not exist' }, 'HTTP_404'],
    [410, refusal('USER_NOT_FOUND'), 'USER_NOT_FOUND'],
    [400, { code: '100001', error: 'FIELD_VALIDATION_ERROR' }, 'FIELD_VALIDATION_ERROR'],
    [400, refusal('400123'), '400123'],
    [400, refusal('A'.repeat(60)), 'A'.repeat(60)],
  ])('%i %j', async (status, body, reason) => {
    expect(await verdictOn(responding(status, body))).toEqual({ action: 'reject', reason });
  });

  test('what the client itself refuses to send is rejected too', async () => {
    expect(await verdictOn(responding(200, {}), -1)).toEqual({ action: 'reject', reason: 'INVALID_REQUEST' });
  });

  test('a code that is a sentence is not kept: it may repeat what was sent', async () => {
    const nested = await verdictOn(responding(400, refusal('the payee Ada Lovelace is unknown')));
    expect(nested).toEqual({ action: 'reject', reason: 'HTTP_400' });
    const flat = await verdictOn(responding(422, numbered(422, 'Ada Lovelace')));
    expect(flat).toEqual({ action: 'reject', reason: 'HTTP_422' });
  });

  test.each(['A'.repeat(61), 'the payee ADA', 'ADA the payee', 'payee-12', '12 Main Street', '1234567890'])(
    'the code %j of a refusal is not kept',
    async (code) => {
      const verdict = await verdictOn(responding(400, refusal(code)));
      expect(verdict).toEqual({ action: 'reject', reason: 'HTTP_400' });
    },
  );
});

describe('what is not about this payout waits, however the way to the service says it', () => {
  test.each([
    [403, '<html><h1>403 Forbidden</h1></html>', 'HTTP_403'],
    [400, '<html>Bad Request</html>', 'HTTP_400'],
    [405, '', 'HTTP_405'],
    [407, 'Proxy Authentication Required', 'HTTP_407'],
    [413, '<html>Too large</html>', 'HTTP_413'],
    [421, '', 'HTTP_421'],
    [451, 'blocked', 'HTTP_451'],
    [404, 'not here', 'HTTP_404'],
    [403, { message: 'Forbidden' }, 'HTTP_403'],
    [400, { timestamp: 1, status: 400, error: 'Bad Request', path: '/' }, 'HTTP_400'],
    [403, { error: 'Not authorized' }, 'NOT_AUTHORIZED'],
    [400, ['no'], 'HTTP_400'],
    [404, { error: 'Not Found' }, 'HTTP_404'],
    [400, { error: 'Forbidden' }, 'HTTP_400'],
    [400, { error: 'a sentence of a gateway', requestId: 'x' }, 'HTTP_400'],
    [403, { error: 'Access denied by policy' }, 'NOT_AUTHORIZED'],
    [400, { error: { code: 400, message: 'Bad Request' } }, 'HTTP_400'],
    [401, numbered(401, 'Unauthorized'), 'UNAUTHORIZED'],
    [401, refusal('USER_NOT_FOUND'), 'USER_NOT_FOUND'],
    [403, numbered(403, 'Forbidden'), 'FORBIDDEN'],
    [403, refusal('PROFILE_FROZEN'), 'PROFILE_FROZEN'],
    [400, refusal('INVALID_API_KEY'), 'INVALID_API_KEY'],
    [405, refusal('METHOD_NOT_ALLOWED'), 'METHOD_NOT_ALLOWED'],
    [404, refusal('ROUTE_NOT_FOUND'), 'ROUTE_NOT_FOUND'],
    [429, refusal('SLOW_DOWN'), 'SLOW_DOWN'],
    [418, refusal('FIELD_VALIDATION_ERROR'), 'FIELD_VALIDATION_ERROR'],
    [400, null, 'HTTP_400'],
    [400, { error: ' Nonsense ' }, 'HTTP_400'],
    [400, { error: ' Bad Request ' }, 'HTTP_400'],
    [400, { error: null, code: 7 }, 'HTTP_400'],
    [400, { error: { code: null, message: 'no' } }, 'HTTP_400'],
    [400, { error: { code: [7], message: 'no' } }, 'HTTP_400'],
    [400, { error: ' ', code: 7, errorDetails: 'no' }, 'HTTP_400'],
    [400, { error: ['USER_NOT_FOUND'] }, 'HTTP_400'],
    [400, refusal(' insufficient  funds '), 'INSUFFICIENT_FUNDS'],
    [400, refusal('rate-limited'), 'RATE_LIMITED'],
  ])('%i %j', async (status, body, reason) => {
    expect(await verdictOn(responding(status, body))).toStrictEqual({ action: 'wait', reason });
  });

  test('a refusal without a body has no name', () => {
    for (const body of [undefined, null, '', 'USER_NOT_FOUND', 7]) {
      expect(Reflect.apply(refusalName, undefined, [{ body, status: 400 }])).toBeUndefined();
    }
  });

  test.each([
    'INSUFFICIENT_FUNDS',
    'BALANCE_TOO_LOW',
    'KEY_DOES_NOT_EXIST',
    'UNAUTHENTICATED',
    'NOT_AUTHORIZED',
    'ACCESS_DENIED',
    'PERMISSION_DENIED',
    'IP_NOT_ALLOWED',
    'METHOD_NOT_ALLOWED',
    'RATE_LIMITED',
    'RATE_LIMIT_EXCEEDED',
    'TOO_MANY_REQUESTS',
    'SERVICE_UNAVAILABLE',
    'MAINTENANCE',
  ])('the refusal %s is about the account', async (name) => {
    expect(await verdictOn(responding(400, refusal(name)))).toEqual({ action: 'wait', reason: name });
  });

  test.each([
    'Bad Request',
    'Payment Required',
    'Not Found',
    'Method Not Allowed',
    'Not Acceptable',
    'Proxy Authentication Required',
    'Request Timeout',
    'Length Required',
    'Precondition Failed',
    'Payload Too Large',
    'Content Too Large',
    'Request Entity Too Large',
    'URI Too Long',
    'Unsupported Media Type',
    'Misdirected Request',
    'Unprocessable Entity',
    'Unprocessable Content',
    'Too Early',
    'Unavailable For Legal Reasons',
  ])('a gateway says %j in JSON', async (error) => {
    expect(await verdictOn(responding(400, { error }))).toEqual({ action: 'wait', reason: 'HTTP_400' });
  });

  test('Retry-After is passed on, for refusals and for lost responses', async () => {
    const busy = await verdictOn(responding(429, refusal('SLOW_DOWN'), { 'retry-after': '7' }));
    expect(busy).toEqual({ action: 'wait', reason: 'SLOW_DOWN', retryAfter: 7 });
    const down = await verdictOn(responding(503, '', { 'retry-after': '9' }));
    expect(down).toEqual({ action: 'wait', reason: 'HTTP_503', retryAfter: 9 });
  });

  test('an empty balance is the service’s own refusal, and passes', async () => {
    const verdict = await verdictOn(responding(400, refusal('INSUFFICIENT_BALANCE')));
    expect(verdict).toEqual({ action: 'wait', reason: 'INSUFFICIENT_BALANCE', refused: true });
    const bare = await verdictOn(responding(400, { error: 'The balance is lower than the amount' }));
    expect(bare).toEqual(verdict);
  });

  test('a service that cannot be reached', async () => {
    const refused = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    });
    const verdict = await verdictOn(() => Promise.reject(refused));
    expect(verdict).toEqual({ action: 'wait', reason: 'CONNECTION' });
  });
});

describe('a key that the service knows proves that the transfer exists', () => {
  test.each([
    [409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')],
    [400, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')],
    [422, numbered(400111, 'TRANSACTION_REQUEST_ALREADY_EXISTS')],
    [409, refusal('RESOURCE_CONFLICT')],
    [422, refusal('RESOURCE_CONFLICT')],
    [422, refusal('DUPLICATE_REQUEST')],
    [400, { error: 'This requestId was already used; its transfer exists' }],
    [409, { error: 'This requestId was already used; its transfer exists' }],
    [400, { code: 7, error: 'DUPLICATE_REQUEST', errorDetails: 'validation error' }],
  ])('%i %j', async (status, body) => {
    expect(await verdictOn(responding(status, body))).toMatchObject({ action: 'made' });
  });

  test('a key that stands for another payment, or a conflict about something else, is for a person', async () => {
    const reused = await verdictOn(responding(409, refusal('REQUEST_ID_REUSED')));
    expect(reused).toEqual({ action: 'look', reason: 'REQUEST_ID_REUSED' });
    const other = await verdictOn(responding(409, refusal('WALLET_LOCKED')));
    expect(other).toEqual({ action: 'look', reason: 'WALLET_LOCKED' });
    const both = await verdictOn(responding(409, refusal('KEY_ALREADY_USED_FOR_ANOTHER_PAYMENT')));
    expect(both).toEqual({ action: 'look', reason: 'KEY_ALREADY_USED_FOR_ANOTHER_PAYMENT' });
  });

  test.each(['WALLET_CONFLICT', 'CONFLICT_OF_INTEREST', 'ALREADY_CLOSED', 'HTTP_4099', 'NO_HTTP_409'])(
    'the name %s does not say that the key is known',
    async (name) => {
      const verdict = await verdictOn(responding(409, refusal(name)));
      expect(verdict).toEqual({ action: 'look', reason: name });
    },
  );

  test.each(['CONFLICT', 'ALREADY_EXIST', 'KEY_ALREADY_USED', 'ALREADY_PROCESSED', 'ALREADY_SUBMITTED'])(
    'the name %s says that the key is known',
    async (name) => {
      const verdict = await verdictOn(responding(409, refusal(name)));
      expect(verdict).toEqual({ action: 'made', reason: name });
    },
  );

  test('a 409 page of a gateway proves nothing', async () => {
    const verdict = { action: 'retry', reason: 'HTTP_409', counts: true };
    expect(await verdictOn(responding(409, '<html>Conflict</html>'))).toEqual(verdict);
    expect(await verdictOn(responding(409, ''))).toEqual(verdict);
  });
});

describe('what may have been carried out is retried under the same key', () => {
  test('a failure of the service itself counts', async () => {
    const verdict = await verdictOn(responding(500, numbered(700001, 'INTERNAL_ERROR')));
    expect(verdict).toEqual({ action: 'retry', reason: 'INTERNAL_ERROR', counts: true });
  });

  test.each([
    [500, '<html>oops</html>'],
    [502, '<html>Bad Gateway</html>'],
    [503, numbered(700001, 'INTERNAL_ERROR')],
    [504, ''],
  ])('a gateway’s %i %j uses no attempt', async (status, body) => {
    expect(await verdictOn(responding(status, body))).toMatchObject({ action: 'retry', counts: false });
  });

  test('a timeout, a reset, a cut body and an unreadable success', async () => {
    const stall: Fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    expect(await verdictOn(stall)).toEqual({ action: 'retry', reason: 'TIMEOUT', counts: true });
    const reset = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
    });
    expect(await verdictOn(() => Promise.reject(reset))).toMatchObject({ action: 'retry', counts: true });
    expect(await verdictOn(responding(200, { unreadable: true }))).toMatchObject({
      action: 'retry',
      counts: true,
    });
    expect(await verdictOn(responding(302, '', { location: 'http://elsewhere.test/' }))).toMatchObject({
      action: 'retry',
      counts: false,
    });
  });

  test('a success without a transfer in it, whatever it shows instead', async () => {
    const refused = await verdictOn(responding(200, numbered(300001, 'USER_NOT_FOUND')));
    expect(refused).toStrictEqual({ action: 'retry', reason: 'RESPONSE_VALIDATION', counts: true });
  });

  test('a success that names its transfer, and cannot be read beyond that', async () => {
    const body = { transferType: 'WALLET.TRANSFER', transferDetails: { id: 't1', status: 5 } };
    const verdict = await verdictOn(responding(200, body));
    expect(verdict).toEqual({ action: 'retry', reason: 'RESPONSE_VALIDATION', counts: true });
  });

  test('an aborted call', async () => {
    const abort = new AbortController();
    const fetch: Fetch = async () => {
      abort.abort();
      throw new TypeError('terminated');
    };
    const verdict = await verdictOn(fetch, 1, abort.signal);
    expect(verdict).toEqual({ action: 'retry', reason: 'ABORTED', counts: false });
  });

  test('an error of our own', () => {
    const verdict = { action: 'retry', reason: 'WORKER_FAILED', counts: true };
    expect(judge(new Error('a bug'))).toEqual(verdict);
    expect(judge(undefined)).toEqual(verdict);
  });
});
