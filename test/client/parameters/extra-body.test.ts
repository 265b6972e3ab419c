import { describe, expect, it, vi } from 'vitest';
import * as wire from '../../fixtures/index.ts';
import { bridge, clientOf, failure, json, scripted } from '../support.ts';
import { payments, refused, sent } from './support.ts';

const { transfer } = payments;

describe('extraBody', () => {
  it('is merged into the body at every depth', async () => {
    const extraBody = { memo: 'INV 42', source: { walletType: 'INDIVIDUAL' }, meta: { a: [1] }, none: null };
    expect(await sent('transfer', transfer, { extraBody })).toEqual({
      ...transfer,
      ...extraBody,
      source: { ...transfer.source, ...extraBody.source },
    });
  });

  it('may have any name that the parameters do not have', async () => {
    const extraBody = {
      approval: 1,
      idempotencyKey: 'k',
      metadata: { requestId: 'x', amount: 1 },
      toString: 1,
    };
    expect(await sent('transfer', transfer, { extraBody })).toEqual({ ...transfer, ...extraBody });
    const proto = JSON.parse('{"__proto__":{"admin":true}}');
    const body = JSON.stringify(await sent('transfer', transfer, { extraBody: proto }));
    expect(body).toContain('"__proto__":{"admin":true}');
  });

  it('is sent with a key of its own for a call without one', async () => {
    const body = await sent('bridge', bridge, { extraBody: { memo: 'x' } });
    expect(body).toEqual({ ...bridge, memo: 'x', requestId: expect.stringMatching(/^[\da-f-]{36}$/) });
  });

  it('makes the body of an operation that has none', async () => {
    const fetch = scripted(json(wire.openQuote), json(wire.approved));
    const client = clientOf(fetch);
    await client.onramps.refreshQuote('t1', { extraBody: { reason: 'late' } });
    await client.approvals.approve('a1', {}, { extraBody: { otp: '123456' } });
    expect(fetch.seen.map(({ body }) => body)).toEqual(['{"reason":"late"}', '{"otp":"123456"}']);
  });

  it('sends the details of a region that the types do not list', async () => {
    const chile = { rail: 'offramp', type: 'chile' };
    const extraBody = { chile: { rut: '1-9' } };
    expect(await sent('account', chile, { extraBody })).toEqual({ ...chile, ...extraBody });
  });

  const overrides: readonly [extra: object, field: string][] = [
    [{ amount: 1 }, 'amount'],
    [{ requestId: 'other' }, 'requestId'],
    [{ requireApproval: false }, 'requireApproval'],
    // Fields that the parameters leave out belong there, too.
    [{ fee: { type: 'FIX', value: 1 } }, 'fee.type'],
    [{ source: { userId: 'other' } }, 'source.userId'],
    [{ destination: { walletAddress: '0x' } }, 'destination.walletAddress'],
    [{ source: 'other' }, 'source'],
    [{ source: null }, 'source'],
    [{ requireApproval: { a: 1 } }, 'requireApproval'],
  ];

  it.each(overrides)('may not set a field of the parameters: %j', async (extraBody, field) => {
    const { requireApproval: _given, requestId: _key, ...params } = transfer;
    for (const body of [transfer, params]) {
      const error = await refused('transfer', body, { extraBody: { ...extraBody } });
      expect(error.field).toBe(`extraBody.${field}`);
      expect(error.message).toContain(`would set \`${field}\` of the parameters`);
    }
  });

  it('may not add to a list of the parameters', async () => {
    const extraBody = { destination: { batch: [{ userId: 'u3', amount: '1' }] } };
    expect(await refused('batch', payments.batch, { extraBody })).toMatchObject({
      field: 'extraBody.destination.batch',
    });
  });

  it.each([7, 'text', [1], null, new Map()])('must be a plain object: %s', async (extraBody) => {
    expect(await refused('onramp', payments.onramp, { extraBody: extraBody as never })).toMatchObject({
      field: 'extraBody',
    });
  });

  it.each([
    ['a string', 'text'],
    ['missing', undefined],
    ['null', null],
    ['an array', [1]],
  ])('must be an object as JSON, too: not if its `toJSON` gives what is %s', async (kind, written) => {
    const extraBody = { toJSON: () => written };
    expect(await refused('transfer', transfer, { extraBody })).toMatchObject({
      field: 'extraBody',
      message: `transfers.create: \`extraBody\` must be an object, but is ${kind}. Nothing was sent.`,
    });
  });

  it('counts as it is written, and is written once', async () => {
    const toJSON = vi.fn(() => ({ memo: 'INV 42' }));
    expect(await sent('transfer', transfer, { extraBody: { toJSON } })).toEqual({
      ...transfer,
      memo: 'INV 42',
    });
    expect(toJSON).toHaveBeenCalledTimes(1);
    const extraBody = { toJSON: () => ({ amount: 7 }) };
    expect(await refused('transfer', transfer, { extraBody })).toMatchObject({ field: 'extraBody.amount' });
  });

  it('adds to a body of the caller’s own, and replaces none of it', async () => {
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const call = (body: unknown, extraBody: Record<string, unknown>) =>
      client.request({ method: 'POST', path: '/v2/x', body: body as never }, { extraBody });
    await call({ a: { b: 1 } }, { a: { c: 2 }, d: 3 });
    await call(undefined, { d: 3 });
    expect(fetch.seen.map(({ body }) => body)).toEqual(['{"a":{"b":1,"c":2},"d":3}', '{"d":3}']);
    for (const [body, extra] of [
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { a: { b: 1 } }],
      [{ a: { b: 1 } }, { a: null }],
      [{ a: null }, { a: 1 }],
    ])
      expect(await failure(call(body, { ...extra }))).toMatchObject({ field: 'extraBody.a' });
    for (const body of [[1], new Uint8Array(1)])
      expect(await failure(call(body, { a: 1 }))).toMatchObject({
        field: 'extraBody',
        message: 'request: `extraBody` needs a body that is an object. Nothing was sent.',
      });
    expect(fetch.seen).toHaveLength(2);
  });

  it('does not go with a request that has no body', async () => {
    const client = clientOf(scripted(json({})));
    const options = { extraBody: { a: 1 } };
    for (const call of [
      client.kyc.retrieve('u1', options),
      client.accounts.delete('u1', 'a1', options),
      client.approvals.list({}, options),
      client.request({ method: 'HEAD', path: '/v2/x' }, options),
    ])
      expect(await failure(call)).toMatchObject({
        name: 'InvalidRequestError',
        field: 'extraBody',
        message: expect.stringContaining(
          '`extraBody` does not go with a request that has no body; use `query`.',
        ),
      });
  });
});
