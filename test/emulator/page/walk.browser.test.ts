import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { PaymentsClient, requestIdFrom } from 'stablecoin-payments';
import type { EmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId, transfer } from '../support.ts';
import { card, client, launch, open, serve, TOKEN } from './browser.ts';

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

const heading = (page: Page, name: RegExp) =>
  page.locator('#record-heading').filter({ hasText: name }).waitFor();
const menu = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
const rows = (page: Page, title: string) => card(page, title).locator('tbody tr');

async function createUser(page: Page, firstName: string, lastName: string): Promise<void> {
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill(lastName);
  await page.getByRole('button', { name: 'Create the user' }).click();
  await heading(page, new RegExp(`^User ${firstName} ${lastName}`));
}

async function pay(page: Page, amount: string, requireApproval = false): Promise<void> {
  await page.getByText('Create a transfer…').click();
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  if (requireApproval) await page.getByLabel('requires an approval').check();
  await page.getByRole('button', { name: 'Create the transfer' }).click();
}

test('a new user pays, loses a response, finds what happened, approves, lets an approval expire, and exports', async () => {
  const { page, complaints } = await open(browser, server);

  // Two users, and a payment from one to the other: the form has chosen both.
  await createUser(page, 'Amina', 'Otieno');
  await menu(page, 'Users');
  await page.getByText('Create a user…').click();
  await createUser(page, 'Kofi', 'Mensah');
  await menu(page, 'Transfers');
  await pay(page, '12000');
  await heading(page, /^Transfer 12,000.00 USDC, Kofi Mensah → Amina Otieno/);

  // The next response is lost, and the timeline tells what the client saw and what the service did.
  await page.getByRole('button', { name: 'Lose the next response' }).click();
  await page.getByRole('navigation').getByText('1 waiting').waitFor();
  await menu(page, 'Transfers');
  await pay(page, '75.5');
  await page.getByText('No response arrived, because of the fault reset-after-commit').waitFor();
  const lost = card(page, 'Timeline').getByRole('row').filter({ hasText: 'response lost' });
  await lost.locator('.client').getByText('POST /v2/wallets/transfers').waitFor();
  await lost.locator('.service').getByText('CREATED').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await card(page, 'Timeline').getByText('nothing new was made').waitFor();
  expect(server.emulator.payments()).toHaveLength(2);

  // A payment is approved, and another expires.
  await menu(page, 'Transfers');
  await pay(page, '320', true);
  await page.locator('.title .badge').getByText('PENDING APPROVAL').waitFor();
  await menu(page, 'Approvals');
  await page.getByRole('button', { name: 'Approve transfer' }).click();
  await rows(page, 'Approvals').filter({ hasText: '320.00' }).getByText('APPROVED').waitFor();
  await menu(page, 'Transfers');
  await pay(page, '9.99', true);
  await page.getByRole('button', { name: 'advance the clock by 7 days' }).click();
  await menu(page, 'Approvals');
  await rows(page, 'Approvals').filter({ hasText: '9.99' }).getByText('EXPIRED').waitFor();

  // Everything leaves as a file.
  await menu(page, 'Controls');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the state' }).click();
  const state = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
  expect(state).toEqual(JSON.parse(JSON.stringify(server.emulator.state())));
  expect(complaints).toEqual([]);
});

async function payments(): Promise<{ amina: string; kofi: string }> {
  const { emulator } = server;
  const person = (firstName: string, lastName: string) =>
    emulator.createUser({
      rails: ['usd'],
      kyc: { firstName, lastName, email: `${firstName}@books.test`.toLowerCase() },
    }).userId;
  const [amina, kofi] = [person('Amina', 'Otieno'), person('Kofi', 'Mensah')];
  const call = client(server);
  await call('/v2/wallets/transfers', transfer(amina, { destination: { userId: kofi }, amount: 12_000 }));
  emulator.clock.advance('1m');
  await call('/v2/wallets/transfers', transfer(kofi, { destination: { userId: amina }, amount: 0.05 }));
  emulator.clock.advance('1m');
  await call('/v2/wallets/transfers', transfer(kofi, { destination: { userId: kofi }, amount: 1250 }));
  return { amina, kofi };
}

