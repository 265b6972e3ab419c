/**
 * Writes what tools and coding agents read first:
 *
 *   node scripts/llms.ts            copies files into the guides that show them, and writes llms.txt, an index of the
 *                                   docs, and llms-full.txt, the docs in one file
 *   node scripts/llms.ts --check    fails if llms.txt or a copied file differs
 *
 * llms.txt is committed. llms-full.txt is made by each build and shipped with the package.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

type Read = (path: string) => string;

/** The group of pages for people who work on the package itself. */
const forContributors = 'Project';

/** The text of llms.txt as the docs have it now. */
export function llmsText(root: string): string {
  const read: Read = (path) => readFileSync(join(root, path), 'utf8');
  const { name, description } = JSON.parse(read('package.json')) as { name: string; description: string };
  const lists = Object.entries(pagesOf(root)).map(
    ([group, paths]) => `## ${group}\n\n${paths.map((path) => entryOf(path, read(path))).join('\n')}`,
  );
  const start = [
    'Read first: [AGENTS.md](AGENTS.md), the rules for writing code with this package.',
    'All guides, operations, types and errors in one file: [llms-full.txt](llms-full.txt).',
  ];
  return `${[`# ${name}`, `> ${description}`, start.join('\n'), ...lists].join('\n\n')}\n`;
}

/** The text of llms-full.txt: the rules, every page for users, the types of parameters, and the other entry points. */
export function llmsFullText(root: string): string {
  const read: Read = (path) => readFileSync(join(root, path), 'utf8').trim();
  const { [forContributors]: _, ...groups } = pagesOf(root);
  const pages = ['AGENTS.md', ...Object.values(groups).flat()].map((path) => ({
    path,
    text: onOnePage(read(path), path, read),
  }));
  const types = readdirSync(join(root, 'src/types'))
    .filter((file) => file.endsWith('.ts'))
    .sort()
    // Not as `ts`, so that nobody takes them for a recipe.
    .map((file) => `\`\`\`typescript\n${withoutImports(read(`src/types/${file}`))}\n\`\`\``);
  const surfaces = ['webhooks', 'payouts', 'emulator']
    .map((name) => ({ name, path: `docs/api-report/${name}.txt` }))
    .filter(({ path }) => existsSync(join(root, path)))
    .flatMap(({ name, path }) => {
      const [, ...lines] = read(path).split('\n');
      return [
        `# Exports of stablecoin-payments/${name}`,
        `\`\`\`typescript\n${lines.join('\n').trim()}\n\`\`\``,
      ];
    });
  const parts = [...withLinksInside(pages), '# Types of parameters and responses', ...types, ...surfaces];
  return `${parts.join('\n\n')}\n`;
}

/** A guide with the files that it shows: each `<!-- examples/… -->` is followed by the file as it is now. */
export function withFiles(text: string, read: Read): string {
  return text.replaceAll(
    /^<!-- (examples\/\S+\.ts) -->\n(?:\n```typescript\n[\s\S]*?\n```\n)?/gm,
    (_, path: string) => `<!-- ${path} -->\n\n\`\`\`typescript\n${read(path).trim()}\n\`\`\`\n`,
  );
}

/** The pages of each group that exist, by their paths in the repository. */
function pagesOf(root: string): Record<string, string[]> {
  const groups: Record<string, string[]> = JSON.parse(readFileSync(join(root, 'docs/pages.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries(groups).map(([group, paths]) => [
      group,
      paths.map((path) => posix.join('docs', path)).filter((path) => existsSync(join(root, path))),
    ]),
  );
}

/** A page without what only the site can show: images, tabs and front matter. Included files stand in it. */
function onOnePage(text: string, path: string, read: Read): string {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^<<< (\S+)(?: \[.*\])?$/gm, (_, file: string) => {
      const source = posix.join(posix.dirname(path), file);
      return `\`${source}\`\n\n\`\`\`typescript\n${read(source)}\n\`\`\``;
    })
    .replaceAll(/^:::.*\n+/gm, '')
    .replaceAll(/^!\[.*\]\(.*\)\n+/gm, '')
    .replaceAll(/ \{:#[\w-]+:\}$/gm, '')
    .trim();
}

/** The anchor of a heading, as Markdown renderers make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Code is left out: a comment in it is no heading, and an array no link. */
const fenced = /^( *)```[\s\S]*?^\1```$/gm;
const headingsOf = (text: string): string[] =>
  [...text.replaceAll(fenced, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/**
 * The pages as parts of one file. A link to another page leads to its heading in the same file; a link to anything else
 * is a path in the package.
 */
function withLinksInside(pages: readonly { path: string; text: string }[]): string[] {
  const headings = pages.flatMap(({ text }) => headingsOf(text));
  const starts = new Map(pages.map(({ path, text }) => [path, headingsOf(text)[0] ?? '']));
  const isUnique = (anchor: string) => headings.filter((one) => one === anchor).length === 1;
  const inside = (path: string, link: string): string => {
    if (/^[a-z]+:/.test(link)) return link;
    const [file = '', anchor = ''] = link.split('#');
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    const start = starts.get(target);
    if (start === undefined) return target;
    return `#${isUnique(anchor) ? anchor : start}`;
  };
  return pages.map(({ path, text }) =>
    text.replaceAll(/^( *)```[\s\S]*?^\1```$|\]\(([^)\s]+)\)/gm, (whole, _indent, link?: string) =>
      link === undefined ? whole : `](${inside(path, link)})`,
    ),
  );
}

const withoutImports = (source: string): string => source.replaceAll(/^import [\s\S]*?;\n/gm, '').trim();

/** A page in a list: its title, where it is, and its first sentence. */
function entryOf(path: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  return `- [${title}](${path}): ${firstSentence(text).replace(/:$/, '.')}`;
}

/** The first sentence of a page, as plain text. */
export function firstSentence(text: string): string {
  const paragraph =
    text.split(/\n\n+/).find((block) => /^[\p{L}*_[`]/u.test(block) && !/^```/.test(block)) ?? '';
  return /^.*?[.:?](?=\s|$)/s.exec(plain(paragraph))?.[0] ?? plain(paragraph);
}

/** Links become their text, line breaks spaces. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The files that this program writes and the repository holds, with the text that they must have. */
function committed(root: string): [path: string, text: string][] {
  const read: Read = (path) => readFileSync(join(root, path), 'utf8');
  const guides = Object.values(pagesOf(root)).flat();
  return [
    ...guides.map((path): [string, string] => [path, withFiles(read(path), read)]),
    ['llms.txt', llmsText(root)],
  ];
}

/** Writes the files, or compares; returns the exit code. */
export function main(args: readonly string[], root: string): number {
  const isCurrent = ([path, text]: [string, string]) =>
    existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8') === text;
  const changed = committed(root).filter((file) => !isCurrent(file));
  if (!args.includes('--check')) {
    for (const [path, text] of changed) writeFileSync(join(root, path), text);
    writeFileSync(join(root, 'llms-full.txt'), llmsFullText(root));
    return 0;
  }
  for (const [path] of changed) console.error(`${path} is not current: run \`npm run llms\``);
  return changed.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2), fileURLToPath(new URL('..', import.meta.url)));
}
