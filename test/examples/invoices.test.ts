import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PaymentsClient } from 'stablecoin-payments';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  emulatorMatchers,
} from 'stablecoin-payments/emulator';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { signWebhook, sqliteDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../examples/invoices/app.ts';
import { createLookup } from '../../examples/invoices/lookup.ts';
import { createPayer } from '../../examples/invoices/pay.ts';
import { openStore } from '../../examples/invoices/store.ts';

expect.extend(emulatorMatchers);

/** One approval decides, and events are signed by Standard Webhooks. */
const dialect = { votesNeeded: 1, webhookScheme: 'standard-webhooks' } as const;
const secret = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
const cleanups: (() => unknown)[] = [];
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'invoices-'));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await rm(folder, { recursive: true });
});

/**
 * The operations that read transfers, as most services have them. `fields` are shown in place of the emulator's own: a
 * service may have more statuses.
 */
function addLookup(emulator: Emulator, fields: () => object = () => ({})): void {
  const transfers = () =>
    emulator.state().transfers.map(({ transferDetails, ...record }) => ({
      ...record,
      transferDetails: { ...transferDetails, ...fields() },
    }));
  emulator.route({
    operation: 'lookup.transfer',
    method: 'GET',
    path: '/v2/wallets/transfers/{transferId}',
    handle: ({ path }) => {
      const found = transfers().find(({ id }) => id === path.transferId);
      return found === undefined
        ? { status: 404, body: { error: 'TRANSACTION_NOT_FOUND' } }
        : { body: { ...found } };
    },
  });
  emulator.route({
    operation: 'lookup.transfers',
    method: 'GET',
    path: '/v2/wallets/transfers',
    handle: () => ({ body: { records: transfers(), nextCursor: null } }),
  });
}

