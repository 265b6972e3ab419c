import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../src/errors/index.ts';
import { statusError } from '../../src/transport/failure/status-message.ts';
import { callContext } from './support.ts';

interface Refused {
  status?: number;
  service?: ServiceError;
  finding?: 'refused' | 'known';
  retryAfter?: number;
}

/** The message of a refusal, whose body has the shape that the service documents. */
function said(
  { status = 400, service = {}, finding = 'refused', retryAfter }: Refused,
  call: Parameters<typeof callContext>[0] = {},
): string {
  const { code, error, details, fields } = service;
  const body = { code, error, errorDetails: details, details: fields };
  const answer = { status, headers: new Headers(), text: '' };
  return statusError(answer, body, finding, callContext(call), retryAfter).message;
}

/** A message without what it says of the operation, the status and the money. */
const cause = (service: ServiceError, call: Parameters<typeof callContext>[0] = {}) =>
  said({ service }, call)
    .replace(/^transfers\.create failed:? /, '')
    .replace('(HTTP 400). The payment was not made.', '|');

describe('the message of a refusal', () => {
  it('names the operation, or what an operation of the caller’s is sent as', () => {
    expect(said({})).toBe('transfers.create failed (HTTP 400). The payment was not made.');
    expect(said({}, { operation: 'request', method: 'PUT', template: '/v2/x/{id}' })).toBe(
      'request PUT /v2/x/{id} failed (HTTP 400). The payment was not made.',
    );
  });

  it('says all: name, words, status, money, next step, fields and number', () => {
    const service = {
      code: 400012,
      error: 'INSUFFICIENT_BALANCE',
      details: 'The balance is too low. ',
      fields: [{ field: 'amount', message: 'planted' }],
    };
    expect(said({ status: 401, service })).toBe(
      'transfers.create failed: INSUFFICIENT_BALANCE – The balance is too low (HTTP 401). The payment was not made. Check `accessToken`. Fields: amount. Service code: 400012.',
    );
  });

  it('tells of a known request id what to do, and nothing else', () => {
    expect(said({ status: 401, finding: 'known', retryAfter: 5_000 })).toBe(
      'transfers.create failed (HTTP 401). The service has a request with this `requestId`, so the payment may have been made. Look it up before you pay again; do not use a new `requestId`.',
    );
  });

  it.each<[Refused, string]>([
    [{ status: 307 }, 'Redirects are never followed: check the base address.'],
    [{ status: 399, retryAfter: 1_000 }, 'Redirects are never followed: check the base address.'],
    [{ status: 400 }, ''],
    [{ status: 401, retryAfter: 1_000 }, 'Check `accessToken`.'],
    [{ status: 429 }, 'Try again later.'],
    [{ status: 429, retryAfter: 1_001 }, 'The service asks to wait 2 s.'],
    [{ status: 503, retryAfter: 0 }, 'The service asks to wait 0 s.'],
    [{ status: 503 }, ''],
  ])('says what to do next: %j', (part, step) => {
    const base = `transfers.create failed (HTTP ${part.status}). The payment was not made.`;
    expect(said(part)).toBe(step === '' ? base : `${base} ${step}`);
  });
});

describe('the cause that a message names', () => {
  it.each([
    ['Too low.', 'Too low |'],
    ['Too low . .\n', 'Too low |'],
    ['Too low. Pay 1.5 more', 'Too low. Pay 1.5 more |'],
    ['...', '|'],
  ])('is a sentence without its full stop: %j', (details, text) => {
    expect(cause({ details })).toBe(text);
  });

  it('is a name, a few words, or a number', () => {
    expect(cause({ error: 'USER_FROZEN' })).toBe('USER_FROZEN |');
    expect(cause({ error: 'Not authorized.' })).toBe('Not authorized |');
    expect(cause({ code: 7, error: 'Not authorized.' })).toBe('Not authorized | Service code: 7.');
    expect(cause({ code: 7 })).toBe('7 |');
    expect(cause({ code: '700001' })).toBe('700001 |');
    expect(cause({ details: 'Too low' })).toBe('Too low |');
    expect(cause({})).toBe('|');
  });

  it.each([
    ['a known name, even where it was sent', { error: 'INVALID_QUOTE' }, 'INVALID_QUOTE |'],
    ['not a name that holds what was sent', { error: 'TARN_FROZEN' }, '|'],
    ['words that hold what was sent, masked', { error: 'The Tarn is frozen' }, 'The [redacted] is frozen |'],
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
  ])('%s', (_what, service, text) => {
    const body = JSON.stringify({ a: 'Tarn', b: 'INVALID_QUOTE', c: '77', d: 'x4812' });
    expect(cause(service, { body })).toBe(text);
  });
});

describe('the fields that a message names', () => {
  const fields = (...names: string[]) => names.map((field) => ({ field, message: 'planted' }));

  it('are those that are known, of the service or of the request, and were not sent as values', () => {
    const body = JSON.stringify({ quux: { zap: 'rail' } });
    const service = { fields: fields('source.amount', 'Ada.Tarn', 'quux.zap', 'rail', 'chain') };
    expect(cause(service, { body })).toBe('| Fields: source.amount, quux.zap, chain.');
  });

  it('are named once, and none where none can be shown', () => {
    expect(cause({ fields: fields('amount', 'chain', 'amount') })).toBe('| Fields: amount, chain.');
    expect(cause({ fields: fields('Ada.Tarn') })).toBe('|');
    expect(cause({ fields: [] })).toBe('|');
  });

  it('are ten at most, with the number of the others', () => {
    const batch = (count: number) =>
      fields(...Array.from({ length: count }, (_item, index) => `batch[${index}]`));
    const ten =
      'batch[0], batch[1], batch[2], batch[3], batch[4], batch[5], batch[6], batch[7], batch[8], batch[9]';
    expect(cause({ fields: batch(10) })).toBe(`| Fields: ${ten}.`);
    expect(cause({ fields: batch(11) })).toBe(`| Fields: ${ten} and 1 more.`);
    expect(cause({ fields: [...batch(10), ...batch(3)] })).toBe(`| Fields: ${ten}.`);
  });
});
