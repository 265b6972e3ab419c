import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The dialects that the suite runs on. A failure of a random one is repeated with `--project random:<seed>`. */
const SEEDS = (process.env.PAYMENTS_DIALECT_SEEDS ?? '1,2,3').split(',');
const DIALECTS = ['spec', 'field', ...SEEDS.map((seed) => `random:${seed}`)];

const local = (path: string) => fileURLToPath(new URL(`./test/dialects/${path}`, import.meta.url));

/** Every emulator of these tests speaks the dialect of the run, unless the test is about one. */
const resolve = {
  alias: [
    { find: /^stablecoin-payments\/emulator$/, replacement: local('emulator.ts') },
    { find: /^stablecoin-payments\/emulator\/node$/, replacement: local('emulator-node.ts') },
    ...(Array.isArray(base.resolve?.alias) ? base.resolve.alias : []),
  ],
};

export default defineConfig({
  test: {
    projects: DIALECTS.map((dialect) => ({
      plugins: base.plugins ?? [],
      resolve,
      test: {
        name: dialect,
        env: { PAYMENTS_DIALECT: dialect },
        server: { deps: { inline: ['ky'] } },
        include: [
          'test/examples/**/*.test.ts',
          // Three thousand cells over real sockets: once beside the run on `spec` in the whole suite.
          ...(dialect === 'field' ? ['test/fault-matrix/**/*.test.ts'] : []),
          'test/opentelemetry/**/*.test.ts',
          'test/docs/snippets.test.ts',
        ],
      },
    })),
  },
});
