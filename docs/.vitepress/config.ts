import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../../scripts/docs-links.ts';
import { firstSentence } from '../../scripts/llms.ts';
import { emulatorPageInTests } from '../../tools/emulator-page.ts';
import { themeImages } from './images.ts';
import { siteLink } from './links.ts';
import { foldTypes, outlineSymbols, withMethodTable } from './reference.ts';
import { runPrograms } from './runnable.ts';
import { searchedText, searchTerm } from './search.ts';
import { labelCells } from './tables.ts';

const docs = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8');
const titleOf = (path: string): string => /^# (.+)$/m.exec(read(path))?.[1] ?? path;
const linkOf = (path: string): string => `/${path.replace(/\.md$/, '')}`;

/** The guides by what a reader wants to do, and the pages of the reference. */
const guides: Record<string, string[]> = JSON.parse(read('pages.json'));
/** The pages that took the place of former ones, by the path of the former. */
const moved: Record<string, string> = JSON.parse(read('moved.json'));
const referenceGroups: Record<string, Record<string, string>> = JSON.parse(read('reference/pages.json'));
const reference: Record<string, string> = Object.assign({}, ...Object.values(referenceGroups));
const {
  version,
  description,
  homepage,
  repository,
}: Record<'version' | 'description' | 'homepage', string> & {
  repository: { url: string };
} = JSON.parse(read('../package.json'));

/** The owner's addresses; undefined while package.json has placeholders, whose links would lead nowhere. */
const real = (address: string): string | undefined =>
  new URL(address).hostname.endsWith('.example') ? undefined : address.replace(/\/$/, '');
const repositoryPage = real(repository.url.replace(/^git\+/, '').replace(/\.git$/, ''));
const home = real(homepage);

const groupsOf = (groups: Record<string, string[]>) =>
  Object.entries(groups).map(([text, paths]) => ({
    text,
    items: paths.map((path) => ({ text: titleOf(path), link: linkOf(path) })),
  }));
const { Project: project = [], ...forUsers } = guides;
const guideSidebar = groupsOf(forUsers);
/** Pages for people who change the package itself. */
const projectSidebar = groupsOf({ Project: project });
const projectPaths = ['/architecture', '/soak', '/mutation', '/decisions/', '/contributing', '/release'];

/** Pages that include a file have no sentence of their own. */
const descriptions: Record<string, string> = {
  'agents.md': 'The rules for code that uses stablecoin-payments, for people and for coding agents.',
  'changelog.md': 'What each version of stablecoin-payments contains and changes.',
  'api/index.md': 'Every noun of stablecoin-payments, in groups, with what it is for.',
  'contributing.md': 'How to set up the repository, add an operation, and propose a change.',
};

