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
import { followInPackage, followInside, type Page, relinked } from './docs-links.ts';

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
  const pages = pagesForUsers(root);
  const follow = followInside(pages);
  const types = readdirSync(join(root, 'src/types'))
    .filter((file) => file.endsWith('.ts'))
    .sort()
    // Not as `ts`, so that nobody takes them for a recipe.
    .map((file) => `\`\`\`typescript\n${withoutImports(read(`src/types/${file}`))}\n\`\`\``);
  const surfaces = ['webhooks', 'payouts', 'emulator']
    .map((name) => ({ name, path: `docs/api-report/${name}.txt` }))
    .filter(({ path }) => existsSync(join(root, path)))
    .flatMap(({ name, path }) => {
      // Types without an export follow at the end: the records among them stand above with their comments.
      const [exported = ''] = read(path).split('\nNot exported, but part of the above:\n');
      const [, ...lines] = exported.split('\n');
      return [
        `# Exports of stablecoin-payments/${name}`,
        `\`\`\`typescript\n${lines.join('\n').trim()}\n\`\`\``,
      ];
    });
  const parts = [
    ...pages.map((page) => relinked(page, follow)),
    '# Types of parameters and responses',
    ...types,
    ...surfaces,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A document as the package has it: the docs are in `llms-full.txt` there, so its links lead to headings of that file. */
export function packedText(root: string): (path: string) => string {
  const follow = followInPackage(pagesForUsers(root));
  return (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const forUsers = text.replace(new RegExp(`\\n## ${forContributors}\\n[\\s\\S]*$`), '');
    return relinked({ path, text: path === 'llms.txt' ? forUsers : text }, follow);
  };
}

/** The pages of llms-full.txt. */
function pagesForUsers(root: string): Page[] {
  const read: Read = (path) => readFileSync(join(root, path), 'utf8').trim();
  const { [forContributors]: _, ...groups } = pagesOf(root);
  return ['AGENTS.md', ...Object.values(groups).flat()].map((path) => ({
    path,
    text: onOnePage(read(path), path, read),
  }));
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

/**
 * A page with the code of included files, without images, tabs and front matter, which only the site can show, and
 * without the figures of the bench, which are those of one machine.
 */
function onOnePage(text: string, path: string, read: Read): string {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^<<< (\S+)(?: \[.*\])?$/gm, (_, file: string) => {
      const source = posix.join(posix.dirname(path), file);
      return `\`${source}\`\n\n\`\`\`typescript\n${read(source)}\n\`\`\``;
    })
    .replaceAll(/^:::.*\n+/gm, '')
    .replaceAll(/^<!-- bench:start -->[\s\S]*?^<!-- bench:end -->\n*/gm, '')
    .replaceAll(/^!\[.*\]\(.*\)\n+/gm, '')
    .replaceAll(/ \{:#[\w-]+:\}$/gm, '')
    .trim();
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
