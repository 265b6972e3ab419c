/**
 * Photographs the emulator's page for the docs, in a Chromium (`CHROMIUM_PATH`, or /usr/bin/chromium), with records that
 * are the same every time.
 *
 *   node scripts/photos.ts [folder]      default: docs/assets
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { emulatorWithRecords } from './photos/records.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? join(root, 'docs/assets');
const wanted = process.argv[3];
mkdirSync(folder, { recursive: true });

const { server, ids } = await emulatorWithRecords();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--font-render-hinting=none'],
});

const shots = [
  { name: 'page-overview', hash: '#overview', width: 1280, height: 860, scheme: 'light' },
  { name: 'page-overview-dark', hash: '#overview', width: 1280, height: 860, scheme: 'dark' },
  { name: 'page-request', hash: `#requests/${ids.request}`, width: 1280, height: 860, scheme: 'light' },
  { name: 'page-transfer', hash: `#transfers/${ids.transfer}`, width: 1280, height: 860, scheme: 'dark' },
  { name: 'page-controls', hash: '#controls', width: 1280, height: 900, scheme: 'light' },
  { name: 'page-deliveries', hash: '#deliveries', width: 1280, height: 560, scheme: 'light' },
  { name: 'page-phone', hash: '#approvals', width: 390, height: 780, scheme: 'light' },
  { name: 'page-phone-dark', hash: `#onramps/${ids.onramp}`, width: 390, height: 780, scheme: 'dark' },
] as const;

try {
  for (const { name, hash, width, height, scheme } of shots) {
    if (wanted !== undefined && !name.includes(wanted)) continue;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      isMobile: width < 500,
      hasTouch: width < 500,
    });
    const page = await context.newPage();
    await page.goto(`${server.url}/_emulator${hash}`);
    await ready(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}

async function ready(page: Page): Promise<void> {
  await page.locator('main .card').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
}
