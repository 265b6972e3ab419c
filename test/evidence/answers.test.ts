import { describe, expect, it } from 'vitest';
import { outcomeOf, readErrorResponse, strongerOf } from '../../src/evidence/evidence.ts';
import { refusalNames } from '../../src/evidence/refusal.ts';

const requestId = '6fa459ea-ee8a-4ca4-894e-db77e160355e';
const names = refusalNames(['PAYMENT_SEEN', 'ERR_100017', 'IN_BOTH'], ['LIMIT_REACHED', 'IN_BOTH']);

const read = (status: number, json: unknown, key: string | null = requestId, asksToWait = false) =>
  readErrorResponse({ status, json, asksToWait }, key ?? undefined, names);

const named = (error: string, errorDetails = 'x') => ({ code: 400017, error, errorDetails });

describe('a documented name of a known key', () => {
  it.each([400, 401, 403, 404, 409, 422, 429, 500])('wins over status %i', (status) => {
    const body = named('TRANSACTION_REQUEST_ALREADY_EXISTS');
    expect(read(status, body)).toBe('known');
  });

  it.each<[string, unknown]>([
    ['a sentence', named('TRANSACTION_REQUEST_ALREADY_EXISTS', 'Invalid request')],
    ['another sentence', named('RESOURCE_CONFLICT', 'Validation error')],
    ['a type', { type: 'invalid_request_error', code: 'RESOURCE_CONFLICT' }],
    ['another name', { error: 'INSUFFICIENT_BALANCE', code: 'RESOURCE_CONFLICT' }],
    ['other forms of the body', { status: 'error', error: { code: 'RESOURCE_CONFLICT', message: 'x' } }],
    ['a list', { errors: [{ name: 'UNAUTHORIZED' }, { name: 'RESOURCE_CONFLICT' }] }],
    ['its own spelling', named('resourceConflict')],
    ['the only word', 'RESOURCE_CONFLICT'],
    ['a configured name', named('PAYMENT_SEEN', 'The user is frozen')],
    ['a configured name that looks like an id', named('ERR_100017', 'The user is frozen')],
    ['a name that is configured twice', named('IN_BOTH')],
    ['spaces around it', named(' RESOURCE_CONFLICT\n', 'The user is frozen')],
    ['a full stop after it', named('RESOURCE_CONFLICT.', 'The user is frozen')],
    ['a body beyond the reading limits', { error: 'RESOURCE_CONFLICT', more: 'x'.repeat(10_000) }],
  ])('wins over %s', (_what, body) => {
    expect(read(400, body)).toBe('known');
  });

  it('is one of two, unless others are configured', () => {
    const known = ['TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'];
    expect(refusalNames()).toEqual(refusalNames(known, known));
  });

  it('is no name of a call without a key', () => {
    expect(read(409, named('RESOURCE_CONFLICT'), null)).toBe('refused');
  });

  it('is not one word of a sentence', () => {
    expect(read(400, { message: 'See RESOURCE_CONFLICT in the guide' })).toBe('open');
  });
});

