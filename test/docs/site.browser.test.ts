import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from '../emulator-page/browser.ts';
import { read, root } from './documents.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};
const site = mkdtempSync(join(tmpdir(), 'docs-site-'));
let server: Server;
let browser: Browser;
let origin = '';

beforeAll(async () => {
  const typedoc = `${root}node_modules/typedoc/bin/typedoc`;
  await promisify(execFile)(process.execPath, [typedoc, '--out', site], { cwd: root });
  server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
    try {
      const body = readFileSync(join(site, path));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launch();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(site, { recursive: true, force: true });
});

/** Opens a page, and fails on what it could not load or on whom it asked besides its own server. */
async function open(path: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) troubles.push(request.url());
  });
  page.on('response', (response) => response.status() >= 400 && troubles.push(response.url()));
  await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' });
  expect(troubles).toEqual([]);
  return page;
}

const phone = { viewport: { width: 360, height: 780 } };
const desk = { viewport: { width: 1280, height: 900 } };

describe('on a phone', () => {
  test('no page scrolls sideways', { timeout: 120_000 }, async () => {
    const guides = readdirSync(join(site, 'guides')).map((file) => `guides/${file}`);
    const reference = ['index.html', 'stablecoin-payments.html', 'stablecoin-payments/Onramp.html'];
    const page = await open('index.html', phone);
    const wide: string[] = [];
    for (const path of [...guides, ...reference]) {
      await page.goto(`${origin}/${path}`);
      const excess = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      if (excess !== 0) wide.push(`${path}: ${excess} px`);
    }
    expect(guides.length).toBeGreaterThan(15);
    expect(wide).toEqual([]);
    await page.context().close();
  });
});

describe('on a desk', () => {
  test('the guides stand in the navigation in their groups and order', async () => {
    const page = await open('guides/quickstart.html', desk);
    const groups: Record<string, string[]> = JSON.parse(read('docs/pages.json'));
    const shown = await page.locator('.tsd-navigation > ul > li summary').allInnerTexts();
    const texts = shown.map((text) => text.trim());
    const wanted = Object.keys(groups);
    expect(texts.filter((text) => wanted.includes(text))).toEqual(wanted);
    await page.context().close();
  });

  test('the search finds guides by what they say', async () => {
    const page = await open('index.html', desk);
    await page.keyboard.press('/');
    await page.locator('#tsd-search-input').fill('hesitates');
    const results = page.locator('#tsd-search-results li');
    await results.first().waitFor();
    expect(await results.first().innerText()).toContain('Onramps from quote to completion');
    await page.context().close();
  });

  test('pages and their diagrams are dark where the reader wants it dark', async () => {
    const lightness = async (colorScheme: 'light' | 'dark') => {
      const page = await open('guides/onramps.html', { ...desk, colorScheme });
      const [red = 0, green = 0, blue = 0] = await page.evaluate(() =>
        (getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []).map(Number),
      );
      const diagram = page.locator('img[src$="onramp-states.svg"]');
      expect(await diagram.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300);
      await page.context().close();
      return red + green + blue;
    };
    expect(await lightness('light')).toBeGreaterThan(600);
    expect(await lightness('dark')).toBeLessThan(200);
  });
});

test('the diagrams adapt to dark mode, and describe themselves to those who do not see them', () => {
  for (const name of ['onramp-states', 'approval-states', 'rooms', 'one-call']) {
    const svg = read(`docs/assets/${name}.svg`);
    expect(svg, name).toContain('prefers-color-scheme: dark');
    expect(svg, name).toMatch(/<title id="title">.+<\/title>\s*<desc id="desc">.+<\/desc>/);
  }
});