/** What a search engine or a chat shows of a page. */
function descriptionOf(path: string, title: string): string {
  const given = descriptions[path];
  if (given !== undefined) return given;
  if (path.startsWith('api/')) return `${title}: types, methods and errors of stablecoin-payments.`;
  if (/^decisions\/(?!README)/.test(path)) return `A design decision of stablecoin-payments: ${title}.`;
  const sentence = path === 'index.md' ? '' : firstSentence(read(path).replace(/^---\n[\s\S]*?\n---\n/, ''));
  return sentence === '' || sentence.startsWith('<') ? description : sentence.replaceAll(/[`*]/g, '');
}
const referenceSidebar = [
  { text: 'API reference', link: '/api/' },
  ...Object.entries(referenceGroups).map(([text, pages]) => ({
    text,
    items: Object.entries(pages).map(([name, title]) => ({ text: title, link: `/api/${name}` })),
  })),
  { text: 'Over HTTP', items: [{ text: 'HTTP API (OpenAPI)', link: '/api/http' }] },
];

export default defineConfig({
  title: 'stablecoin-payments',
  description,
  lang: 'en-US',
  outDir: './.vitepress/dist',
  cacheDir: './.vitepress/cache',
  srcExclude: ['reference/**', 'api-report/**', 'decisions/0000-template.md'],
  cleanUrls: false,
  lastUpdated: false,
  head: [
    ['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#0f6e56' }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'stablecoin-payments' }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  transformPageData: (page) => ({
    description: descriptionOf(page.relativePath, page.title),
    // The widest table takes the place of the outline.
    frontmatter: {
      ...page.frontmatter,
      ...(page.relativePath === 'guides/dialects.md' && { aside: false }),
      ...(page.relativePath.startsWith('api/') && { pageClass: 'reference' }),
    },
  }),
  transformHead: ({ pageData: { relativePath, title, description: about } }) => [
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: about }],
    // These must be absolute, so they wait for a real home page.
    ...(home === undefined
      ? []
      : ([
          ['meta', { property: 'og:url', content: `${home}/${relativePath.replace(/(index)?\.md$/, '')}` }],
          ['meta', { property: 'og:image', content: `${home}/social.png` }],
        ] satisfies [string, Record<string, string>][])),
  ],
  metaChunk: true,
  // The programs that run on the site use the package's sources; the emulator in them has its page.
  vite: {
    plugins: [emulatorPageInTests],
    resolve: { alias: { 'stablecoin-payments': fileURLToPath(new URL('../src/client/index.ts', docs)) } },
  },
  // Former addresses lead to the pages that took their place.
  buildEnd({ outDir }) {
    for (const [from, to] of Object.entries(moved)) {
      const target = posix.relative(posix.dirname(from), to).replace(/\.md(?=#|$)/, '.html');
      const file = `${outDir}/${from.replace(/\.md$/, '.html')}`;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        `<!doctype html><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url=${target}"><link rel="canonical" href="${target}"><a href="${target}">This page has moved.</a>\n`,
      );
    }
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Plain braces are part of paths such as /v2/users/{userId}.
    attrs: { leftDelimiter: '{:', rightDelimiter: ':}' },
    // As on the repository's own pages, and as the generated reference links.
    anchor: {
      slugify: anchorOf,
    },
    config: (md) => {
      md.core.ruler.before('normalize', 'reference-tables', (state) => {
        if (String(state.env.relativePath).startsWith('api/')) state.src = withMethodTable(state.src);
      });
      themeImages(md, docs);
      runPrograms(md);
      md.core.ruler.push('table-labels', ({ tokens }) => labelCells(tokens));
      md.core.ruler.push('reference-outline', (state) => {
        if (String(state.env.relativePath).startsWith('api/')) {
          // The page of the HTTP API has operations and no types.
          const isListed =
            reference[String(state.env.relativePath).slice('api/'.length, -'.md'.length)] !== undefined;
          state.tokens = outlineSymbols(isListed ? foldTypes(state.tokens) : state.tokens);
        }
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
    logo: '/logo.svg',
    nav: [
      { text: 'Guides', link: '/guides/quickstart', activeMatch: '^/guides/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      {
        text: `v${version}`,
        items: [
          { text: 'Changelog', link: '/changelog' },
          { text: 'Contributing', link: '/contributing' },
          { text: 'Architecture', link: '/architecture' },
        ],
      },
    ],
    sidebar: {
      '/api/': referenceSidebar,
      ...Object.fromEntries(projectPaths.map((path) => [path, projectSidebar])),
      '/': guideSidebar,
    },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        _render: searchedText,
        // The button's name is what it shows.
        translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
        miniSearch: {
          options: { processTerm: searchTerm },
          searchOptions: {
            // Guides first, then declarations, then pages about the project.
            boostDocument: (id: string) =>
              id.startsWith('/api/') ? 0.3 : /^\/(guides|examples)/.test(id) ? 2 : 0.1,
            boost: { title: 6, titles: 3, text: 1 },
            fuzzy: 0.15,
            prefix: true,
          },
        },
      },
    },
    ...(repositoryPage !== undefined && {
      // The reference is generated: its pages have no source to edit.
      editLink: { pattern: `${repositoryPage}/edit/main/docs/:path`, text: 'Edit this page' },
      socialLinks: [{ icon: 'github' as const, link: repositoryPage, ariaLabel: 'The repository' }],
    }),
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
