import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { llmsText, main } from '../../scripts/llms.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

test('llms.txt is what the docs say', () => {
  expect(readFileSync(`${repository}llms.txt`, 'utf8'), 'run `npm run llms`').toBe(llmsText(repository));
});

test('every guide has its place among the pages', async () => {
  const { readdirSync } = await import('node:fs');
  const pages: Record<string, string[]> = JSON.parse(readFileSync(`${repository}docs/pages.json`, 'utf8'));
  const placed = new Set(Object.values(pages).flat());
  const guides = readdirSync(`${repository}docs/guides`).filter((file) => file.endsWith('.md'));
  expect(guides.filter((file) => !placed.has(`guides/${file}`))).toEqual([]);
});

describe('from a small repository', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'llms-'));
    mkdirSync(join(root, 'docs'));
    const write = (path: string, text: string) => writeFileSync(join(root, path), text);
    write('package.json', '{ "name": "x", "description": "Does things." }');
    write('docs/pages.json', '{ "Start": ["first.md", "missing.md"] }');
    write(
      'docs/first.md',
      '# The first\n\n![a picture](a.svg)\n\nSee [this](b.md)\nfirst: it helps. More.\n',
    );
    const sections = ['Install', 'Operations', 'Errors', 'Retries and limits', 'Configuration'];
    const body = sections.map((name) => `## ${name}\n\nAbout ${name}.\n`).join('\n');
    write('README.md', `# x\n\n- **Nothing lost.** Not a\n  thing.\n\n${body}\n## More\n\nNot this.\n`);
    vi.spyOn(console, 'error').mockReturnValue();
  });

  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(root, { recursive: true, force: true });
  });

  test('lists the pages that exist with their first sentence, and quotes the README', () => {
    const text = llmsText(root);
    expect(text).toContain('# x\n\n> Does things.\n\n- **Nothing lost.** Not a thing.');
    expect(text).toContain('## Start\n\n- [The first](docs/first.md): See this first.\n\n## Install');
    expect(text.endsWith('About Configuration.\n')).toBe(true);
  });

  test('--check fails until the file is written, and after the docs have changed', () => {
    expect(main(['--check'], root)).toBe(1);
    expect(main([], root)).toBe(0);
    expect(main(['--check'], root)).toBe(0);
    writeFileSync(join(root, 'docs/first.md'), '# Another\n\nTitle.\n');
    expect(main(['--check'], root)).toBe(1);
  });

  test('says which section of the README is missing', () => {
    writeFileSync(join(root, 'README.md'), '# x\n');
    expect(() => llmsText(root)).toThrow('no section "Install"');
  });
});
