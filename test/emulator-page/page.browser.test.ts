import type { Browser, Locator, Page, Request } from 'playwright-core';
import type { EmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { AFRICA_ACCOUNT, newId, onramp } from '../emulator/support.ts';
import { card, client, launch, open, pendingTransfer, serve, statusOf } from './browser.ts';

let browser: Browser;
let server: EmulatorServer;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await serve();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await server.close();
});

const said = (page: Page, text: string | RegExp) => page.locator('#said').getByText(text).waitFor();
const row = (page: Page, title: string, id: string) =>
  card(page, title)
    .getByRole('listitem')
    .filter({ hasText: id.slice(0, 8) });

const badge = (record: Locator, status: string) =>
  record.locator('.badge').getByText(status, { exact: true }).waitFor();

test('a click on Approve completes the transfer, with no complaint and no request to anybody else', async () => {
  const { transferId } = await pendingTransfer(server);
  const { page, complaints, origins } = await open(browser, server);
  await badge(row(page, 'Transfers', transferId), 'PENDING APPROVAL');
  await row(page, 'Approvals', transferId).getByRole('button', { name: 'Approve transfer' }).click();
  await badge(row(page, 'Transfers', transferId), 'COMPLETED');
  await said(page, /^Approved transfer/);
  await badge(row(page, 'Approvals', transferId), 'APPROVED');
  expect(statusOf(server.emulator, transferId)).toBe('COMPLETED');
  expect(complaints).toEqual([]);
  expect([...origins]).toEqual([server.url]);
});

test('by keyboard alone a transfer is found, approved and looked into, and the focus is never lost', async () => {
  const { transferId } = await pendingTransfer(server);
  const { page, complaints } = await open(browser, server);
  await card(page, 'Approvals').getByRole('button', { name: 'Approve transfer' }).waitFor();
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
    });
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the records');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  const path: string[] = [];
  while (!path.at(-1)?.startsWith('Approve transfer')) {
    expect(path.length).toBeLessThan(5);
    await page.keyboard.press('Tab');
    path.push(await focused());
  }
  expect(
    await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
  ).toBe('solid');
  await page.keyboard.press('Space');
  await badge(row(page, 'Transfers', transferId), 'COMPLETED');
  await page.waitForFunction(() => document.activeElement?.tagName === 'SUMMARY');
  await page.keyboard.press('Enter');
  await card(page, 'Approvals').locator('pre').getByText(`"transferId": "${transferId}"`).waitFor();
  expect(complaints).toEqual([]);
});

test('Reject takes a comment along, and the transfer never executes', async () => {
  const { transferId, approvalId } = await pendingTransfer(server);
  const { page } = await open(browser, server, { hash: '#approvals' });
  await page.getByText('With a comment…').click();
  await page.getByLabel('Comment').fill('not ours <b>at all</b>');
  await page.getByRole('button', { name: 'Reject transfer' }).click();
  await row(page, 'Approvals', transferId).getByText('“not ours <b>at all</b>”').waitFor();
  expect(statusOf(server.emulator, transferId)).toBe('REJECTED');
  const approval = server.emulator.state().approvals.find(({ id }) => id === approvalId);
  expect(approval?.votes).toMatchObject([{ decision: 'REJECTED', comment: 'not ours <b>at all</b>' }]);
});

test('a deposit completes an onramp, too small a one fails it, and any status is set by hand', async () => {
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  const call = client(server);
  const [full, low] = [await call('/v2/onramps', onramp(userId)), await call('/v2/onramps', onramp(userId))];
  const { page } = await open(browser, server, { hash: '#onramps' });
  const first = row(page, 'Onramps', full.body.transferDetails.id);
  expect(await first.getByLabel('Deposit in usd').inputValue()).toBe('100.5');
  await first.getByRole('button', { name: 'Deposit into onramp' }).click();
  await badge(first, 'COMPLETED');
  const second = row(page, 'Onramps', low.body.transferDetails.id);
  await second.getByLabel('Deposit in usd').fill('1');
  await second.getByLabel('Deposit in usd').press('Enter');
  await badge(second, 'FIAT FAILED');
  await second.getByText('The deposit was too low').waitFor();
  await second.getByText('Advance…').click();
  await second.getByRole('combobox', { name: 'Status', exact: true }).selectOption('CRYPTO_FAILED');
  await second.getByLabel('Error (optional)').fill('TRANSACTION_REJECTED');
  await second.getByLabel('Details (optional)').fill('the chain said no');
  await second.getByRole('button', { name: 'Set the status of onramp' }).click();
  await second.getByText('the chain said no').waitFor();
  const details = server.emulator.state().onramps.at(-1)?.transferDetails;
  expect(details).toMatchObject({ status: 'CRYPTO_FAILED', error: 'TRANSACTION_REJECTED' });
});

