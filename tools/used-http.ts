import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/**
 * Takes an import out of @hono/node-server that nothing uses once its code for upgrades is dropped, which the emulator
 * does not call. esbuild would keep the import, and rollup warn about it.
 */
export const usedHttp: Plugin = {
  name: 'used-http',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]@hono[\\/]node-server[\\/]dist[\\/]index\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace('import { STATUS_CODES, ', 'const STATUS_CODES = {};\nimport { ');
      if (contents === source)
        throw new Error(`${path} has no such import any more: delete tools/used-http.ts.`);
      return { contents, loader: 'js' };
    });
  },
};
