import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PaymentsError, ResponseValidationError } from '../../src/index.ts';
import { batchParams, bridgeParams, expectedValue, operations, requestId } from '../client/operations.ts';
import { clientOf, failure, json, type Step, scripted, text } from '../client/support.ts';
import * as wire from '../fixtures/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = async <T>(call: PromiseLike<T>): Promise<T> => {
  const [value] = await Promise.all([call, vi.runAllTimersAsync()]);
  return value;
};
const fail = (call: PromiseLike<unknown>): Promise<PaymentsError> => settle(failure(call));

/** As `fail`, for an operation that moves something and so must not accept a response without its record. */
const failMoving = (name: string, call: PromiseLike<unknown>): Promise<PaymentsError> =>
  fail(call).catch((cause: unknown) => {
    throw new Error(
      `${name}: give the operation an \`identity\` whose \`record\` names the id in its response`,
      {
        cause,
      },
    );
  });

const moving = operations.filter(({ method }) => method === 'POST');

/** Bodies under status 200 of which none shows that anything was done. */
const nothings: readonly [what: string, step: Step][] = [
  [
    'a maintenance page',
    text('<!doctype html><title>Back soon</title>', 200, { 'content-type': 'text/html' }),
  ],
  ['an empty body', text('')],
  ['no content', text(null, 204)],
  ['null', json(null)],
  ['an empty record', json({})],
  ['an empty list', json([])],
  ['a text', json('ok')],
  ['half of a record', text('{"transferDetails":{"id":"t1"')],
  ['success: false', json({ success: false, message: 'Try again later.' })],
  ['success: false with an id', json({ success: false, id: 'x', approvalId: 'x', status: 'APPROVED' })],
  ['the shape of a 401', json({ code: 401, error: 'Unauthorized', errorDetails: 'x' })],
  ['the shape of a 404', json({ status: 'error', error: { code: 'NOT_FOUND', message: 'x' } })],
  [
    'the shape of a 500, with an id of its own',
    json({ id: 'err-1', code: 500, error: 'INTERNAL', errorDetails: 'x' }),
  ],
  ['a bare error', json({ error: 'Not authorized' })],
  ['a list of errors', json({ errors: [{ message: 'x' }], data: null })],
  ['a message', json({ message: 'Endpoint request timed out' })],
  ['a gateway that names the request in its own way', json({ message: 'Busy', requestId: 'gw-1' })],
  ['a record without its id', json({ transferType: 'X', transferDetails: { status: 'CREATED', id: null } })],
];

