import { describe, expect, it } from 'vitest';
import { type ClientOptions, ResponseValidationError } from '../../src/client/index.ts';
import {
  bridgeParams,
  expectedValue,
  onrampParams,
  operations,
  pay,
  requestId,
  transferParams,
} from '../client/operations.ts';
import { clientOf, failure, json, type Step, scripted, text } from '../client/support.ts';
import { heldTransfer } from '../fixtures/index.ts';

const impatient: ClientOptions = { retries: { minDelay: 0 } };
const modes = ['tolerant', 'strict'] as const;
const moving = operations.filter(({ method }) => method === 'POST');
const keyed = operations.filter(({ repeats }) => repeats === 'keyed');

/** Bodies under a status of success of which none shows that anything was done. */
const nothings: readonly [what: string, step: Step][] = [
  ['a maintenance page', text('<!doctype html><title>Back soon</title>')],
  ['an empty body', text('')],
  ['no content', text(null, 204)],
  ['null', json(null)],
  ['an empty record', json({})],
  ['an empty list', json([])],
  ['a text', json('ok')],
  ['half of a record', text('{"transferDetails":{"id":"t1"')],
  ['success: false', json({ success: false, message: 'Try again later.' })],
  ['success: false with a record', json({ ...heldTransfer, success: false, id: 'x', status: 'APPROVED' })],
  ['the shape of a 401', json({ code: 401, error: 'Unauthorized', errorDetails: 'x' })],
  ['the shape of a 404', json({ status: 'error', error: { code: 'NOT_FOUND', message: 'x' } })],
  ['the shape of a 500 with an id', json({ id: 'err-1', code: 500, error: 'INTERNAL', errorDetails: 'x' })],
  ['a list of errors', json({ errors: [{ message: 'x' }], data: null })],
  ['a message', json({ message: 'Endpoint request timed out' })],
  ['a record without an id', json({ transferDetails: { status: 'CREATED', id: null } })],
  ['a record without a status', json({ transferDetails: { id: 't1', requestId } })],
  ['an echo of the key', json({ requestId, statusCode: 422, message: 'Insufficient balance' })],
  ['an echo of the key with a name', json({ requestId, code: 'INSUFFICIENT_FUNDS' })],
  ['an accepted echo', json({ requestId, accepted: true, status: 'CREATED' })],
];

describe('a success that does not show the record', () => {
  it.each(nothings)('is unknown for what moves something, in every mode: %s', async (_what, step) => {
    for (const responseValidation of modes)
      for (const { name, call, repeats } of moving) {
        const fetch = scripted(step);
        const error = await failure(call(clientOf(fetch, { ...impatient, responseValidation })));
        expect(error, name).toBeInstanceOf(ResponseValidationError);
        expect(error, name).toMatchObject({ outcome: 'unknown' });
        expect(error.attempts, name).toBe(repeats === 'never' ? 1 : 3);
        expect(new Set(fetch.seen.map(({ body }) => body)).size).toBe(1);
      }
  });

  it.each(nothings)('is retried where that is safe: %s', async (_what, step) => {
    for (const operation of moving.filter(({ repeats }) => repeats !== 'never')) {
      const fetch = scripted(step, json(operation.response));
      expect(await operation.call(clientOf(fetch, impatient)), operation.name).toBeDefined();
      expect(fetch.seen).toHaveLength(2);
    }
  });

  // "One that is empty or no JSON (but 204 and HEAD)."
  it.each(nothings.slice(0, 5).filter(([what]) => what !== 'no content'))(
    'is asked for again by a read: %s',
    async (_what, step) => {
      for (const operation of operations.filter(({ method }) => method === 'GET')) {
        const fetch = scripted(step, json(operation.response));
        const value = await operation.call(clientOf(fetch, impatient));
        expect(value, operation.name).toEqual(expectedValue(operation));
      }
    },
  );

  it('cannot be had as a raw response, and is told to the hooks', async () => {
    const events: string[] = [];
    const client = clientOf(scripted(json({ success: false })), {
      ...impatient,
      retries: 1,
      hooks: {
        response: ({ succeeded }) => events.push(`response ${succeeded}`),
        retry: ({ reason }) => events.push(`retry ${reason}`),
        error: ({ error }) => events.push(`error ${error.outcome}`),
      },
    });
    const error = await failure(client.transfers.create(transferParams).asResponse());
    expect(error).toMatchObject({ outcome: 'unknown', body: { success: false } });
    expect(events).toEqual([
      'response false',
      'retry response_validation',
      'response false',
      'error unknown',
    ]);
  });
});

describe('a success that shows the record', () => {
  it.each(operations)('resolves in every mode: $name', async ({ call, response }) => {
    for (const responseValidation of modes)
      expect(await call(clientOf(scripted(json(response)), { responseValidation }))).toBeDefined();
  });

  it.each(keyed)('is a success where it departs from its schema elsewhere: $name', async ({ name, call }) => {
    const record = { transferType: 7, transferDetails: { id: 't1', status: 'CREATED', requestId } };
    expect(await call(clientOf(scripted(json(record)))), name).toMatchObject(record);
    const strict = clientOf(scripted(json(record)), { responseValidation: 'strict' });
    expect(await failure(call(strict)), name).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'succeeded',
      attempts: 1,
      message: expect.stringContaining('do not send it again'),
    });
  });

  it('may have fields of errors that are empty', async () => {
    const record = { ...heldTransfer, error: null, errorDetails: '', errors: [], success: true };
    expect(await clientOf(scripted(json(record))).bridges.create(bridgeParams)).toMatchObject({
      success: true,
    });
  });

  it('may tell of the failure of an onramp, which was made', async () => {
    const details = { id: 't1', status: 'FIAT_FAILED', error: 'AMOUNT_TOO_LOW', errorDetails: 'x' };
    const client = clientOf(scripted(json({ transferDetails: details })));
    expect((await client.onramps.create(onrampParams)).transferDetails.status).toBe('FIAT_FAILED');
  });
});

