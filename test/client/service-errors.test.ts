import { describe, expect, it } from 'vitest';
import {
  APIError,
  type CustomRequest,
  type PaymentsClient,
  type PaymentsError,
  type RequestOptions,
} from '../../src/client/index.ts';
import { notFound } from '../fixtures/index.ts';
import { usParams } from './operations.ts';
import {
  clientOf,
  failure,
  json,
  networkFailure,
  printedForms,
  type Step,
  scripted,
  text,
  token,
} from './support.ts';

const onramp = {
  requestId: '6fa459ea-ee8a-4ca4-894e-db77e160355e',
  source: { userId: 'user-7781', currency: 'usd', amount: 100.5, transferType: 'ach' },
  destination: { userId: 'user-7781', currency: 'usdc', chain: 'POLYGON' },
};

const create = (body: unknown, status = 400, headers: Record<string, string> = {}) =>
  failure(clientOf(scripted(json(body, status, headers)), { retries: 0 }).onramps.create(onramp));

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

  it('is short where nothing can be shown', async () => {
    const bare = 'onramps.create failed (HTTP 429). This call made no payment. Try again later.';
    for (const body of [{}, null, [], { errorDetails: 'user-7781' }, { error: 'x'.repeat(500) }])
      expect((await create(body, 429)).message).toBe(bare);
    const client = clientOf(scripted(text('<html>user-7781', 429)), { retries: 0 });
    expect((await failure(client.onramps.create(onramp))).message).toBe(bare);
  });

  it('can do with a response that is null', async () => {
    expect((await create(null, 200)).message).toContain('does not prove the request');
  });

  it('says what to do next', async () => {
    expect((await create({}, 401)).message).toContain('This call made no payment. Check `accessToken`.');
    expect((await create({}, 429)).message).toContain('This call made no payment. Try again later.');
    expect((await create({}, 429, { 'retry-after': '90' })).message).toContain(
      'The service asks to wait 90 s.',
    );
    expect((await create({}, 429, { 'retry-after': '0' })).message).toContain('Try again later.');
    expect((await create({}, 500)).message).toBe(
      'onramps.create failed (HTTP 500). This call may have made the payment: retry with the same requestId, or look it up.',
    );
    expect((await create({}, 307)).message).toContain(
      'Check the base address: redirects are never followed.',
    );
  });

  const refused = json({ error: 'USER_FROZEN' }, 403);
  const known = json({ error: 'RESOURCE_CONFLICT' }, 409);
  const down = networkFailure('ECONNREFUSED');
  const lost = networkFailure('ECONNRESET');
  const odd = json({ transferDetails: { id: 't1', status: 7 } });
  const inDoubt = { inDoubt: true };
  const body = '`error.body` has the response.';
  const check = 'Check the base address and the network.';
  type Call = (client: PaymentsClient, options?: RequestOptions) => PromiseLike<unknown>;
  const pay: Call = (client, options) => client.onramps.create(onramp, options);
  const approve: Call = (client, options) => client.approvals.approve('a1', {}, options);
  const remove: Call = (client, options) => client.accounts.delete('u1', 'a1', options);
  const refresh: Call = (client, options) => client.onramps.refreshQuote('t1', options);
  const read: Call = (client, options) => client.kyc.retrieve('u1', options);
  /** An operation of the caller's with a key, of which the client does not know that it pays. */
  const own: Call = (client, options) =>
    client.request(
      { method: 'POST', path: '/v2/x', body: { requestId: 'k1' }, retrySafety: 'keyed' },
      options,
    );
  it.each<[step: Step, call: Call, ending: string, options?: RequestOptions]>([
    [down, pay, `(ECONNREFUSED). Nothing was sent: this call made no payment. ${check}`],
    [down, own, `(ECONNREFUSED). Nothing was sent. ${check}`],
    [down, approve, `(ECONNREFUSED). Nothing was sent. ${check}`],
    [down, read, `(ECONNREFUSED). Nothing was sent. ${check}`],
    [refused, pay, '(HTTP 403). This call made no payment.'],
    [refused, own, '(HTTP 403). This call changed nothing.'],
    [refused, approve, '(HTTP 403). This call changed nothing.'],
    [refused, remove, '(HTTP 403). This call changed nothing.'],
    [refused, read, '(HTTP 403).'],
    [lost, pay, 'This call may have made the payment: retry with the same requestId, or look it up.'],
    [
      lost,
      own,
      'This call may have been carried out: it is safe to send it again with the same idempotency key.',
    ],
    [lost, approve, 'This call may have been carried out: check before you send it again.'],
    [lost, remove, 'This call may have been carried out: it is safe to send it again.'],
    [lost, refresh, 'This call may have been carried out: it is safe to send it again.'],
    [lost, read, 'Nothing was changed: it is safe to try again.'],
    [odd, pay, `invalid_type). This call made the payment: do not send it again. ${body}`],
    [odd, refresh, `invalid_type). This call was carried out: do not send it again. ${body}`],
    [json({ kycInfo: {} }), read, `(\`userId\`: invalid_type). ${body}`],
    [
      known,
      pay,
      'The service has a request with this requestId, so the payment may have been made. Look it up; do not use a new requestId.',
    ],
    [
      known,
      own,
      'The service has an earlier request with this idempotency key. Look it up; do not use a new idempotency key.',
    ],
    [
      refused,
      pay,
      '(HTTP 403). An earlier call with this requestId may have made the payment: retry with the same requestId, or look it up.',
      inDoubt,
    ],
    [
      refused,
      own,
      '(HTTP 403). An earlier call with this idempotency key may have been carried out: retry with the same idempotency key, or look it up.',
      inDoubt,
    ],
    [
      refused,
      approve,
      '(HTTP 403). An earlier call may have been carried out: check before you send it again.',
      inDoubt,
    ],
    [
      refused,
      remove,
      '(HTTP 403). An earlier call may have been carried out: it is safe to send it again.',
      inDoubt,
    ],
  ])('says what became of the call, and what to do (%#)', async (step, call, ending, options) => {
    const { message } = await failure(call(clientOf(scripted(step), { retries: 0 }), options));
    expect(message.slice(-ending.length)).toBe(ending);
  });

  it('keeps the name of a read that found nothing', async () => {
    const error = await failure(clientOf(scripted(json(notFound, 404))).kyc.retrieve('u1'));
    expect(error.message).toBe('kyc.retrieve failed: TRANSFER_NOT_FOUND – No such transfer (HTTP 404).');
  });
});

