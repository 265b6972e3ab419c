import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../../src/emulator/index.ts';
import { transferParams } from '../../client/operations.ts';
import { clientOf, failure, json, type Step, scripted } from '../../client/support.ts';
import { heldTransfer } from '../../fixtures/index.ts';

const reversed = <T extends object>(value: T): T =>
  Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [
        name,
        typeof item === 'object' && !Array.isArray(item) ? reversed(item) : item,
      ]),
  ) as T;

describe('the same payment under the same id', () => {
  const forms: readonly [what: string, params: typeof transferParams][] = [
    ['its fields in another order', reversed(transferParams)],
    // *The public surface*: "An unknown own name is refused even where its value is `undefined`": so of a known field.
    ['fields that are undefined', { ...transferParams, fee: undefined } as typeof transferParams],
    ['the id in capitals', { ...transferParams, requestId: transferParams.requestId.toUpperCase() }],
    ['the amount as another number form', { ...transferParams, amount: Number('2.55e1') }],
  ];
  it.each(forms)('may be sent again with %s', async (_what, params) => {
    const fetch = scripted(json(heldTransfer));
    const client = clientOf(fetch);
    await client.transfers.create(transferParams);
    await client.transfers.create(params);
    expect(fetch.seen).toHaveLength(2);
  });
});

// "One key for two different payments (the service refuses it, as the emulator does)": the client keeps no payloads.
describe('another payment under the same id', () => {
  it('is sent, refused by the service by name, and never told as refused for good', async () => {
    for (const duplicates of ['replay', 'refuse'] as const) {
      const emulator = createEmulator({ dialect: { duplicates } });
      const { userId } = emulator.createUser();
      const params = { ...transferParams, source: { userId }, destination: { userId } };
      const client = clientOf(emulator.fetch, { retries: 0 });
      await client.transfers.create(params);
      for (const payer of [client, clientOf(emulator.fetch, { retries: 0 })])
        expect(await failure(payer.transfers.create({ ...params, amount: 26 }))).toMatchObject({
          code: 'request_id_known',
          outcome: 'unknown',
        });
      expect(emulator.state().transfers).toHaveLength(1);
    }
  });

  it('is a mismatch where a service responds with the first record', async () => {
    const record: Step = () =>
      Response.json({ transferDetails: { id: 't1', status: 'CREATED', amount: 25.5 } });
    const client = clientOf(scripted(record), { retries: 0 });
    await client.transfers.create(transferParams);
    expect(await failure(client.transfers.create({ ...transferParams, amount: 26 }))).toMatchObject({
      name: 'ResponseMismatchError',
      path: 'amount',
      outcome: 'unknown',
    });
  });
});
