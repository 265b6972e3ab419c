import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../client/support.ts';
import { batch, bench, caller, newId, offramp, transfer, withUser } from './support.ts';

describe.each(['spec', 'field'] as const)(
  'another payload under a used requestId, in the dialect %s',
  (name) => {
    it.each(['replay', 'refuse'] as const)(
      'is refused by name, and names the field, with %s',
      async (duplicates) => {
        const { call, userId, emulator } = withUser({}, { dialect: { extends: name, duplicates } });
        const other = emulator.createUser().userId;
        const cases = [
          [{ amount: 26 }, 'amount'],
          [{ destination: { userId: other } }, 'destination.userId'],
          [{ currency: 'usdt' }, 'currency'],
          [{ requireApproval: true }, 'requireApproval'],
          [{ fee: { type: 'FIX', value: 1 } }, 'fee'],
        ] as const;
        for (const [change, field] of cases) {
          const request = transfer(userId);
          await call('POST', '/v2/wallets/transfers', request);
          const { body, fields } = await call('POST', '/v2/wallets/transfers', { ...request, ...change });
          expect([field, body.error.code ?? body.error]).toEqual([
            field,
            name === 'spec' ? 'RESOURCE_CONFLICT' : 'TRANSACTION_REQUEST_ALREADY_EXISTS',
          ]);
          expect(body.error.message ?? body.errorDetails).toContain(`\`${field}\``);
          expect(fields).toEqual([]);
        }
        expect(emulator.state().transfers).toHaveLength(cases.length);
      },
    );

    it('names each field that differs, in lists too, and none of their values', async () => {
      const { call, userId } = withUser({}, { dialect: name });
      const request = batch(userId);
      await call('POST', '/v2/wallets/transfers/batches', request);
      const changed = { ...request, destination: { batch: [{ userId, amount: '77.77' }] }, chain: 'BASE' };
      const { text } = await call('POST', '/v2/wallets/transfers/batches', changed);
      expect(text).toContain('`chain`');
      expect(text).toContain('`destination.batch.0.amount`');
      expect(text).not.toContain('77.77');
    });

    it('names the operation that used the requestId', async () => {
      const { call, userId } = withUser({}, { dialect: name });
      const requestId = newId();
      await call('POST', '/v2/wallets/transfers', { ...transfer(userId), requestId });
      const { text } = await call('POST', '/v2/offramps', offramp(userId, { requestId }));
      expect(text).toContain('transfers.create');
    });
  },
);

it('keeps the payload of a requestId in a snapshot', async () => {
  const { call, userId, emulator } = withUser();
  const request = transfer(userId);
  await call('POST', '/v2/wallets/transfers', request);
  const next = bench();
  next.emulator.restore(JSON.parse(JSON.stringify(emulator.snapshot())));
  const { text } = await next.call('POST', '/v2/wallets/transfers', { ...request, amount: 26 });
  expect(text).toContain('`amount`');
  expect((await next.call('POST', '/v2/wallets/transfers', request)).status).toBe(201);
});

it('shows a wrong key derivation to the application, with the field', async () => {
  const emulator = createEmulator({ seed: 1 });
  const { userId } = emulator.createUser();
  const payments = clientOf(emulator.fetch);
  const params = {
    requestId: newId(),
    source: { userId },
    destination: { userId },
    amount: 5,
    currency: 'usdc',
    chain: 'POLYGON',
  };
  // Another process has used the key.
  await caller(emulator.fetch, 'http://localhost')('POST', '/v2/wallets/transfers', params);
  await expect(payments.transfers.create({ ...params, amount: 6 })).rejects.toMatchObject({
    code: 'request_id_known',
    outcome: 'unknown',
    message: expect.stringContaining('amount'),
  });
});

describe('duplicates', () => {
  it('stand in the dialect alone', () => {
    const options: object = { duplicates: 'refuse' };
    expect(() => createEmulator(options)).toThrow('Did you mean `dialect: { duplicates }`?');
  });
});
