/**
 * Links for the packed files. The package has the docs once, in llms-full.txt, so `npm pack` and `npm publish` run:
 *
 *   node scripts/pack-docs.ts            before: the links of README.md and its neighbors lead to headings of that file
 *   node scripts/pack-docs.ts --restore  after: the files are as they were
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { packedText } from './llms.ts';

/** The texts as they were, also after a run that was interrupted. */
const kept = '.packing.json';

const write = (texts: Record<string, string>) => {
  for (const [path, text] of Object.entries(texts)) writeFileSync(path, text);
};

if (existsSync(kept)) write(JSON.parse(readFileSync(kept, 'utf8')));
rmSync(kept, { force: true });
if (!process.argv.includes('--restore')) {
  const packed = packedText('.');
  const paths = globSync(['*.md', 'llms.txt']);
  const texts = paths.map((path) => ({ path, before: readFileSync(path, 'utf8'), after: packed(path) }));
  writeFileSync(kept, JSON.stringify(Object.fromEntries(texts.map(({ path, before }) => [path, before]))));
  write(Object.fromEntries(texts.map(({ path, after }) => [path, after])));
}
