import type { Browser, Page } from 'playwright-core';
import type { EmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AFRICA_ACCOUNT, onramp } from '../emulator/support.ts';
import { client, launch, open, pendingTransfer, serve } from './browser.ts';

let browser: Browser;
let server: EmulatorServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
  const { userId } = server.emulator.createUser({ rails: ['usd', 'africa'] });
  const call = client(server);
  const { body } = await call('/v2/onramps', onramp(userId));
  await call('/v2/onramps', onramp(userId));
  server.emulator.simulateDeposit(body.transferDetails.id, { amount: 1 });
  await call(`/v2/users/${userId}/accounts`, AFRICA_ACCOUNT);
  server.emulator.approve((await pendingTransfer(server, 12_345_678.123456)).approvalId, { comment: 'fine' });
  server.emulator.reject((await pendingTransfer(server)).approvalId);
  await pendingTransfer(server);
  server.emulator.faults.inject({ kind: 'status', status: 429 });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const LOOKS = [
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

/** Unfolds everything, so that nothing hides from the checks. */
async function unfolded({ width, colorScheme }: (typeof LOOKS)[number]): Promise<Page> {
  const phone = width < 500;
  const { page } = await open(browser, server, {
    viewport: { width, height: 800 },
    colorScheme,
    hasTouch: phone,
    isMobile: phone,
    reducedMotion: 'reduce',
  });
  await page.getByText('429').first().waitFor({ state: 'attached' });
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.rows pre')].every((json) => json.textContent !== ''),
  );
  return page;
}

test.each(LOOKS)('every text stands out from its ground at $width px in $colorScheme', async (look) => {
  const page = await unfolded(look);
  const texts = await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const parse = (color: string): number[] => {
      if (canvas === null) throw new Error('This browser cannot paint');
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (color: number[]): number => {
      const [r = 0, g = 0, b = 0] = color.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const groundOf = (element: Element | null): number[] => {
      if (element === null) return [255, 255, 255, 255];
      const color = parse(getComputedStyle(element).backgroundColor);
      return color[3] === 255 ? color : groundOf(element.parentElement);
    };
    const found = new Map<string, number>();
    for (const element of document.querySelectorAll('body *')) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      if (!own || !element.checkVisibility() || element.tagName === 'OPTION') continue;
      const text = luminance(parse(getComputedStyle(element).color));
      const ground = luminance(groundOf(element));
      const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      found.set(`${element.tagName}.${element.className} ${element.textContent?.slice(0, 30)}`, contrast);
    }
    return [...found];
  });
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter(([, contrast]) => contrast < 4.5)).toEqual([]);
});

test.each(LOOKS)(
  'nothing is cut off and everything can be hit at $width px in $colorScheme',
  async (look) => {
    const page = await unfolded(look);
    const { wide, small } = await page.evaluate(() => {
      const small: string[] = [];
      for (const control of document.querySelectorAll('button, select, input, summary, nav a')) {
        const { width, height } = control.getBoundingClientRect();
        if (
          control.checkVisibility() &&
          (width < 20 || height < 24) &&
          control.closest('label.check') === null
        ) {
          small.push(`${control.tagName} ${control.textContent} ${width}x${height}`);
        }
      }
      return { wide: document.documentElement.scrollWidth, small };
    });
    // Against the width of the screen: a phone's viewport grows with what overflows it.
    expect(wide).toBeLessThanOrEqual(look.width);
    expect(small).toEqual([]);
  },
);

test('every control has a name, no two buttons of a list the same one, and the landmarks are there', async () => {
  const page = await unfolded(LOOKS[2]);
  const { nameless, names, languages } = await page.evaluate(() => {
    const nameOf = (control: Element): string => {
      const label = control.closest('label')?.textContent ?? '';
      return (control.getAttribute('aria-label') ?? (label || control.textContent) ?? '').trim();
    };
    const controls = [...document.querySelectorAll('button, input, select, summary, a')];
    return {
      nameless: controls.filter((control) => nameOf(control) === '').map((control) => control.outerHTML),
      names: [...document.querySelectorAll('main button')].map(nameOf),
      languages: document.documentElement.lang,
    };
  });
  expect(nameless).toEqual([]);
  expect(names.length).toBeGreaterThan(5);
  expect(new Set(names).size).toBe(names.length);
  expect(languages).toBe('en');
  for (const role of ['main', 'navigation', 'complementary', 'banner', 'contentinfo'] as const) {
    expect(await page.getByRole(role).count(), role).toBe(1);
  }
  expect(await page.locator('[role=status][aria-live=polite]').count()).toBe(1);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await page.locator('nav [aria-current=page]').textContent()).toBe('Overview');
});

test('every control shows that it has the focus', async () => {
  const page = await unfolded(LOOKS[2]);
  const unmarked: string[] = [];
  const seen = new Set<string>();
  for (;;) {
    await page.keyboard.press('Tab');
    const { name, outline } = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const place = [...document.querySelectorAll('*')].indexOf(element);
      const name =
        element === document.body ? '' : `${place} ${element.tagName} ${element.textContent?.slice(0, 20)}`;
      return { name, outline: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 };
    });
    if (name === '' || seen.has(name)) break;
    seen.add(name);
    if (!outline) unmarked.push(name);
  }
  expect(seen.size).toBeGreaterThan(40);
  expect(unmarked).toEqual([]);
});
