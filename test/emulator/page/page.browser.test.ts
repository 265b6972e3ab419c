import type { Browser, Locator, Page, Request } from 'playwright-core';
import type { EmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId, onramp } from '../support.ts';
import { card, client, launch, open, pendingTransfer, serve, statusOf, TOKEN } from './browser.ts';

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

const said = (page: Page, text: string | RegExp) => page.locator('.said').getByText(text).waitFor();
const row = (page: Page, title: string, id: string) =>
  card(page, title)
    .getByRole('row')
    .filter({ has: page.locator(`a[href$="${id}"]`) });

const badge = (record: Locator, status: string) =>
  record.locator('.badge').getByText(status, { exact: true }).first().waitFor();

test('a click on Approve completes the transfer, with no complaint and no request to anybody else', async () => {
  const { transferId, approvalId } = await pendingTransfer(server);
  const { page, complaints, origins } = await open(browser, server);
  await badge(row(page, 'Transfers', transferId), 'PENDING APPROVAL');
  await row(page, 'Approvals', approvalId).getByText('7 d to decide').waitFor();
  await row(page, 'Approvals', approvalId).getByRole('button', { name: 'Approve transfer' }).click();
  await badge(row(page, 'Transfers', transferId), 'COMPLETED');
  await said(page, /^Approved transfer/);
  await badge(row(page, 'Approvals', approvalId), 'APPROVED');
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
  expect(await focused()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  const path: string[] = [];
  while (!path.at(-1)?.startsWith('Approve transfer')) {
    expect(path.length).toBeLessThan(5);
    await page.keyboard.press('Tab');
    path.push(await focused());
  }
  const outline = () => getComputedStyle(document.activeElement ?? document.body).outlineStyle;
  expect(await page.evaluate(outline)).toBe('solid');
  await page.keyboard.press('Space');
  await badge(row(page, 'Transfers', transferId), 'COMPLETED');
  await page.waitForFunction(() => document.activeElement?.tagName === 'A');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Approval 25.00 USDC/ }).waitFor();
  await card(page, 'Summary')
    .getByRole('link', { name: transferId.slice(0, 8) })
    .click();
  await page.getByRole('heading', { name: /^Transfer 25.00 USDC/ }).waitFor();
  expect(complaints).toEqual([]);
});

test('Reject takes a comment along, and the transfer never executes', async () => {
  const { transferId, approvalId } = await pendingTransfer(server);
  const { page } = await open(browser, server, { hash: '#approvals' });
  await page.getByLabel('Comment on transfer').fill('not ours <b>at all</b>');
  await page.getByRole('button', { name: 'Reject transfer' }).click();
  await row(page, 'Approvals', approvalId).getByText('“not ours <b>at all</b>”').waitFor();
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
  await first.getByText('7 d to deposit').waitFor();
  await first.getByRole('button', { name: 'Deposit into onramp' }).click();
  await badge(first, 'COMPLETED');
  const second = row(page, 'Onramps', low.body.transferDetails.id);
  await second.getByRole('link').click();
  await page.getByText('Deposit another amount…').click();
  expect(await page.getByLabel('Deposit in usd').inputValue()).toBe('100.5');
  await page.getByLabel('Deposit in usd').fill('1');
  await page.getByLabel('Deposit in usd').press('Enter');
  await badge(card(page, 'Summary'), 'FIAT FAILED');
  await card(page, 'Summary').getByText('The deposit was too low').waitFor();
  await page.getByText('Set status…').click();
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('CRYPTO_FAILED');
  await page.getByLabel('Error (optional)').fill('TRANSACTION_REJECTED');
  await page.getByLabel('Details (optional)').fill('the chain said no');
  await page.getByRole('button', { name: 'Set the status of onramp' }).click();
  await card(page, 'Summary').getByText('the chain said no').waitFor();
  const details = server.emulator.state().onramps.at(-1)?.transferDetails;
  expect(details).toMatchObject({ status: 'CRYPTO_FAILED', error: 'TRANSACTION_REJECTED' });
});

