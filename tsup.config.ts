import MagicString from 'magic-string';
import { defineConfig, type Options } from 'tsup';
import { clientEntries, innerEntries } from './tools/client-entries.ts';
import { emulatorPage } from './tools/emulator-page.ts';
import { lightKy } from './tools/light-ky.ts';
import { recordBundled } from './tools/record-bundled.ts';
import { usedHttp } from './tools/used-http.ts';

const plugins: NonNullable<Options['esbuildPlugins']> = [emulatorPage, lightKy, recordBundled, usedHttp];

/**
 * The emulator is in the package once, as CommonJS, which Jest needs: `scripts/finish-build.ts` gives its names to ES
 * modules. Its page and the command are ES modules.
 */
const oneEmulator: (typeof plugins)[number] = {
  name: 'one-emulator',
  setup: (build) => {
    const external = (filter: RegExp, path: string) =>
      build.onResolve({ filter }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path, external: true },
      );
    external(/\/page\/page\.ts$/, './emulator-page.js');
    external(/\/emulator\/command\/command\.ts$/, './emulator/command.cjs');
  },
};

/** `import()` of a chunk, or of this package, becomes `require`: Jest refuses `import()` in CommonJS without a flag of Node. */
const requireChunks: NonNullable<Options['plugins']>[number] = {
  name: 'require-chunks',
  renderChunk(code, { path }) {
    if (this.format !== 'cjs') return;
    const required = new MagicString(code).replace(
      /\bimport\((['"](?:\.{1,2}\/[^'"]+\.cjs|stablecoin-payments)['"])\)/g,
      'Promise.resolve().then(() => require($1))',
    );
    return { code: required.toString(), map: required.generateMap({ source: path, hires: 'boundary' }) };
  },
};

const common: Options = {
  target: 'node22',
  platform: 'neutral',
  splitting: true,
  treeshake: true,
  sourcemap: true,
  // One file loads in half the time of the hundred that ky and zod are (docs/decisions/0009-bundling-ky-and-zod.md).
  noExternal: ['ky', 'zod'],
  esbuildPlugins: plugins,
  plugins: [requireChunks],
  inject: ['tools/lazy-text.ts'],
};

/** Where a project has neither `@types/node` nor the DOM's types, these stand for what it lacks; else they add nothing. */
const platform = [
  'AbortSignal',
  'Blob',
  'FormData',
  'Headers',
  'Request',
  'RequestInit',
  'Response',
  'URL',
  'URLSearchParams',
];
const footer = `declare global {\n${platform.map((name) => `  interface ${name} {}\n`).join('')}}`;

// What only the client itself may call stays out of the published types.
const dts = { compilerOptions: { stripInternal: true }, footer } satisfies Options['dts'];

/** Node has these long since. esbuild takes them for missing and writes the longer `new RegExp(…)`. */
const literals = { 'regexp-unicode-property-escapes': true };

/** CommonJS goes without comments and indentation; names stay. ES modules keep what tells bundlers what is unused. */
const compact: Options['esbuildOptions'] = (options, { format }) => {
  options.supported = literals;
  if (format !== 'cjs') return;
  options.minifyWhitespace = true;
  options.minifySyntax = true;
  options.lineLimit = 1_000;
};

/** The emulator is for development: nobody reads its names in a stack trace. */
const small: Options['esbuildOptions'] = (options) => {
  options.minify = true;
  options.lineLimit = 1_000;
};

const emulator = {
  emulator: 'src/emulator/index.ts',
  'emulator/msw': 'src/emulator/msw.ts',
  'emulator/node': 'src/emulator/node.ts',
};

export default defineConfig([
  {
    ...common,
    esbuildOptions: compact,
    format: ['esm', 'cjs'],
    entry: { ...clientEntries, ...innerEntries },
    dts: false,
  },
  // The emulator is built apart from the client, so that no chunk of the client's holds what only the emulator needs.
  {
    ...common,
    esbuildOptions: small,
    esbuildPlugins: [...plugins, oneEmulator],
    format: ['cjs'],
    entry: {
      ...emulator,
      // Not in `exports`: `scripts/finish-build.ts` gives it the client of the format that is used.
      'emulator/exploration': 'src/emulator/explore/exploration.ts',
      'emulator/command': 'src/command/emulator/command.ts',
    },
    external: ['stablecoin-payments'],
    dts: false,
  },
  // The command is a program without types. The doctor in it uses the client as everybody does, by the name of this
  // package.
  {
    ...common,
    format: ['esm'],
    esbuildOptions: small,
    esbuildPlugins: [...plugins, oneEmulator],
    entry: { 'emulator-page': 'src/emulator/page/page.ts', cli: 'src/command/cli.ts' },
    external: ['stablecoin-payments'],
    dts: false,
  },
  // One set of types for both formats: those of ES modules export them again.
  { ...common, format: ['cjs'], entry: { ...clientEntries, ...emulator }, dts: { ...dts, only: true } },
]);