describe('a refusal that is surely about something else', () => {
  it.each([
    named('INSUFFICIENT_BALANCE'),
    named('USER_FROZEN', 'The user was frozen once before'),
    named('QUOTE_NOT_READY', 'still processing'),
    named('FIELD_VALIDATION_ERROR', 'email already exists'),
    named('LIMIT_REACHED', 'the same again'),
    { ...named('FIELD_VALIDATION_ERROR'), details: { amount: 'must be positive' } },
    { status: 'error', error: { code: 'USER_NOT_FOUND', message: 'Not found' } },
    { error: 'INSUFFICIENT_BALANCE', requestId },
    { error: 'INSUFFICIENT_BALANCE', requestId: 'req_8f3c2a1b9d', timestamp: '2026-11-20T10:00:00Z' },
  ])('has a documented or configured name, also under 409: %j', (body) => {
    expect(read(409, body)).toBe('refused');
    expect(read(400, body)).toBe('refused');
  });

  it.each([
    { message: 'The amount is too low' },
    { error: 'Bad Request', statusCode: 400 },
    { message: 'The user does not exist' },
    { message: "This account doesn't exist" },
    { type: 'invalid_request_error', message: 'Invalid amount' },
    { error: 'COUNTRY_NOT_SUPPORTED' },
    { error: 'VALIDATION_ERROR', details: { amount: ['must be a number'] } },
    ['Insufficient funds'],
    'The currency is not supported',
    'The user has not completed verification',
    'This payment cannot be created',
    'Insufficient funds',
    'QUOTE_EXPIRED',
    'Amount below the minimum',
    'Only POLYGON is possible',
    'The user is unverified',
    'Incorrect amount',
    'Unknown currency',
    { error: 'WRONG_CHAIN' },
    'The account has been closed',
    'Trading is closed',
    'Sanctions screening failed',
    'Malformed JSON',
    { message: 'Invalid amount', hint: 'See the documentation', instance: '/v2/wallets/transfers' },
    { message: 'Invalid amount', timestamp: '2026-11-23 10:00:00' },
    { statusCode: 422, error: 'Unprocessable Entity', message: 'Amount too low' },
    { title: 'One or more validation errors occurred.', errors: { Amount: ['The field must be set.'] } },
    { amount: ["can't be blank"] },
    { message: 'Invalid amount', timestamp: 'Mon, 23 Nov 2026 10:00:00 GMT' },
    { statusCode: 400, error: 'Bad Request', message: ['amount must be positive', 'expected number'] },
    { message: 'Not enough money', transferDetails: { id: 't1', requestId, status: 'FAILED' } },
    'Verification is not complete',
    'No such user',
    'No active rail',
    'No quote available',
    'You have no permission',
    'The wallet has no balance',
    'User is no longer active',
    'Unsupported blockchain',
    'The user is blocked',
    'The user is on the blocklist',
    'Please review the fields: amount is invalid',
    'Service is not available in your state',
    'Missing permission',
    'The wallet no longer exists',
    'Such a user never existed',
    'Such a card cannot exist',
    'The documents were never submitted',
    'It must be paid by wire',
    'The limit is too low to get paid',
  ])('speaks of no key, no record and nothing in progress: %j', (body) => {
    expect(read(422, body)).toBe('refused');
    expect(read(409, body)).toBe('open');
  });

  it.each([401, 403, 404, 405, 501, 505])('has the status %i, with any body', (status) => {
    for (const body of [undefined, {}, '<html>', { message: 'Duplicate request' }])
      expect(read(status, body)).toBe('refused');
  });

  it.each([400, 402, 409, 410, 422, 451])('has the status %i and no key', (status) => {
    expect(read(status, undefined, null)).toBe('refused');
  });
});

// Without a word that refuses, a text proves nothing, whatever else it says. So each of these comes with one.
const ofTheKey = `
  request id, call id, request key, request token, request uuid, request identifier, request reference,
  idempotent, duplicate request, repeated request, existing request, same request, previous request,
  prior request, earlier request, first request, original request, concurrent request, identical
  request, identical call, identical submission, first API call, request is already, request is being,
  request is in progress, request in process, request in flight, request still pending, request exists,
  request was duplicated, request is processing, transfer already, payment already, transaction already,
  payout already, onramp already, offramp already, bridge was already`
  .trim()
  .split(/,\s+/);

const ofAnEarlierOne = `
  already, bereits, deja, gia, ja, tayari, ya, dup, twice, double, once, prior, underway, under way, ongoing, in use, in progress, in
  process, in flight, processing, pending, executing, queued, nonce, one payment per day, tried again,
  duplicate, conflict, collision, clash, identical, reused, replay, repeats, concurrent, unique,
  previously, mismatch, resubmit, resent, responded, upstream, taken, earlier, same, used, seen, known,
  new id, another id, other key, different id, new key, new token, new request, exists, submitted, accepted,
  completed, executed, initiated, processed, paid, sent, made, created, settled, done, posted, recorded,
  handled, booked, performed, succeeded, finished, been received, was received, were received, request
  locked, resource is locked, transfer locked, payment locked, transaction locked, key locked`
  .trim()
  .split(/,\s+/);