test('a week on the clock expires an approval, and the clock runs and stands as told', async () => {
  const { approvalId } = await pendingTransfer(server);
  const { page } = await open(browser, server);
  await page.getByText('2026-01-01 00:00:00 UTC').waitFor();
  for (const name of ['advance the clock by 1 hour', 'advance the clock by 1 day']) {
    await page.getByRole('button', { name }).click();
  }
  await page.getByText('2026-01-02 01:00:00 UTC', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'advance the clock by 7 days' }).click();
  await badge(row(page, 'Approvals', approvalId), 'EXPIRED');
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
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

test('a fault of any kind is injected with all its options, seen, and cleared alone or with all others', async () => {
  const { page } = await open(browser, server, { hash: '#faults' });
  const form = card(page, 'Faults');
  const inject = () => form.getByRole('button', { name: 'Inject the fault' }).click();
  await form.getByLabel('Operation').selectOption('transfers.create');
  await form.getByLabel('Kind').selectOption('status');
  await form.getByLabel('Times').fill('3');
  await form.getByLabel('Status', { exact: true }).fill('429');
  await form.getByLabel('Retry-After').fill('7');
  await form.getByLabel('after the request was carried out').check();
  await inject();
  await said(page, 'Injected status on transfers.create');
  expect(server.emulator.faults.list()).toMatchObject([
    { operation: 'transfers.create', kind: 'status', times: 3, status: 429, retryAfter: 7, commit: true },
  ]);
  await form.getByLabel('Operation').selectOption('*');
  await form.getByLabel('Kind').selectOption('missing-field');
  expect(await form.getByLabel('Retry-After').count()).toBe(0);
  await form.getByLabel('Late by (ms)').fill('50');
  await form.getByLabel('Field (optional)').fill('transferDetails.id');
  await inject();
  await said(page, 'Injected missing-field on every operation');
  expect(server.emulator.faults.list()[1]).toMatchObject({
    kind: 'missing-field',
    field: 'transferDetails.id',
    latency: 50,
  });
  await page.getByRole('button', { name: 'Clear status' }).click();
  await form.getByRole('cell', { name: 'transfers.create' }).waitFor({ state: 'detached' });
  // The button is gone with its fault; the focus stays in the list.
  await page.waitForFunction(() => document.activeElement?.id === 'faults-heading');
  await page.getByRole('button', { name: 'Clear all faults' }).click();
  await said(page, 'Cleared 1 faults');
  expect(server.emulator.faults.list()).toEqual([]);
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
  await page.locator('.said').getByRole('button', { name: 'Close' }).click();
  expect(await page.locator('.said').textContent()).toBe('');
  await server.close();
  await page.getByRole('alert').getByText('The emulator does not respond').waitFor();
  // An error is said once.
  await page.getByRole('button', { name: 'advance the clock by 1 hour' }).click();
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  expect(await page.locator('.said').textContent()).toBe('');
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(1);
});

test('what a caller sends is shown as text, isolated for its direction, and never as markup', async () => {
  const nasty = '<img src="/x" onerror="document.title=1"><script>document.title=2</script>';
  const turned = 'abc \u202Egnp.exe';
  const { userId } = server.emulator.createUser({
    rails: ['usd'],
    kyc: { firstName: nasty, lastName: turned },
  });
  server.emulator.addExternalWallet({ userId, name: nasty, chain: nasty });
  await client(server)(`/v2/${encodeURIComponent(nasty)}`, { [nasty]: turned });
  const { page, complaints } = await open(browser, server);
  await card(page, 'Users').getByText(nasty).waitFor();
  for (const hash of [`users/${userId}`, 'requests', 'requests/request-1']) {
    await page.goto(`${server.url}/_emulator#${hash}`);
    await page.locator('main .card').first().waitFor();
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await page.locator('main img, main script').count(), hash).toBe(0);
    const loose = await page.evaluate((text) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.textContent?.includes(text) && node.parentElement?.closest('bdi') === null)
          found.push(node.textContent);
      }
      return found;
    }, '\u202E');
    expect(loose, hash).toEqual([]);
  }
  expect(await page.title()).toContain('Payments emulator');
  expect(complaints).toEqual([]);
});

