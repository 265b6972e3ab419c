import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const entries = [
  'src/index.ts',
  'src/webhooks/index.ts',
  'src/emulator/index.ts',
  'src/emulator/node.ts',
  'src/emulator/msw.ts',
  'src/opentelemetry/index.ts',
  'src/payouts/index.ts',
];
const pages = readdirSync(join(root, 'docs/reference'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `docs/reference/${name}`);

const program = ts.createProgram(
  [...entries, ...pages].map((path) => join(root, path)),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  },
);
const checker = program.getTypeChecker();

/** What a module exports: each declaration once, whatever the name under which the module exports it. */
function exportsOf(path: string): ts.Symbol[] {
  const source = program.getSourceFile(join(root, path));
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${path} is not a module.`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
}

describe('the reference', () => {
  const pagesOf = new Map<ts.Symbol, string[]>();
  for (const page of pages) {
    for (const symbol of exportsOf(page)) pagesOf.set(symbol, [...(pagesOf.get(symbol) ?? []), page]);
  }

  it.each(entries)('shows every export of %s', (entry) => {
    const exported = exportsOf(entry);
    expect(exported.length).toBeGreaterThan(0);
    expect(exported.filter((symbol) => !pagesOf.has(symbol)).map(({ name }) => name)).toEqual([]);
  });

  it('shows each export on one page, and the errors of webhooks as re-exports also on their page', () => {
    const shared = ['docs/reference/errors.ts', 'docs/reference/webhooks.ts'].join();
    const twice = [...pagesOf].filter(([, on]) => on.length > 1 && on.join() !== shared);
    expect(twice.map(([{ name }, on]) => `${name}: ${on.join(', ')}`)).toEqual([]);
  });

  it('shows nothing that no entry exports', () => {
    const exported = new Set(entries.flatMap(exportsOf));
    expect([...pagesOf.keys()].filter((symbol) => !exported.has(symbol)).map(({ name }) => name)).toEqual([]);
  });
});

describe('docstrings', () => {
  it('have no text after a tag that belongs to the description', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const stray = sources
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) =>
        strayText(readFileSync(join(root, 'src', name), 'utf8')).map((text) => `${name}: ${text}`),
      );
    expect(stray).toEqual([]);
  });
});

/** Paragraphs that follow a tag after a blank line. TypeDoc shows them as part of the tag. */
function strayText(source: string): string[] {
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(([comment]) => {
    const lines = comment.split('\n').map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*) ?/, ''));
    const found: string[] = [];
    let inCode = false;
    let inTag = false;
    lines.forEach((line, index) => {
      const startsTag = !inCode && line.startsWith('@');
      if (line.startsWith('```')) inCode = !inCode;
      else if (inTag && !inCode && !startsTag && line !== '' && lines[index - 1] === '') found.push(line);
      inTag ||= startsTag;
    });
    return found;
  });
}