test('an account is rejected with its invalid fields, and accepted after all', async () => {
  const { userId } = server.emulator.createUser({ rails: ['africa'] });
  const { body } = await client(server)(`/v2/users/${userId}/accounts`, AFRICA_ACCOUNT);
  const { page } = await open(browser, server, { hash: '#accounts' });
  const account = row(page, 'Accounts', body.id);
  await account.getByText('Validate…').click();
  await account.getByLabel('Result').selectOption('REJECTED');
  await account.getByLabel('Invalid fields, with commas').fill('accountHolder.name, africa.accountNumber');
  await account.getByRole('button', { name: 'Validate account' }).click();
  await account.getByText('invalid: accountHolder.name, africa.accountNumber').waitFor();
  expect(server.emulator.state().accounts[0]?.invalidFields).toEqual([
    'accountHolder.name',
    'africa.accountNumber',
  ]);
  await account.getByText('Validate…').click();
  await account.getByLabel('Result').selectOption('ACTIVE');
  await account.getByRole('button', { name: 'Validate account' }).click();
  await badge(account, 'ACTIVE');
  expect(server.emulator.state().accounts[0]).toMatchObject({ status: 'ACTIVE', invalidFields: [] });
});

test('a week on the clock expires an approval, and the clock runs and stands as told', async () => {
  const { transferId } = await pendingTransfer(server);
  const { page } = await open(browser, server);
  await page.getByText('2026-01-01 00:00:00 UTC').waitFor();
  for (const name of ['Advance the clock by 1 hour', 'Advance the clock by 1 day']) {
    await page.getByRole('button', { name }).click();
  }
  await page.getByText('2026-01-02 01:00:00 UTC', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Advance the clock by 7 days' }).click();
  await badge(row(page, 'Approvals', transferId), 'EXPIRED');
  await page.getByLabel('Advance by, like 25h').fill('25h');
  await page.getByLabel('Advance by, like 25h').press('Enter');
  await page.getByText('2026-01-10 02:00:00 UTC', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('is running').first().waitFor();
  expect(server.emulator.clock.frozen).toBe(false);
  await page.getByRole('button', { name: 'Freeze' }).click();
  await page.getByText('stands still').first().waitFor();
  expect(server.emulator.clock.frozen).toBe(true);
});

test('a fault is injected, seen, and cleared alone or with all others', async () => {
  const { page } = await open(browser, server);
  await page.getByLabel('Operation').selectOption('transfers.create');
  await page.getByLabel('Kind').selectOption('status');
  await page.getByLabel('Times').fill('3');
  await page.getByLabel('Status', { exact: true }).fill('429');
  await page.getByLabel('Retry-After in seconds').fill('7');
  await page.getByRole('button', { name: 'Inject the fault' }).click();
  await card(page, 'Faults').getByText('status on transfers.create').waitFor();
  expect(server.emulator.faults.list()).toMatchObject([
    { operation: 'transfers.create', kind: 'status', times: 3, status: 429, retryAfter: 7 },
  ]);
  await page.getByLabel('Operation').selectOption('*');
  await page.getByLabel('Kind').selectOption('latency');
  expect(await page.getByLabel('Retry-After in seconds').isVisible()).toBe(false);
  await page.getByLabel('Late by (ms)').fill('50');
  await page.getByRole('button', { name: 'Inject the fault' }).click();
  await card(page, 'Faults').getByText('latency on every operation').waitFor();
  await page.getByRole('button', { name: 'Clear status on transfers.create' }).click();
  await card(page, 'Faults').getByText('status on transfers.create').waitFor({ state: 'detached' });
  expect(server.emulator.faults.list()).toMatchObject([{ kind: 'latency', latency: 50, times: 3 }]);
  // The button is gone with its fault; the focus stays in the list.
  await page.waitForFunction(() => document.activeElement?.id === 'faults-heading');
  await page.getByRole('button', { name: 'Clear all faults' }).click();
  await card(page, 'Faults').getByText('No fault waits').waitFor();
  expect(server.emulator.faults.list()).toEqual([]);
});

test('who starts finds out how, creates a user, and resets only when sure', async () => {
  const { page } = await open(browser, server);
  const users = card(page, 'Users');
  await users.getByText(`curl -X POST ${server.url}/_emulator/users`).waitFor();
  expect(await page.locator('main > section').first().getAttribute('aria-labelledby')).toBe('users-heading');
  await page.getByLabel('africa').uncheck();
  await page.getByRole('button', { name: 'Create a user' }).click();
  await users.getByText('rails usd', { exact: false }).waitFor();
  const { userId } = server.emulator.state().users[0] ?? {};
  await card(page, 'Onramps').locator('pre').getByText(`"userId":"${userId}"`).waitFor();
  // The token's value is not the page's to know.
  expect(await card(page, 'Onramps').locator('.empty pre').textContent()).toContain('"$TOKEN"');
  await page.getByRole('button', { name: 'Reset…' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  expect(await page.getByRole('dialog').isVisible()).toBe(false);
  expect(server.emulator.state().users).toHaveLength(1);
  await page.getByRole('button', { name: 'Reset…' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reset…' }).click();
  await page.getByRole('button', { name: 'Reset everything' }).click();
  await users.getByText('Start here').waitFor();
  expect(server.emulator.state().users).toEqual([]);
});

test('a refusal is told in words, and a server that is gone is noticed', async () => {
  const { approvalId } = await pendingTransfer(server);
  const { page } = await open(browser, server);
  await page.route('**/_emulator/approvals/**', async (route) => {
    server.emulator.reject(approvalId);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Approve transfer' }).click();
  await page.getByRole('alert').getByText('The approval is REJECTED and cannot be decided').waitFor();
  await page.locator('#said').getByRole('button', { name: 'Close' }).click();
  expect(await page.locator('#said').textContent()).toBe('');
  await server.close();
  await page.getByRole('alert').getByText('The emulator does not answer').waitFor();
  await page.getByRole('button', { name: 'Advance the clock by 1 hour' }).click();
  await said(page, 'That did not work: the emulator does not answer');
});

test('what a caller sends is shown as text and never as markup', async () => {
  const nasty = '<img src="/x" onerror="document.title=1"><script>document.title=2</script>';
  const { userId } = server.emulator.createUser({ rails: ['usd'], kyc: { firstName: nasty } });
  server.emulator.addExternalWallet({ userId, name: nasty, chain: nasty });
  await client(server)(`/v2/${encodeURIComponent(nasty)}`, {});
  const { page, complaints } = await open(browser, server);
  await card(page, 'Users').getByText(nasty).waitFor();
  await card(page, 'External wallets').getByText(nasty).first().waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).toBe('Payments emulator');
  expect(complaints).toEqual([]);
});

test('a thousand records are counted, the newest hundred shown, and what is new comes in on its own', async () => {
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  const call = client(server);
  const create = () => call('/v2/onramps', onramp(userId, {}, {}));
  for (let count = 0; count < 1000; count += 50) await Promise.all(Array.from({ length: 50 }, create));
  const { page } = await open(browser, server);
  const list = card(page, 'Onramps');
  await list.getByText('(995 more)').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(5);
  await list.getByRole('link', { name: 'Show more onramps' }).click();
  await list.getByText('The newest 100 are shown; 900 more are in').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(100);
  await list.locator('summary').first().click();
  const opened = (await list.locator('details[open] pre').first().textContent()) ?? '';
  const { body } = await create();
  await row(page, 'Onramps', body.transferDetails.id).waitFor();
  expect(await list.getByRole('listitem').count()).toBe(100);
  // The record that was being read stays open, one place further down.
  expect(await list.getByRole('listitem').nth(1).locator('details[open] pre').first().textContent()).toBe(
    opened,
  );
});

test('it looks once a second, rests while nobody can see it, and stays out of the request log', async () => {
  const { page } = await open(browser, server, { ownClock: true });
  const isLook = (request: Request) => request.url().includes('/_emulator/view');
  const setHidden = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  for (let look = 0; look < 3; look += 1) {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => isLook(response.request())),
      page.clock.runFor(1000),
    ]);
    await answer.finished();
  }
  expect(server.emulator.requests().map(({ path }) => path)).toEqual(['/_emulator']);
  await setHidden(true);
  let looks = 0;
  page.on('request', (request) => {
    if (isLook(request)) looks += 1;
  });
  await page.clock.runFor(60_000);
  expect(looks).toBe(0);
  await Promise.all([page.waitForRequest(isLook), setHidden(false)]);
});

test('an event is sent again', async () => {
  await pendingTransfer(server);
  const heard: string[] = [];
  server.emulator.events.on(({ eventType }) => heard.push(eventType));
  const { page } = await open(browser, server, { hash: '#events' });
  await page.getByRole('button', { name: 'Resend event' }).click();
  await said(page, 'Resent TRANSFER.APPROVAL.PENDING');
  expect(heard).toEqual(['TRANSFER.APPROVAL.PENDING']);
});

test('requests show their status, and those that a fault swallowed show that there was no answer', async () => {
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  server.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
  const body = {
    requestId: newId(),
    source: { userId },
    destination: { userId },
    amount: 1,
    currency: 'usdc',
  };
  await expect(client(server)('/v2/wallets/transfers', { ...body, chain: 'POLYGON' })).rejects.toThrow();
  const { page } = await open(browser, server, { hash: '#requests' });
  await card(page, 'Requests').getByText('no answer').waitFor();
  await card(page, 'Requests').getByText('fault reset-before-commit').waitFor();
  await card(page, 'Requests').getByText('200', { exact: true }).waitFor();
});
