/**
 * Merges what the client's ES modules share. esbuild makes a file for each set of entries that share something, twelve of
 * them here, and each file costs Node as much as 8 KB of code when the client is imported. Rollup does not change the
 * code (docs/decisions/0009-bundling-ky-and-zod.md).
 */
import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { clientEntries, innerEntries } from '../tools/client-entries.ts';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** Files of their own, by an export. Bundlers drop a file as a whole, also one that fills tables as it loads. */
const apart: Readonly<Record<string, string>> = {
  departuresOf: 'schemas',
  requestIdFrom: 'request-id',
  isTerminalOnramp: 'statuses',
  OnrampStatus: 'statuses',
};

const bundle = await rollup({
  input: Object.keys({ ...clientEntries, ...innerEntries }).map((name) => `${dist}${name}.js`),
  external: (id) => !/^[./]/.test(id),
  treeshake: false,
});
const merged = bundle.watchFiles.filter((file) => basename(file).startsWith('chunk-'));
await bundle.write({
  dir: dist,
  indent: false,
  minifyInternalExports: false,
  chunkFileNames: 'chunk-[name].js',
  manualChunks: (id, { getModuleInfo }) => {
    if (!merged.includes(id)) return undefined;
    const names = getModuleInfo(id)?.exports ?? [];
    return Object.entries(apart).find(([name]) => names.includes(name))?.[1] ?? 'shared';
  },
});
for (const file of merged) rmSync(file);