describe('an error under a status of success', () => {
  it.each([
    { code: 400017, error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' },
    { success: false, error: 'RESOURCE_CONFLICT', message: 'x' },
    { status: 'error', error: { code: 'RESOURCE_CONFLICT', message: 'x' } },
  ])('is a known key by its documented name: %j', async (body) => {
    const fetch = scripted(json(body));
    for (const { name, call } of keyed)
      expect(await failure(call(clientOf(fetch, { accessToken: name }))), name).toMatchObject({
        name: 'ConflictError',
        code: 'request_id_known',
        outcome: 'unknown',
        status: 200,
      });
    expect(fetch.seen).toHaveLength(keyed.length);
  });

  it('is what the function `refusals` says', async () => {
    for (const [said, outcome] of [
      ['rejected', 'rejected'],
      ['known', 'unknown'],
    ] as const) {
      const client = clientOf(scripted(json({ requestId, statusCode: 422 })), { refusals: () => said });
      expect(await failure(pay(client))).toMatchObject({ outcome, attempts: 1 });
    }
  });
});

describe('a decision', () => {
  const decide = (which: 'approve' | 'reject', status: unknown) => {
    const body = { success: true, message: 'x', approvalId: 'ap1', status, timestamp: 'now' };
    return clientOf(scripted(json(body))).approvals[which]('ap1');
  };

  it.each([
    ['approve', 'APPROVED'],
    ['approve', 'PENDING'],
    ['reject', 'REJECTED'],
  ] as const)('is proved by its documented status: %s with %s', async (which, status) => {
    expect((await decide(which, status)).status).toBe(status);
  });

  it.each([
    ['approve', 'ON_HOLD'],
    ['approve', 'REJECTED'],
    ['approve', 'EXPIRED'],
    ['approve', 'approved'],
    ['approve', null],
    ['reject', 'APPROVED'],
    ['reject', 'PENDING'],
    ['reject', 'A_NEW_STATUS'],
  ] as const)('is open with any other one: %s with %s', async (which, status) => {
    expect(await failure(decide(which, status))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      attempts: 1,
      issues: [{ path: 'status' }],
    });
  });

  // Row 8: "a text `status` of `error`, `fail`, `failure` or `failed` in any case".
  it.each(['FAILED', 'Failed', 'ERROR', 'FAIL', 'Failure'])(
    'that says %s is an error shape',
    async (status) => {
      for (const which of ['approve', 'reject'] as const)
        expect(await failure(decide(which, status))).toMatchObject({
          name: 'ResponseValidationError',
          outcome: 'unknown',
          attempts: 1,
          issues: [{ path: '', code: 'error_shape' }],
        });
    },
  );
});

describe('a deletion', () => {
  const remove = (...steps: readonly Step[]) =>
    clientOf(scripted(...steps), impatient).accounts.delete('u1', 'a1');

  it.each<[Step]>([
    [text(null, 204)],
    [text('')],
    [json({ success: true })],
    [json({ success: true, deleted: 'a1' })],
    [json({ id: 'a1', status: 'INACTIVE' })],
    [json({ accountId: 'a1', isValid: false })],
  ])('is proved by a success that does not say otherwise (%#)', async (step) => {
    await expect(remove(step)).resolves.not.toThrow();
  });

  it.each<[Step]>([
    [json({ deleted: false })],
    [json({ success: false })],
    [json({ id: 'a1', status: 'ACTIVE' })],
    [json({ error: 'ACCOUNT_IN_USE' })],
    [text('<html>Not found</html>')],
  ])('is open where the response says otherwise (%#)', async (step) => {
    expect(await failure(remove(step))).toMatchObject({ outcome: 'unknown', attempts: 3 });
  });

  // "A deletion whose answer was lost and whose repeat says 404 is `unknown`: a wrong path says the same."
  const gone = (body: unknown) => json(body, 404);
  it.each([
    { error: 'ACCOUNT_NOT_FOUND' },
    { status: 'error', error: { code: 'USER_NOT_FOUND', message: 'x' } },
    { error: 'ROUTE_NOT_FOUND' },
    { status: 'error', error: { code: 'TRANSFER_NOT_FOUND', message: 'x' } },
  ])('that was lost is not proved by a 404 on the retry, named %j', async (body) => {
    expect(await failure(remove(text('', 502), gone(body)))).toMatchObject({
      status: 404,
      outcome: 'unknown',
      attempts: 2,
    });
    expect(await failure(remove(gone(body)))).toMatchObject({ status: 404, outcome: 'rejected' });
    const deferred = await failure(remove(json({}, 429), gone(body)));
    expect(deferred).toMatchObject({ status: 404, outcome: 'rejected', attempts: 2 });
  });

  it.each(['Not Found', { message: 'no Route matched with those values' }])(
    'is not refused by the 404 of a router: %j',
    async (body) => {
      for (const steps of [[gone(body)], [text('', 502), gone(body)]])
        expect(await failure(remove(...steps))).toMatchObject({ status: 404, outcome: 'unknown' });
    },
  );
});
