import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild, type Plugin } from 'esbuild';
import type { VitestPluginContext } from 'vitest/node';

/**
 * ky, bundled once with `src/client/wire/ky-platform.ts` in the place of the platform's classes that ky makes for
 * each call. Only esbuild's own options are used, so ky's source stays as published. Why: docs/decisions/0001.
 */
const platform = fileURLToPath(new URL('../src/client/wire/ky-platform.ts', import.meta.url));
const kyEntry = /[\\/]node_modules[\\/]ky[\\/]distribution[\\/]index\.js$/;

async function bundleKy(path: string): Promise<string> {
  const { outputFiles } = await esbuild({
    // ky makes its default instance as it loads. In a function that is called nowhere else, a bundler may drop it all.
    // `ky.ts` makes the request, so it needs the class that ky knows.
    stdin: {
      // By its name: a path of the builder's would be in the published source maps.
      contents: `import ky from ${JSON.stringify(`./${basename(path)}`)};\nclient = Object.assign(ky, { Request: globalThis.Request });`,
      resolveDir: dirname(path),
    },
    bundle: true,
    write: false,
    outfile: path,
    sourcemap: 'inline',
    format: 'esm',
    target: 'node22',
    banner: { js: 'export default /* @__PURE__ */ (() => {\nlet client;' },
    footer: { js: 'return client;\n})();' },
    inject: [platform],
    define: {
      'globalThis.Request': 'SmallRequest',
      'globalThis.Headers': 'SmallHeaders',
      'globalThis.Response': 'NoInstances',
      // Without them ky hands our own cancellation through as the signal.
      'globalThis.AbortController': 'undefined',
      'globalThis.AbortSignal': 'NoInstances',
      // ky looks while it loads whether the platform has these, and Node then loads all of fetch.
      'globalThis.ReadableStream': 'undefined',
      'globalThis.FormData': 'undefined',
      // ky makes one as it loads, for the progress of uploads only; jsdom under Jest has none.
      TextEncoder: 'NoInstances',
    },
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild made nothing of ${path}`);
  return file.text;
}

/** For the build. */
export const lightKy: Plugin = {
  name: 'light-ky',
  setup: (build) => {
    build.onLoad({ filter: kyEntry }, async ({ path }) => ({ contents: await bundleKy(path), loader: 'js' }));
  },
};

/** For the tests, which run the source: they test what is shipped. Needs ky inlined. */
export const lightKyInTests = {
  name: 'light-ky',
  load: (id: string): Promise<string> | undefined => (kyEntry.test(id) ? bundleKy(id) : undefined),
  /** Vitest keeps what it has transformed by the text of ky's own file, which is not all that is in it. */
  configureVitest({ defineCacheKeyGenerator }: Pick<VitestPluginContext, 'defineCacheKeyGenerator'>): void {
    const others = [platform, fileURLToPath(import.meta.url)]
      .map((path) => readFileSync(path, 'utf8'))
      .join('');
    defineCacheKeyGenerator(({ id }) => (kyEntry.test(id) ? others : undefined));
  },
};
