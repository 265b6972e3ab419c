import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = `${root}.docstrings`;
beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The examples of a file that import what they use: whole programs. */
function programsIn(path: string): string[] {
  const comments = readFileSync(`${root}${path}`, 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return comments
    .flatMap((comment) => comment.replace(/^\s*\* ?/gm, '').match(/(?<=```ts\n)[\s\S]*?(?=```)/g) ?? [])
    .filter((code) => code.startsWith('import '));
}

it.each([
  'src/emulator/create-emulator.ts',
  'src/emulator/node.ts',
  'src/emulator/msw.ts',
  'src/emulator/testing/matchers.ts',
])('the example in the hover of %s runs as it stands', async (path) => {
  const programs = programsIn(path);
  expect(programs).toHaveLength(1);
  vi.spyOn(console, 'log').mockImplementation(() => {});
  // A port that another process uses is not what the example is about.
  const code = programs.join('\n').replace('port: 4010', 'port: 0');
  const file = `${folder}/${path.replaceAll('/', '-')}`;
  writeFileSync(file, `${code}\nexport {};\n`);
  await import(/* @vite-ignore */ file);
  vi.restoreAllMocks();
});
