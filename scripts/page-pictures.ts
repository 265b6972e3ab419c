/**
 * Photographs the emulator's page at the end of a busy day: each view light and dark, and on a phone.
 *
 *   npm run pictures            writes pictures/*.png, to look at after a change
 *   npm run pictures -- --docs  writes the few that the docs show, docs/assets/page-*.png
 *
 * It needs Chromium, at /usr/bin/chromium or CHROMIUM_PATH.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { playDay } from './picture-day.ts';

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const forDocs = process.argv.includes('--docs');
const only = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
const target = folder(forDocs ? '../docs/assets/' : '../pictures/');

let deliveries = 0;
const server = await startEmulatorServer({
  seed: 'pictures',
  accountValidation: 'manual',
  settlementStep: '20s',
  webhook: {
    url: 'http://app.test/webhooks',
    // The receiver is down for the first two attempts.
    fetch: async () => {
      deliveries += 1;
      return new Response(undefined, { status: deliveries <= 2 ? 503 : 200 });
    },
  },
});
const day = await playDay(server);

/** The addresses of the views by the names of their pictures. The docs show the first three. */
const views: Record<string, string> = {
  overview: '',
  record: `#/transfers/${day.approved}`,
  request: `#/requests/${day.lostRequest}`,
  ...(forDocs
    ? {}
    : {
        ...Object.fromEntries(
          [
            ...['approvals', 'transfers', 'onramps', 'balances', 'users', 'accounts'],
            ...['requests', 'events', 'deliveries', 'faults', 'controls'],
          ].map((list) => [list, `#/${list}`]),
        ),
        retried: `#/transfers/${day.retried}`,
        batch: `#/transfers/${day.batch}`,
        'onramp-record': `#/onramps/${day.onramp}`,
        user: `#/users/${day.user}`,
        delivery: `#/deliveries/${server.emulator.deliveries.list()[0]?.id}`,
        search: '#/search/kofi%201250',
        missing: '#/transfers/none',
      }),
};

const desk = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const looks: Record<string, BrowserContextOptions> = {
  '': { ...desk, colorScheme: 'light' },
  '-dark': { ...desk, colorScheme: 'dark' },
  ...(forDocs ? {} : { '-390': { ...phone, colorScheme: 'light' } }),
};

mkdirSync(target, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const [suffix, look] of Object.entries(looks)) {
  const context = await browser.newContext({ ...look, reducedMotion: 'reduce' });
  for (const [name, hash] of Object.entries(views)) {
    if (only !== undefined && only !== name) continue;
    const page = await context.newPage();
    await page.goto(`${server.url}/_emulator${hash}`);
    await page.locator('main :is(.card, .missing)').first().waitFor();
    const path = `${target}${forDocs ? 'page-' : ''}${name}${suffix}.png`;
    await page.screenshot({ path, fullPage: !forDocs });
    console.log(path);
    await page.close();
  }
}
await browser.close();
await server.close();
