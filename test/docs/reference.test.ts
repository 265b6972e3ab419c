import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { strayTexts } from './docstrings.ts';
import { documents, read } from './documents.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const entries = [
  'src/client/index.ts',
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

// Names are all that is read here, so libraries and dependencies need no reading.
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  allowImportingTsExtensions: true,
  noEmit: true,
  noLib: true,
  types: [],
};
const host: ts.CompilerHost = {
  ...ts.createCompilerHost(options),
  resolveModuleNameLiterals: (names, file) =>
    names.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? { resolvedFileName: join(dirname(file), text), extension: ts.Extension.Ts }
        : undefined,
    })),
};
const program = ts.createProgram(
  [...entries, ...pages].map((path) => join(root, path)),
  options,
  host,
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

/** The names that a text shows as code. */
const namesIn = (text: string) =>
  new Set((text.match(/^```[\s\S]*?^```$|`[^`\n]+`/gm) ?? []).flatMap((code) => code.match(/\w+/g) ?? []));

describe('the guides', () => {
  const guides = documents().filter((path) => path.startsWith('docs/guides/'));

  it('show every name of the main entry', () => {
    const shown = namesIn(guides.map(read).join('\n'));
    expect(
      exportsOf('src/client/index.ts')
        .filter(({ name }) => !shown.has(name))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('show a name in a block or in a line, not in prose', () => {
    expect([...namesIn('An Account.\n\n```ts\nconst a: Page;\n```\n\n`Bridge<T>`')]).toEqual([
      'ts',
      'const',
      'a',
      'Page',
      'Bridge',
      'T',
    ]);
  });
});

describe('docstrings', () => {
  it('have no text after a tag that belongs to the description', () => {
    expect(strayTexts(join(root, 'src'))).toEqual([]);
  });
});
