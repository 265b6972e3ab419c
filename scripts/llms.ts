/**
 * Writes what coding agents read first: llms.txt, an index of the docs, and llms-full.txt, the docs in one file. llms.txt
 * is committed; each build makes llms-full.txt for the package.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { relinker } from './docs-links.ts';

/** The group of pages for people who work on the package itself. */
const forContributors = 'Project';

const reader = (root: string) => (path: string) => readFileSync(join(root, path), 'utf8');

/** The text of llms.txt. */
export function llmsText(root: string): string {
  const read = reader(root);
  const { name, description }: { name: string; description: string } = JSON.parse(read('package.json'));
  const lists = groupsOf(root).map(([group, paths]) => {
    const entries = paths.map((path) => {
      const title = /^# (.+)$/m.exec(read(path))?.[1] ?? path;
      return `- [${title}](${path}): ${firstSentence(read(path)).replace(/:$/, '.')}`;
    });
    return `## ${group}\n\n${entries.join('\n')}`;
  });
  const start = [
    'Read first: [AGENTS.md](AGENTS.md), the rules for writing code with this package.',
    'All guides and examples in one file: [llms-full.txt](llms-full.txt). The types are in `dist/*.d.cts`.',
  ];
  return `${[`# ${name}`, `> ${description}`, start.join('\n'), ...lists].join('\n\n')}\n`;
}

/** The text of llms-full.txt: the rules and every page for users. The types are beside it, in dist/*.d.cts. */
export function llmsFullText(root: string): string {
  const pages = pagesForUsers(root);
  const relinked = relinker(pages, '');
  return `${[...pages].map(([path, text]) => relinked(path, text)).join('\n\n')}\n`;
}

/** Returns the text of a document as the package has it: its links lead to headings of llms-full.txt. */
export function packedText(root: string): (path: string) => string {
  const relinked = relinker(pagesForUsers(root), 'llms-full.txt');
  return (path) => {
    const text = reader(root)(path);
    const [forUsers = ''] = path === 'llms.txt' ? text.split(`\n## ${forContributors}\n`) : [text];
    return relinked(path, forUsers);
  };
}

/** The groups of docs/pages.json, with those of their pages that exist. */
function groupsOf(root: string): [group: string, paths: string[]][] {
  const groups: Record<string, string[]> = JSON.parse(reader(root)('docs/pages.json'));
  return Object.entries(groups).map(([group, paths]) => [
    group,
    paths.map((path) => posix.join('docs', path)).filter((path) => existsSync(join(root, path))),
  ]);
}

/** The pages of llms-full.txt: without what only the site can show, and without the figures of one machine. */
function pagesForUsers(root: string): Map<string, string> {
  const read = reader(root);
  const guides = groupsOf(root).flatMap(([group, paths]) => (group === forContributors ? [] : paths));
  const shown = (path: string, text: string): string =>
    text
      .replace(/^---\n[\s\S]*?\n---\n/, '')
      .replaceAll(/^<<< (\S+)(?: \[.*\])?$/gm, (_, file: string) => {
        const source = posix.join(posix.dirname(path), file);
        return `\`${source}\`\n\n\`\`\`typescript\n${read(source).trim()}\n\`\`\``;
      })
      .replaceAll(/^:::.*\n+|^!\[.*\]\(.*\)\n+| \{:#[\w-]+:\}$/gm, '')
      .replaceAll(/^<!-- bench:start -->[\s\S]*?^<!-- bench:end -->\n*/gm, '')
      .trim();
  return new Map(['AGENTS.md', ...guides].map((path) => [path, shown(path, read(path))]));
}

/** The first sentence of a page, as plain text. */
export function firstSentence(text: string): string {
  const blocks = text.split(/\n\n+/);
  const plain = (blocks.find((block) => /^[\p{L}*_[`]/u.test(block) && !/^```/.test(block)) ?? '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^.*?[.:?](?=\s|$)/s.exec(plain)?.[0] ?? plain;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  writeFileSync(join(root, 'llms.txt'), llmsText(root));
  writeFileSync(join(root, 'llms-full.txt'), llmsFullText(root));
}