test('a thousand records are counted, the newest hundred shown and filtered, and what is new comes in', async () => {
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  const call = client(server);
  const create = () => call('/v2/onramps', onramp(userId, {}, {}));
  for (let count = 0; count < 1000; count += 50) await Promise.all(Array.from({ length: 50 }, create));
  const { page } = await open(browser, server);
  const list = card(page, 'Onramps');
  const rows = list.locator('tbody tr');
  expect(await rows.count()).toBe(5);
  await list.getByRole('link', { name: 'Show all onramps' }).click();
  await list.getByText('The newest 100 of 1,000 are shown.').waitFor();
  expect(await rows.count()).toBe(100);
  const { body } = await create();
  await row(page, 'Onramps', body.transferDetails.id).waitFor();
  expect(await rows.count()).toBe(100);
  const oldest = server.emulator.state().onramps[0];
  server.emulator.simulateDeposit(oldest?.id ?? '');
  await list.getByLabel('State').selectOption('COMPLETED');
  await page.waitForFunction(() => document.querySelectorAll('.records tbody tr').length === 1);
  await row(page, 'Onramps', oldest?.id ?? '').waitFor();
  await list.getByLabel('State').selectOption('EXPIRED');
  await list.getByText('Nothing matches.').waitFor();
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
    let seen = false;
    const response = page
      .waitForResponse((one) => isLook(one.request()))
      .finally(() => {
        seen = true;
      });
    while (!seen) await page.clock.runFor(200);
    await (await response).finished();
  }
  expect(server.emulator.requests()).toEqual([]);
  await setHidden(true);
  let looks = 0;
  page.on('request', (request) => {
    if (isLook(request)) looks += 1;
  });
  await page.clock.runFor(60_000);
  expect(looks).toBe(0);
  await Promise.all([page.waitForRequest(isLook), setHidden(false)]);
});

test('deliveries show their attempts and responses, and are sent again', async () => {
  await server.close();
  const statuses = [503, 400];
  server = await serve({
    webhook: {
      url: 'http://receiver.test/hook',
      fetch: async () => new Response('{"why":"busy"}', { status: statuses.shift() ?? 200 }),
    },
  });
  await pendingTransfer(server);
  await server.emulator.delivered();
  const { page } = await open(browser, server, { hash: '#deliveries' });
  const list = card(page, 'Deliveries');
  await list.getByText('5 s until the next attempt').waitFor();
  await list.getByRole('link', { name: 'TRANSFER.APPROVAL.PENDING' }).click();
  const attempts = card(page, 'Attempts');
  const attempt = (place: number, status: string) => badge(attempts.getByRole('listitem').nth(place), status);
  await attempt(0, '503');
  await attempts.getByText('"busy"').waitFor();
  // What was sent last is open from the start.
  await attempts.getByText('webhook-signature').waitFor();
  await attempts.getByText('"TRANSFER.APPROVAL.PENDING"').waitFor();
  await page.getByRole('button', { name: 'Redeliver' }).first().click();
  await attempt(1, '400');
  await attempts.getByText('given-up').waitFor();
  await page.getByRole('button', { name: 'Redeliver' }).first().click();
  await attempt(2, '200');
  // Only a delivery that waits says when it goes on.
  await attempts.getByText('sent again').waitFor();
  expect(await attempts.getByText('next attempt').count()).toBe(0);
});

test('a request shows what was sent and received, with secrets masked', async () => {
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  const requestId = newId();
  const transfer = {
    requestId,
    source: { userId },
    destination: { userId },
    amount: 1,
    currency: 'usdc',
    chain: 'POLYGON',
  };
  await client(server)('/v2/wallets/transfers', transfer);
  const { page } = await open(browser, server, { hash: '#requests' });
  await card(page, 'Requests').getByRole('link', { name: 'POST /v2/wallets/transfers' }).click();
  await card(page, 'Sent').getByText('Bearer ••••••').waitFor();
  await card(page, 'Sent').getByText(`"${requestId}"`).waitFor();
  await card(page, 'Received').getByText('"CREATED"').waitFor();
  expect(await page.content()).not.toContain(TOKEN);
});

