import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { PaymentsClient } from 'stablecoin-payments';
import type { EmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId, onramp, transfer } from '../support.ts';
import { card, client, launch, open, pendingTransfer, serve, TOKEN } from './browser.ts';

let browser: Browser;
let server: EmulatorServer;

const webhook = { url: 'http://r.test', fetch: async () => new Response(null, { status: 204 }) };

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await serve({ webhook });
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await server.close();
});

const said = (page: Page, text: string | RegExp) => page.locator('.said').getByText(text).waitFor();
const heading = (page: Page, name: RegExp) =>
  page.locator('#record-heading').filter({ hasText: name }).waitFor();
const search = async (page: Page, id: string) => {
  await page.getByRole('searchbox').fill(id);
  await page.getByRole('searchbox').press('Enter');
};

async function restart(dialect: 'spec' | 'field'): Promise<void> {
  await server.close();
  server = await serve({ webhook, dialect });
}

test.each(['spec', 'field'] as const)(
  'in the dialect %s a timeline leads from a transfer to its request, its event, its delivery, and back',
  async (dialect) => {
    await restart(dialect);
    const { transferId, approvalId } = await pendingTransfer(server);
    server.emulator.approve(approvalId);
    await server.emulator.delivered();
    const { page, complaints } = await open(browser, server, { hash: `#transfers/${transferId}` });
    const timeline = card(page, 'Timeline');
    await timeline.locator('.status').filter({ hasText: 'COMPLETED' }).waitFor();
    await timeline.getByRole('link', { name: 'POST /v2/wallets/transfers' }).click();
    await heading(page, /^Request POST/);
    await card(page, 'Received').getByRole('link', { name: transferId }).first().click();
    await heading(page, /^Transfer 25.00 USDC/);
    await timeline.locator('.event').getByRole('link', { name: 'TRANSFER.APPROVAL.APPROVED' }).click();
    await heading(page, /^Event TRANSFER.APPROVAL.APPROVED/);
    await timeline
      .getByRole('row')
      .filter({ hasText: 'Sent TRANSFER.APPROVAL.APPROVED' })
      .getByRole('link', { name: 'Webhook receiver' })
      .click();
    await heading(page, /^Delivery TRANSFER.APPROVAL.APPROVED/);
    await timeline
      .locator('.status')
      .getByRole('link', { name: /^Approval/ })
      .first()
      .click();
    await heading(page, /^Approval/);
    await page.locator('.groups').getByRole('link', { name: transferId }).first().click();
    await heading(page, /^Transfer 25.00 USDC/);
    expect(await page.locator('nav [aria-current]').textContent()).toContain('Transfers');
    expect(complaints).toEqual([]);
  },
);

test.each(['spec', 'field'] as const)(
  'in the dialect %s what names an onramp leads to the onramp, with its statuses',
  async (dialect) => {
    await restart(dialect);
    const { userId } = server.emulator.createUser({ rails: ['usd'] });
    const { body } = await client(server)('/v2/onramps', onramp(userId));
    const { id } = body.transferDetails;
    server.emulator.simulateDeposit(id, { amount: 1 });
    const { page } = await open(browser, server, { hash: '#requests/request-1' });
    await card(page, 'Received').getByRole('link', { name: id }).first().click();
    await heading(page, /^Onramp/);
    expect(await page.locator('nav [aria-current]').textContent()).toContain('Onramps');
    await card(page, 'Timeline').locator('.status').filter({ hasText: 'FIAT FAILED' }).waitFor();
    const event = server.emulator.events.list().find(({ data }) => data.id === id);
    if (event === undefined) return;
    await page.goto(`${server.url}/_emulator#/events/${event.eventId}`);
    await page.locator('.groups').getByRole('link', { name: id }).click();
    await heading(page, /^Onramp/);
  },
);

test('a search opens the record of any id: its own, its start, a requestId, an event, a request', async () => {
  const { transferId, approvalId } = await pendingTransfer(server);
  const { requestId } = server.emulator.state().transfers[0] ?? { requestId: '' };
  const [event] = server.emulator.events.list();
  const { page } = await open(browser, server);
  for (const [id, name] of [
    [transferId, /^Transfer/],
    [approvalId.slice(0, 8), /^Approval/],
    [event?.eventId ?? '', /^Event/],
    ['request-1', /^Request/],
    [` ${requestId.toUpperCase()} `, /^Transfer/],
  ] as const) {
    await search(page, id);
    await heading(page, name);
  }
  await search(page, 'none-of-these');
  await page.getByRole('heading', { name: 'Nothing matches none-of-these' }).waitFor();
});

