import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClientOptions } from '../../../src/client/index.ts';
import { requestId, transferParams } from '../../client/operations.ts';
import {
  clientOf,
  failure,
  hanging,
  json,
  networkFailure,
  type Step,
  scripted,
} from '../../client/support.ts';
import { payments } from '../calls.ts';

const once: ClientOptions = { retries: 0 };
const lost = networkFailure('ECONNRESET');
const refused: Step = () => Response.json({ error: 'INSUFFICIENT_BALANCE' }, { status: 400 });
const made: Step = () => Response.json({ transferDetails: { id: 't1', status: 'CREATED' } });

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a failure before sending, under a key', () => {
  const wrong: readonly [what: string, change: object, options?: object][] = [
    ['a BigInt', { amount: 10n }],
    ['a negative amount', { amount: -1 }],
    ['an unknown field', { amuont: 1 }],
    ['a loop', { source: loop() }],
    ['a timeout in seconds', {}, { timeout: 30 }],
    ['an unknown option', {}, { timoeut: 30_000 }],
    ['an empty token', {}, { accessToken: '' }],
    ['an aborted signal', {}, { signal: AbortSignal.abort() }],
  ];

  it.each(wrong)('is not sent, and leaves the key alone: %s', async (_what, change, options) => {
    const fetch = scripted(refused);
    const client = clientOf(fetch, once);
    const given = { ...transferParams, ...change };
    expect(await failure(client.transfers.create(given, options))).toMatchObject({ outcome: 'not-sent' });
    expect(fetch.seen).toHaveLength(0);
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({ outcome: 'rejected' });
  });

  it.each(wrong)('is unknown while an earlier call is: %s', async (_what, change, options) => {
    for (const step of [lost, made]) {
      const client = clientOf(scripted(step), once);
      await client.transfers.create(transferParams).catch(() => undefined);
      const error = await failure(client.transfers.create({ ...transferParams, ...change }, options));
      expect(error).toMatchObject({ outcome: 'unknown', requestId, attempts: 0 });
      expect(error.message).toContain('An earlier call with this requestId may have made the payment');
    }
  });

  it.each(wrong)('is unknown in doubt: %s', async (_what, change, options) => {
    const client = clientOf(scripted(refused), once);
    const error = await failure(
      client.transfers.create({ ...transferParams, ...change }, { ...options, inDoubt: true }),
    );
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 0 });
    // An entry that is never taken back.
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({ outcome: 'unknown' });
  });

  it.each(wrong)('is unknown while another call runs: %s', async (_what, change, options) => {
    const client = clientOf(scripted(hanging), once);
    const controller = new AbortController();
    const running = failure(client.transfers.create(transferParams, { signal: controller.signal }));
    const error = await failure(client.transfers.create({ ...transferParams, ...change }, options));
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 0 });
    controller.abort();
    expect(await running).toMatchObject({ outcome: 'unknown' });
  });
});

function loop(): object {
  const source: Record<string, unknown> = { userId: 'payer' };
  source.self = source;
  return source;
}

describe('`inDoubt`', () => {
  it('is refused on a read, and on a create without a `requestId`, as unknown', async () => {
    const fetch = scripted(made);
    const client = clientOf(fetch);
    const { requestId: _own, ...params } = transferParams;
    for (const call of [
      client.transfers.create(params, { inDoubt: true }),
      client.kyc.retrieve('u1', { inDoubt: true }),
      client.accounts.retrieve('u1', 'a1', { inDoubt: true }),
    ])
      expect(await failure(call)).toMatchObject({ name: 'InvalidRequestError', outcome: 'unknown' });
    expect(await failure(client.approvals.list({}, { inDoubt: true }))).toMatchObject({
      name: 'InvalidRequestError',
    });
    expect(fetch.seen).toHaveLength(0);
  });

  it('that is no boolean is refused as unknown', async () => {
    const client = clientOf(scripted(refused), once);
    const options = Object({ inDoubt: 'yes' });
    expect(await failure(client.transfers.create(transferParams, options))).toMatchObject({
      name: 'InvalidRequestError',
      outcome: 'unknown',
    });
    expect(await failure(client.approvals.approve('ap1', {}, options))).toMatchObject({ outcome: 'unknown' });
  });

  it('hides no departure of a proven response', async () => {
    const record: Step = () =>
      Response.json({ transferType: 7, transferDetails: { id: 't1', status: 'CREATED' } });
    const client = clientOf(scripted(record), { ...once, responseValidation: 'strict' });
    expect(await failure(client.transfers.create(transferParams, { inDoubt: true }))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'succeeded',
    });
  });
});

