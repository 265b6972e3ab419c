import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

interface Patch {
  readonly file: RegExp;
  readonly from: string;
  readonly to: string;
}

const patches: readonly Patch[] = [
  {
    // jose makes encoders as it loads. Made at their use, they let jsdom under Jest, which has none, load the webhooks.
    file: /[\\/]jose[\\/]dist[\\/]webapi[\\/]lib[\\/]buffer_utils\.js$/,
    from: 'const encoder = new TextEncoder(), decoder = new TextDecoder(), strictDecoder = new TextDecoder("utf-8", { fatal: !0 }),',
    to: `const encoder = { encode: (text) => new TextEncoder().encode(text) },
      decoder = { decode: (bytes) => new TextDecoder().decode(bytes) },
      strictDecoder = { decode: (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes) },`,
  },
  {
    // A loop that fills a list keeps all of uuid in every bundle.
    file: /[\\/]uuid[\\/]dist[\\/]stringify\.js$/,
    from: `const byteToHex = [];
for (let i = 0; i < 256; ++i) {
    byteToHex.push((i + 0x100).toString(16).slice(1));
}`,
    to: 'const byteToHex = /* @__PURE__ */ Array.from({ length: 256 }, (_, i) => (i + 0x100).toString(16).slice(1));',
  },
];

/** Bundles packages with the differences above. A package that has changed fails the build. */
export const patchedPackages: Plugin = {
  name: 'patched-packages',
  setup: (build) => {
    for (const { file, from, to } of patches) {
      build.onLoad({ filter: file }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes(from)) throw new Error(`${path} is not as tools/patched-packages.ts expects it`);
        return { contents: source.replace(from, () => to), loader: 'js' };
      });
    }
  },
};
