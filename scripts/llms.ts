/**
 * Writes what tools and coding agents read first:
 *
 *   node scripts/llms.ts            writes llms.txt, an index of the docs, and llms-full.txt, their text in one file
 *   node scripts/llms.ts --check    fails if llms.txt is not what the docs say
 *
 * llms.txt is committed. llms-full.txt is made by each build and shipped with the package.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages of llms-full.txt, after the rules. The others are for people. */
const wholePages = [
  'docs/guides/operations.md',
  'docs/guides/configuration.md',
  'docs/guides/onramps.md',
  'docs/guides/accounts.md',
  'docs/guides/transfers-and-approvals.md',
  'docs/guides/pagination.md',
  'docs/guides/when-a-call-fails.md',
  'docs/guides/errors.md',
  'docs/guides/retries-and-idempotency.md',
  'docs/guides/webhooks.md',
  'docs/guides/limits.md',
  'docs/guides/service.md',
];

/** The text of llms.txt as the docs have it now. */
export function llmsText(root: string): string {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const pages: Record<string, string[]> = JSON.parse(read('docs/pages.json'));
  const { name, description } = JSON.parse(read('package.json')) as { name: string; description: string };
  const lists = Object.entries(pages).map(([group, paths]) => {
    const lines = paths
      .map((path) => join('docs', path))
      .filter((path) => existsSync(join(root, path)))
      .map((path) => entryOf(path, read(path)));
    return `## ${group}\n\n${lines.join('\n')}`;
  });
  const start = [
    'Read first: [AGENTS.md](AGENTS.md), the rules for writing code with this package.',
    'All operations, types, errors and recipes in one file: [llms-full.txt](llms-full.txt).',
  ];
  return `${[`# ${name}`, `> ${description}`, start.join('\n'), ...lists].join('\n\n')}\n`;
}

/** The text of llms-full.txt: the rules, the pages, and the types that methods take and return. */
export function llmsFullText(root: string): string {
  const read = (path: string) => readFileSync(join(root, path), 'utf8').trim();
  const types = readdirSync(join(root, 'src/types'))
    .filter((file) => file.endsWith('.ts'))
    .sort()
    // Not as `ts`, so that nobody takes them for a recipe.
    .map((file) => `\`\`\`typescript\n${withoutImports(read(`src/types/${file}`))}\n\`\`\``);
  const pages = wholePages.filter((path) => existsSync(join(root, path))).map(read);
  return `${[read('AGENTS.md'), ...pages, '# Types of parameters and responses', ...types].join('\n\n')}\n`;
}

const withoutImports = (source: string): string => source.replaceAll(/^import [\s\S]*?;\n/gm, '').trim();

/** A page in a list: its title, where it is, and its first sentence. */
function entryOf(path: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  const paragraph =
    text.split(/\n\n+/).find((block) => /^[\p{L}*_[`]/u.test(block) && !/^```/.test(block)) ?? '';
  const sentence = /^.*?[.:?](?=\s|$)/s.exec(plain(paragraph))?.[0] ?? plain(paragraph);
  return `- [${title}](${path}): ${sentence.replace(/:$/, '.')}`;
}

/** Links become their text, line breaks spaces. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Writes the files, or compares; returns the exit code. */
export function main(args: readonly string[], root: string): number {
  const path = join(root, 'llms.txt');
  const text = llmsText(root);
  if (!args.includes('--check')) {
    writeFileSync(path, text);
    writeFileSync(join(root, 'llms-full.txt'), llmsFullText(root));
    return 0;
  }
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return 0;
  console.error('llms.txt is not what the docs say: run `npm run llms`');
  return 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2), fileURLToPath(new URL('..', import.meta.url)));
}