describe('the entries of a key', () => {
  it('live in the client, and are shared with those derived from it, also at another address', async () => {
    for (const options of [
      {},
      { deadline: 10_000 },
      { accessToken: 'another' },
      { baseUrl: 'http://127.0.0.1:4011' },
    ]) {
      const fetch = scripted(lost, refused);
      const client = clientOf(fetch, once);
      const derived = client.withOptions(options);
      await failure(client.transfers.create(transferParams));
      expect(await failure(derived.transfers.create(transferParams))).toMatchObject({ outcome: 'unknown' });
      const back = clientOf(scripted(lost, refused), once);
      await failure(back.withOptions(options).transfers.create(transferParams));
      expect(await failure(back.transfers.create(transferParams))).toMatchObject({ outcome: 'unknown' });
    }
  });

  it('end with the client: a new one is a restarted process', async () => {
    const fetch = scripted(lost, refused);
    await failure(clientOf(fetch, once).transfers.create(transferParams));
    const restarted = clientOf(fetch, once);
    expect(await failure(restarted.transfers.create(transferParams))).toMatchObject({ outcome: 'rejected' });
    expect(await failure(restarted.transfers.create(transferParams, { inDoubt: true }))).toMatchObject({
      outcome: 'unknown',
    });
  });

  it('are those of one key, in any writing, for every operation', async () => {
    const client = clientOf(scripted(lost, refused), once);
    await failure(client.transfers.create(transferParams));
    const written = requestId.toUpperCase().replaceAll('-', '');
    expect(await failure(client.transfers.create({ ...transferParams, requestId: written }))).toMatchObject({
      outcome: 'unknown',
    });
    for (const { name, call } of payments)
      expect(await failure(call(client)), name).toMatchObject({ outcome: 'unknown' });
    const other = { ...transferParams, requestId: '00000000-0000-4000-8000-000000000001' };
    expect(await failure(client.transfers.create(other))).toMatchObject({ outcome: 'rejected' });
  });

  it('are those of a key that the client made, too', async () => {
    const client = clientOf(scripted(lost, refused), once);
    const { requestId: _own, ...params } = transferParams;
    const error = await failure(client.transfers.create(params));
    expect(error.requestId).toMatch(/^[\da-f-]{36}$/);
    expect(
      await failure(client.transfers.create({ ...params, requestId: String(error.requestId) })),
    ).toMatchObject({ outcome: 'unknown' });
  });

  it('of another payload count, too: one key is one payment', async () => {
    const client = clientOf(scripted(lost, refused), once);
    await failure(client.transfers.create(transferParams));
    expect(await failure(client.transfers.create({ ...transferParams, amount: 1 }))).toMatchObject({
      name: 'BadRequestError',
      outcome: 'unknown',
    });
  });

  it('of a succeeded call stand: a later failure is unknown', async () => {
    const client = clientOf(scripted(made, refused), once);
    await client.transfers.create(transferParams);
    for (let again = 0; again < 2; again += 1)
      expect(await failure(client.transfers.create(transferParams))).toMatchObject({ outcome: 'unknown' });
  });
});

it('an error that nothing expects leaves the key open, also after a refusal for now', async () => {
  const fetch = scripted(json({}, 429), refused);
  const client = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } });
  vi.spyOn(Math, 'random').mockImplementationOnce(() => {
    throw new Error('no randomness');
  });
  // "Nothing that a response contains leaves as anything but a `PaymentsError`", nor does any other surprise.
  const error = await failure(client.transfers.create(transferParams));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
  expect(error.originalError).toMatchObject({ message: 'no randomness' });
  expect(await failure(client.transfers.create(transferParams))).toMatchObject({
    status: 400,
    outcome: 'unknown',
  });
});
