import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../src/index.ts';
import { onrampParams, transferParams } from '../client/operations.ts';
import { batch, bridge, clientOf, failure, json, scripted } from '../client/support.ts';
import * as wire from '../fixtures/index.ts';

describe('extraBody', () => {
  it('is merged into the body at every depth', async () => {
    const fetch = scripted(json(wire.heldTransfer));
    await clientOf(fetch).transfers.create(transferParams, {
      extraBody: { memo: 'INV 42', amountIncludeDeveloperFee: true, source: { walletType: 'INDIVIDUAL' } },
    });
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toEqual({
      ...transferParams,
      memo: 'INV 42',
      amountIncludeDeveloperFee: true,
      source: { userId: 'payer', walletType: 'INDIVIDUAL' },
    });
  });

  it('fills what the parameters leave out or set to undefined, the idempotency key, too', async () => {
    const fetch = scripted(json(wire.bridgeTransfer));
    const params = { ...bridge, requestId: undefined as never };
    const call = clientOf(fetch).bridges.create(params, { extraBody: { requestId: 'r1' } });
    expect(call.requestId).toBe('r1');
    await call;
    expect(JSON.parse(fetch.seen[0]?.body ?? '').requestId).toBe('r1');
  });

  it('makes the body of an operation that has none', async () => {
    const fetch = scripted(json(wire.openQuote), json(wire.approved));
    const client = clientOf(fetch);
    await client.onramps.refreshQuote('t1', { extraBody: { reason: 'late' } });
    await client.approvals.approve('a1', {}, { extraBody: { otp: '123456' } });
    expect(fetch.seen.map(({ body }) => body)).toEqual(['{"reason":"late"}', '{"otp":"123456"}']);
  });

  it('sends the details of a region that the types do not list', async () => {
    const fetch = scripted(json(wire.createdAccount));
    await clientOf(fetch).accounts.create(
      'u1',
      { rail: 'offramp', type: 'chile' as never },
      {
        extraBody: { chile: { rut: '1-9' } },
      },
    );
    expect(fetch.seen[0]?.body).toBe('{"rail":"offramp","type":"chile","chile":{"rut":"1-9"}}');
  });

  const overrides: readonly [extra: object, field: string][] = [
    [{ amount: 1 }, 'extraBody.amount'],
    [{ requestId: 'other' }, 'extraBody.requestId'],
    [{ requireApproval: false }, 'extraBody.requireApproval'],
    [{ source: { userId: 'other' } }, 'extraBody.source.userId'],
    [{ source: 'other' }, 'extraBody.source'],
    [{ source: null }, 'extraBody.source'],
    [{ currency: 'usdc' }, 'extraBody.currency'],
  ];

  it.each(overrides)('may not replace a field of the parameters: %j', async (extraBody, field) => {
    const fetch = scripted(json(wire.heldTransfer));
    const error = await failure(
      clientOf(fetch).transfers.create(transferParams, { extraBody: { ...extraBody } }),
    );
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field, outcome: 'not-sent' });
    expect(error.message).toContain('would replace');
    expect(fetch.seen).toHaveLength(0);
  });

  it('may not add to a list of the parameters', async () => {
    const extraBody = { destination: { batch: [{ userId: 'u3', amount: '1' }] } };
    const error = await failure(clientOf(scripted(json({}))).transfers.createBatch(batch, { extraBody }));
    expect(error).toMatchObject({ field: 'extraBody.destination.batch' });
  });

  it('is held to the same checks as the parameters', async () => {
    const client = clientOf(scripted(json({})));
    const { requireApproval: _none, ...params } = transferParams;
    const cases: [object, string][] = [
      [{ requireApproval: 'true' }, 'requireApproval'],
      [{ requireAproval: true }, 'requireAproval'],
      [{ idempotencyKey: 'k' }, 'idempotencyKey'],
      [{ destination: { Amount: 5 } }, 'destination.Amount'],
      [{ when: new Map() }, 'extraBody.when'],
      [{ limit: Number.NaN }, 'extraBody.limit'],
    ];
    for (const [extraBody, field] of cases)
      expect(await failure(client.transfers.create(params, { extraBody: { ...extraBody } }))).toMatchObject({
        name: 'InvalidRequestError',
        field,
      });
  });

  it.each([7, 'text', [1], null, new Map()])('must be a plain object: %s', async (extraBody) => {
    const fetch = scripted(json(wire.awaitingFunds));
    const error = await failure(
      clientOf(fetch).onramps.create(onrampParams, { extraBody: extraBody as never }),
    );
    expect(error).toMatchObject({ name: 'InvalidRequestError', field: 'extraBody' });
    expect(fetch.seen).toHaveLength(0);
  });

  it('does not go with a request that has no body', async () => {
    const client = clientOf(scripted(json({})));
    const options = { extraBody: { a: 1 } };
    for (const call of [
      client.kyc.retrieve('u1', options),
      client.accounts.delete('u1', 'a1', options),
      client.approvals.list({}, options),
    ])
      expect(await failure(call)).toMatchObject({ name: 'InvalidRequestError', field: 'extraBody' });
  });
});