test('a request is copied as curl and as TypeScript, both of which make the same request', async () => {
  const { userId } = server.emulator.createUser({ rails: ['usd'], kyc: { firstName: "D'Arcy" } });
  const body = transfer(userId, { requestId: newId() });
  await client(server)('/v2/wallets/transfers', body);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await open(browser, server, { hash: '#requests/request-1', permissions });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await said(page, 'Copied the curl command');
  const env = { ...process.env, PAYMENTS_ACCESS_TOKEN: TOKEN };
  const { stdout } = await promisify(execFile)('sh', ['-c', await copied()], { env });
  expect(JSON.parse(stdout)).toMatchObject({ transferDetails: { requestId: body.requestId } });
  await page.getByRole('button', { name: 'Copy as TypeScript' }).click();
  await said(page, 'Copied the TypeScript');
  const code = await copied();
  expect(code).toContain('await payments.transfers.create({\n  requestId: "');
  expect(await run(code)).toMatchObject({ transferDetails: { requestId: body.requestId } });
  expect(server.emulator.state().transfers).toHaveLength(1);
  expect(server.emulator.requests().map(({ operation }) => operation)).toEqual([
    ...['transfers.create', 'transfers.create', 'transfers.create'],
  ]);
});

/** Runs copied TypeScript, which has no types in it, and returns what it prints. */
async function run(code: string): Promise<unknown> {
  const [first = '', ...rest] = code.split('\n');
  expect(first).toBe("import { PaymentsClient } from 'stablecoin-payments';");
  const printed: unknown[] = [];
  const names = ['PaymentsClient', 'process', 'console'];
  const body = `return (async () => {${rest.join('\n')}})()`;
  const process = { env: { PAYMENTS_ACCESS_TOKEN: TOKEN } };
  await new Function(...names, body)(PaymentsClient, process, {
    log: (value: unknown) => printed.push(value),
  });
  return printed[0];
}

