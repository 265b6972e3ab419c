import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { llmsFullText, packedText } from '../../scripts/llms.ts';
import { brokenLinks } from '../package/links.ts';
import { root } from './documents.ts';

test('every link of the documents in the package leads to a file or a heading in the package', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
  });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout);
  const paths = [...new Set([...files.map(({ path }) => path), 'llms-full.txt'])];
  const packed = packedText(root);
  const textOf = (path: string) => (path === 'llms-full.txt' ? llmsFullText(root) : packed(path));
  expect(textOf('README.md')).toContain('(llms-full.txt#receive-webhooks)');
  const broken = brokenLinks(paths, textOf);
  expect(broken).toEqual([]);
});

test('names a missing file and a missing heading', () => {
  const files = new Map([
    [
      'README.md',
      '# One\n[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#two) [d](#one) ![e](e.png) [f](https://f.test)',
    ],
    ['docs/a.md', '# A\n```md\n[x](y.md)\n```\n[up](../README.md#one)'],
  ]);
  expect(brokenLinks([...files.keys()], (path) => files.get(path) ?? '')).toEqual([
    'README.md links to docs/b.md',
    'README.md links to docs/a.md#two',
  ]);
});