describe('a refusal that is unsure', () => {
  it.each([
    'IDEMPOTENCY_KEY_IN_USE',
    'DUPLICATE_409',
    'USER_ALREADY_EXISTS',
    'REFERENCE_NOT_UNIQUE',
    'please try a new request id',
    'requestId must be unique',
    'This idempotency token belongs to another call',
    'A previous request is still being processed',
    'The same request was received a moment ago',
    'The transfer is complete',
    'Transaction twice',
    'Requête déjà reçue: la transaction existe',
    'そのリクエストは既に存在します',
    'Запрос уже существует',
    'Chave de idempotência inválida',
    'The request -- id is invalid',
  ])('%s', (words) => {
    for (const body of [
      { error: words },
      { message: words },
      { status: 'error', error: { code: 'X', message: words } },
    ])
      expect(read(400, body)).toBe('open');
  });

  it.each(ofTheKey)('a documented name with the words: %s', (words) => {
    for (const status of [422, 429])
      expect(read(status, named('INSUFFICIENT_BALANCE', `The ${words}`))).toBe('open');
  });

  it.each(ofAnEarlierOne)('words that refuse, with the words: %s', (words) => {
    for (const status of [422, 429]) expect(read(status, { message: `${words}: not allowed` })).toBe('open');
  });

  it.each([
    named('INSUFFICIENT_BALANCE', 'The request id was used before'),
    named('FIELD_VALIDATION_ERROR', 'requestId already used'),
    named('FIELD_VALIDATION_ERROR', 'A transfer already exists'),
    named('INVALID_TRANSACTION_ROUTE', 'This payment was already made'),
    { ...named('FIELD_VALIDATION_ERROR'), details: { requestId: 'taken' } },
    { ...named('FIELD_VALIDATION_ERROR'), details: [{ field: 'request_id', message: 'invalid' }] },
    { ...named('FIELD_VALIDATION_ERROR'), details: { request: { id: ['was used'] } } },
  ])('a documented name with words about the key: %j', (body) => {
    expect(read(422, body)).toBe('open');
  });

  it.each([
    undefined,
    null,
    '',
    {},
    [],
    7,
    true,
    { code: 400 },
    { error: '' },
    { status: 'error' },
    { success: false },
  ])('no words: %j', (body) => {
    for (const status of [400, 402, 406, 409, 410, 412, 413, 415, 418, 421, 422, 423, 424, 428, 431, 451])
      expect(read(status, body)).toBe('open');
  });

  it('a body beyond the reading limits: 500 texts, 4,000 characters in one, and 12 levels', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'x y' : { a: nested(depth - 1) });
    const many = (count: number) => Array.from({ length: count }, () => 'a word');
    for (const more of ['x'.repeat(4_000), nested(11), many(499)])
      expect(read(400, { error: 'INSUFFICIENT_BALANCE', more })).toBe('refused');
    for (const more of ['x'.repeat(4_001), nested(12), many(500)]) {
      expect(read(400, { error: 'INSUFFICIENT_BALANCE', more })).toBe('open');
      expect(read(429, { error: 'INSUFFICIENT_BALANCE', more })).toBe('open');
    }
  });

  it('words about an earlier request, also where the service asks to wait', () => {
    expect(read(429, { message: 'The transfer exists' })).toBe('open');
  });
});

