import { describe, expect, it } from 'vitest';
import { APIError, isAPIError, isPaymentsError, type PaymentsError } from '../../src/index.ts';
import { notFound } from '../fixtures/index.ts';
import { usParams } from './operations.ts';
import { clientOf, failure, json, networkFailure, printedForms, scripted, text, token } from './support.ts';

const onramp = {
  requestId: '6fa459ea-ee8a-4ca4-894e-db77e160355e',
  source: { userId: 'user-7781', currency: 'usd', amount: 100.5, transferType: 'ach' },
  destination: { userId: 'user-7781', currency: 'usdc', chain: 'POLYGON' },
};

const create = (body: unknown, status = 400, headers: Record<string, string> = {}) =>
  failure(clientOf(scripted(json(body, status, headers)), { retries: 0 }).onramps.create(onramp));

const said = async (sentence: string) =>
  (await create({ error: 'X_FAILED', errorDetails: sentence })).message;

/** The message of a failed call whose parameters hold these strings. */
async function saidOf(values: readonly string[], sentence: string): Promise<string> {
  const fetch = scripted(json({ error: 'X_FAILED', errorDetails: sentence }, 422));
  const call = clientOf(fetch, { retries: 0 }).request({
    method: 'POST',
    path: '/v2/things',
    body: { values },
  });
  return (await failure(call)).message;
}

const service = (error: PaymentsError) => (error instanceof APIError ? error.service : undefined);

describe('the message of a refusal', () => {
  it('names the error, explains it, and says what it means for the money', async () => {
    const error = await create({
      code: 400012,
      error: 'INSUFFICIENT_BALANCE',
      errorDetails: 'The wallet balance is too low.',
    });
    expect(error.message).toBe(
      'onramps.create failed: INSUFFICIENT_BALANCE – The wallet balance is too low (HTTP 400). This call made no payment. Service code: 400012.',
    );
  });

  const shapes: readonly [what: string, status: number, body: unknown, start: string][] = [
    [
      'a nested error',
      400,
      { status: 'error', error: { code: 'QUOTE_NOT_READY', message: 'Wait for it.' } },
      'QUOTE_NOT_READY – Wait for it (HTTP 400).',
    ],
    ['words alone', 401, { error: 'Not authorized' }, 'Not authorized (HTTP 401).'],
    ['a number alone', 500, { code: 700001 }, '700001 (HTTP 500).'],
    ['a name alone', 403, { error: 'PROFILE_FROZEN' }, 'PROFILE_FROZEN (HTTP 403).'],
    ['a sentence alone', 400, { message: 'Try something else.' }, 'Try something else (HTTP 400).'],
  ];
  it.each(shapes)('reads %s', async (_what, status, body, start) => {
    expect((await create(body, status)).message).toContain(`onramps.create failed: ${start}`);
  });

  it('is short where nothing can be shown', async () => {
    const cases: unknown[] = [
      {},
      null,
      [],
      { error: 7 },
      { errorDetails: 'user-7781' },
      { error: 'x'.repeat(500) },
    ];
    for (const body of cases) {
      expect((await create(body, 403)).message).toBe(
        'onramps.create failed (HTTP 403). This call made no payment.',
      );
    }
    const html = await failure(clientOf(scripted(text('<html>user-7781', 403))).onramps.create(onramp));
    expect(html.message).toBe('onramps.create failed (HTTP 403). This call made no payment.');
  });

  it('says what to do next', async () => {
    expect((await create({}, 401)).message).toContain('This call made no payment. Check `accessToken`.');
    expect((await create({}, 429)).message).toContain('This call made no payment. Try again later.');
    expect((await create({}, 429, { 'retry-after': '90' })).message).toContain(
      'The service asks to wait 90 s.',
    );
    expect((await create({}, 500)).message).toBe(
      'onramps.create failed (HTTP 500). This call may have made the payment: retry with the same requestId, or look it up.',
    );
    expect((await create({}, 307)).message).toContain(
      'Check the base address: redirects are never followed.',
    );
  });

  it('says of each kind of call what became of it', async () => {
    const client = clientOf(scripted(json({}, 400)), { retries: 0 });
    const open = clientOf(scripted(networkFailure('ECONNRESET')), { retries: 0 });
    const cases: readonly [call: PromiseLike<unknown>, ending: string][] = [
      [client.approvals.approve('a1'), '(HTTP 400). This call changed nothing.'],
      [client.accounts.delete('u1', 'a1'), '(HTTP 400). This call changed nothing.'],
      [client.kyc.retrieve('u1'), '(HTTP 400).'],
      [open.onramps.create(onramp), 'may have been made: retry with the same requestId, or look it up.'],
      [open.approvals.approve('a1'), 'may have been carried out: check before you send it again.'],
      [open.onramps.refreshQuote('t1'), 'may have been carried out: it is safe to send it again.'],
      [open.kyc.retrieve('u1'), 'Nothing was changed: it is safe to try again.'],
    ];
    for (const [call, ending] of cases) expect((await failure(call)).message.endsWith(ending)).toBe(true);
  });

  it('keeps the name of a read that found nothing', async () => {
    const error = await failure(clientOf(scripted(json(notFound, 404))).kyc.retrieve('u1'));
    expect(error.message).toBe('kyc.retrieve failed: TRANSFER_NOT_FOUND – No such transfer (HTTP 404).');
  });
});

