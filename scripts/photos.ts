/**
 * Photographs the emulator's page for the docs, in a Chromium (`CHROMIUM_PATH`, or /usr/bin/chromium), with records that
 * are the same every time.
 *
 *   node scripts/photos.ts [folder]      default: docs/assets
 *
 * Before a commit, `pngquant --ext .png --force docs/assets/page-*.png` makes the files a third as large.
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

const pages = [
  { name: 'page-overview', hash: '#overview' },
  { name: 'page-request', hash: `#requests/${ids.request}` },
];
const shots = pages.flatMap(({ name, hash }) => [
  { name, hash, scheme: 'light' as const },
  { name: `${name}-dark`, hash, scheme: 'dark' as const },
]);

try {
  for (const { name, hash, scheme } of shots) {
    if (wanted !== undefined && !name.includes(wanted)) continue;
    const context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
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
