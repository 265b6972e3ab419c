import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import type { EmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AFRICA_ACCOUNT, onramp, transfer } from '../support.ts';
import { client, launch, open, pendingTransfer, serve } from './browser.ts';

let browser: Browser;
let server: EmulatorServer;
let axe: string;
let places: string[];

beforeAll(async () => {
  [browser, server, axe] = await Promise.all([
    launch(),
    serve({
      webhook: { url: 'http://r.test', fetch: async () => new Response('{"a":"b"}', { status: 503 }) },
    }),
    readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  ]);
  const { emulator } = server;
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'] });
  emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 5 });
  const call = client(server);
  const { body } = await call('/v2/onramps', onramp(userId));
  await call('/v2/onramps', onramp(userId));
  emulator.simulateDeposit(body.transferDetails.id, { amount: 1 });
  await call(`/v2/users/${userId}/accounts`, AFRICA_ACCOUNT);
  const approved = await pendingTransfer(server, 12_345_678.123456);
  emulator.approve(approved.approvalId, { comment: 'fine' });
  emulator.reject((await pendingTransfer(server)).approvalId);
  await pendingTransfer(server);
  const batch = { batch: [{ userId, amount: '1200.50' }] };
  await call('/v2/wallets/transfers/batches', transfer(userId, { destination: batch, amount: undefined }));
  emulator.faults.inject({ kind: 'status', status: 429 });
  await emulator.delivered();
  const state = emulator.state();
  places = [
    ...['overview', 'controls', 'approvals', 'transfers', 'onramps', 'accounts', 'users'],
    ...['balances', 'events', 'deliveries', 'requests', 'faults', 'transfers/none', 'search/25'],
    ...[`transfers/${approved.transferId}`, `onramps/${body.transferDetails.id}`, 'requests/request-1'],
    ...[`approvals/${approved.approvalId}`, `transfers/${state.transfers.at(-1)?.id}`],
    ...[`users/${userId}`, `accounts/${state.accounts[0]?.id}`],
    ...[`deliveries/${emulator.deliveries.list()[0]?.id}`, `events/${state.events[0]?.id}`, 'faults/fault-1'],
  ];
}, 60_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

const LOOKS = [
  { width: 390, colorScheme: 'light' },
  { width: 768, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1920, colorScheme: 'dark' },
] as const;

async function opened({ width, colorScheme }: (typeof LOOKS)[number]): Promise<Page> {
  const phone = width < 500;
  const { page } = await open(browser, server, {
    viewport: { width, height: 800 },
    colorScheme,
    hasTouch: phone,
    isMobile: phone,
    reducedMotion: 'reduce',
  });
  return page;
}

