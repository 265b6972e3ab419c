/**
 * Writes llms.txt from the docs: what this package is, its pages with a sentence each, and the README's tables.
 *
 *   node scripts/llms.ts            writes it
 *   node scripts/llms.ts --check    fails if it is not what the docs say
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Sections of the README that answer what a tool asks most. */
const sections = ['Install', 'Operations', 'Errors', 'Retries and limits', 'Configuration'];

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
  const readme = read('README.md');
  const quoted = sections.map((section) => sectionOf(readme, section));
  return `${[`# ${name}`, `> ${description}`, summaryOf(readme), ...lists, ...quoted].join('\n\n')}\n`;
}

/** A page in a list: its title, where it is, and its first sentence. */
function entryOf(path: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  const paragraph = text.split(/\n\n+/).find((block) => /^[\p{L}*_[`]/u.test(block)) ?? '';
  const sentence = /^.*?[.:?](?=\s|$)/s.exec(plain(paragraph))?.[0] ?? plain(paragraph);
  return `- [${title}](${path}): ${sentence.replace(/:$/, '.')}`;
}

/** The README's promises, as a list. */
const summaryOf = (readme: string): string =>
  [...readme.matchAll(/^- \*\*Nothing[^\n]*(?:\n {2}[^\n]*)*/gm)].map(([item]) => plain(item)).join('\n');

function sectionOf(readme: string, heading: string): string {
  const start = readme.indexOf(`## ${heading}\n`);
  if (start < 0) throw new Error(`The README has no section "${heading}"`);
  const end = readme.indexOf('\n## ', start);
  return readme.slice(start, end < 0 ? undefined : end).trim();
}

/** Links become their text, line breaks spaces. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Writes the file, or compares it; gives the exit code. */
export function main(args: readonly string[], root: string): number {
  const path = join(root, 'llms.txt');
  const text = llmsText(root);
  if (!args.includes('--check')) {
    writeFileSync(path, text);
    return 0;
  }
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return 0;
  console.error('llms.txt is not what the docs say: run `npm run llms`');
  return 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2), fileURLToPath(new URL('..', import.meta.url)));
}
