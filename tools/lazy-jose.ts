import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const made =
  'const encoder = new TextEncoder(), decoder = new TextDecoder(), strictDecoder = new TextDecoder("utf-8", { fatal: !0 }),';
const later = `const encoder = { encode: (text) => new TextEncoder().encode(text) },
  decoder = { decode: (bytes) => new TextDecoder().decode(bytes) },
  strictDecoder = { decode: (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes) },`;

/** jose makes encoders as it loads. Made at their use, they let jsdom under Jest, which has none, import the webhooks. */
export const lazyJose: Plugin = {
  name: 'lazy-jose',
  setup: (build) => {
    build.onLoad(
      { filter: /[\\/]jose[\\/]dist[\\/]webapi[\\/]lib[\\/]buffer_utils\.js$/ },
      async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes(made))
          throw new Error('jose makes its encoders otherwise: see tools/lazy-jose.ts');
        return { contents: source.replace(made, later), loader: 'js' };
      },
    );
  },
};
