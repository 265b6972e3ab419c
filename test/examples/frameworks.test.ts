import type { RequestListener } from 'node:http';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import {
  createWebhookReceiver,
  memoryDedupe,
  signWebhook,
  standardWebhooks,
} from 'stablecoin-payments/webhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { expressApp } from '../../examples/frameworks/express.ts';
import { fastifyApp } from '../../examples/frameworks/fastify.ts';
import { honoApp } from '../../examples/frameworks/hono.ts';
import { pay } from '../../examples/frameworks/pay.ts';
import worker from '../../examples/frameworks/worker.ts';
import { serve } from '../servers.ts';
import { showing, stage } from './support.ts';

type Send = (path: string, init: RequestInit) => Promise<Response>;

const secret = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
const closers: (() => unknown)[] = [];
let lines: string[] = [];

beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((...line) => void lines.push(line.join(' ')));
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
  for (const close of closers.splice(0)) await close();
});

async function sendTo(listener: RequestListener): Promise<Send> {
  const { url } = await serve(listener);
  return (path, init) => fetch(url + path, init);
}

const receiver = () =>
  createWebhookReceiver({ verifier: standardWebhooks({ secret }), dedupe: memoryDedupe() });
const handlers = { otherwise: async (event: { eventType: string }) => void lines.push(event.eventType) };

/** Starts an app over an emulator, and gives how to call it. */
const apps: Record<string, () => Promise<{ send: Send; userId: string; paid(): number }>> = {
  Express: () => over((payments) => sendTo(expressApp(payments, receiver(), handlers))),
  Fastify: () =>
    over(async (payments) => {
      const app = fastifyApp(payments, receiver(), handlers);
      closers.push(() => app.close());
      const base = await app.listen({ host: '127.0.0.1', port: 0 });
      return (path, init) => fetch(base + path, init);
    }),
  Hono: () =>
    over(async (payments) => {
      const app = honoApp(payments, receiver(), handlers);
      return async (path, init) => app.request(path, init);
    }),
  'Next.js': () =>
    overServer(async () => {
      const { POST, webhookPOST } = await import('../../examples/frameworks/next.ts');
      return (path, init) =>
        (path === '/webhooks' ? webhookPOST : POST)(new Request(`http://localhost${path}`, init));
    }),
  'an edge worker': () =>
    overServer(async (url) => {
      const env = { PAYMENTS_BASE_URL: url, PAYMENTS_ACCESS_TOKEN: 'token', WEBHOOK_SECRET: secret };
      return (path, init) => worker.fetch(new Request(`http://localhost${path}`, init), env);
    }),
};

async function over(start: (payments: ReturnType<typeof stage>['payments']) => Promise<Send>) {
  const { emulator, payments, userId } = stage({ dialect: { duplicates: 'replay' } });
  return { send: await start(payments), userId, paid: () => emulator.state().transfers.length };
}

async function overServer(start: (url: string) => Promise<Send>) {
  const server = await startEmulatorServer({ dialect: { duplicates: 'replay' } });
  closers.push(() => server.close());
  vi.stubEnv('PAYMENTS_BASE_URL', server.url);
  vi.stubEnv('PAYMENTS_ACCESS_TOKEN', 'token');
  vi.stubEnv('WEBHOOK_SECRET', secret);
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  return { send: await start(server.url), userId, paid: () => server.emulator.state().transfers.length };
}

describe.each(Object.entries(apps))('the %s example', (_name, start) => {
  test('pays an invoice once, and answers 400 to what is none', async () => {
    const { send, userId, paid } = await start();
    const post = (body: string) =>
      send('/invoices/pay', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const invoice = JSON.stringify({ id: '2026-0042', payer: userId, payee: userId, amount: 25 });
    expect((await post(invoice)).status).toBe(201);
    expect((await post(invoice)).status).toBe(201);
    expect(paid()).toBe(1);
    expect((await post('{"id":"1"}')).status).toBe(400);
    expect(paid()).toBe(1);
  });

  test('receives a signed event once, and refuses an unsigned one', async () => {
    const { send } = await start();
    const event = { eventId: 'evt_1', eventType: 'ACCOUNT.ONRAMP.UPDATE', data: {} };
    const { body, headers } = await signWebhook(event, { standardWebhooks: { secret } });
    const deliver = () => send('/webhooks', { method: 'POST', body, headers });
    expect((await deliver()).status).toBe(200);
    expect((await deliver()).status).toBe(200);
    expect(lines.filter((line) => line.includes('ACCOUNT.ONRAMP.UPDATE'))).toHaveLength(1);
    const unsigned = await send('/webhooks', {
      method: 'POST',
      body: '{"eventType":"X"}',
      headers: { 'content-type': 'application/json' },
    });
    // 500 where the platform makes a receiver for each request: it has not verified a delivery before.
    expect([401, 500]).toContain(unsigned.status);
  });
});

test.each([
  ['CREATED', 'accepted'],
  ['COMPLETED', 'paid'],
  ['CANCELLED', 'not-paid'],
  ['EXPIRED', 'not-paid'],
  ['RETURNED', 'check'],
])('the function behind all examples shows a transfer with the status %s as %s', async (status, state) => {
  const { emulator, payments, userId } = stage();
  const client = payments.withOptions({ fetch: showing(emulator, status) });
  const invoice = { id: '2026-0042', payer: userId, payee: userId, amount: 25 };
  expect(await pay(client, invoice)).toMatchObject({ status: 201, body: { status, state } });
});

test('the function behind all examples says "accepted" once the service knows the invoice', async () => {
  const { emulator, payments, userId } = stage({ dialect: { duplicates: 'refuse' } });
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  const client = payments.withOptions({ retries: 0 });
  const invoice = { id: '2026-0042', payer: userId, payee: userId, amount: 25 };
  expect(await pay(client, invoice)).toMatchObject({ status: 202, body: { state: 'unknown' } });
  expect(await pay(client, invoice)).toMatchObject({ status: 200, body: { state: 'accepted' } });
  expect(await pay(client, invoice)).toMatchObject({ status: 200, body: { state: 'accepted' } });
  expect(emulator.state().transfers).toHaveLength(1);
});
