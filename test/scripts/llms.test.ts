import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { llmsFullText, llmsText } from '../../scripts/llms.ts';
import { documents, snippetsIn, snippetsOf } from '../docs/documents.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

test('llms.txt is current', () => {
  expect(readFileSync(`${repository}llms.txt`, 'utf8'), 'run `npm run llms`').toBe(llmsText(repository));
});

test('llms-full.txt has every method, and its recipes are the compiled ones of the docs', () => {
  const text = llmsFullText(repository);
  for (const [, method = ''] of readFileSync(`${repository}docs/guides/service.md`, 'utf8').matchAll(
    /^\| `(\w+\.\w+)\(/gm,
  )) {
    expect(text, method).toContain(`${method}(`);
  }
  const recipes = snippetsIn(text, 'llms-full');
  const compiled = new Set(
    documents()
      .flatMap(snippetsOf)
      .map(({ code }) => code.trim()),
  );
  expect(recipes.length).toBeGreaterThan(20);
  expect(recipes.filter(({ code }) => !compiled.has(code.trim())).map(({ code }) => code)).toEqual([]);
});

test('the tests that the invoice guide shows are those of the example', () => {
  const guide = readFileSync(`${repository}docs/guides/invoices.md`, 'utf8');
  const tests = readFileSync(`${repository}test/examples/invoices.test.ts`, 'utf8').replaceAll(/^ {2}/gm, '');
  const [shown = ''] = guide.split('## Step 4')[1]?.match(/(?<=```typescript\n)[\s\S]*?(?=\n```)/) ?? [];
  const blocks = shown.split('\n\n').filter(Boolean);
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect(tests).toContain(block);
});

test('every guide has its place among the pages', () => {
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
      '# The first\n\n![a picture](a.svg)\n\nSee [this](b.md)\nfirst: it helps. More.\n\n<!-- bench:start -->\n| 31 µs |\n<!-- bench:end -->\n',
    );
    write('AGENTS.md', '# Rules\n\nBe careful.\n');
  });

  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  test('lists the pages that exist with their first sentence', () => {
    const text = llmsText(root);
    expect(text).toContain('# x\n\n> Does things.');
    expect(text).toContain('## Start\n\n- [The first](docs/first.md): See this first.\n');
    expect(text).not.toContain('missing.md');
  });

  test('puts the rules and the pages into one file', () => {
    const text = llmsFullText(root);
    expect(text).toMatch(/^# Rules\n\nBe careful\.\n\n# The first\n/);
  });

  test('leaves out the figures of the bench, which say nothing to a reader of code', () => {
    const text = llmsFullText(root);
    expect(text).toContain('More.');
    expect(text).not.toMatch(/bench|31 µs/);
  });
});