describe('a text that does not refuse', () => {
  it.each([
    'El pago ya fue procesado',
    'Transação em andamento',
    'La demande a déjà été traitée',
    'Bereits vorhanden',
    'Transaktion bereits verarbeitet, Limit erreicht',
    'Operacion invalida: pago ya realizado',
    'Referencia invalida: pagamento ja efetuado',
    'Reference invalide, paiement deja effectue',
    'Saldo insuficiente',
    'TXN_DUP',
    'ORDER_PAID',
    'P2002',
    'Operation was performed before',
    'Record with this key found',
    'Transfer is active',
    'On hold',
    'Timeout',
    'Upstream error',
    'The bank does not respond',
    'An unexpected error occurred',
    'Something went wrong',
    'Result unknown',
    'Unknown status',
    'The payment could not be confirmed',
    'Unable to confirm the transfer',
    'The bank did not answer',
    'Invalid upstream response',
    'Invalid state: transfer executing',
    'Nonce too low',
    'Invalid: request handled',
    'Invalid prior request',
    'Payment was received, and is not made again',
    'Connection closed',
    'Transfer cannot be submitted again',
    'You cannot resend this payment',
    'Only one transfer per reference',
    'context deadline exceeded',
    'DEADLINE_EXCEEDED',
    'Lock wait timeout exceeded; try restarting transaction',
    'Max retries exceeded with url: /pay',
    'The operation is taking too long',
    'The bank took too long',
    'Time limit exceeded',
    'Maximum execution time of 30 seconds exceeded',
    'The transfer did not complete in time',
    'Reference must be new',
    'Transaction is not new',
    'Request timed out: limit of 30 s',
    'Time out: no wallet',
    'Waiting for block confirmation',
    'Blockchain error',
    'Only 3 of 12 block confirmations',
    'A lock could not be acquired, limit reached',
    'Manual review required',
    'REVIEW_REQUIRED',
    'Payment is held, more documents required',
    'Payment on hold: documents missing',
    'The payment is not final',
    'The status cannot be determined',
    'Approval required',
    'Transfer requires approval',
    'This needs a second approval, which is missing',
    'Approval is needed, not given',
    'Awaiting funds, which are missing',
    'No confirmation from the bank',
    'No reply from the bank',
    "We couldn't reach the bank",
    'No final status',
    'Invalid reply from bank',
    'We cannot determine the state of the payment',
    'Payment not settled',
    'INVALID_STATE',
    'El pago no se pudo registrar',
    'Ya has enviado este pago, no lo mandes',
    'Solicitud ya procesada, no reintentar',
    'Pagamento ja registrado no sistema',
    'Transação no provedor, limit',
    'Identifiant invalide : déjà utilisé',
  ])('proves nothing: %s', (message) => {
    for (const status of [400, 402, 409, 422]) expect(read(status, { message })).toBe('open');
  });

  it.each([
    { statusCode: 400, error: 'Bad Request', message: 'El pago ya fue procesado' },
    { error: { code: 'INVALID_OPERATION', message: 'Bereits vorhanden' } },
    { message: 'Validation failed', errors: [{ field: 'amount', message: 'Debe ser positivo' }] },
  ])('leaves open what a sentence that cannot be read says: %j', (body) => {
    expect(read(400, body)).toBe('open');
  });

  it('says nothing against a status that turns the request away', () => {
    for (const message of ['Demasiadas solicitudes', 'Internal timeout'])
      expect(read(429, { message })).toBe('refused');
  });
});

describe('ids and times', () => {
  it.each([
    '6fa459ea-ee8a-4ca4-894e-db77e160355e',
    '',
    '12345',
    'a1234567',
    'abcdef-abc-1234567',
    'req_8f3c2a1b9d',
    'req_x8f3c2a',
    'txn-1abcdef',
    '2026-11-20T10:00:00Z',
  ])('%s is no word, so it says nothing of the key', (id) => {
    expect(read(400, { error: 'INSUFFICIENT_BALANCE', requestId: id })).toBe('refused');
  });

  it.each([
    'a12345',
    'deadbeef-cafe',
    'limit 12345678',
    '12345678 is too low',
    'see also-1234567',
    'from 2026-11-20T10:00:00Z',
    'see req_8f3c2a1b9d',
    'req_8f3c2a1b9d failed',
    'req_x y8f3c2a',
    'req_a1b',
    'toolong_8f3c2a1b',
    'r_8f3c2a1b',
  ])('%s is one', (text) => {
    expect(read(400, { error: 'INSUFFICIENT_BALANCE', requestId: text })).toBe('open');
  });

  it('are told from words in a time that grows with their length, not with its square', () => {
    const digits = Array.from({ length: 499 }, () => `${'1'.repeat(3_900)} x`);
    const from = performance.now();
    expect(read(400, { error: 'INSUFFICIENT_BALANCE', digits })).toBe('refused');
    // Backtracking would take more than a minute.
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it('the key that was sent says nothing, whatever its form', () => {
    const words = 'already-paid-once';
    expect(read(422, { message: 'The amount is too low', requestId: words }, words)).toBe('refused');
    expect(read(422, { message: 'The amount is too low', requestId: words })).toBe('open');
  });
});

describe('a status', () => {
  it.each([0, 301, 302, 307, 408, 444, 460, 499, 500, 502, 503, 504, 520, 599])(
    '%i leaves the outcome open',
    (status) => {
      for (const key of [requestId, null])
        expect(read(status, named('INSUFFICIENT_BALANCE'), key)).toBe('open');
    },
  );

  it.each([425, 429])('%i turns the request away for now', (status) => {
    for (const body of [undefined, '', named('RATE_LIMITED')]) expect(read(status, body)).toBe('refused');
    expect(read(status, { message: 'A previous request is in progress' })).toBe('open');
  });

  it('503 turns it away only where it says when to come back', () => {
    expect(read(503, undefined, requestId, true)).toBe('refused');
    expect(read(503, undefined, requestId)).toBe('open');
    for (const status of [409, 500, 502]) expect(read(status, undefined, requestId, true)).toBe('open');
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