describe('a success that shows nothing of the record', () => {
  it.each(nothings)('is unknown for whatever moves something: %s', async (_what, step) => {
    for (const { name, call, repeats } of moving) {
      const fetch = scripted(step);
      const error = await failMoving(name, call(clientOf(fetch)));
      expect(error, name).toBeInstanceOf(ResponseValidationError);
      expect(error, name).toMatchObject({ outcome: 'unknown', attempts: repeats === 'never' ? 1 : 3 });
      expect(new Set(fetch.seen.map(({ body }) => body)).size).toBe(1);
      expect(error.message).toMatch(/may have (?:made|been carried out)/);
    }
  });

  it.each(nothings)('is retried where that is safe: %s', async (_what, step) => {
    for (const operation of moving) {
      if (operation.repeats === 'never') continue;
      const fetch = scripted(step, json(operation.answer));
      expect(await settle(operation.call(clientOf(fetch))), operation.name).toEqual(expectedValue(operation));
      expect(fetch.seen).toHaveLength(2);
    }
  });

  it.each(nothings)('counts in every mode of validation: %s', async (_what, step) => {
    for (const responseValidation of ['strict', 'off'] as const) {
      for (const { name, call } of moving) {
        const client = clientOf(scripted(step), { responseValidation, retries: 0 });
        expect(await failMoving(name, call(client)), name).toMatchObject({ outcome: 'unknown' });
      }
    }
  });

  it('cannot be had as a raw response either', async () => {
    const client = clientOf(scripted(json({ success: false })));
    const call = client.transfers.create({
      source: { userId: 'a' },
      destination: { userId: 'b' },
      amount: 1,
      currency: 'usdc',
      chain: 'POLYGON',
    });
    expect(await fail(call.asResponse())).toMatchObject({ outcome: 'unknown', body: { success: false } });
  });

  it('is told to the hooks', async () => {
    const events: string[] = [];
    const client = clientOf(scripted(json({})), {
      retries: 1,
      hooks: {
        response: ({ succeeded }) => events.push(`response ${succeeded}`),
        retry: ({ reason }) => events.push(`retry ${reason}`),
        error: ({ error }) => events.push(`error ${error.outcome}`),
      },
    });
    await fail(client.bridges.create(bridgeParams));
    expect(events).toEqual([
      'response false',
      'retry response_validation',
      'response false',
      'error unknown',
    ]);
  });

  const reads = operations.filter(({ method }) => method === 'GET');
  const pages = nothings.filter(([what]) =>
    /page|empty body|null|empty record|text|half|shape|error|false/.test(what),
  );
  it.each(pages)('is asked for again by a read: %s', async (_what, step) => {
    for (const operation of reads) {
      const fetch = scripted(step, json(operation.answer));
      expect(await settle(operation.call(clientOf(fetch))), operation.name).toEqual(expectedValue(operation));
      const error = await fail(operation.call(clientOf(scripted(step))));
      expect(error, operation.name).toMatchObject({
        name: 'ResponseValidationError',
        outcome: 'unknown',
        attempts: 3,
      });
    }
  });

  it('is no deletion', async () => {
    const gone = clientOf(scripted(json({ success: false })), { retries: 0 });
    expect(await fail(gone.accounts.delete('u1', 'a1'))).toMatchObject({ outcome: 'unknown' });
    const page = clientOf(scripted(text('<html>')), { retries: 0 });
    expect(await fail(page.accounts.delete('u1', 'a1'))).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a success that shows the record', () => {
  const proofs: readonly [what: string, body: unknown][] = [
    ['its id', { transferDetails: { id: 't1' } }],
    ['the request id', { transferDetails: { requestId } }],
    ['the request id in another form', { transferDetails: { requestId: `{${requestId.toUpperCase()}}` } }],
    ['the request id at the top', { requestId }],
  ];
  it.each(proofs)('is one though it departs from its schema: %s', async (_what, body) => {
    const { call } = operations.find(({ name }) => name === 'transfers.create') ?? {};
    const fetch = scripted(json(body));
    const error = await fail(call?.(clientOf(fetch)) ?? Promise.resolve());
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'succeeded', attempts: 1 });
    expect(error.message).toContain('do not send it again');
  });

  it('may hold fields called error that are empty', async () => {
    const record = { ...wire.heldTransfer, error: null, errorDetails: '', errors: [], success: true };
    expect(await clientOf(scripted(json(record))).bridges.create(bridgeParams)).toMatchObject({
      success: true,
    });
  });
});

describe('a known id under a status of success', () => {
  it.each([
    { code: 400017, error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' },
    { success: false, error: 'RESOURCE_CONFLICT', message: 'This request id has been used.' },
    { status: 'error', error: { code: 'RESOURCE_CONFLICT', message: 'please try a different request id' } },
  ])('is a conflict: %j', async (body) => {
    const fetch = scripted(json(body));
    expect(await fail(clientOf(fetch).transfers.createBatch(batchParams))).toMatchObject({
      name: 'ConflictError',
      code: 'request_id_known',
      outcome: 'unknown',
      status: 200,
    });
    expect(fetch.seen).toHaveLength(1);
  });
});

describe('a decision whose response contradicts it', () => {
  const decide = (which: 'approve' | 'reject', status: string) => {
    const answer = { success: true, message: 'x', approvalId: 'ap1', status, timestamp: 'now' };
    return clientOf(scripted(json(answer))).approvals[which]('ap1');
  };
  it.each([
    ['approve', 'REJECTED'],
    ['approve', 'EXPIRED'],
    ['approve', 'rejected'],
    ['reject', 'APPROVED'],
    ['reject', 'EXPIRED'],
  ] as const)('does not resolve: %s answered %s', async (which, status) => {
    expect(await fail(decide(which, status))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      attempts: 1,
      issues: [{ path: 'status', code: 'contradicts_call' }],
    });
  });
  it.each([
    ['approve', 'APPROVED'],
    ['approve', 'PENDING'],
    ['reject', 'REJECTED'],
    ['reject', 'A_NEW_STATUS'],
  ] as const)('resolves with any other: %s answered %s', async (which, status) => {
    expect((await decide(which, status)).status).toBe(status);
  });
});