/** A message without what it says of the operation, the status and what became of the call. */
async function cause(body: object, sent?: CustomRequest<unknown>['body']): Promise<string> {
  const call = clientOf(scripted(json(body, 429)), { retries: 0 }).request({
    method: 'POST',
    path: '/v2/x',
    ...(sent !== undefined && { body: sent }),
  });
  return (await failure(call)).message
    .replace(/^request POST \/v2\/x failed:? /, '')
    .replace('(HTTP 429). This call changed nothing. Try again later.', '|');
}

describe('the cause that a message names', () => {
  it.each([
    ['Too low.', 'Too low |'],
    ['Too low . .\n', 'Too low |'],
    ['Too low. Pay 1.5 more', 'Too low. Pay 1.5 more |'],
    ['...', '|'],
  ])('is a sentence without its full stop: %j', async (errorDetails, text) => {
    expect(await cause({ errorDetails })).toBe(text);
  });

  it('is a name, a few words, or a number', async () => {
    expect(await cause({ error: 'USER_FROZEN' })).toBe('USER_FROZEN |');
    expect(await cause({ error: 'Not authorized.' })).toBe('Not authorized |');
    expect(await cause({ code: 7, error: 'Not authorized.' })).toBe('Not authorized | Service code: 7.');
    expect(await cause({ code: 7 })).toBe('7 |');
    expect(await cause({ code: '700001' })).toBe('700001 |');
    expect(await cause({ details: 'Too low' })).toBe('Too low |');
    expect(await cause({ error: { code: 'USER_FROZEN', message: 'x.' } })).toBe('USER_FROZEN – x |');
    expect(await cause({})).toBe('|');
  });

  it.each([
    // "Masked first, then names are read."
    ['no known name that was sent', { error: 'INVALID_QUOTE' }, '|'],
    ['nothing, where the name in `error` was sent', { error: { code: 'INVALID_QUOTE' } }, '|'],
    ['words that hold what was sent, masked', { error: 'The Tarn is frozen' }, 'The [redacted] is frozen |'],
    ['another name', { error: 'QUILL_FROZEN' }, 'QUILL_FROZEN |'],
    ['nothing, where all of the name was sent', { error: 'Tarn' }, '|'],
    ['nothing, where all of the words were sent', { error: 'Tarn Tarn' }, '|'],
    ['a name of 100 characters', { error: 'a'.repeat(100) }, `${'a'.repeat(100)} |`],
    ['no name of 101 characters', { error: 'a'.repeat(101) }, '|'],
    ['a number, where the name cannot be shown', { code: 9, error: 'Tarn' }, '9 |'],
    ['a name as the code', { code: 'x7' }, 'x7 |'],
    ['no number with more after it', { code: '7x' }, '7x |'],
    ['no number of seven digits', { code: 1_234_567 }, '|'],
    ['no fraction', { code: 1.5 }, '|'],
    ['no number that was sent', { code: 7701 }, '|'],
    ['a short number, though it was sent', { code: 770 }, '770 |'],
    ['no number that is part of what was sent', { code: 4812 }, '|'],
  ])('%s', async (_what, said, text) => {
    const body = { a: 'Tarn', b: 'INVALID_QUOTE', c: '7701', d: 'x48125' };
    expect(await cause(said, body)).toBe(text);
  });
});

