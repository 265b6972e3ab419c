/**
 * Links for the packed files. The package has the docs once, in llms-full.txt, so `npm pack` and `npm publish` run:
 *
 *   node scripts/pack-docs.ts            before: the links of README.md and its neighbours lead to headings of that file
 *   node scripts/pack-docs.ts --restore  after: the files are as they were
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedText } from './llms.ts';

/** Where the texts wait meanwhile. */
const kept = '.packing.json';

/** Puts back what an earlier run left. */
export function restore(root: string): void {
  const file = join(root, kept);
  if (!existsSync(file)) return;
  const originals: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  for (const [path, text] of Object.entries(originals)) writeFileSync(join(root, path), text);
  rmSync(file);
}

/** Writes the documents with the links that they have in the package. */
export function relink(root: string): void {
  restore(root);
  const packed = packedText(root);
  const paths = globSync(['*.md', 'llms.txt'], { cwd: root });
  const texts = paths.map((path) => ({
    path,
    before: readFileSync(join(root, path), 'utf8'),
    after: packed(path),
  }));
  const changed = texts.filter(({ before, after }) => before !== after);
  writeFileSync(
    join(root, kept),
    JSON.stringify(Object.fromEntries(changed.map(({ path, before }) => [path, before]))),
  );
  for (const { path, after } of changed) writeFileSync(join(root, path), after);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  if (process.argv.includes('--restore')) restore(root);
  else relink(root);
}
