import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';
import { bundledKy } from './tools/bundled-ky.ts';

/** uuid sets two constants on a function, which keeps a bundler from dropping it where no id is derived. */
const droppableUuid: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'droppable-uuid',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]uuid[\\/]dist[\\/]v5\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/^v5\.\w+ = \w+;$/gm, ''),
      loader: 'js',
    }));
  },
};

const common: Options = {
  target: 'node22',
  platform: 'neutral',
  sourcemap: true,
  splitting: true,
  treeshake: true,
  // One file loads in half the time of the hundred that ky and zod are (docs/decisions/0009-bundling-ky-and-zod.md).
  noExternal: ['ky', 'zod'],
  esbuildPlugins: [droppableUuid, bundledKy],
};

const libraryFormats: Options = {
  format: ['esm', 'cjs'],
  // What only the client itself may call stays out of the published types.
  dts: { compilerOptions: { stripInternal: true } },
};

export default defineConfig([
  {
    ...common,
    ...libraryFormats,
    entry: {
      index: 'src/index.ts',
      webhooks: 'src/webhooks/index.ts',
      opentelemetry: 'src/opentelemetry/index.ts',
    },
  },
  {
    // Apart from the client, so that no chunk of the client's holds what only the emulator needs.
    ...common,
    ...libraryFormats,
    entry: {
      emulator: 'src/emulator/index.ts',
      'emulator/msw': 'src/emulator/msw.ts',
      'emulator/node': 'src/emulator/node.ts',
    },
  },
  {
    // The command is a program, not a module: one format, no types.
    ...common,
    entry: { cli: 'src/emulator/command/cli.ts' },
    format: ['esm'],
  },
]);
