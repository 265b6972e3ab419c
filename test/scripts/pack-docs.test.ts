import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

let root = '';
const readme = [
  'See [the guide](docs/guides/one.md#more), [its code](examples/one.ts),',
  '[the changes](CHANGELOG.md), [a site](https://a.test) and [the plan](docs/plan.md).',
  '```ts',
  'const a = list[0](docs);',
  '```',
].join('\n');
const script = fileURLToPath(new URL('../../scripts/pack-docs.ts', import.meta.url));
const pack = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { cwd: root });
const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pack-docs-'));
  mkdirSync(join(root, 'docs/guides'), { recursive: true });
  write('docs/pages.json', '{ "Start": ["guides/one.md", "examples.md"], "Project": ["plan.md"] }');
  write('docs/guides/one.md', '# One\n\nText.\n\n## More\n\nText.\n');
  write('docs/examples.md', '# Examples\n\nText.\n');
  write('docs/plan.md', '# Plan\n');
  write('AGENTS.md', '# Rules\n');
  write('CHANGELOG.md', '# Changes\n');
  write(
    'llms.txt',
    '# x\n\n## Start\n\n- [One](docs/guides/one.md): Text.\n\n## Project\n\n- [Plan](docs/plan.md)\n',
  );
  write('README.md', readme);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('links of packed documents lead to headings of llms-full.txt, or are plain text', () => {
  pack();
  expect(read('README.md').split('\n').slice(0, 2)).toEqual([
    'See [the guide](llms-full.txt#more), [its code](llms-full.txt#examples),',
    '[the changes](CHANGELOG.md), [a site](https://a.test) and the plan.',
  ]);
  expect(read('README.md')).toContain('const a = list[0](docs);');
  expect(read('llms.txt')).toBe('# x\n\n## Start\n\n- [One](llms-full.txt#one): Text.\n');
});

test('packing leaves the documents as they were, also after a run that was interrupted', () => {
  pack();
  pack();
  pack('--restore');
  expect(read('README.md')).toBe(readme);
  expect(read('llms.txt')).toContain('## Project');
  pack('--restore');
  expect(read('README.md')).toBe(readme);
});
