import { existsSync } from 'node:fs';
import type { MarkdownRenderer } from 'vitepress';

/** Shows `page-dark.png` in the place of `page.png` in dark mode, for each image of docs/assets that has such a twin. */
export function themeImages(md: MarkdownRenderer, docs: URL): void {
  const render = md.renderer.rules.image;
  if (render === undefined) return;
  md.renderer.rules.image = (tokens, index, ...rest) => {
    const token = tokens[index];
    const source = token?.attrGet('src') ?? '';
    const dark = source.replace(/\.png$/, '-dark.png');
    const hasTwin = dark !== source && existsSync(new URL(`assets/${dark.split('/').at(-1)}`, docs));
    if (token === undefined || !hasTwin) return render(tokens, index, ...rest);
    token.attrSet('class', 'light-only');
    const light = render(tokens, index, ...rest);
    token.attrSet('src', dark);
    token.attrSet('class', 'dark-only');
    return light + render(tokens, index, ...rest);
  };
}