test('the table of transfers is sorted by time, filtered by state and user, and shows keys on demand', async () => {
  const { amina } = await payments();
  const { page } = await open(browser, server, { hash: '#/transfers' });
  const amounts = () => page.locator('.records td.amount').allInnerTexts();
  await page.waitForFunction(() => document.querySelectorAll('.records tbody tr').length === 3);
  expect(await amounts()).toEqual(['1,250.00 USDC', '0.05 USDC', '12,000.00 USDC']);
  // Their decimals stand below each other.
  const ends = await page
    .locator('.records td.amount .unit')
    .evaluateAll((units) => units.map((unit) => unit.getBoundingClientRect().left));
  expect(new Set(ends).size).toBe(1);
  const time = page.getByRole('columnheader', { name: 'Time' });
  expect(await time.getAttribute('aria-sort')).toBe('descending');
  await time.getByRole('button').click();
  await page.locator('th[aria-sort=ascending]').waitFor();
  await page.waitForFunction(() => document.querySelector('td.amount')?.textContent?.startsWith('12,000.00'));
  await page.getByLabel('User').selectOption({ label: 'Amina Otieno' });
  await page.waitForFunction(() => document.querySelectorAll('.records tbody tr').length === 2);
  await page.getByLabel('State').selectOption('REJECTED');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByLabel('State').selectOption('');
  await page.getByLabel('Show keys').check();
  const [first] = server.emulator.state().transfers;
  await page.getByText(first?.requestId ?? '').waitFor();
  await page.getByRole('link', { name: 'Amina Otieno → Kofi Mensah' }).click();
  await heading(page, /^Transfer 12,000.00 USDC, Amina Otieno → Kofi Mensah/);
  await card(page, 'Summary').getByRole('link', { name: 'Amina Otieno' }).click();
  await card(page, 'Summary').locator('code', { hasText: amina }).waitFor();
});

test('a batch opens to its recipients', async () => {
  const { amina, kofi } = await payments();
  await client(server)('/v2/wallets/transfers/batches', {
    requestId: newId(),
    source: { userId: amina },
    destination: {
      batch: [
        { userId: kofi, amount: '1200.50' },
        { userId: amina, amount: '3.00' },
      ],
    },
    currency: 'usdc',
    chain: 'POLYGON',
  });
  const { page } = await open(browser, server, { hash: '#/transfers' });
  const batch = rows(page, 'Transfers').filter({ hasText: 'Amina Otieno → 2 recipients' });
  expect(await batch.getByText('1,200.50').isVisible()).toBe(false);
  await batch.getByText('Batch, 2 recipients').click();
  await batch.getByRole('listitem').filter({ hasText: 'Kofi Mensah' }).getByText('1,200.50').waitFor();
});