describe('what a service says is masked', () => {
  it.each([
    ['a string of the body', 'No user user-7781 here'],
    ['another case', 'No user USER-7781 here'],
    ['a chain', 'No route on polygon here'],
    ['a short word', 'Cannot pay in usd here'],
    ['the request id', 'Seen 6fa459ea-ee8a-4ca4-894e-db77e160355e before'],
    ['the request id without hyphens', 'Seen 6FA459EAEE8A4CA4894EDB77E160355E before'],
    ['a token', `Credential ${token} expired`],
    ['another token', 'Credential eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl expired'],
    ['a bearer header', 'Header Bearer abc was refused'],
    ['an e-mail address', 'Ask ada.lovelace+pay@example.com about it'],
    ['a URL', 'See https://example.com/u?email=ada for it'],
    ['five digits', 'Number 12345 was refused'],
    ['digits in groups', 'Number 0001-2345 6789 was refused'],
    ['digits of another script', 'Number ٠١٢٣٤ was refused'],
    ['full-width digits', 'Number １２３４５ was refused'],
    ['a wallet', 'Wallet 0x52908400098527886E0F7030069857D2E4169EE7 was refused'],
    ['zero-width characters', 'No user us\u200Ber-77\u200B81 here'],
  ])('%s', async (_what, sentence) => {
    const message = await said(sentence);
    const [start = '', end = ''] = [sentence.split(' ')[0], sentence.split(' ').at(-1)];
    expect(message).toContain(`X_FAILED – ${start}`);
    expect(message).toContain(`${end} (HTTP 400)`);
    expect(message).toContain('[redacted]');
    expect(message).not.toMatch(
      /user-?7781|polygon|\busd\b|6fa459|eyJ|abc|ada|12345|6789|٠|１|0x529|example/i,
    );
  });

  it.each([
    [['Ada Lovelace'], 'LOVELACE, ADA is frozen'],
    [['Ada Lovelace'], 'user=Ada%20Lovelace is frozen'],
    [['Ada Lovelace'], 'user=Ada+Lovelace is frozen'],
    [['qu zo'], 'user=qu+zo is frozen'],
    [["Zoë O'Brien"], 'Zoe\u0308 O&#39;Brien is frozen'],
    [['GB29NWBK6016'], 'GB29 NWBK 6016 is frozen'],
    [['GB29 NWBK 6016'], 'gb29nwbk6016 is frozen'],
    [['a"b\\c-secret'], 'a\\"b\\\\c-secret is frozen'],
    [['planted'], `${btoa('planted')} is frozen`],
    [['Ng'], 'Ng is frozen'],
    [['Bob'], 'Bob is frozen'],
    [['$(.*)[x]'], '$(.*)[x] is frozen'],
  ])('%j as %j', async (values, sentence) => {
    const message = await saidOf(values, sentence);
    expect(message).not.toMatch(/ada|lovelace|zo|brien|gb29|nwbk|secret|planted|cGxhb|\bNg\b|Bob|\(\.\*/i);
    expect(message).toContain('is frozen (HTTP 422)');
  });

  it('leaves words whole that hold a short string of the request', async () => {
    expect(await saidOf(['us', 'ach', 'usd'], 'The status of each user is usdc-like.')).toContain(
      'The status of each user is usdc-like (HTTP 422)',
    );
    expect(await said('The limit of 1000 per day is reached.')).toContain(
      'The limit of 1000 per day is reached',
    );
  });

  it('ids of the path, of the query and of headers', async () => {
    const fetch = scripted((seen) =>
      Response.json(
        // In small letters: a word that begins with a capital is masked wherever it comes from.
        { errorDetails: `No ${new URL(seen.url).pathname.split('/')[3]} for quill in tarn` },
        { status: 400 },
      ),
    );
    const call = clientOf(fetch, { headers: { 'x-team': 'Tarn' } }).kyc.retrieve('marrow', {
      query: { q: 'Quill' },
    });
    expect((await failure(call)).message).toBe(
      'kyc.retrieve failed: No [redacted] for [redacted] in [redacted] (HTTP 400).',
    );
  });

  it('quickly, and never at the cost of the error, however much was sent', async () => {
    const many = Array.from(
      { length: 1_500 },
      (_item, index) => `name ${index} of Marrow ${index * 7919} street`,
    );
    const startedAt = performance.now();
    expect(await saidOf(many, `No Marrow at ${'here and there '.repeat(15)}`)).toContain(
      'No [redacted] at here',
    );
    expect(await saidOf(['x'.repeat(2_000_000)], 'No such thing.')).toContain('No such thing (HTTP 422)');
    expect(
      await saidOf(
        Array.from({ length: 5_000 }, (_item, index) => `n${index}`),
        'No such thing.',
      ),
    ).toContain('failed (HTTP 422)');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('values of a form', async () => {
    const form = new FormData();
    form.set('owner', 'Quillon');
    const fetch = scripted(json({ errorDetails: 'No owner Quillon here' }, 400));
    const call = clientOf(fetch).request({ method: 'POST', path: '/v2/files', body: form });
    expect((await failure(call)).message).toContain('No owner [redacted] here (HTTP 400)');
  });

  it('the token that a 401 made useless, too', async () => {
    const tokens = ['first-token', 'second-token'];
    const fetch = scripted(json({ error: 'first-token and second-token are bad' }, 401));
    const client = clientOf(fetch, { accessToken: () => tokens.shift() ?? 'third-token' });
    const { message } = await failure(client.onramps.create(onramp));
    expect(message).not.toMatch(/first|second/);
  });

  it('is one line of limited length, without control characters or marks of direction', async () => {
    const message = await said('Line one\r\nLine two\t\u0007\u202Eright to left\u2028end');
    expect(message).toContain('Line one Line two right to left end (HTTP 400)');
    expect((await said('word '.repeat(150))).length).toBeLessThan(450);
    expect(await said('word '.repeat(1_000))).toContain('X_FAILED (HTTP 400)');
  });

  it('also in every printed form, where the service repeats the whole request', async () => {
    const fetch = scripted(({ body, headers }) =>
      Response.json(
        {
          code: 100001,
          error: 'FIELD_VALIDATION_ERROR',
          errorDetails: `${headers.authorization} ${body}`,
          details: { [body ?? '']: body },
        },
        { status: 400 },
      ),
    );
    const error = await failure(clientOf(fetch, { retries: 0 }).accounts.create('user-7781', usParams));
    const printed = printedForms(error);
    for (const secret of ['user-7781', 'Lovelace', '000123456789', '021000021', '4155550123', 'ada@', token])
      expect(printed).not.toContain(secret);
    expect(error.message).toContain('FIELD_VALIDATION_ERROR');
  });
});

describe('fields that the service names', () => {
  const wanted = [
    { field: 'source.amount', message: 'must be positive' },
    { field: 'source.currency', message: 'is not supported' },
  ];

  it.each([
    [
      'by field',
      { details: { 'source.amount': 'must be positive', 'source.currency': ['is not supported'] } },
    ],
    [
      'as a list',
      {
        details: [
          { field: 'source.amount', message: 'must be positive' },
          { path: ['source', 'currency'], msg: 'is not supported' },
        ],
      },
    ],
    [
      'nested',
      {
        error: {
          code: 'FIELD_VALIDATION_ERROR',
          details: {
            'source.amount': { message: 'must be positive' },
            'source.currency': 'is not supported',
          },
        },
      },
    ],
    [
      'as errors',
      {
        errors: [
          { property: 'source.amount', message: 'must be positive' },
          { param: 'source.currency', reason: 'is not supported' },
        ],
      },
    ],
    [
      'with constraints, among entries that name no field',
      {
        details: [
          { field: 'source.amount', constraints: { isPositive: 'must be positive', code: 7 } },
          { field: 'source.currency', error: { message: 'is not supported' } },
          null,
          7,
          { field: 7, message: 'planted' },
        ],
      },
    ],
  ])('%s are on the error, and by name in the message', async (_what, body) => {
    const error = await create(body);
    expect(service(error)?.fields).toEqual(wanted);
    expect(error.message).toContain('Fields: source.amount, source.currency.');
    expect(error.message).not.toContain('must be positive');
  });

  it('as a list of names have no words', async () => {
    const error = await create({ details: ['source.amount', 'source.currency'] });
    expect(service(error)?.fields).toEqual(wanted.map(({ field }) => ({ field, message: '' })));
  });

  it('are not in the message where they may be values', async () => {
    const error = await create({
      details: { 'Ada.Lovelace': 'x', 'user-7781': 'y', POLYGON: 'z', 'source.amount': '', '12345': '' },
    });
    expect(error.message).toContain('Fields: source.amount.');
    expect(error.message).not.toMatch(/Ada|7781|POLYGON|12345/);
    expect(service(error)?.fields).toHaveLength(5);
  });

  it('of the caller’s own making are known by the request', async () => {
    const fetch = scripted(json({ details: { 'quux.zap': 'x', nope: 'y' } }, 400));
    const call = clientOf(fetch).request({ method: 'POST', path: '/v2/things', body: { quux: { zap: 1 } } });
    expect((await failure(call)).message).toContain('Fields: quux.zap.');
  });
});

describe('names of errors', () => {
  it('are in `service.error`, whatever the shape', async () => {
    const shapes = [
      { code: 400012, error: 'INSUFFICIENT_BALANCE', errorDetails: 'x' },
      { status: 'error', error: { code: 'INSUFFICIENT_BALANCE', message: 'x' } },
      { code: 'INSUFFICIENT_BALANCE', message: 'x' },
    ];
    for (const body of shapes) {
      const error = await create(body);
      expect(isAPIError(error) && error.service.error === 'INSUFFICIENT_BALANCE').toBe(true);
      expect(error.docs).toBe('errors#insufficient-balance');
    }
  });

  it('lead to the guide by our code where the service uses another one', async () => {
    expect((await create({ error: 'SOMETHING_ELSE' }, 403)).docs).toBe('errors#permission-denied');
    const configuration = await failure(
      clientOf(scripted(json({})), { accessToken: () => '' }).kyc.retrieve('u1'),
    );
    expect(configuration.docs).toBe('errors#access-token');
    expect(JSON.parse(JSON.stringify(configuration))).toMatchObject({ docs: 'errors#access-token' });
  });
});

describe('isAPIError', () => {
  it('knows an error of this package with a status, also from another copy', async () => {
    const error = await create({});
    expect(isAPIError(error)).toBe(true);
    const copy = Object.create({
      [Symbol.for('stablecoin-payments.error')]: true,
      [Symbol.for('stablecoin-payments.api-error')]: true,
    });
    expect(isAPIError(copy)).toBe(true);
    const connection = await failure(
      clientOf(scripted(networkFailure('ECONNRESET')), { retries: 0 }).kyc.retrieve('u1'),
    );
    expect([isPaymentsError(connection), isAPIError(connection)]).toEqual([true, false]);
    for (const other of [undefined, null, 'x', {}, new Error('x')]) expect(isAPIError(other)).toBe(false);
  });
});
