/**
 * Completes a build by tsup: merges what the client's ES modules share, and writes the files that only name others.
 *
 * esbuild makes a file for each set of entries that share something, twelve of them here, and each file costs Node as
 * much as 8 KB of code when the client is imported. Rollup does not change the code
 * (docs/decisions/0009-bundling-ky-and-zod.md, 0012-one-copy-in-the-package.md).
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type MagicString from 'magic-string';
import { type Plugin, rollup } from 'rollup';
import manifest from '../package.json' with { type: 'json' };
import { clientEntries, innerEntries } from '../tools/client-entries.ts';
import { compacted, markPure } from '../tools/pure-modules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(root);

/** Files of their own, by an export. Bundlers drop a file as a whole, also one that fills tables as it loads. */
const apart: Readonly<Record<string, string>> = {
  requestIdFrom: 'request-id',
  isTerminalOnramp: 'statuses',
  OnrampStatus: 'statuses',
};

const edited = (name: string, edit: (code: string) => MagicString): Plugin => ({
  name,
  transform(before) {
    const after = edit(before);
    return { code: after.toString(), map: after.generateMap({ hires: 'boundary' }) };
  },
});

const bundle = await rollup({
  input: Object.keys({ ...clientEntries, ...innerEntries }).map((name) => `${root}dist/${name}.js`),
  external: (id) => !/^[./]/.test(id),
  treeshake: false,
  plugins: [
    {
      name: 'with-source-maps',
      load(file) {
        this.addWatchFile(file);
        return { code: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') };
      },
    },
    edited('compact-modules', compacted),
    edited('pure-modules', markPure),
  ],
});
const merged = bundle.watchFiles.filter((file) => basename(file).startsWith('chunk-'));
await bundle.write({
  dir: `${root}dist`,
  indent: false,
  sourcemap: true,
  minifyInternalExports: false,
  chunkFileNames: 'chunk-[name].js',
  manualChunks: (id, { getModuleInfo }) => {
    if (!merged.includes(id)) return undefined;
    const names = getModuleInfo(id)?.exports ?? [];
    return Object.entries(apart).find(([name]) => names.includes(name))?.[1] ?? 'shared';
  },
});
for (const file of merged) {
  rmSync(file);
  rmSync(`${file}.map`);
}

/** An ES module gets the client of ES modules, so that the errors of a program are of the classes that it imports. */
const exploreOfModules = `import { exploreBy } from './emulator/exploration.cjs';
export const explore = async (options) => exploreBy((await import('./index.js')).PaymentsClient, options);
`;

for (const entry of Object.values(manifest.exports)) {
  if (typeof entry === 'string') continue;
  const common = basename(entry.require.default);
  const types = readFileSync(root + entry.require.types, 'utf8');
  // Another package may have other types for ES modules than for CommonJS, as msw has: then both kinds are needed.
  const namesPackage = /^import .* from '[^.]/m.test(types);
  writeFileSync(root + entry.import.types, namesPackage ? types : `export * from './${common}';\n`);
  // The emulator is in the package once, as CommonJS.
  if (existsSync(root + entry.import.default)) continue;
  const names = Object.keys(require(root + entry.require.default)).sort();
  const own = names.includes('explore') ? exploreOfModules : '';
  const others = names.filter((name) => own === '' || name !== 'explore');
  writeFileSync(root + entry.import.default, `export { ${others.join(', ')} } from './${common}';\n${own}`);
}
