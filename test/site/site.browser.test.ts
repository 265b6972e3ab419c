import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cases } from '../cases.ts';
import { read } from '../docs/documents.ts';
import { launch } from '../emulator/page/browser.ts';
import { buildSite, dist, pagesOf, redirects, serveSite } from './built-site.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let site: { origin: string; close(): void };
let browser: Browser;

beforeAll(async () => {
  await buildSite();
  site = await serveSite();
  browser = await launch();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  site?.close();
});

/** Together, these pages have each template and each kind of content. */
const sample = [
  'index.html',
  'examples.html',
  'performance.html',
  'guides/quickstart.html',
  'guides/emulator-server.html',
  'guides/payouts-limits.html',
  'guides/outcomes.html',
  'decisions/webhook-stores.html',
  'api/index.html',
  'api/kyc.html',
];

/** Axe-core takes seconds for a page, and pages of the reference are long. By day the sample is looked at, at night each page. */
const isLookedAt = (path: string): boolean => cases(0, 1) === 1 || sample.includes(path);

/** Opens a page, and fails on what it cannot load and on requests to other servers. */
async function open(path: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(site.origin) && !request.url().startsWith('data:'))
      troubles.push(request.url());
  });
  page.on('response', (response) => response.status() >= 400 && troubles.push(response.url()));
  await page.goto(`${site.origin}/${path}`, { waitUntil: 'networkidle' });
  expect(troubles).toEqual([]);
  return page;
}

const widths = [390, 768, 1280];
const desk = { viewport: { width: 1280, height: 900 } };

test('every link of every page, and every former address, leads to a page and an anchor of the site', () => {
  const ids = new Map(
    pagesOf().map((page) => {
      const html = readFileSync(join(dist, page), 'utf8');
      return [page, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => decodeEntities(id)))];
    }),
  );
  const broken: string[] = [];
  for (const page of [...ids.keys(), ...redirects]) {
    const html = readFileSync(join(dist, page), 'utf8');
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^(mailto|https?):/.test(href)) continue;
      const { pathname, hash } = new URL(decodeEntities(href), `http://site/${page}`);
      const target = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, '$1index.html');
      const known = ids.get(target);
      const anchor = decodeURIComponent(hash.slice(1));
      if (known === undefined || (anchor !== '' && !known.has(anchor))) broken.push(`${page} → ${href}`);
    }
  }
  expect(ids.size).toBeGreaterThan(30);
  expect([...new Set(broken)]).toEqual([]);
});

const decodeEntities = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');

describe('a page', () => {
  const wide: string[] = [];
  const broken: string[] = [];
  const pale: string[] = [];
  let lookedAt = 0;

  /** Notes the rules of axe-core that an open page breaks. */
  async function lookAt(page: Page, path: string): Promise<void> {
    await page.addStyleTag({ content: '* { transition: none !important }' });
    await page.evaluate(axe);
    const withoutColors = { rules: { 'color-contrast': { enabled: false } } };
    for (const rule of await violationsOn(page, {}, withoutColors)) broken.push(`${path} ${rule}`);
    // Code of the reference has the colors of the code in guides, and thousands of words.
    const exclude = path.startsWith('api/') ? ['pre'] : [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(
        (isDark) => document.documentElement.classList.contains('dark') === isDark,
        colorScheme === 'dark',
      );
      const rules = await violationsOn(page, { exclude }, { runOnly: ['color-contrast'] });
      for (const rule of rules) pale.push(`${path} ${colorScheme} ${rule}`);
    }
  }

  // Each page is loaded once: axe looks at it, it turns dark, and its window is made narrower.
  beforeAll(async () => {
    const paths = pagesOf()
      .filter((path) => !path.startsWith('api/') || isLookedAt(path))
      .values();
    const visit = async () => {
      const page = await open('index.html', { ...desk, colorScheme: 'light' });
      for (const path of paths) {
        await page.setViewportSize(desk.viewport);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(`${site.origin}/${path}`, { waitUntil: 'load' });
        if (isLookedAt(path)) {
          lookedAt += 1;
          await lookAt(page, path);
        }
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          const excess = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          if (excess !== 0) wide.push(`${path} at ${width} px: ${excess} px`);
        }
      }
      await page.context().close();
    };
    await Promise.all([visit(), visit()]);
  }, 600_000);

  test(`scrolls down only, at ${widths.join(', ')} px`, () => expect(wide).toEqual([]));

  test('breaks no rule of axe-core', () => {
    expect(lookedAt).toBe(cases(sample.length, pagesOf().length));
    expect(broken).toEqual([]);
  });

  test('has contrast enough, light and dark', () => expect(pale).toEqual([]));
});