/** The application over an emulator, in this process. */
function start(options: EmulatorOptions = {}) {
  const emulator = createEmulator({
    seed: 5,
    clock: { frozen: false }, // the app checks the time of deliveries by the real clock
    dialect,
    webhook: { url: 'http://app.test/webhooks', secret, fetch: async (url, init) => app.request(url, init) },
    lookups: false, // those below can show other fields
    ...options,
  });
  let fields = {};
  addLookup(emulator, () => fields);
  const payer = emulator.createUser({ rails: ['usd'] }).userId;
  const payee = emulator.createUser().userId;
  const payments = new PaymentsClient({
    baseUrl: 'https://service.test',
    accessToken: 'token',
    fetch: emulator.fetch,
    retries: 0,
  });
  const store = openStore(join(folder, 'invoices.db'));
  cleanups.push(
    () => store.close(),
    () => emulator.delivered(),
  );
  const invoices = createPayer({ store, payments, lookup: createLookup(payments, payer), payer });
  const app = createApp({
    store,
    payments,
    payer: invoices,
    verifier: standardWebhooks({ secret }),
    dedupe: sqliteDedupe({ database: store.database }),
  });
  const call = async (method: string, path: string, body?: object) => {
    const response = await app.request(path, { method, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, ...(await response.json()) };
  };
  /** Makes the lookup show these fields of a transfer. */
  const show = (shown: object) => {
    fields = shown;
  };
  return { app, emulator, payee, store, sweep: invoices.sweep, call, show };
}

describe('the invoice application', () => {
  test('pays an invoice once, however often the user clicks', async () => {
    const { emulator, payee, call, sweep } = start();
    expect(await call('POST', '/invoices', { id: 'A-1', payee, amount: '25.10' })).toMatchObject({
      status: 201,
    });
    const { requestId } = await call('POST', '/invoices/A-1/pay');
    await call('POST', '/invoices/A-1/pay');
    await sweep();
    expect(await call('GET', '/invoices/A-1')).toMatchObject({ status: 200, state: 'paid', amount: '25.10' });
    expect(emulator).toHavePaidOnce(requestId);
    expect(emulator.payments()[0]?.amount).toBe(25.1);
  });

  test.each(['reset-before-commit', 'reset-after-commit', 'malformed-json', 'missing-field'] as const)(
    'finds the end of a payment after the fault %s',
    async (kind) => {
      const { emulator, payee, call, sweep } = start({ dialect: { ...dialect, duplicates: 'refuse' } });
      emulator.faults.inject({ operation: 'transfers.create', kind });
      await call('POST', '/invoices', { id: 'A-1', payee, amount: '25' });
      expect(await call('POST', '/invoices/A-1/pay')).toMatchObject({ status: 202, state: 'sending' });
      await sweep();
      await sweep();
      const { state, requestId } = await call('GET', '/invoices/A-1');
      expect(state).toBe('paid');
      expect(emulator).toHavePaidOnce(requestId);
    },
  );

  test('keeps an invoice open while neither the key nor the lookup tells, and lists it after a day', async () => {
    const { emulator, payee, store, call, sweep } = start();
    emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 500, times: 9 });
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '25' });
    await call('POST', '/invoices/A-1/pay');
    await sweep();
    expect(await call('GET', '/invoices/A-1')).toMatchObject({ status: 202, state: 'sending' });
    expect(store.stuck(-1).map(({ id }) => id)).toEqual(['A-1']);
    expect(store.stuck(60_000)).toEqual([]);
  });

  test('takes a refusal after a restart for no proof about the call before it', async () => {
    // No event tells what became of the call.
    const lost = async () => new Response(null, { status: 503 });
    const { emulator, payee, store, call } = start({
      webhook: { url: 'http://app.test/webhooks', secret, fetch: lost },
    });
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '25' });
    await call('POST', '/invoices/A-1/pay');
    // Another process, without this one's memory of the key. The list of transfers is behind.
    const payments = new PaymentsClient({
      baseUrl: 'https://service.test',
      accessToken: 'token',
      fetch: (url, init) => emulator.fetch(url, init),
      retries: 0,
    });
    const payer = emulator.state().users[0]?.userId ?? '';
    const { byId } = createLookup(payments, payer);
    const lookup = { byId, of: async () => undefined };
    const restarted = createPayer({ store, payments, lookup, payer });
    for (const status of [403, 429, 403]) {
      emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status });
      await restarted.sweep();
      expect(store.get('A-1')).toMatchObject({
        state: 'sending',
        note: expect.stringContaining(`${status}`),
      });
    }
    await restarted.changed(emulator.state().transfers[0]?.id ?? '');
    expect(store.get('A-1')?.state).toBe('paid');
  });

  test('takes a refusal after calls that surely did nothing for the end', async () => {
    const { emulator, payee, call, sweep } = start();
    emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 429 });
    emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 403 });
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '25' });
    expect(await call('POST', '/invoices/A-1/pay')).toMatchObject({ state: 'sending', inDoubt: false });
    await sweep();
    expect(await call('GET', '/invoices/A-1')).toMatchObject({ state: 'refused', inDoubt: false });
  });

  test('says why the service refused, and pays under the same key when the cause is gone', async () => {
    const { emulator, payee, call } = start();
    const payer = emulator.state().users[0]?.userId ?? '';
    emulator.setBalance({ userId: payer, currency: 'usdc', chain: 'POLYGON', amount: 1 });
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '25' });
    const refused = await call('POST', '/invoices/A-1/pay');
    expect(refused).toMatchObject({ state: 'refused', note: expect.stringContaining('balance') });
    emulator.setBalance({ userId: payer, currency: 'usdc', chain: 'POLYGON', amount: 100 });
    expect(await call('POST', '/invoices/A-1/pay')).toMatchObject({
      requestId: refused.requestId,
      transferId: expect.any(String),
    });
    expect(emulator).toHavePaidOnce(refused.requestId);
  });

  test('waits for an approval, and learns from the event what a colleague decided', async () => {
    const { emulator, payee, call } = start();
    for (const id of ['A-1', 'A-2']) {
      await call('POST', '/invoices', { id, payee, amount: '1500' });
      expect(await call('POST', `/invoices/${id}/pay`)).toMatchObject({ state: 'approval' });
    }
    const [first, second] = emulator.state().approvals;
    emulator.approve(first?.id ?? '');
    emulator.reject(second?.id ?? '', { comment: 'not ours' });
    await emulator.delivered();
    expect(await call('GET', '/invoices/A-1')).toMatchObject({ state: 'paid' });
    expect(await call('GET', '/invoices/A-2')).toMatchObject({ state: 'declined' });
  });

  test('reads the transfer after a decision whose response was lost', async () => {
    const { emulator, payee, call } = start();
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '1500' });
    await call('POST', '/invoices/A-1/pay');
    emulator.faults.inject({ operation: 'approvals.approve', kind: 'reset-after-commit' });
    expect(await call('POST', '/invoices/A-1/approve')).toMatchObject({ state: 'paid' });
    expect(await call('POST', '/invoices/A-1/reject')).toMatchObject({ status: 409 });
  });

  test('finds an approval that expired, and pays again only when a person renews the invoice', async () => {
    const { emulator, payee, call, sweep } = start();
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '1500' });
    const { requestId } = await call('POST', '/invoices/A-1/pay');
    emulator.clock.advance('7d');
    await sweep();
    expect(await call('POST', '/invoices/A-1/pay')).toMatchObject({ state: 'expired', requestId });
    const renewed = await call('POST', '/invoices/A-1/renew');
    expect(renewed).toMatchObject({ state: 'new', transferId: null });
    expect(renewed.requestId).not.toBe(requestId);
    expect(await call('POST', '/invoices/A-1/pay')).toMatchObject({ state: 'approval' });
  });

  test.each([
    ['CANCELLED', 'failed', 200],
    ['FAILED', 'failed', 200],
    ['EXPIRED', 'expired', 200],
    ['REJECTED', 'declined', 200],
    ['COMPLETED', 'paid', 200],
    ['TRANSFER_FAILED', 'check', 200],
    ['RETURNED', 'check', 200],
    ['SOMETHING_NEW', 'executing', 202],
  ])('shows a transfer with the status %s as %s', async (status, state, http) => {
    const { payee, store, call, sweep, show } = start({ settlementStep: '1m' });
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '25' });
    expect(await call('POST', '/invoices/A-1/pay')).toMatchObject({ status: 202, state: 'executing' });
    show({ status });
    await sweep();
    expect(await call('GET', '/invoices/A-1')).toMatchObject({ status: http, state });
    // Only a person pays again, and only where no money moved.
    const renewed = await call('POST', '/invoices/A-1/renew');
    expect(renewed.state).toBe(['failed', 'expired', 'declined'].includes(state) ? 'new' : state);
    expect(store.stuck(60_000).map(({ id }) => id)).toEqual(state === 'check' ? ['A-1'] : []);
  });

  test.each([
    ['PENDING_APPROVAL', 'EXPIRED', 'expired'],
    ['PENDING_APPROVAL', 'REJECTED', 'declined'],
    ['PENDING_APPROVAL', 'PENDING', 'approval'],
    ['CANCELLED', 'EXPIRED', 'expired'],
    ['CANCELLED', 'REJECTED', 'declined'],
    ['PENDING', 'EXPIRED', 'executing'],
    ['COMPLETED', 'EXPIRED', 'paid'],
  ])('shows a transfer with the status %s whose approval is %s as %s', async (status, decision, state) => {
    const { payee, call, sweep, show } = start();
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '1500' });
    await call('POST', '/invoices/A-1/pay');
    show({ status, approval: { id: 'approval-1', status: decision } });
    await sweep();
    expect(await call('GET', '/invoices/A-1')).toMatchObject({ state });
  });

  test('learns from an event that the transfer is completed', async () => {
    const { app, emulator, payee, call } = start({ settlementStep: '1m' });
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '25' });
    expect(await call('POST', '/invoices/A-1/pay')).toMatchObject({ status: 202, state: 'executing' });
    emulator.clock.advance('10m');
    const [transfer] = emulator.state().transfers;
    const event = { eventType: 'WALLET.TRANSFER.UPDATE', eventId: 'evt_1', data: { id: transfer?.id } };
    const delivery = await signWebhook(event, { standardWebhooks: { secret } });
    const request = { method: 'POST', headers: delivery.headers, body: delivery.body };
    expect((await app.request('/webhooks', request)).status).toBe(200);
    expect(await call('GET', '/invoices/A-1')).toMatchObject({ status: 200, state: 'paid' });
  });

  test('changes no final state when an old event arrives again', async () => {
    const { emulator, payee, call } = start();
    await call('POST', '/invoices', { id: 'A-1', payee, amount: '1500' });
    await call('POST', '/invoices/A-1/pay');
    await call('POST', '/invoices/A-1/approve');
    for (const { id } of emulator.deliveries.list()) emulator.deliveries.redeliver(id);
    await emulator.delivered();
    expect(await call('GET', '/invoices/A-1')).toMatchObject({ state: 'paid' });
  });

  test.each(['0', '0.00', '007', '1e3', '12.3456789', '1234567890', 25, undefined])(
    'refuses the amount %s',
    async (amount) => {
      const { payee, call } = start();
      expect(await call('POST', '/invoices', { id: 'A-1', payee, amount })).toMatchObject({ status: 400 });
    },
  );
});

