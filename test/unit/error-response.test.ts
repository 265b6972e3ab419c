import { describe, expect, it } from 'vitest';
import { serviceErrorNames } from '../../src/errors/service-names.ts';
import { type RefusedCall, readErrorResponse, refusalsOf } from '../../src/evidence/error-response.ts';
import { outcomeOf, strongerOf } from '../../src/evidence/finding.ts';

interface Given extends Partial<RefusedCall> {
  asksToWait?: boolean;
  isCut?: boolean;
}

/** Reads a response to a payment, as far as a case does not say otherwise. */
function read(status: number, body: unknown, { asksToWait = false, isCut = false, ...call }: Given = {}) {
  return readErrorResponse(
    { status, body, asksToWait, isCut },
    {
      operation: 'transfers.create',
      isRead: false,
      isDecision: false,
      refusals: refusalsOf(['PAYMENT_SEEN', 'IN_BOTH'], ['AMOUNT_TOO_SMALL', 'IN_BOTH', 'ALREADY_CLOSED']),
      sentTexts: () => [],
      ...call,
    },
  );
}

const finding = (...given: Parameters<typeof read>) => read(...given).finding;
const flat = (error: string, errorDetails = 'x') => ({ code: 400017, error, errorDetails });
const nested = (code: string, message = 'x') => ({ status: 'error', error: { code, message } });
const known = ['TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'];
const documented = serviceErrorNames.filter((name) => !known.includes(name));

describe('a name of a known key', () => {
  it.each([...known, 'PAYMENT_SEEN', 'IN_BOTH'])(
    '%s is known in each shape and under each status',
    (name) => {
      for (const status of [400, 401, 403, 404, 409, 422, 429, 500])
        for (const body of [flat(name), nested(name), { error: name }, { code: name, message: 'x' }])
          expect(finding(status, body)).toBe('known');
    },
  );

  it.each([
    { message: 'See RESOURCE_CONFLICT in the guide' },
    { error: 'resource_conflict' },
    { error: 'RESOURCE CONFLICT' },
    { errors: [{ code: 'RESOURCE_CONFLICT' }] },
    'RESOURCE_CONFLICT',
  ])('is compared exactly, and only in its place: %j', (body) => {
    expect(finding(400, body)).toBe('open');
  });
});

describe('a refusal by name', () => {
  it.each([...documented, 'AMOUNT_TOO_SMALL'])('%s is refused in each shape under any 4xx', (name) => {
    for (const status of [400, 402, 403, 404, 408, 409, 418, 422, 429, 499])
      for (const body of [flat(name), nested(name), { error: name }])
        expect(finding(status, body)).toBe('refused');
  });

  it.each([300, 302, 500, 502, 503, 504])('proves nothing under %i', (status) => {
    expect(finding(status, flat('INSUFFICIENT_BALANCE'))).toBe('open');
  });

  it('is compared exactly', () => {
    for (const name of ['insufficient_balance', 'INSUFFICIENT_BALANCES', 'InsufficientBalance', 'NOT_LISTED'])
      expect(finding(400, flat(name))).toBe('open');
  });
});

describe('a refusal by status', () => {
  it.each([401, 405, 413, 414, 415, 429, 501, 505])('%i is refused with any body', (status) => {
    for (const body of ['', '<html>Gateway</html>', { message: 'no' }, ['x'], null])
      expect(finding(status, body)).toBe('refused');
  });

  it.each([425, 503])('%i is refused only with Retry-After', (status) => {
    expect(finding(status, '', { asksToWait: true })).toBe('refused');
    expect(finding(status, '')).toBe('open');
  });

  it.each([403, 404])('%i is refused only with an object that says why', (status) => {
    for (const body of [{ error: 'No' }, { code: 7 }, { message: 'No' }, { error: { message: 'No' } }])
      expect(finding(status, body)).toBe('refused');
    for (const body of ['', 'Forbidden', '<html>', {}, [], { detail: 'No' }, { error: null }])
      expect(finding(status, body)).toBe('open');
  });
});