test('a search finds names, amounts and e-mail addresses, and opens what an id names', async () => {
  await payments();
  const { page } = await open(browser, server);
  const search = async (text: string) => {
    await page.getByRole('searchbox').fill(text);
    await page.getByRole('button', { name: 'Find' }).click();
  };
  await search('kofi');
  await rows(page, 'Users').getByRole('link', { name: 'Kofi Mensah' }).waitFor();
  expect(await rows(page, 'Transfers').count()).toBe(3);
  await search('12,000');
  await page.getByRole('heading', { name: 'Records with 12,000' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.transfers tbody tr').length === 1);
  await search('amina@books.test');
  await rows(page, 'Users').getByRole('link', { name: 'Amina Otieno' }).click();
  await heading(page, /^User Amina Otieno/);
  await page.goBack();
  await page.getByRole('heading', { name: 'Records with amina@books.test' }).waitFor();
});

test('balances are set, and taken away, on the page of balances', async () => {
  const { amina } = await payments();
  const { page } = await open(browser, server, { hash: '#/balances' });
  await page.getByLabel('User').selectOption({ label: 'Amina Otieno' });
  await page.getByLabel('Amount', { exact: true }).fill('1250.75');
  await page.getByRole('button', { name: 'Set the balance' }).click();
  await rows(page, 'Balances').filter({ hasText: 'Amina Otieno' }).getByText('1,250.75').waitFor();
  expect(server.emulator.state().balances).toMatchObject([{ userId: amina, amount: '1250.75' }]);
  await page.getByLabel('Amount', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Set the balance' }).click();
  await page.getByText('Every balance is unlimited until you set one.').waitFor();
});

test('forms choose two different people, and no select cuts a name off', async () => {
  const name = { firstName: 'Maximiliana Alexandra', lastName: 'von Hohenstein-Oettingen' };
  server.emulator.createUser({ rails: ['usd'], kyc: name });
  const { amina } = await payments();
  const { page } = await open(browser, server, { hash: '#/transfers' });
  await page.getByText('Create a transfer…').click();
  const [payer, payee] = [page.getByLabel('Payer'), page.getByLabel('Recipient')];
  expect(await payer.inputValue()).not.toBe(await payee.inputValue());
  await payer.selectOption({ label: `${name.firstName} ${name.lastName}` });
  const [width, needed] = await payer.evaluate((select) => {
    const text = document.createElement('span');
    text.style.cssText = 'position: absolute; white-space: nowrap';
    text.style.font = getComputedStyle(select).font;
    text.textContent = select instanceof HTMLSelectElement ? (select.selectedOptions[0]?.text ?? '') : '';
    document.body.append(text);
    return [select.clientWidth, text.offsetWidth];
  });
  expect(width).toBeGreaterThan(needed ?? Number.NaN);
  await page.goto(`${server.url}/_emulator#/users/${amina}`);
  await heading(page, /^User Amina/);
  await page.getByText('Create an onramp…').click();
  expect(await page.getByLabel('Payer').nth(1).inputValue()).toBe(amina);
  expect(await page.getByLabel('Recipient').nth(1).inputValue()).not.toBe(amina);
});

test('the timeline tells milliseconds, and sets the retries of a client beside what the service did', async () => {
  const { amina, kofi } = await payments();
  const paying = new PaymentsClient({ baseUrl: server.url, accessToken: TOKEN, retries: 0 });
  const params = {
    requestId: requestIdFrom('invoice', '1041'),
    source: { userId: amina },
    destination: { userId: kofi },
    ...{ amount: 77, currency: 'usdc', chain: 'POLYGON' },
  };
  const attempt = () => paying.transfers.create(params).catch(() => undefined);
  const { emulator } = server;
  emulator.faults.inject({ kind: 'reset-after-commit' });
  emulator.faults.inject({ kind: 'status', status: 503 });
  await attempt();
  emulator.clock.advance('250ms');
  await attempt();
  emulator.clock.advance('1500ms');
  const made = await attempt();
  const { page } = await open(browser, server, { hash: `#/transfers/${made?.transferDetails.id}` });
  const cells = await card(page, 'Timeline')
    .locator('tbody tr:not(.day)')
    .evaluateAll((lines) =>
      lines.map((line) =>
        [...line.querySelectorAll('td')].map((cell) => cell.innerText.replaceAll(/\s+/g, ' ')),
      ),
    );
  const request = 'POST /v2/wallets/transfers';
  expect(cells).toEqual([
    ['00:02:00.000', `${request} response lost fault: reset-after-commit`, 'Transfer CREATED'],
    ['00:02:00.000 +0 ms', '', 'Transfer INITIATED Transfer PENDING Transfer COMPLETED'],
    ['00:02:00.250 +250 ms', `${request} 503 fault: status`, expect.stringContaining('Not carried out')],
    ['00:02:01.750 +1.5 s', `${request} 201`, expect.stringContaining('nothing new was made')],
  ]);
});
