import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** ky as it is bundled and tested: on the light platform of `src/transport/ky-platform.ts`. */
const platform = fileURLToPath(new URL('../src/transport/ky-platform.ts', import.meta.url));
const kyFiles = /[\\/]node_modules[\\/]ky[\\/]distribution[\\/].*\.js$/;
const entry = /[\\/]distribution[\\/]index\.js$/;

function adapt(code: string, path: string): string {
  const made = '= createInstance()';
  if (entry.test(path) && !code.includes(made)) {
    throw new Error(
      `${path} no longer makes its default instance by "${made}": look how it does, and adapt this.`,
    );
  }
  // ky makes its default instance as it loads, which keeps a bundler from dropping ky where nothing is sent.
  const droppable = code.replace(made, '= /* @__PURE__ */ createInstance()');
  // On the first line, so that ky's source maps stay true.
  return droppable.includes('globalThis')
    ? `import { kyPlatform as globalThis } from ${JSON.stringify(platform)}; ${droppable}`
    : droppable;
}

/** For the build. */
export const bundledKy = {
  name: 'bundled-ky',
  setup(build: {
    onLoad(
      filter: { filter: RegExp },
      load: (file: { path: string }) => Promise<{ contents: string; loader: 'js' }>,
    ): void;
  }): void {
    build.onLoad({ filter: kyFiles }, async ({ path }) => ({
      contents: adapt(await readFile(path, 'utf8'), path),
      loader: 'js',
    }));
  },
};

/** For tests, which run the source: what they see is what is bundled. Needs ky inlined. */
export const testedKy = {
  name: 'tested-ky',
  transform(code: string, id: string): string | undefined {
    return kyFiles.test(id) ? adapt(code, id) : undefined;
  },
};
