import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    webhooks: 'src/webhooks/index.ts',
    emulator: 'src/emulator/index.ts',
    'emulator/msw': 'src/emulator/msw.ts',
    'emulator/node': 'src/emulator/node.ts',
    opentelemetry: 'src/opentelemetry/index.ts',
    cli: 'src/emulator/cli.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node22',
  platform: 'neutral',
  dts: true,
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
});
