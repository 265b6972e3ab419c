/**
 * Photographs every page of the built site at three widths in both themes, for people to look at:
 * `npm run docs && npm run docs:photos` writes docs/.vitepress/photos.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../test/emulator-page/browser.ts';
import { dist, pagesOf, serveSite } from '../test/site/built-site.ts';

const only = process.argv[2] ?? '';
const out = join(dist, '../photos');
mkdirSync(out, { recursive: true });
const site = await serveSite();
const browser = await launch();
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 768, 1280]) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    for (const path of pagesOf().filter((name) => name.includes(only))) {
      await page.goto(`${site.origin}/${path}`, { waitUntil: 'networkidle' });
      const name = `${path.replace('.html', '').replaceAll('/', '-')}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: join(out, name), fullPage: true });
    }
    await context.close();
  }
}
await browser.close();
site.close();
