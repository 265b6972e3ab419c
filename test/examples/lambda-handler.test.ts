import { PaymentsClient } from 'stablecoin-payments';
import { expect, test, vi } from 'vitest';
import { payInvoice } from '../../examples/lambda-handler.ts';
import { memoryRows } from '../../examples/payment-rows.ts';
import { showing, stage } from './support.ts';

const context = { getRemainingTimeInMillis: () => 5_000 };

const eventOf = (userId: string, amount: unknown = 25) => ({
  body: JSON.stringify({ invoiceId: '2026-0042', payer: userId, payee: userId, amount }),
  headers: {},
});

test('pays an invoice once, however often the gateway calls', async () => {
  const { emulator, payments, userId } = stage({ dialect: { duplicates: 'replay' } });
  const handle = payInvoice(payments, memoryRows());
  const first = await handle(eventOf(userId), context);
  const second = await handle(eventOf(userId), context);
  expect(first.statusCode).toBe(201);
  expect(second).toEqual(first);
  expect(emulator.state().transfers).toHaveLength(1);
});

test.each([
  ['CREATED', 'accepted'],
  ['COMPLETED', 'paid'],
  ['CANCELLED', 'not-paid'],
  ['EXPIRED', 'not-paid'],
  ['RETURNED', 'check'],
])('shows a transfer with the status %s as %s', async (status, state) => {
  const { emulator, payments, userId } = stage();
  const handle = payInvoice(payments.withOptions({ fetch: showing(emulator, status) }), memoryRows());
  const { statusCode, body } = await handle(eventOf(userId), context);
  expect(statusCode).toBe(201);
  expect(JSON.parse(body)).toMatchObject({ status, state });
});

test('answers 202 when it cannot know, and the next call tells', async () => {
  const { emulator, payments, userId } = stage({ dialect: { duplicates: 'replay' } });
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  const handle = payInvoice(payments, memoryRows());
  expect((await handle(eventOf(userId), context)).statusCode).toBe(202);
  expect((await handle(eventOf(userId), context)).statusCode).toBe(201);
  expect(emulator.state().transfers).toHaveLength(1);
});

test('answers 200 and asks for no further call when the service knows the invoice', async () => {
  const { emulator, payments, userId } = stage({ dialect: { duplicates: 'refuse' } });
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  const handle = payInvoice(payments.withOptions({ retries: 0 }), memoryRows());
  expect((await handle(eventOf(userId), context)).statusCode).toBe(202);
  for (let call = 0; call < 2; call += 1) {
    const { statusCode, body } = await handle(eventOf(userId), context);
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ state: 'accepted' });
  }
  expect(emulator.state().transfers).toHaveLength(1);
});

test('answers 202 when the response shows a record without its status', async () => {
  const { emulator, payments, userId } = stage();
  emulator.faults.inject({ operation: 'transfers.create', kind: 'missing-field' });
  expect((await payInvoice(payments, memoryRows())(eventOf(userId), context)).statusCode).toBe(202);
});

test('answers 422 when the service refuses, and 503 when nothing could be sent', async () => {
  const { payments } = stage();
  expect((await payInvoice(payments, memoryRows())(eventOf('nobody'), context)).statusCode).toBe(422);
  const tokenless = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: () => Promise.reject(new Error('the vault is down')),
  });
  expect((await payInvoice(tokenless, memoryRows())(eventOf('nobody'), context)).statusCode).toBe(503);
});

test('answers 400 to anything that is no invoice', async () => {
  const { payments, userId } = stage();
  const handle = payInvoice(payments, memoryRows());
  for (const body of [undefined, null, '', '{', '[]', '"text"', 'null', '{"invoiceId":"1"}'])
    expect((await handle({ body: body ?? null, headers: {} }, context)).statusCode).toBe(400);
  expect((await handle(eventOf(userId, '25'), context)).statusCode).toBe(400);
});

test('gives up in time to answer before the platform ends it', async () => {
  vi.useFakeTimers();
  const { payments, userId, emulator } = stage();
  emulator.faults.inject({ operation: 'transfers.create', kind: 'stall-headers' });
  const answered = payInvoice(payments, memoryRows())(eventOf(userId), {
    getRemainingTimeInMillis: () => 2_000,
  });
  await vi.advanceTimersByTimeAsync(1_500);
  expect((await answered).statusCode).toBe(202);
  vi.useRealTimers();
});

test('passes a failure that is not of the client on', async () => {
  const { payments, userId } = stage();
  vi.spyOn(payments.transfers, 'create').mockImplementation(() => {
    throw new RangeError('a mistake of the caller');
  });
  await expect(payInvoice(payments, memoryRows())(eventOf(userId), context)).rejects.toThrow(RangeError);
});