/** The rules of axe-core that a page breaks. */
function violationsOn(page: Page, context: { exclude?: string[] }, options: object): Promise<string[]> {
  return page.evaluate(
    async ([where, what]) => {
      const { axe: checker } = globalThis as unknown as {
        axe: {
          run(
            where: unknown,
            what: unknown,
          ): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
        };
      };
      const { violations } = await checker.run({ include: [['html']], ...where }, what);
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')} (${nodes.length})`);
    },
    // Long pages pass thousands of rules, which nobody reads.
    [context, { resultTypes: ['violations'], ...options }],
  );
}

describe('the search', () => {
  let view: Page;
  beforeAll(async () => {
    view = await open('index.html', desk);
  });
  afterAll(() => view.context().close());

  for (const [words, page] of [
    ['retry', 'guides/'],
    ['api key', 'guides/'],
    ['refund', 'guides/'],
    ['CORS', 'guides/'],
    ['idempotency', 'guides/'],
    ['installation', 'guides/quickstart'],
    ['webhook signature', 'guides/'],
    ['list transfers', 'guides/'],
  ] as const) {
    test(`finds a guide first for “${words}”`, async () => {
      await view.reload();
      await view.locator('#local-search button').click();
      await view.locator('#localsearch-input').fill(words);
      const first = view.locator('#localsearch-list a').first();
      await first.waitFor();
      expect(await first.getAttribute('href')).toContain(page);
    });
  }
});

