import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../src/index.ts';
import { offrampParams, onrampParams, transferParams } from '../client/operations.ts';
import { batch, bridge, clientOf, failure, json, scripted } from '../client/support.ts';

const misspelled: Readonly<Record<string, string>> = {
  requireApproval:
    'requireAproval requireApprove requiresApproval requiredApproval RequireApproval require_approval REQUIRE_APPROVAL require-approval requireapproval reqireApproval requrieApproval requireApprovals requireAprovel approvalRequired needsApproval',
  requestId:
    'requestID RequestId request_id request-id requestid REQUEST_ID requstId reqeustId requestIds requesId requestUuid requestKey idempotencyKey idempotency_key IdempotencyKey idempotency-key Idempotency-Key idempotentKey idempotencyId idempotency idempontencyKey idempotencykey clientRequestId dedupeKey',
  amount: 'Amount AMOUNT ammount amout amonut amounts amuont',
  source: 'Source sources sorce soruce sourse',
  destination: 'Destination destinaton destinations destnation desination destinatoin',
};

const cases = Object.entries(misspelled).flatMap(([right, wrong]) =>
  wrong.split(' ').map((key): [string, string] => [key, right]),
);

async function refusal(params: unknown): Promise<Error> {
  const fetch = scripted(json({}));
  const error = await failure(clientOf(fetch).transfers.create(params as never));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(fetch.seen).toHaveLength(0);
  return error;
}

describe('a near miss of a field that keeps money safe', () => {
  it.each(cases)('%s is refused for %s', async (key, right) => {
    const error = await refusal({ ...transferParams, [key]: true });
    expect(error).toMatchObject({ field: key });
    expect(error.message).toContain(`did you mean \`${right}\``);
  });

  it('is refused before the field is missed', async () => {
    const { amount, ...rest } = transferParams;
    expect((await refusal({ ...rest, ammount: amount })).message).toContain('did you mean `amount`');
  });

  it.each([
    ['onramps', onrampParams],
    ['bridges', bridge],
    ['offramps', offrampParams],
  ] as const)('is refused by %s.create, in both sides, too', async (namespace, params) => {
    const fetch = scripted(json({}));
    const create = (body: unknown) => failure(clientOf(fetch)[namespace].create(body as never));
    for (const side of ['source', 'destination'] as const) {
      const error = await create({ ...params, [side]: { ...params[side], ammount: 1 } });
      expect(error).toMatchObject({ field: `${side}.ammount` });
    }
    expect(await create({ ...params, idempotencyKey: 'k' })).toMatchObject({ field: 'idempotencyKey' });
    expect(fetch.seen).toHaveLength(0);
  });

  it('is refused in each recipient of a batch', async () => {
    const client = clientOf(scripted(json({})));
    const destination = { batch: [...batch.destination.batch, { userId: 'u3', amout: '1', amount: '1' }] };
    const error = await failure(client.transfers.createBatch({ ...batch, destination } as never));
    expect(error).toMatchObject({ field: 'destination.batch[1].amout' });
  });

  it('is refused where a right name is at the wrong place', async () => {
    const params = { ...transferParams, destination: { userId: 'payee', requireApproval: true } };
    const error = await refusal(params);
    expect(error).toMatchObject({ field: 'destination.requireApproval' });
    expect(error.message).toContain('at the top of the parameters');
  });
});

describe('fields that only look alike', () => {
  const harmless =
    'amountIncludeDeveloperFee amountUsd feeAmount netAmount sourceOfFunds sourceType resource course destinationTag destinationId account accounts count discount requestType requestedBy requester requestedAt approval approvalId approver requiredApprovers memo reference referenceId clientReferenceId externalId metadata description';

  it.each(harmless.split(' '))('%s is sent', async (key) => {
    const fetch = scripted(json({ transferType: 'x', transferDetails: { id: 'i', status: 's' } }));
    const client = clientOf(fetch);
    await client.transfers.create(transferParams, { extraBody: { [key]: 1, source: { [key]: 1 } } });
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toMatchObject({ [key]: 1, source: { [key]: 1 } });
  });

  it('may have any name deeper down', async () => {
    const fetch = scripted(json({ transferType: 'x', transferDetails: { id: 'i', status: 's' } }));
    const metadata = { requestID: 'x', Amount: 1, requireApproval: 'later' };
    await clientOf(fetch).transfers.create(transferParams, { extraBody: { metadata } });
    expect(JSON.parse(fetch.seen[0]?.body ?? '').metadata).toEqual(metadata);
  });
});
