import { defineConfig, type Options } from 'tsup';

const common: Options = {
  target: 'node22',
  platform: 'neutral',
  sourcemap: true,
  splitting: true,
  treeshake: true,
};

export default defineConfig([
  {
    ...common,
    entry: {
      index: 'src/index.ts',
      webhooks: 'src/webhooks/index.ts',
      emulator: 'src/emulator/index.ts',
      'emulator/msw': 'src/emulator/msw.ts',
      'emulator/node': 'src/emulator/node.ts',
      opentelemetry: 'src/opentelemetry/index.ts',
    },
    format: ['esm', 'cjs'],
    dts: true,
  },
  {
    // The command is a program, not a module: one format, no types.
    ...common,
    entry: { cli: 'src/emulator/cli.ts' },
    format: ['esm'],
  },
]);
