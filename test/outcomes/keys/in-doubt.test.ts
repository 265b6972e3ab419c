import { describe, expect, it } from 'vitest';
import type { ClientOptions, PaymentsClient } from '../../../src/client/index.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { operations, requestId, transferParams, usParams } from '../../client/operations.ts';
import { clientOf, failure, json, networkFailure, type Step, scripted } from '../../client/support.ts';
import { heldTransfer } from '../../fixtures/index.ts';

const inDoubt = { inDoubt: true } as const;
const keyed = operations.filter(({ repeats }) => repeats === 'keyed');
const payWith = (step: Step, options: ClientOptions = {}) =>
  clientOf(scripted(step), { retries: 0, ...options }).transfers.create(transferParams, inDoubt);

describe('a payment that an earlier process may have made', () => {
  it.each<[string, Step, ClientOptions?]>([
    ['an expired token', json({ error: 'UNAUTHORIZED' }, 401)],
    ['a refusal', json({ error: 'INSUFFICIENT_BALANCE' }, 400)],
    ['a refused connection', networkFailure('ECONNREFUSED')],
    ['a token function that fails', json({}), { accessToken: () => Promise.reject('down') }],
    ['a lost response', networkFailure('ECONNRESET')],
  ])('stays unknown after %s', async (_what, step, options) => {
    const error = await failure(payWith(step, options));
    expect(error).toMatchObject({ outcome: 'unknown', requestId });
    expect(error.message).toContain(
      'may have made the payment: retry with the same requestId, or look it up',
    );
  });

  it('stays unknown after parameters and options that are refused here', async () => {
    const client = clientOf(scripted(json(heldTransfer)));
    for (const error of [
      await failure(client.transfers.create({ ...transferParams, amount: -1 }, inDoubt)),
      await failure(client.transfers.create(transferParams, { ...inDoubt, timeout: -1 })),
    ])
      expect(error).toMatchObject({
        name: 'InvalidRequestError',
        outcome: 'unknown',
        attempts: 0,
      });
  });

  it.each([undefined, false])('is none where the caller says %s', async (said) => {
    const client = clientOf(scripted(json({ error: 'USER_FROZEN' }, 403)));
    expect(await failure(client.transfers.create(transferParams, { inDoubt: said }))).toMatchObject({
      outcome: 'rejected',
    });
  });

  it('is closed by its record alone', async () => {
    expect(await payWith(json(heldTransfer))).toMatchObject({ transferDetails: { requestId } });
    const client = clientOf(scripted(json({ error: 'UNAUTHORIZED' }, 401), json(heldTransfer)), {
      retries: 0,
    });
    expect(await failure(client.transfers.create(transferParams, inDoubt))).toMatchObject({
      outcome: 'unknown',
    });
    expect(await client.transfers.create(transferParams, inDoubt)).toEqual(heldTransfer);
  });

  it('stays in doubt for later calls of the process, also without the option', async () => {
    const client = clientOf(scripted(json({ error: 'USER_FROZEN' }, 403)), { retries: 0 });
    await failure(client.transfers.create(transferParams, inDoubt));
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({
      outcome: 'unknown',
    });
  });

  it('is paid once: a new process meets the payment of the former one', async () => {
    const emulator = createEmulator();
    const { userId } = emulator.createUser();
    const params = { ...transferParams, source: { userId }, destination: { userId } };
    const client = clientOf(emulator.fetch, { retries: 0 });
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await failure(client.transfers.create(params));
    // A new client is a restarted process.
    const next = clientOf(emulator.fetch, { retries: 0 });
    expect(await next.transfers.create(params, inDoubt)).toMatchObject({ transferDetails: { requestId } });
    expect(emulator.state().transfers).toHaveLength(1);
  });

  it.each(keyed)('is an option of every payment: $name', async ({ call }) => {
    const fetch = scripted(json({ error: 'INSUFFICIENT_BALANCE' }, 400));
    expect(await failure(call(clientOf(fetch), inDoubt))).toMatchObject({ outcome: 'unknown' });
  });
});

const { requestId: _own, ...withoutKey } = transferParams;
it.each<[string, (client: PaymentsClient) => Promise<unknown>, sentence: string]>([
  [
    'without a `requestId`',
    (client) => client.transfers.create(withoutKey, inDoubt),
    'transfers.create: `inDoubt` needs the `requestId` of the earlier call in the parameters. Nothing was sent.',
  ],
  [
    'of a read',
    (client) => client.kyc.retrieve('u1', inDoubt),
    'kyc.retrieve: `inDoubt` does not go with a read, which changes nothing. Nothing was sent.',
  ],
])('`inDoubt` %s is refused before anything is sent', async (_what, call, sentence) => {
  const fetch = scripted(json(heldTransfer));
  expect(await failure(call(clientOf(fetch)))).toMatchObject({
    name: 'InvalidRequestError',
    field: 'options',
    // "Every failure of such a call is `unknown`, […] a refusal of `inDoubt` itself included."
    outcome: 'unknown',
    message: expect.stringContaining(sentence),
  });
  expect(fetch.seen).toHaveLength(0);
});

it('an operation without a key is in doubt, too, where the caller says so', async () => {
  const client = clientOf(scripted(json({ error: 'USER_FROZEN' }, 403)));
  const check = 'An earlier call may have been carried out: check before you send it again.';
  const safe = 'An earlier call may have been carried out: it is safe to send it again.';
  for (const [call, words] of [
    [client.accounts.create('u1', usParams, inDoubt), check],
    [client.approvals.approve('a1', {}, inDoubt), check],
    [client.approvals.approve('a1', { comment: 'x'.repeat(1_001) }, inDoubt), check],
    [client.accounts.delete('u1', 'a1', inDoubt), safe],
    [client.onramps.refreshQuote('t1', inDoubt), safe],
  ] as const) {
    const error = await failure(call);
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(error.message).toContain(words);
    expect(error.message).not.toMatch(/payment|idempotency/);
  }
});
