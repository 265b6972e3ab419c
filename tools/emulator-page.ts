import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { builtPage } from '../scripts/build-page.ts';

/**
 * `src/emulator/page/built.ts`: the bundle of `page/`, made when the emulator's page is built or tested. The file
 * exists only where `npm run page` wrote it, for running the emulator from its sources.
 */
const built = /[\\/]src[\\/]emulator[\\/]page[\\/]built\.ts$/;
let made: Promise<string> | undefined;
const once = (): Promise<string> => {
  made ??= builtPage();
  return made;
};

/** For the build. */
export const emulatorPage: Plugin = {
  name: 'emulator-page',
  setup: (build) => {
    build.onResolve({ filter: /^\.\/built\.ts$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, 'built.ts'),
      namespace: 'emulator-page',
    }));
    build.onLoad({ filter: built, namespace: 'emulator-page' }, async () => ({
      contents: await once(),
      loader: 'ts',
    }));
  },
};

/** For the tests. */
export const emulatorPageInTests = {
  name: 'emulator-page',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined): string | undefined => {
    const path = importer === undefined ? '' : join(dirname(importer), source);
    return source.startsWith('./') && built.test(path) ? path : undefined;
  },
  load: (id: string): Promise<string> | undefined => (built.test(id) ? once() : undefined),
};
