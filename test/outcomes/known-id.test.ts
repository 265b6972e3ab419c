import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEmulator } from '../../src/emulator/index.ts';
import { ConflictError, type PaymentsClient, type PaymentsError } from '../../src/index.ts';
import { operations, requestId, transferParams } from '../client/operations.ts';
import {
  clientOf,
  cutBody,
  failure,
  json,
  networkFailure,
  type Step,
  scripted,
  text,
} from '../client/support.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const fail = async (call: PromiseLike<unknown>): Promise<PaymentsError> => {
  const [error] = await Promise.all([failure(call), vi.runAllTimersAsync()]);
  return error;
};

const creates = operations.filter(({ repeats }) => repeats === 'keyed');

const known: readonly [what: string, step: Step][] = [
  ['a number and a name', json({ code: 400017, error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' }, 400)],
  ['a number and a name, 422', json({ code: 100009, error: 'RESOURCE_CONFLICT', errorDetails: 'x' }, 422)],
  ['a name beside other words', json({ error: 'RESOURCE_CONFLICT', errorDetails: 'Validation error' }, 400)],
  ['a name beside a type', json({ code: 'RESOURCE_CONFLICT', type: 'invalid_request_error' }, 409)],
  ['a bare error', json({ error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' }, 400)],
  ['a nested code', json({ status: 'error', error: { code: 'RESOURCE_CONFLICT', message: 'x' } }, 422)],
  ['another status', json({ code: 'TRANSACTION_REQUEST_ALREADY_EXISTS' }, 412)],
  ['a server error', json({ code: 500, error: 'RESOURCE_CONFLICT', errorDetails: 'x' }, 500)],
];

const unsure: readonly [what: string, step: Step][] = [
  ['no body', text('', 400)],
  ['HTML', text('<html><h1>Bad Request</h1></html>', 400)],
  ['a bare 409', json({}, 409)],
  ['a 409 in plain text', text('Conflict', 409)],
  ['a 409 about a quote', json({ code: 'QUOTE_CONFLICT' }, 409)],
  ['a name that is not documented', json({ code: 'REQUEST_ALREADY_EXISTS', error: 'x' }, 400)],
  ['another one', json({ status: 'error', error: { code: 'DUPLICATE_REQUEST', message: 'x' } }, 422)],
  ['a name in camel case', json({ error: { type: 'requestAlreadyExists' } }, 400)],
  ['a record of another kind', json({ error: 'USER_ALREADY_EXISTS' }, 400)],
  ['words', json({ error: 'Bad request', errorDetails: 'requestId has already been used' }, 400)],
  ['words about another id', json({ error: { message: 'Please try a different request id.' } }, 422)],
  [
    'details by field',
    json({ error: 'FIELD_VALIDATION_ERROR', details: { requestId: ['must be unique'] } }, 400),
  ],
  ['a list of errors', json({ errors: [{ title: 'x' }, { title: 'Idempotency key reused' }] }, 422)],
  ['a problem document', json({ type: 'about:blank', title: 'Duplicate transfer', status: 400 }, 400)],
  ['plain text', text('A transaction with this request id exists', 400)],
  ['an idempotency error', json({ type: 'idempotency_error' }, 400)],
  [
    'the record',
    json({ transferType: 'X', transferDetails: { id: 't1', requestId, status: 'CREATED' } }, 400),
  ],
  ['a record in an envelope', json({ message: 'Bad Request', data: { id: 't1', status: 'COMPLETED' } }, 422)],
  ['a payment under review', json({ error: 'Bad Request', message: 'Manual review required' }, 422)],
  ['a timeout', json({ message: 'context deadline exceeded' }, 400)],
  ['a language in which no is another word', json({ message: 'Pagamento ja registrado no sistema' }, 400)],
  ['a record of an onramp', json({ transferDetails: { id: 't1', status: 'FIAT_INITIATED' } }, 402)],
];

describe('a refusal because the id is known', () => {
  it.each(known)('(%s) of a first attempt leaves the outcome open', async (_what, step) => {
    for (const { name, call } of creates) {
      const fetch = scripted(step);
      const error = await fail(call(clientOf(fetch)));
      expect(error, name).toBeInstanceOf(ConflictError);
      expect(error, name).toMatchObject({ code: 'request_id_known', outcome: 'unknown', requestId });
      expect(fetch.seen).toHaveLength(1);
      expect(error.message).toMatch(/may have been made.*do not use a new requestId/s);
    }
  });

  it.each(known)('(%s) after a lost response does so, too, and ends the retries', async (_what, step) => {
    for (const { name, call } of creates) {
      const fetch = scripted(networkFailure('ECONNRESET'), step);
      const error = await fail(call(clientOf(fetch)));
      expect(error, name).toMatchObject({ code: 'request_id_known', outcome: 'unknown', attempts: 2 });
      expect(fetch.seen[0]?.body).toBe(fetch.seen[1]?.body);
    }
  });

  it.each(unsure)(
    '(%s) that is unsure leaves the outcome open, and claims no payment',
    async (_what, step) => {
      for (const { name, call } of creates) {
        const fetch = scripted(step);
        const error = await fail(call(clientOf(fetch)));
        expect(error, name).toMatchObject({ outcome: 'unknown', requestId, attempts: 1 });
        expect(error.code, name).not.toBe('request_id_known');
        expect(error.message).toContain('This call may have made the payment: retry with the same requestId');
      }
    },
  );

  it('has the names that the client is configured with', async () => {
    const refusals = { known: ['duplicate_request', 'ERR_100017'], sure: ['LIMIT_REACHED'] };
    const paying = (body: object, status = 409) =>
      fail(clientOf(scripted(json(body, status)), { refusals }).transfers.create(transferParams));
    expect(await paying({ error: 'DUPLICATE_REQUEST' })).toMatchObject({ code: 'request_id_known' });
    // It looks like an id, which says nothing elsewhere.
    expect(await paying({ code: 'ERR_100017', message: 'Invalid payment' }, 422)).toMatchObject({
      code: 'request_id_known',
      outcome: 'unknown',
    });
    expect(await paying({ error: 'LIMIT_REACHED' })).toMatchObject({ outcome: 'rejected', code: 'conflict' });
    expect(await paying({ error: 'OTHER' })).toMatchObject({ outcome: 'unknown', code: 'conflict' });
  });

  it.each([
    ['DUPLICATE_REQUEST', 'request_id_known'],
    ['errDuplicate', 'request_id_known'],
    ['LIMIT_REACHED', 'response_validation'],
    ['insufficientBalance', 'response_validation'],
  ])('%s in `code` is a refusal under a status of success, too', async (code, expected) => {
    const refusals = { known: ['duplicate_request', 'ERR_DUPLICATE'], sure: ['LIMIT_REACHED'] };
    const fetch = scripted(json({ code, requestId, message: 'x' }));
    const error = await fail(clientOf(fetch, { refusals, retries: 0 }).transfers.create(transferParams));
    expect(error).toMatchObject({ code: expected, outcome: 'unknown', requestId });
  });

  it('keeps its status and the words of the service', async () => {
    const step = json({ code: 400017, error: 'TRANSACTION_REQUEST_ALREADY_EXISTS', errorDetails: 'x' }, 422);
    const error = await fail(clientOf(scripted(step)).transfers.create(transferParams));
    expect(error).toMatchObject({
      name: 'ConflictError',
      status: 422,
      service: { code: 400017, error: 'TRANSACTION_REQUEST_ALREADY_EXISTS', details: 'x' },
    });
  });

  it('is told alike in a later call, by the same client and by another one', async () => {
    const emulator = createEmulator({ duplicates: 'refuse' });
    const { userId } = emulator.createUser();
    const params = { ...transferParams, source: { userId }, destination: { userId } };
    const client = clientOf(emulator.fetch, { retries: 0 });
    const pay = (payments: PaymentsClient) => fail(payments.transfers.create(params));
    emulator.faults.inject({ kind: 'reset-after-commit', times: 1 });
    expect(await pay(client)).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    for (const later of [client, clientOf(emulator.fetch)]) {
      expect(await pay(later)).toMatchObject({ code: 'request_id_known', outcome: 'unknown', attempts: 1 });
    }
    expect(emulator.state().transfers).toHaveLength(1);
  });

  it('covers an id that the caller put into a request of its own', async () => {
    const client = clientOf(scripted(json({ error: 'RESOURCE_CONFLICT' }, 400)));
    const request = { method: 'POST', path: '/v2/orchestrations', body: { requestId: 'r1' } } as const;
    expect(await fail(client.request(request))).toMatchObject({
      code: 'request_id_known',
      outcome: 'unknown',
      requestId: 'r1',
    });
  });
});

describe('a refusal for another reason', () => {
  const others: readonly [what: string, step: Step][] = [
    [
      'too little money',
      json({ code: 400002, error: 'INSUFFICIENT_BALANCE', errorDetails: 'Too low.' }, 400),
    ],
    ['a missing key', json({ error: 'KEY_DOES_NOT_EXIST' }, 400)],
    ['a missing user', json({ code: 'USER_NOT_FOUND', errorDetails: 'The user does not exist.' }, 404)],
    ['too little money, as a conflict', json({ error: 'INSUFFICIENT_BALANCE' }, 409)],
    [
      'recipients that come twice',
      json({ error: 'FIELD_VALIDATION_ERROR', errorDetails: 'duplicate payees' }, 422),
    ],
    [
      'a user who is frozen',
      json({ error: 'USER_FROZEN', errorDetails: 'The user is already frozen.' }, 400),
    ],
    ['a quote that has lapsed', json({ error: 'INVALID_QUOTE', errorDetails: 'already expired' }, 422)],
  ];

  it.each(others)('(%s) is a refusal', async (_what, step) => {
    for (const { name, call } of creates) {
      expect(await fail(call(clientOf(scripted(step)))), name).toMatchObject({
        outcome: 'rejected',
        attempts: 1,
      });
    }
  });

  it('is an ordinary conflict where the operation has no id', async () => {
    const taken = json({ code: 'ACCOUNT_ALREADY_EXISTS' }, 409);
    for (const { name, call } of operations.filter(({ repeats }) => repeats !== 'keyed')) {
      const expected = { name: 'ConflictError', code: 'conflict', outcome: 'rejected' };
      expect(await fail(call(clientOf(scripted(taken)))), name).toMatchObject(expected);
    }
    const named = json({ code: 'USER_ALREADY_EXISTS' }, 400);
    for (const { name, call } of operations.filter(({ repeats }) => repeats !== 'keyed')) {
      expect(await fail(call(clientOf(scripted(named)))), name).toMatchObject({ code: 'bad_request' });
    }
  });

  it('is no proof for a create when its body is lost, as the name of the refusal was in there', async () => {
    for (const { name, call } of creates) {
      for (const status of [400, 409, 422]) {
        expect(await fail(call(clientOf(scripted(cutBody(status))))), name).toMatchObject({
          outcome: 'unknown',
        });
      }
      expect(await fail(call(clientOf(scripted(cutBody(404))))), name).toMatchObject({ outcome: 'rejected' });
      const known = scripted(cutBody(400), json({ error: 'RESOURCE_CONFLICT' }, 400));
      expect(await fail(call(clientOf(known))), name).toMatchObject({
        code: 'request_id_known',
        attempts: 2,
      });
    }
  });
});