test('a killed application starts again, finds its payment, and pays nothing twice', async () => {
  const children: ChildProcess[] = [];
  let url = '';
  const server = await startEmulatorServer({
    dialect,
    webhook: { url: 'http://app.test/webhooks', secret, fetch: (_, init) => fetch(`${url}/webhooks`, init) },
  });
  const { emulator } = server;
  cleanups.push(
    () => server.close(),
    () => children.forEach((child) => void child.kill('SIGKILL')),
  );
  const payee = emulator.createUser().userId;
  const env = {
    ...process.env,
    DATABASE: join(folder, 'invoices.db'),
    PAYER_USER_ID: emulator.createUser({ rails: ['usd'] }).userId,
    PAYMENTS_ACCESS_TOKEN: 'token',
    PAYMENTS_BASE_URL: server.url,
    PORT: '0',
    WEBHOOK_SECRET: secret,
  };
  /** Starts the application as a process of its own. */
  const launch = async (): Promise<ChildProcess> => {
    const hooks = new URL('from-source.ts', import.meta.url).href;
    const main = fileURLToPath(new URL('../../examples/invoices/main.ts', import.meta.url));
    const child = spawn(process.execPath, ['--no-warnings', '--import', hooks, main], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code, signal) => reject(new Error(`The application ended: ${code ?? signal}`)));
      child.stdout.on('data', (text) => {
        const [address] = /http:\S+/.exec(String(text)) ?? [];
        if (address !== undefined) resolve(address);
      });
    });
    return child;
  };
  const state = async () => (await (await fetch(`${url}/invoices/A-1`)).json()).state;

  const first = await launch();
  const body = JSON.stringify({ id: 'A-1', payee, amount: '1500' });
  await fetch(`${url}/invoices`, { method: 'POST', body });
  emulator.faults.inject({ operation: 'transfers.create', kind: 'stall-headers' });
  const made = new Promise<void>((resolve) => {
    emulator.events.on(() => resolve());
  });
  const click = fetch(`${url}/invoices/A-1/pay`, { method: 'POST' }).catch(() => undefined);
  await made; // the service has the transfer, and no response has arrived
  first.kill('SIGKILL');
  await click;

  const second = await launch();
  await vi.waitFor(async () => expect(await state()).toBe('approval'), 10_000);
  second.kill('SIGKILL');
  const [approval] = emulator.state().approvals;
  emulator.approve(approval?.id ?? ''); // the event reaches nobody

  await launch();
  await vi.waitFor(async () => expect(await state()).toBe('paid'), 10_000);
  expect(emulator).toHavePaidOnce(emulator.payments()[0]?.requestId ?? '');
  expect(emulator.state().transfers).toHaveLength(1);
});