test('the search says that it is loading, finds nothing by common words, and marks none', async () => {
  const page = await (await browser.newContext(desk)).newPage();
  let arrive = (): void => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/@localSearchIndexroot*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${site.origin}/index.html`);
  // The index is on its way as soon as a reader reaches for the search.
  const asked = page.waitForRequest('**/@localSearchIndexroot*');
  await page.locator('#local-search button').hover();
  await asked;
  await page.locator('#local-search button').click();
  await page.locator('#localsearch-input').fill('how to retry a payment');
  await page.getByRole('status').filter({ hasText: 'Loading the search…' }).waitFor({ state: 'attached' });
  const shown = () =>
    page
      .locator('.results')
      .evaluate((list) => getComputedStyle(list, '::before').content.includes('Loading'));
  expect(await shown()).toBe(true);
  arrive();
  await page.locator('#localsearch-list mark').first().waitFor();
  expect(await shown()).toBe(false);
  const marked = await page.locator('#localsearch-list mark').allInnerTexts();
  expect(marked.filter((text) => /^(how|to|a)$/i.test(text))).toEqual([]);
  expect(marked.some((text) => /retr/i.test(text))).toBe(true);
  await page.context().close();
});

test('the index of the search stays below 500 KB', () => {
  const chunks = join(dist, 'assets/chunks');
  const [index = ''] = readdirSync(chunks).filter((file) => file.startsWith('@localSearchIndexroot'));
  expect(statSync(join(chunks, index)).size).toBeLessThan(500_000);
});

test.each([
  ['index.html', 0, ['unknown', '1 payment']],
  ['guides/quickstart.html', 0, ['made CREATED']],
  ['guides/quickstart.html', 1, ['made CREATED', 'ConnectionError unknown', 'one payment']],
  ['guides/quickstart.html', 2, ['PENDING_APPROVAL', 'APPROVED']],
])('program %#, of %s, runs in the page and asks nobody', async (path, place, lines) => {
  const page = await open(path, desk);
  const others: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(site.origin)) others.push(request.url());
  });
  const part = page.locator('.run-here').nth(place);
  await part.getByRole('button', { name: 'Run it in this page' }).click();
  for (const line of lines) await part.locator('.printed').getByText(line).waitFor();
  expect(await part.locator('.printed.failed').count()).toBe(0);
  await part.getByText('This is a demonstration').waitFor();
  expect(others).toEqual([]);
  await page.context().close();
});

test('below a lost response its timeline tells what the client saw and what the service did', async () => {
  const page = await open('index.html', desk);
  await page.getByRole('button', { name: 'Run it in this page' }).click();
  const row = (text: string) =>
    page.getByRole('table', { name: 'Timeline' }).getByRole('row').filter({ hasText: text });
  await row('response lost').getByText('CREATED').waitFor();
  await row('201').getByText('nothing new was made').waitFor();
  await page.evaluate(axe);
  expect(await violationsOn(page, {}, {})).toEqual([]);
  await page.context().close();
});

test('no word of the headline stands alone on its line', async () => {
  for (const width of [390, 1280, 1440]) {
    const page = await open('index.html', { viewport: { width, height: 900 } });
    const shortest = await page.locator('h1').evaluate((heading) => {
      const lines = new Map<number, string[]>();
      const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const { top } = range.getBoundingClientRect();
          lines.set(top, [...(lines.get(top) ?? []), word]);
        }
      }
      return Math.min(...[...lines.values()].map((words) => words.length));
    });
    expect(shortest, String(width)).toBeGreaterThan(1);
    await page.context().close();
  }
});

test('the page of the reference names every page of it in a group, with a sentence', async () => {
  const page = await open('api/index.html', desk);
  const groups: Record<string, Record<string, string>> = JSON.parse(read('docs/reference/pages.json'));
  for (const [group, pages] of Object.entries(groups)) {
    await page.locator('.vp-doc').getByRole('heading', { name: group }).waitFor();
    for (const title of Object.values(pages)) {
      const row = page
        .locator('.vp-doc tr')
        .filter({ has: page.getByRole('link', { name: title, exact: true }) });
      expect((await row.locator('td').nth(1).innerText()).length, title).toBeGreaterThan(10);
    }
  }
  await page.getByRole('link', { name: 'payments.transfers.createBatch' }).click();
  await page.waitForURL('**/api/transfers.html#createbatch');
  await page.context().close();
});

test('the sidebar shows the guides in their groups and order', async () => {
  const page = await open('guides/quickstart.html', desk);
  const groups: Record<string, string[]> = JSON.parse(read('docs/pages.json'));
  const shown = await page.locator('.VPSidebar .VPSidebarItem.level-0 > .item .text').allInnerTexts();
  expect(shown.map((text) => text.trim())).toEqual(Object.keys(groups).filter((name) => name !== 'Project'));
  await page.context().close();
});

test('every page has a description of its own, an icon and social tags', () => {
  const descriptions = new Map<string, string>();
  for (const path of pagesOf()) {
    const html = readFileSync(join(dist, path), 'utf8');
    expect(html, path).toContain('<link rel="icon" href="/favicon.svg"');
    expect(html, path).toContain('<meta property="og:title"');
    const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '';
    expect(description.length, path).toBeGreaterThan(20);
    expect(descriptions.get(description), path).toBeUndefined();
    descriptions.set(description, path);
  }
});

test('no page links to the placeholders of package.json', () => {
  for (const path of pagesOf()) {
    const html = readFileSync(join(dist, path), 'utf8');
    expect(/href="https:\/\/stablecoin-payments\.example[^"]*"/.exec(html), path).toBeNull();
  }
});

test('the home page shows the install line and the output without scrolling', async () => {
  const page = await open('index.html', { viewport: { width: 1440, height: 900 } });
  for (const text of ['npm install stablecoin-payments', '1 payment']) {
    const box = await page.getByText(text, { exact: true }).first().boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0), text).toBeLessThan(900);
  }
  await page.context().close();
});

test('an address that does not exist leads to a search', async () => {
  const page = await (await browser.newContext(desk)).newPage();
  await page.setContent(`<a href="${site.origin}/guides/nothing.html">x</a>`);
  await page.locator('a').click();
  await page.getByRole('button', { name: 'Search the docs' }).click();
  await page.locator('#localsearch-input').waitFor();
  await page.context().close();
});

test('operations keep every placeholder of their paths', async () => {
  const source = read('docs/guides/service.md');
  const page = await open('guides/service.html', desk);
  const shown = await page.locator('.vp-doc').innerText();
  for (const [, path = ''] of source.matchAll(/(?:GET|POST|DELETE) (\/v2\/\S+)/g))
    expect(shown).toContain(path);
  await page.context().close();
});

test('screenshots are dark in dark mode', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open('guides/emulator-server.html', { ...desk, colorScheme });
    const sources = await page
      .locator('.vp-doc img:visible')
      .evaluateAll((images) => images.map((image) => image.getAttribute('src') ?? ''));
    expect(sources.length).toBeGreaterThan(1);
    for (const source of sources) expect(source.includes('-dark'), source).toBe(colorScheme === 'dark');
    await page.context().close();
  }
});

test('no text of a diagram leaves its box', async () => {
  const page = await (await browser.newContext(desk)).newPage();
  for (const name of ['onramp-states', 'approval-states', 'modules', 'one-call']) {
    await page.setContent(read(`docs/assets/${name}.svg`));
    const outside = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('rect')].map((rect) => rect.getBBox());
      return [...document.querySelectorAll('text')].flatMap((text) => {
        const { x, y, width, height } = text.getBBox();
        // The smallest box around the middle of the text is its own.
        const [own] = boxes
          .filter(
            (box) =>
              box.x <= x + width / 2 &&
              x + width / 2 <= box.x + box.width &&
              box.y <= y &&
              y + height <= box.y + box.height,
          )
          .sort((a, b) => a.width * a.height - b.width * b.height);
        const fits = own !== undefined && own.x + 3 <= x && x + width + 3 <= own.x + own.width;
        return fits ? [] : [text.textContent ?? ''];
      });
    });
    expect(outside, name).toEqual([]);
  }
  await page.context().close();
});

test('the diagrams adapt to dark mode and describe themselves', () => {
  for (const name of ['onramp-states', 'approval-states', 'modules', 'one-call']) {
    const svg = read(`docs/assets/${name}.svg`);
    expect(svg, name).toContain('prefers-color-scheme: dark');
    expect(svg, name).toMatch(/<title id="title">.+<\/title>\s*<desc id="desc">.+<\/desc>/);
  }
});
