import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** ky as it is bundled and tested: on the light platform of `src/transport/attempt/ky-platform.ts`. */
const platform = fileURLToPath(new URL('../src/transport/attempt/ky-platform.ts', import.meta.url));
const kyFiles = /[\\/]node_modules[\\/]ky[\\/]distribution[\\/].*\.js$/;

/** What else is put in the place of what, by the file that holds it; each saves work that one caller never needs. */
const replacements: readonly { file: RegExp; from: RegExp; to: string }[] = [
  {
    // ky makes its default instance as it loads, which keeps a bundler from dropping ky where nothing is sent.
    file: /[\\/]distribution[\\/]index\.js$/,
    from: /= createInstance\(\)/,
    to: '= /* @__PURE__ */ createInstance()',
  },
  {
    // `.json()`, `.text()` and so on, made for each call: the body is read elsewhere.
    file: /[\\/]core[\\/]constants\.js$/,
    from: /export const responseTypes = \{[^}]*\};/,
    to: 'export const responseTypes = {};',
  },
  {
    // Retries are off: the same at each call, and asked for twice in each.
    file: /[\\/]utils[\\/]normalize\.js$/,
    from: /export const normalizeRetryOptions = \(retry = \{\}\) => \{/,
    to: 'let off; export const normalizeRetryOptions = (retry = {}) => { if (retry === 0 || retry === off) return off ??= Object.freeze({ ...getDefaultRetryOptions(), limit: 0 });',
  },
];

function adapt(code: string, path: string): string {
  let adapted = code;
  for (const { file, from, to } of replacements) {
    if (!file.test(path)) continue;
    if (!from.test(adapted)) throw new Error(`${path} no longer holds ${from}: look how ky does it now.`);
    adapted = adapted.replace(from, to);
  }
  // On the first line, so that ky's source maps stay true.
  return adapted.includes('globalThis')
    ? `import { kyPlatform as globalThis } from ${JSON.stringify(platform)}; ${adapted}`
    : adapted;
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