test('requests that a fault swallowed show that there was no response, and the fault', async () => {
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
  await badge(card(page, 'Requests'), 'connection reset');
  await card(page, 'Requests').getByText('1.00 USDC').waitFor();
  await card(page, 'Requests').getByLabel('Show keys').check();
  await card(page, 'Requests').getByText(body.requestId).waitFor();
  await card(page, 'Requests').getByLabel('State').selectOption('2xx');
  await card(page, 'Requests').getByText('Nothing matches.').waitFor();
  await card(page, 'Requests').getByLabel('State').selectOption('no response');
  await card(page, 'Requests').getByText('fault: reset-before-commit').waitFor();
  await card(page, 'Requests').getByRole('link', { name: 'POST /v2/wallets/transfers' }).click();
  await card(page, 'Sent').getByText('no response left the emulator').waitFor();
  // No empty half stands beside it.
  expect(await card(page, 'Received').count()).toBe(0);
  await card(page, 'Timeline').getByText('Not carried out: the fault stopped the request').waitFor();
});

test('a record has its status, its fields in groups that fold, and links to the records that it names', async () => {
  const { transferId, approvalId } = await pendingTransfer(server, 30);
  server.emulator.clock.advance('2h');
  server.emulator.approve(approvalId);
  server.emulator.clock.advance('1m');
  const { page } = await open(browser, server, { hash: `#transfers/${transferId}` });
  await page.locator('.title .badge').getByText('COMPLETED').waitFor();
  const receipt = page.locator('.group').filter({ has: page.getByRole('heading', { name: 'Receipt' }) });
  await receipt.getByText('transactionHash').waitFor();
  await receipt.locator('summary').first().click();
  await receipt.getByText('transactionHash').waitFor({ state: 'hidden' });
  const empty = page.locator('.groups').getByText('failedReason');
  expect(await empty.isVisible()).toBe(false);
  await page.getByText('1 empty field').first().click();
  await empty.waitFor();
  await card(page, 'Summary').getByRole('link').first().click();
  await page.getByRole('heading', { level: 2, name: /^User / }).waitFor();
});

test.each([
  ['#transfers/none', 'There is no transfer with the id none'],
  ['#/refunds', 'There is no page #/refunds'],
  ['#/users/a/b', 'There is no page #/users/a/b'],
  ['#/transfers/%E0%A4%A', 'There is no page #/transfers/%E0%A4%A'],
])('the address %s says that it does not exist', async (hash, words) => {
  const { page, complaints } = await open(browser, server);
  await page.goto(`${server.url}/_emulator${hash}`);
  await page.getByRole('heading', { name: words }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'overview' }).click();
  await card(page, 'Start here').waitFor();
  // A browser notes each 404.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

test('bound to another address the page asks for the token, and a link may bring it', async () => {
  await server.close();
  server = await serve({ host: '0.0.0.0' });
  const url = `http://127.0.0.1:${server.port}`;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/_emulator`);
  await page.getByLabel('Token').fill('another');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('alert').getByText('does not accept this token').waitFor();
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await card(page, 'Start here').waitFor();
  await context.close();
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${url}/_emulator#token=${TOKEN}`);
  await card(other, 'Start here').waitFor();
  expect(other.url()).not.toContain(TOKEN);
});

test('who starts finds out how, and resets only when sure', async () => {
  const { page, complaints } = await open(browser, server);
  await card(page, 'Start here').getByText(`curl -X POST ${server.url}/_emulator/users`).waitFor();
  server.emulator.createUser();
  await card(page, 'Users').waitFor();
  await page.getByRole('link', { name: 'Controls', exact: true }).first().click();
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('button', { name: 'Reset…' }).click();
  await said(page, 'Nothing was deleted');
  expect(server.emulator.state().users).toHaveLength(1);
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Reset…' }).click();
  await said(page, 'The emulator starts anew');
  expect(server.emulator.state().users).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a state that cannot be stored is shown, with the reason', async () => {
  const { page } = await open(browser, server);
  await page.route('**/_emulator/view**', (route) =>
    route.fulfill({
      status: 500,
      json: {
        code: 100000,
        error: 'STATE_NOT_STORED',
        errorDetails: 'The emulator could not store its state: database or disk is full',
      },
    }),
  );
  await page.getByRole('alert').getByText('database or disk is full').waitFor();
  await page.unroute('**/_emulator/view**');
  await page.getByRole('alert').waitFor({ state: 'detached' });
});