/** Goes to a place and unfolds everything there, so that nothing hides from the checks. */
async function unfold(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#${place}`);
  const [list = '', id] = place.split('/');
  if (id === 'none') await page.getByText('There is no transfer').waitFor();
  else if (list === 'search') await page.getByRole('heading', { name: 'Records with' }).waitFor();
  else if (id !== undefined) await page.locator('.record code', { hasText: id }).first().waitFor();
  else await page.locator(`nav a[href="#/${list}"][aria-current]`).waitFor();
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

interface Finding {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

async function findings(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the page's policy runs no script but its own.
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const tool: unknown = Reflect.get(window, 'axe');
    const { run } = tool as { run: (where: Document) => Promise<{ violations: Finding[] }> };
    return (await run(document)).violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }));
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 200)}`,
    ),
  );
}

test.each(LOOKS)(
  'axe finds nothing at $width px in $colorScheme, with everything open',
  { timeout: 180_000 },
  async (look) => {
    const page = await opened(look);
    for (const place of places) {
      await unfold(page, place);
      if (place === 'faults') {
        for (const kind of ['status', 'missing-field']) {
          await page.locator('select[name=kind]').last().selectOption(kind);
          expect(await findings(page), `${place} ${kind}`).toEqual([]);
        }
        await page.getByRole('button', { name: 'Clear all faults' }).focus();
      }
      expect(await findings(page), place).toEqual([]);
    }
  },
);

test.each(LOOKS)(
  'nothing is cut off and everything can be hit at $width px in $colorScheme',
  { timeout: 90_000 },
  async (look) => {
    const page = await opened(look);
    for (const place of places) {
      await unfold(page, place);
      const { wide, small, cut, broken } = await page.evaluate(() => {
        const small: string[] = [];
        const cut: string[] = [];
        for (const control of document.querySelectorAll(
          'button, select, input, summary, nav a, .records .main > a',
        )) {
          const { width, height, right } = control.getBoundingClientRect();
          if (!control.checkVisibility() || control.closest('label.check') !== null) continue;
          // A card hides what is wider than it.
          const edge = control.closest('.card')?.getBoundingClientRect().right ?? right;
          if (right > edge) cut.push(`${control.tagName} ${control.textContent} ${right - edge}`);
          if (width < 20 || height < 24)
            small.push(`${control.tagName} ${control.textContent} ${width}x${height}`);
        }
        // The key of a field takes a new line only after a dot.
        const linesOf = (key: Element) =>
          new Set([...key.getClientRects()].map(({ top }) => Math.round(top)));
        const broken = [...document.querySelectorAll('.fields .dotted')].filter(
          (key) => linesOf(key).size > (key.textContent ?? '').split('.').length,
        );
        return {
          wide: document.documentElement.scrollWidth,
          ...{ small, cut, broken: broken.map((key) => key.textContent) },
        };
      });
      // Against the width of the screen: a phone's viewport grows with what overflows it.
      expect(wide, place).toBeLessThanOrEqual(look.width);
      expect(small, place).toEqual([]);
      expect(cut, place).toEqual([]);
      expect(broken, place).toEqual([]);
    }
  },
);

test.each([LOOKS[0], LOOKS[1]])('the menu shows the list that is open at $width px', async ({ width }) => {
  const { page } = await open(browser, server, { hash: '#deliveries', viewport: { width, height: 800 } });
  await page.locator('nav .count').first().waitFor();
  const box = await page.locator('nav a[aria-current]').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
});

test('every control has a name, no two buttons of a page the same one, and the landmarks are there', async () => {
  const page = await opened(LOOKS[2]);
  for (const place of ['overview', 'controls', 'onramps', 'faults']) {
    await unfold(page, place);
    const { nameless, names } = await page.evaluate(() => {
      const nameOf = (control: Element): string => {
        const label = control.closest('label')?.textContent ?? '';
        return (control.getAttribute('aria-label') ?? (label || control.textContent) ?? '').trim();
      };
      const controls = [...document.querySelectorAll('button, input, select, summary, a')];
      return {
        nameless: controls.filter((control) => nameOf(control) === '').map((control) => control.outerHTML),
        names: [...document.querySelectorAll('button')].map(nameOf),
      };
    });
    expect(nameless).toEqual([]);
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
  }
  for (const role of ['main', 'banner', 'contentinfo'] as const) {
    expect(await page.getByRole(role).count(), role).toBe(1);
  }
  expect(await page.getByRole('navigation').count()).toBe(1);
  expect(await page.locator('[role=status][aria-live=polite]').count()).toBe(1);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
});

test('every control shows that it has the focus', { timeout: 90_000 }, async () => {
  const page = await opened(LOOKS[2]);
  await unfold(page, 'onramps');
  const unmarked: string[] = [];
  const seen = new Set<string>();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  for (let count = 0; count < 300; count += 1) {
    await page.keyboard.press('Tab');
    const { name, outline } = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const place = [...document.querySelectorAll('*')].indexOf(element);
      const name =
        element === document.body ? '' : `${place} ${element.tagName} ${element.textContent?.slice(0, 20)}`;
      return { name, outline: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 };
    });
    // A page that is drawn anew meanwhile, and the end of the page, leave nothing with the focus: the next one follows.
    if (name === '') continue;
    if (seen.has(name)) break;
    seen.add(name);
    // The focus starts at the content as a whole, which is no control.
    if (!outline && !name.includes(' MAIN ')) unmarked.push(name);
  }
  expect(seen.size).toBeGreaterThan(8);
  expect(unmarked).toEqual([]);
});