describe('a JSON body of another shape', () => {
  it('is shown by its beginning, masked, and no names are looked for in it', async () => {
    expect(await cause({ message: 'Forbidden' })).toBe('{"message":"Forbidden"} |');
    expect(await cause({ errors: [{ code: 'USER_FROZEN' }] })).toBe('{"errors":[{"code":"USER_FROZEN"}]} |');
    expect(await cause(['no'])).toBe('["no"] |');
    const sent = { a: 'Tarn', b: '77015' };
    expect(await cause({ title: 'No Tarn', mail: 'ada@example.com', Tarn: 1 }, sent)).toBe(
      '{"title":"No [redacted]","mail":"[redacted]","[redacted]":1} |',
    );
    const long = await cause({ message: 'word '.repeat(50) });
    expect(long).toMatch(/^\{"message":"(word )+.*… \|$/);
    expect(long.length).toBeLessThan(110);
    for (const number of [77015, 7701, 123456789])
      expect(await cause({ number }, sent)).not.toContain(String(number));
    expect(await cause({ number: 770 }, sent)).toBe('{"number":770} |');
    expect(await cause({ success: false })).toBe('{"success":false} |');
    expect(await cause({ list: Array(190).fill('word') })).toMatch(/^\{"list":\["word",.*… \|$/);
  });

  it('shows no half of what was sent where it is cut', async () => {
    const sent = { a: 'ab'.repeat(80), b: 'Quillon-7' };
    // The first text is masked, and the second one stands where the beginning ends.
    for (let filler = 20; filler < 35; filler += 1) {
      const shown = await cause({ m: [sent.a, `${'-'.repeat(filler)} ${sent.b}`] }, sent);
      expect(shown).not.toMatch(/Qui/);
    }
  });

  it('may nest deeper than the stack', async () => {
    const body = `{"problems":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const client = clientOf(scripted(text(body, 400)), { retries: 0 });
    expect((await failure(client.onramps.create(onramp))).message).toContain('failed: {"problems":[[[');
  });
});

describe('what a service says is masked', () => {
  it('ids of the path, of the query and of headers', async () => {
    const fetch = scripted((seen) =>
      Response.json(
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

  it('the token that a 401 made useless, too', async () => {
    const tokens = ['first-token', 'second-token'];
    const fetch = scripted(json({ error: 'first-token and second-token are bad' }, 401));
    const client = clientOf(fetch, { accessToken: () => tokens.shift() ?? 'third-token' });
    expect((await failure(client.onramps.create(onramp))).message).not.toMatch(/first|second/);
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
  it('are on the error as received, and by name in the message', async () => {
    const details = { 'source.amount': 'must be positive', 'source.currency': ['is not supported'] };
    const error = await create({ details });
    expect(service(error)?.details).toEqual(details);
    expect(error.message).toContain('Fields: source.amount, source.currency.');
    expect(error.message).not.toContain('must be positive');
  });

  it('are not in the message where they were sent as values, or are no names', async () => {
    const error = await create({
      details: { 'user-7781': 'y', 'source.amount': '', '12345': '', 'a b': '', ada: 'x' },
    });
    expect(error.message).toContain('Fields: source.amount, ada.');
    expect(error.message).not.toMatch(/7781|12345|a b/);
  });

  it.each<[body: object, text: string]>([
    [{ details: [{ field: 'a', message: 'x' }, { path: 'b' }, { c: 1 }, 7, 'd', 'd'] }, '| Fields: a, b, d.'],
    [{ error: 'X_Y', details: { a: 'b' } }, 'X_Y | Fields: a.'],
    [{ error: 'X_Y', details: 7 }, 'X_Y |'],
    // Nothing else is shown of a body with a name that has no more than the documented fields.
    [{ error: 'X_Y', errorDetails: ['a'] }, 'X_Y | Fields: a.'],
    [{ error: 'X_Y', status: 400, success: true }, 'X_Y |'],
    [{ error: ' ', code: 'X_Y' }, 'X_Y |'],
  ])('are read in the documented places: %j', async (body, text) => {
    expect(await cause(body)).toBe(text);
  });

  it('are not on the error where the service says that there are none', async () => {
    expect(service(await create({ error: 'X_Y', details: null, errorDetails: null }))).toStrictEqual({
      error: 'X_Y',
    });
  });

  it('are named once, and ten at most, with the number of the others', async () => {
    const names = (count: number) => Array.from({ length: count }, (_item, index) => `batch[${index}]`);
    const said = async (details: string[]) =>
      /Fields: .*?\./.exec((await create({ error: 'FIELD_VALIDATION_ERROR', details })).message)?.[0];
    const ten = names(10).join(', ');
    expect(await said(names(10))).toBe(`Fields: ${ten}.`);
    expect(await said(names(11))).toBe(`Fields: ${ten} and 1 more.`);
    expect(await said([...names(10), ...names(3)])).toBe(`Fields: ${ten}.`);
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
      expect(error instanceof APIError && error.service.error === 'INSUFFICIENT_BALANCE').toBe(true);
    }
  });
});
