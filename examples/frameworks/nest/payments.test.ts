import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NestFactory } from '@nestjs/core';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { PaymentsModule } from './payments.module.ts';

test('the module pays an invoice once, and refuses what is no invoice', async () => {
  const server = await startEmulatorServer();
  process.env.PAYMENTS_BASE_URL = server.url;
  process.env.PAYMENTS_ACCESS_TOKEN = 'token';
  const app = await NestFactory.create(PaymentsModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  const base = await app.getUrl();
  const post = (body: object) =>
    fetch(`${base}/invoices/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  const invoice = { id: '2026-0042', payer: userId, payee: userId, amount: 25 };
  assert.equal((await post(invoice)).status, 201);
  assert.equal((await post(invoice)).status, 201);
  assert.equal(server.emulator.state().transfers.length, 1);
  assert.equal((await post({ ...invoice, amount: 'much' })).status, 400);
  await app.close();
  await server.close();
});
