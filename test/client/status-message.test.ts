import { describe, expect, it } from 'vitest';
import type { RequestBody, ServiceError } from '../../src/index.ts';
import { transferParams } from './operations.ts';
import { clientOf, failure, forgetKeys, json, scripted } from './support.ts';

interface Refused {
  status?: number;
  service?: ServiceError;
  /** Seconds. */
  retryAfter?: string;
}

const frozen: ServiceError = { error: 'USER_FROZEN' };

/** A client of a service that refuses with a body of the shape that it documents. */
function refusing({ status = 400, service = frozen, retryAfter }: Refused) {
  const { code, error, details, fields } = service;
  const headers = retryAfter === undefined ? undefined : { 'retry-after': retryAfter };
  const step = json({ code, error, errorDetails: details, details: fields }, status, headers);
  forgetKeys();
  return clientOf(scripted(step), { retries: 0, accessToken: 'token' });
}

const said = async (refused: Refused): Promise<string> =>
  (await failure(refusing(refused).transfers.create(transferParams))).message;

/** A message without what it says of the operation, the status and what became of the call. */
async function cause(service: ServiceError, body?: RequestBody): Promise<string> {
  const call = refusing({ service }).request({
    method: 'POST',
    path: '/v2/x',
    ...(body !== undefined && { body }),
  });
  return (await failure(call)).message
    .replace(/^request POST \/v2\/x failed:? /, '')
    .replace('(HTTP 400). This call changed nothing.', '|');
}

describe('the message of a refusal', () => {
  it('names the operation, or what an operation of the caller’s is sent as', async () => {
    expect(await said({})).toBe('transfers.create failed: USER_FROZEN (HTTP 400). This call made no payment.');
    const call = refusing({}).request({ method: 'PUT', path: '/v2/x/7f3a9c' });
    expect((await failure(call)).message).toBe(
      'request PUT /v2/x/{…} failed: USER_FROZEN (HTTP 400). This call changed nothing.',
    );
  });

  it('says all: name, words, status, money, next step, fields and number', async () => {
    const service = {
      code: 400012,
      error: 'INSUFFICIENT_BALANCE',
      details: 'The balance is too low. ',
      fields: [{ field: 'amount', message: 'planted' }],
    };
    expect(await said({ status: 401, service })).toBe(
      'transfers.create failed: INSUFFICIENT_BALANCE – The balance is too low (HTTP 401). This call made no payment. Check `accessToken`. Fields: amount. Service code: 400012.',
    );
  });

  it('tells of a known request id what to do, and nothing else', async () => {
    expect(await said({ service: { error: 'RESOURCE_CONFLICT' }, retryAfter: '5' })).toBe(
      'transfers.create failed: RESOURCE_CONFLICT (HTTP 400). The service has a request with this requestId, so the payment may have been made. Look it up; do not use a new requestId.',
    );
  });

  it.each<[Refused, string]>([
    [{ status: 307 }, 'Check the base address: redirects are never followed.'],
    [{ status: 399, retryAfter: '1' }, 'Check the base address: redirects are never followed.'],
    [{ status: 400 }, ''],
    [{ status: 401 }, 'Check `accessToken`.'],
    [{ status: 401, retryAfter: '1' }, 'Check `accessToken`.'],
    [{ status: 429 }, 'Try again later.'],
    [{ status: 429, retryAfter: '1.001' }, 'The service asks to wait 2 s.'],
    [{ status: 503, retryAfter: '0' }, 'The service asks to wait 0 s.'],
  ])('says what to do next: %j', async (part, step) => {
    const { status = 0 } = part;
    const money =
      status < 400 ? 'may have been made: retry with the same requestId, or look it up' : 'was not made';
    const base = `transfers.create failed: USER_FROZEN (HTTP ${status}). The payment ${money}.`;
    expect(await said(part)).toBe(step === '' ? base : `${base} ${step}`);
  });
});