describe('an open response', () => {
  it.each([400, 402, 406, 408, 409, 410, 412, 422, 423, 424, 428, 431, 444, 451, 460, 499])(
    '%i without a documented name is open, whatever it says',
    (status) => {
      for (const body of [
        { message: 'The amount is too low' },
        { statusCode: status, error: 'Bad Request', message: 'Request failed with status code 504' },
        { error: 'VALIDATION_ERROR', errorDetails: 'The currency is not supported' },
        { message: 'Cannot pay this invoice again' },
        { message: 'Der Betrag ist zu klein' },
        'Insufficient funds',
        '',
      ])
        expect(finding(status, body)).toBe('open');
    },
  );

  it.each([302, 500, 502, 503, 504, 520, 524, 599])('%i is open', (status) => {
    expect(finding(status, { message: 'Nothing was paid' })).toBe('open');
  });

  it('is one whose body was cut, but for 401 and 405', () => {
    for (const status of [400, 403, 404, 409, 413, 422, 429, 500, 501])
      expect(finding(status, '', { isCut: true })).toBe('open');
    for (const status of [401, 405]) expect(finding(status, '', { isCut: true })).toBe('refused');
  });
});

describe('the net', () => {
  const caught = [
    'Record already exists',
    'Duplicate payment',
    'DUPLICATED',
    'An earlier request is in progress',
    'IN_PROGRESS',
    'in-progress',
    'The first request is still being processed',
    'BEING_PROCESSED',
    'request_id was used',
    'The requestId is taken',
    'request key',
    'Idempotency conflict',
    'idempotent replay',
  ];

  it.each(caught)('makes a refusal open: %s', (text) => {
    expect(finding(409, flat('FIELD_VALIDATION_ERROR', text))).toBe('open');
    expect(finding(400, flat('AMOUNT_TOO_SMALL', text))).toBe('open');
    expect(finding(404, nested('USER_NOT_FOUND', text))).toBe('open');
    expect(finding(429, { message: text })).toBe('open');
    expect(finding(413, text)).toBe('open');
    expect(finding(400, { ...flat('INSUFFICIENT_BALANCE'), details: { deep: [{ note: text }] } })).toBe(
      'open',
    );
    expect(finding(503, { message: text }, { asksToWait: true })).toBe('open');
  });

  it('reads names, too', () => {
    expect(finding(400, flat('ALREADY_CLOSED'))).toBe('open');
    expect(finding(403, { error: 'DUPLICATE_TRANSFER', message: 'No' })).toBe('open');
  });

  it('leaves 401 and 405 alone', () => {
    for (const status of [401, 405]) expect(finding(status, { message: 'already expired' })).toBe('refused');
  });

  it.each([
    'The user does not exist',
    'KYC pending',
    'The request was declined',
    'Paid out quotes are final',
    'identical',
    'Request identity is missing',
  ])('reads no other word: %s', (text) => {
    expect(finding(400, flat('FIELD_VALIDATION_ERROR', text))).toBe(
      /request[\s_-]?id/i.test(text) ? 'open' : 'refused',
    );
  });

  it('skips the echo of what was sent, and the names of fields', () => {
    const sentTexts = () => ['Already agreed', 'request', 'a'];
    const said = (errorDetails: string) =>
      finding(400, flat('FIELD_VALIDATION_ERROR', errorDetails), { sentTexts });
    expect(said('description "Already agreed" is too long')).toBe('refused');
    expect(said('description "Already agreed" already exists')).toBe('open');
    // An echo that is a part of a warning does not hide it.
    expect(said('The request id exists')).toBe('open');
    expect(said('already')).toBe('open');
    expect(finding(400, { ...flat('FIELD_VALIDATION_ERROR'), alreadyPaid: false, duplicate: 'no' })).toBe(
      'refused',
    );
  });

  it('takes a validation error about the field requestId for one of the key', () => {
    for (const details of [
      { requestId: 'must be a UUID' },
      { 'body.requestId': 'must be a UUID' },
      { request_id: ['required'] },
      [{ field: 'requestId', message: 'must be a UUID' }],
      [{ path: ['body', 'requestId'], msg: 'required' }],
    ])
      expect(finding(400, { ...flat('FIELD_VALIDATION_ERROR'), details })).toBe('open');
  });

  it('ignores a trace id under that name at the top', () => {
    for (const id of ['req_7f3a', 'requestid-77', '6fa459ea-ee8a-4ca4-894e-db77e160355e'])
      for (const field of ['requestId', 'request_id', 'request-id'])
        expect(finding(400, { ...flat('INSUFFICIENT_BALANCE'), [field]: id })).toBe('refused');
  });
});

