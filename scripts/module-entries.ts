/**
 * Completes a build by the files that only name others: the types of ES modules, which are those of CommonJS, and the
 * ES modules of the emulator (docs/decisions/0012-one-copy-in-the-package.md).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const require = createRequire(root);
const {
  exports: entries,
}: { exports: Record<string, string | { import: { types: string; default: string } }> } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
);

for (const entry of Object.values(entries)) {
  if (typeof entry === 'string') continue;
  const module = fileURLToPath(new URL(entry.import.default, root));
  const common = module.replace(/\.js$/, '.cjs');
  const from = `from './${basename(common)}';\n`;
  const types = readFileSync(module.replace(/\.js$/, '.d.cts'), 'utf8');
  // Another package may have other types for ES modules than for CommonJS, as msw has: then both kinds are needed.
  const namesPackage = /^import .* from '[^.]/m.test(types);
  writeFileSync(fileURLToPath(new URL(entry.import.types, root)), namesPackage ? types : `export * ${from}`);
  if (existsSync(module)) continue;
  const names = Object.keys(require(common)).sort();
  writeFileSync(module, `export { ${names.join(', ')} } ${from}`);
}