describe('the cause that a message names', () => {
  it.each([
    ['Too low.', 'Too low |'],
    ['Too low . .\n', 'Too low |'],
    ['Too low. Pay 1.5 more', 'Too low. Pay 1.5 more |'],
    ['...', '|'],
  ])('is a sentence without its full stop: %j', async (details, text) => {
    expect(await cause({ details })).toBe(text);
  });

  it('is a name, a few words, or a number', async () => {
    expect(await cause({ error: 'USER_FROZEN' })).toBe('USER_FROZEN |');
    expect(await cause({ error: 'Not authorized.' })).toBe('Not authorized |');
    expect(await cause({ code: 7, error: 'Not authorized.' })).toBe('Not authorized | Service code: 7.');
    expect(await cause({ code: 7 })).toBe('7 |');
    expect(await cause({ code: '700001' })).toBe('700001 |');
    expect(await cause({ details: 'Too low' })).toBe('Too low |');
    expect(await cause({})).toBe('|');
  });

  it.each([
    ['a known name, even where it was sent', { error: 'INVALID_QUOTE' }, 'INVALID_QUOTE |'],
    ['not a name that holds what was sent', { error: 'TARN_FROZEN' }, '|'],
    ['words that hold what was sent, masked', { error: 'The Tarn is frozen' }, 'The [redacted] is frozen |'],
    [
      'names that a word with an ending would be',
      { error: 'The users Ann, Don Ford are frozen' },
      'The users [redacted] are frozen |',
    ],
    ['another name', { error: 'QUILL_FROZEN' }, 'QUILL_FROZEN |'],
    ['nothing, where all of the name was sent', { error: 'Tarn' }, '|'],
    ['nothing, where all of the words were sent', { error: 'Tarn Tarn' }, '|'],
    ['a name of 100 characters', { error: 'a'.repeat(100) }, `${'a'.repeat(100)} |`],
    ['no name of 101 characters', { error: 'a'.repeat(101) }, '|'],
    ['a number, where the name cannot be shown', { code: 9, error: 'TARN_FROZEN' }, '9 |'],
    ['no number that is not one', { code: 'x7' }, '|'],
    ['no number with more after it', { code: '7x' }, '|'],
    ['no number of seven digits', { code: 1_234_567 }, '|'],
    ['no fraction', { code: 1.5 }, '|'],
    ['no number that was sent', { code: 77 }, '|'],
    ['no number that is part of what was sent', { code: 481 }, '|'],
  ])('%s', async (_what, service, text) => {
    const body = { a: 'Tarn', b: 'INVALID_QUOTE', c: '77', d: 'x4812' };
    expect(await cause(service, body)).toBe(text);
  });
});

describe('the fields that a message names', () => {
  const fields = (...names: string[]) => names.map((field) => ({ field, message: 'planted' }));

  it('are those that are known, of the service or of the request, and were not sent as values', async () => {
    const body = { quux: { zap: 'rail' } };
    const service = { fields: fields('source.amount', 'Ada.Tarn', 'quux.zap', 'rail', 'chain') };
    expect(await cause(service, body)).toBe('| Fields: source.amount, quux.zap, chain.');
  });

  it('are named once, and none where none can be shown', async () => {
    expect(await cause({ fields: fields('amount', 'chain', 'amount') })).toBe('| Fields: amount, chain.');
    expect(await cause({ fields: fields('Ada.Tarn') })).toBe('|');
    expect(await cause({ fields: [] })).toBe('|');
  });

  it('are ten at most, with the number of the others', async () => {
    const batch = (count: number) =>
      fields(...Array.from({ length: count }, (_item, index) => `batch[${index}]`));
    const ten =
      'batch[0], batch[1], batch[2], batch[3], batch[4], batch[5], batch[6], batch[7], batch[8], batch[9]';
    expect(await cause({ fields: batch(10) })).toBe(`| Fields: ${ten}.`);
    expect(await cause({ fields: batch(11) })).toBe(`| Fields: ${ten} and 1 more.`);
    expect(await cause({ fields: [...batch(10), ...batch(3)] })).toBe(`| Fields: ${ten}.`);
  });
});