test('the TypeScript of a request with ids, a query, or an operation of its own runs as well', async () => {
  const { emulator } = server;
  const { userId } = emulator.createUser({ rails: ['usd'] });
  emulator.route({ method: 'POST', path: '/v2/refunds', handle: ({ body }) => ({ body }) });
  const headers = { authorization: `Bearer ${TOKEN}` };
  await fetch(`${server.url}/v2/users/${userId}/wallets/external?limit=2`, { headers });
  await client(server)('/v2/refunds', { requestId: newId(), note: "it's" });
  const { page } = await open(browser, server, {
    hash: '#requests/request-1',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  for (const id of ['request-1', 'request-2']) {
    await page.goto(`${server.url}/_emulator#/requests/${id}`);
    await card(page, 'Summary').locator('code', { hasText: id }).waitFor();
    await page.getByRole('button', { name: 'Copy as TypeScript' }).click();
    await said(page, 'Copied the TypeScript');
    await page.locator('.said').getByRole('button', { name: 'Close' }).click();
    await run(await page.evaluate(() => navigator.clipboard.readText()));
  }
  const made = emulator.requests().slice(2);
  expect(made.map(({ operation, status }) => [operation, status])).toEqual([
    ['externalWallets.list', 200],
    ['POST /v2/refunds', 200],
  ]);
});

test('a request is sent again and the page shows the new one, also if a fault keeps its response', async () => {
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  await client(server)('/v2/wallets/transfers', transfer(userId, { requestId: newId() }));
  const { page } = await open(browser, server, { hash: '#requests/request-1' });
  await page.getByRole('button', { name: 'Send again' }).click();
  await said(page, 'Sent again: 20');
  await card(page, 'Summary').locator('code', { hasText: 'request-2' }).waitFor();
  server.emulator.faults.inject({ kind: 'reset-before-commit' });
  await page.getByRole('button', { name: 'Send again' }).click();
  await said(page, 'Sent again: no response');
  await card(page, 'Summary').locator('code', { hasText: 'request-3' }).waitFor();
  expect(server.emulator.state().transfers).toHaveLength(1);
});

test('a user, an account, an onramp and a transfer are created on the page, and each opens', async () => {
  const { page, complaints } = await open(browser, server);
  await card(page, 'Start here').getByLabel('First name').fill('Amina');
  await card(page, 'Start here').getByLabel('Last name').fill('Okello');
  await page.getByRole('button', { name: 'Create the user' }).click();
  await heading(page, /^User Amina Okello/);
  const { userId, rails } = server.emulator.state().users[0] ?? { userId: '' };
  expect(rails).toEqual(['usd', 'africa']);
  await page.getByText('Create an account…').click();
  await page.getByRole('button', { name: 'Create the account' }).click();
  await heading(page, /^Account Example Bank usd/);
  const [account] = server.emulator.state().accounts;
  expect(account).toMatchObject({ userId, type: 'us', accountHolder: { name: 'Amina Okello' } });
  await page.getByRole('link', { name: /^Onramps/ }).click();
  await page.getByText('Create an onramp…').click();
  await page.getByLabel('Amount', { exact: true }).fill('12.5');
  await page.getByRole('button', { name: 'Create the onramp' }).click();
  await heading(page, /^Onramp 12.50 USD/);
  await page.getByRole('link', { name: /^Transfers/ }).click();
  await page.getByText('Create a transfer…').click();
  await page.getByLabel('requires an approval').check();
  await page.getByRole('button', { name: 'Create the transfer' }).click();
  await heading(page, /^Transfer 25.00 USDC/);
  expect(server.emulator.state().transfers[0]?.transferDetails).toMatchObject({ status: 'PENDING_APPROVAL' });
  await page.getByRole('link', { name: /^Onramps/ }).click();
  await page.getByText('Create an onramp…').click();
  await page.getByLabel('Currency').fill('xyz');
  await page.getByRole('button', { name: 'Create the onramp' }).click();
  await page.getByRole('alert').getByText('source.currency').waitFor();
  // An error is said once.
  expect((await page.getByRole('alert').textContent())?.split('source.currency')).toHaveLength(2);
  expect(server.emulator.state().onramps).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test('control calls are hidden in lists and timelines until they are asked for', async () => {
  const { approvalId, transferId } = await pendingTransfer(server);
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const path = `/_emulator/approvals/${approvalId}/approve`;
  const shown = path.replace(approvalId, approvalId.slice(0, 8));
  await fetch(`${server.url}${path}`, { method: 'POST', headers, body: '{}' });
  const { page } = await open(browser, server, { hash: '#requests' });
  await page.getByText('POST /v2/wallets/transfers').waitFor();
  expect(await page.getByText(shown).count()).toBe(0);
  await page.getByLabel('Show 1 control call').check();
  await page.getByText(shown).waitFor();
  await page.goto(`${server.url}/_emulator#/transfers/${transferId}`);
  await card(page, 'Timeline').getByText('POST /v2/wallets/transfers').waitFor();
  expect(await page.getByText(shown).count()).toBe(0);
  await page.getByLabel('Show 1 control call').check();
  await card(page, 'Timeline').getByRole('link', { name: shown }).waitFor();
});

test('a fault shows the delay that holds, and the form offers every operation', async () => {
  const { emulator } = server;
  emulator.route({
    operation: 'refunds.create',
    method: 'POST',
    path: '/v2/refunds',
    handle: () => ({ body: 1 }),
  });
  emulator.faults.inject({ kind: 'latency' });
  emulator.faults.inject({ kind: 'cut-body' });
  const { page } = await open(browser, server, { hash: '#faults' });
  const form = card(page, 'Faults');
  expect(await form.getByLabel('Late by (ms)').inputValue()).toBe('');
  await form.getByLabel('Kind').selectOption('latency');
  expect(await form.getByLabel('Late by (ms)').inputValue()).toBe('1000');
  await form.getByLabel('Kind').selectOption('cut-body');
  expect(await form.getByLabel('Late by (ms)').inputValue()).toBe('');
  expect(await form.getByLabel('Late by (ms)').getAttribute('placeholder')).toBe('0');
  const offered = await form.getByLabel('Operation').locator('option').allTextContents();
  expect(offered).toEqual(
    expect.arrayContaining(['every operation', 'transfers.retrieve', 'refunds.create']),
  );
  expect(new Set(offered).size).toBe(offered.length);
  await card(page, 'Faults').getByText('1000 ms late').waitFor();
  expect(await card(page, 'Faults').getByText('ms late').count()).toBe(1);
});

test('on a phone the menu shows on which side it goes on', async () => {
  await pendingTransfer(server);
  const { page } = await open(browser, server, { viewport: { width: 390, height: 844 } });
  await page.locator('.more-right').waitFor();
  expect(await page.locator('.more-left').count()).toBe(0);
  await page.locator('nav').evaluate((menu) => menu.scrollTo({ left: menu.scrollWidth }));
  await page.locator('.more-left').waitFor();
  await page.locator('.more-right').waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.locator('.more-left').waitFor({ state: 'detached' });
});
