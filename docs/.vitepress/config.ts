import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { siteLink } from './links.ts';
import { outlineSymbols } from './reference.ts';
import { labelCells } from './tables.ts';

const docs = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8');
const titleOf = (path: string): string => /^# (.+)$/m.exec(read(path))?.[1] ?? path;
const linkOf = (path: string): string => `/${path.replace(/\.md$/, '')}`;

/** The guides by what a reader wants to do, and the pages of the reference. */
const guides: Record<string, string[]> = JSON.parse(read('pages.json'));
const reference: Record<string, string> = JSON.parse(read('reference/pages.json'));
const { version, repository }: { version: string; repository: { url: string } } = JSON.parse(
  read('../package.json'),
);
// The release script demands the real address in package.json.
const repositoryPage = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

const guideSidebar = Object.entries(guides).map(([text, paths]) => ({
  text,
  items: paths.map((path) => ({ text: titleOf(path), link: linkOf(path) })),
}));
const referenceSidebar = [
  {
    text: 'API reference',
    items: [
      ...Object.entries(reference).map(([name, text]) => ({ text, link: `/api/${name}` })),
      { text: 'HTTP API (OpenAPI)', link: '/api/http' },
    ],
  },
];

export default defineConfig({
  title: 'stablecoin-payments',
  description: 'A TypeScript client for stablecoin and fiat payments, with an emulator of the service.',
  lang: 'en-US',
  outDir: './.vitepress/dist',
  cacheDir: './.vitepress/cache',
  srcExclude: ['reference/**', 'api-report/**', 'decisions/0000-template.md'],
  cleanUrls: false,
  lastUpdated: false,
  // The widest table takes the place of the outline.
  transformPageData: ({ relativePath, frontmatter }) =>
    relativePath === 'guides/dialects.md' ? { frontmatter: { ...frontmatter, aside: false } } : undefined,
  metaChunk: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // As on the repository's own pages, and as the generated reference links.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replaceAll(/\s/g, '-'),
    },
    config: (md) => {
      md.core.ruler.push('table-labels', ({ tokens }) => labelCells(tokens));
      md.core.ruler.push('reference-outline', (state) => {
        if (String(state.env.relativePath).startsWith('api/')) state.tokens = outlineSymbols(state.tokens);
      });
      // A wide table scrolls in its own box, and fills the column otherwise.
      md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
      md.renderer.rules.table_close = () => '</table></div>';
      md.core.ruler.push('site-links', ({ tokens, env }) => {
        const ids = new Set(tokens.map((token) => token.attrGet('id')));
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === 'link_open' ? token.attrGet('href') : null;
          if (link === null) continue;
          // The generator of the reference numbers some headings that are alone.
          const isMisnumbered = link.startsWith('#') && !ids.has(link.slice(1));
          token.attrSet(
            'href',
            siteLink(String(env.relativePath), isMisnumbered ? link.replace(/-\d+$/, '') : link),
          );
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/quickstart', activeMatch: '^/guides/' },
      { text: 'API', link: '/api/client', activeMatch: '^/api/' },
      {
        text: `v${version}`,
        items: [
          { text: 'Changelog', link: '/changelog' },
          { text: 'Contributing', link: '/contributing' },
        ],
      },
    ],
    sidebar: { '/api/': referenceSidebar, '/': guideSidebar },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        // The button's name is what it shows.
        translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
        miniSearch: {
          searchOptions: {
            // A reader who searches for a word wants to read about it before the place where it is declared.
            boostDocument: (id: string) => (id.startsWith('/api/') ? 0.3 : 2),
            boost: { title: 6, titles: 3, text: 1 },
            fuzzy: 0.15,
            prefix: true,
          },
        },
      },
    },
    editLink: {
      // The reference is generated: its pages have no source to edit.
      pattern: `${repositoryPage}/edit/main/docs/:path`,
      text: 'Edit this page',
    },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