describe('operations without a key', () => {
  it('follow the same table', () => {
    const call = { operation: 'accounts.create' };
    expect(finding(400, flat('FIELD_VALIDATION_ERROR'), call)).toBe('refused');
    expect(finding(400, { message: 'Invalid' }, call)).toBe('open');
    expect(finding(429, { message: 'The first request is still being processed' }, call)).toBe('open');
  });

  it('leave each 409 to a decision open', () => {
    const call = { operation: 'approvals.approve', isDecision: true };
    for (const body of [
      flat('FIELD_VALIDATION_ERROR'),
      flat('APPROVAL_NOT_PENDING'),
      flat('RESOURCE_CONFLICT'),
    ])
      expect(read(409, body, call)).toEqual({ finding: 'open' });
    expect(finding(400, flat('FIELD_VALIDATION_ERROR'), call)).toBe('refused');
  });
});

describe('a read', () => {
  it('is refused by every 4xx, whatever it says', () => {
    for (const status of [400, 403, 404, 408, 409, 422, 425, 429])
      for (const body of ['', flat('RESOURCE_CONFLICT'), { message: 'already' }])
        expect(finding(status, body, { isRead: true })).toBe('refused');
    expect(finding(500, '', { isRead: true })).toBe('open');
  });
});

describe('the function refusals', () => {
  const decided = (said: unknown, body: unknown = { message: 'x' }, status = 400) =>
    finding(status, body, { refusals: refusalsOf([], [], () => said) });

  it('is final, also under the net and for a status that is not a refusal', () => {
    for (const said of ['refused', 'known', 'open'] as const)
      for (const [status, body] of [
        [400, { message: 'already' }],
        [409, flat('RESOURCE_CONFLICT')],
        [400, flat('INSUFFICIENT_BALANCE')],
        [401, ''],
        [500, ''],
      ] as const)
        expect(decided(said, body, status)).toBe(said);
  });

  it('leaves the decision to the client with undefined', () => {
    expect(decided(undefined, flat('INSUFFICIENT_BALANCE'))).toBe('refused');
    expect(decided(undefined)).toBe('open');
  });

  it('proves nothing if it fails, or says anything else', () => {
    const fails = () => {
      throw new Error('boom');
    };
    expect(finding(400, flat('INSUFFICIENT_BALANCE'), { refusals: refusalsOf([], [], fails) })).toBe('open');
    for (const said of [true, null, 'rejected', 'made', Promise.resolve('refused')])
      expect(decided(said, flat('INSUFFICIENT_BALANCE'))).toBe('open');
  });

  it('gets the status, the body and the operation', () => {
    const seen: unknown[] = [];
    const body = { message: 'x' };
    finding(418, body, { refusals: refusalsOf([], [], (response) => void seen.push(response)) });
    expect(seen).toEqual([{ status: 418, body, operation: 'transfers.create' }]);
  });
});

describe('findings of one key', () => {
  it('are joined to the strongest, and told as an outcome', () => {
    const order = ['not-reached', 'refused', 'open', 'known', 'made'] as const;
    for (const [weaker, one] of order.entries())
      for (const [stronger, other] of order.entries())
        expect(strongerOf(one, other)).toBe(order[Math.max(weaker, stronger)]);
    expect(strongerOf(undefined, 'refused')).toBe('refused');
    expect(order.map(outcomeOf)).toEqual(['not-sent', 'rejected', 'unknown', 'unknown', 'succeeded']);
  });
});

describe('a refusal in doubt', () => {
  it.each<[body: object]>([
    [{ errors: { amount: 'x', requestId: 'x' } }],
    [{ message: 'already', details: 'duplicate memo' }],
    [{ details: { inner: { requestId: 'already' } } }],
  ])('is open by one word of several: %j', (body) => {
    const sentTexts = () => ['duplicate memo'];
    expect(finding(400, { error: 'AMOUNT_TOO_SMALL', ...body }, { sentTexts })).toBe('open');
  });

  it('is open under a 500 that asks to wait', () => {
    expect(finding(500, {}, { asksToWait: true })).toBe('open');
  });
});
