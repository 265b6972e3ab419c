import { describe, expect, it } from 'vitest';
import { saysIdIsKnown } from '../../src/transport/failure/known-id.ts';

const says = (body: unknown) => saysIdIsKnown(400, body);

describe('words that say that the service has the record', () => {
  it.each([
    'already exists',
    'is already in use',
    'already processed',
    'already submitted',
    'already received',
    'already created',
    'already registered',
    'already made',
    'already sent',
    'already executed',
    'already paid',
    'already completed',
    'already pending',
    'already in progress',
    'already known',
    'already taken',
    'already initiated',
    'already present',
    'already handled',
    'already seen',
    'already accepted',
    'already recorded',
    'already booked',
    'already posted',
    'it has already once been fully paid',
    'The record exists.',
    'an existing request',
    'an existing transaction',
    'an existing transfer',
    'an existing payment',
    'an existing record',
    'an existing resource',
    'DUPLICATE_TRANSFER',
    'a conflict',
    'reused',
    'replayed',
    'repeated',
    'double submission',
    'double payment',
    'double request',
    'IDEMPOTENCY_ERROR',
    'idempotency key violation',
    'idempotent failure',
  ])('%s', (words) => {
    expect(says({ message: words })).toBe(true);
  });

  it.each([
    'not found',
    'does not exist',
    'it not exists',
    'preexists',
    'nonduplicated',
    'pre-alreadyexists',
    'already one two three four five paid',
    'already expired',
    'a preexisting thing',
    'existing user',
    'double spending',
    'unrepeated',
    'repeatedly',
    'idempotency required',
    'please try again',
  ])('not: %s', (words) => {
    expect(says({ message: words })).toBe(false);
  });
});

describe('words about the request id', () => {
  it.each([
    'request id used',
    'requestId used before',
    'The request key is taken',
    'request token seen',
    'request uuid known',
    'request identifier must be unique',
    'idempotency key with different body',
    'idempotent id of another call',
    'idempotency token mismatch',
    'idempotency id: violation',
    'request id already there',
    'request id exists',
    'request id exist',
    'idempotency: used',
    'requestid used',
  ])('%s', (words) => {
    expect(says({ message: words })).toBe(true);
  });

  it.each([
    'request id is missing',
    'request id unused',
    'request id unknown',
    'request id unseen',
    'request id mistaken',
    'request id nonunique',
    'request id indifferent',
    'request id does not exist',
    'request id violations',
    'request ids used',
    'prerequest id used',
    'a key was used',
    'the request was seen',
  ])('not: %s', (words) => {
    expect(says({ message: words })).toBe(false);
  });

  it('counts the name of the field that holds the words', () => {
    expect(says({ details: { requestId: ['was used'] } })).toBe(true);
    expect(says({ details: { request: { id: 'was used' } } })).toBe(true);
    expect(says({ details: { userId: ['was used'] } })).toBe(false);
    expect(says({ details: [{ request_id: 'taken' }] })).toBe(true);
  });
});

describe('a name for something else', () => {
  const names = [
    'FIELD_VALIDATION_ERROR',
    'INVALID_QUOTE',
    'UNAUTHORIZED',
    'USER_NOT_FOUND',
    'INSUFFICIENT_BALANCE',
    'USER_FROZEN',
    'PROFILE_FROZEN',
    'USER_COMPLIANCE_VERIFICATION_FAILED',
    'QUOTE_NOT_READY',
    'METHOD_NOT_ALLOWED',
    'KEY_DOES_NOT_EXIST',
    'VALIDATION_ERROR',
    'quoteNotReady',
    'Quote not ready.',
  ];
  it.each(names)('%s speaks against words that say the same of another thing', (error) => {
    expect(says({ error, message: 'already paid' })).toBe(false);
  });
  it.each(names)('%s does not speak against a sentence about the request id', (error) => {
    expect(says({ error, message: 'request id already processed' })).toBe(true);
    expect(says({ error, message: 'idempotency key conflict' })).toBe(true);
  });
  it.each([
    'SOME_FAILURE',
    'NOT_INVALID',
    'XUNAUTHORIZED',
    'UNAUTHORIZED_X',
    'INVALID',
    'A_USER_NOT_FOUND_B',
  ])('%s does not', (error) => {
    expect(says({ error, message: 'already paid' })).toBe(true);
  });
});

describe('how much of a body is read', () => {
  it('409 says so by itself, other statuses say nothing', () => {
    expect(saysIdIsKnown(409, undefined)).toBe(true);
    expect(saysIdIsKnown(410, undefined)).toBe(false);
    expect(saysIdIsKnown(408, {})).toBe(false);
  });

  it('a text, a list, nested records; not numbers and not null', () => {
    expect(says('duplicate')).toBe(true);
    expect(says(['duplicate'])).toBe(true);
    expect(says({ a: [{ b: 'duplicate' }] })).toBe(true);
    expect(says([null, 409, true, undefined])).toBe(false);
    expect(says({ message: 'DUPLICATE' })).toBe(true);
    expect(says({ message: 'alreadyExists' })).toBe(true);
    expect(says({ message: 'already -- paid' })).toBe(true);
    expect(says({ message: 'v2AlreadyExists' })).toBe(true);
  });

  it('no deeper than real bodies go', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'duplicate' : { a: nested(depth - 1) });
    const listed = (depth: number): unknown => (depth === 0 ? 'duplicate' : [listed(depth - 1)]);
    expect(says(nested(6))).toBe(true);
    expect(says(nested(7))).toBe(false);
    expect(says(listed(6))).toBe(true);
    expect(says(listed(7))).toBe(false);
  });

  it('no more texts than real bodies have', () => {
    const others = (count: number) => Array.from({ length: count }, () => 'x');
    expect(says([...others(199), 'duplicate'])).toBe(true);
    expect(says([...others(200), 'duplicate'])).toBe(false);
  });

  it('no more of a text than a sentence has', () => {
    expect(says(`${'x '.repeat(900)}duplicate`)).toBe(true);
    expect(says(`${' '.repeat(2_000)}duplicate`)).toBe(false);
  });
});
