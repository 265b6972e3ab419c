import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Emulator } from 'stablecoin-payments/emulator';
import {
  type EmulatorServer,
  type EmulatorServerOptions,
  startEmulatorServer,
} from 'stablecoin-payments/emulator/node';
import { caller, newId } from '../support.ts';

export const TOKEN = 'the-only-token';

/** A Chromium without a display, which asks nobody but the page's own server. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A server whose clock stands still and which accepts one token: what the page does must not depend on it. */
export function serve(options: EmulatorServerOptions = {}): Promise<EmulatorServer> {
  return startEmulatorServer({ seed: 'page', token: TOKEN, accountValidation: 'manual', ...options });
}

/** Calls the service's own interface at a server, as an integrator does. */
export function client(server: EmulatorServer) {
  const call = caller(fetch, server.url);
  return (path: string, body: unknown) => call('POST', path, body, { authorization: `Bearer ${TOKEN}` });
}

/** A transfer that waits for its approval; returns both ids. */
export async function pendingTransfer(
  server: EmulatorServer,
  amount = 25,
): Promise<{ transferId: string; approvalId: string }> {
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  const { body } = await client(server)('/v2/wallets/transfers', {
    requestId: newId(),
    source: { userId },
    destination: { userId },
    amount,
    currency: 'usdc',
    chain: 'POLYGON',
    requireApproval: true,
  });
  return { transferId: body.transferDetails.id, approvalId: body.transferDetails.receipt.approval.id };
}

export function statusOf(emulator: Emulator, transferId: string): string | undefined {
  return emulator.state().transfers.find(({ id }) => id === transferId)?.transferDetails.status;
}

export interface OpenPage {
  page: Page;
  /** What the console said and what went wrong in the page. */
  complaints: string[];
  /** The origins that the page asked. */
  origins: Set<string>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** What follows the address: the list to show. */
  hash?: string;
  /** Whether the page's timers wait for the test to move them. */
  ownClock?: boolean;
}

/** Opens the page and listens to everything that it says and asks. */
export async function open(
  browser: Browser,
  server: EmulatorServer,
  { hash = '', ownClock = false, ...options }: OpenOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  if (ownClock) {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000);
  }
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  await page.goto(`${server.url}/_emulator${hash}`);
  const shown = page.locator('main .card').first();
  // Also what the page does after a paint waits for its timers.
  while (ownClock && (await shown.count()) === 0) await page.clock.runFor(50);
  await shown.waitFor({ state: 'attached' });
  return { page, complaints, origins };
}

export function card(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}
