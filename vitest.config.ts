import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { lightKyInTests } from './tools/light-ky.ts';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  plugins: [lightKyInTests],
  resolve: {
    alias: [
      { find: /^stablecoin-payments$/, replacement: source('index.ts') },
      { find: /^stablecoin-payments\/webhooks$/, replacement: source('webhooks/index.ts') },
      { find: /^stablecoin-payments\/emulator$/, replacement: source('emulator/index.ts') },
      { find: /^stablecoin-payments\/emulator\/msw$/, replacement: source('emulator/msw.ts') },
      { find: /^stablecoin-payments\/emulator\/node$/, replacement: source('emulator/node.ts') },
      { find: /^stablecoin-payments\/opentelemetry$/, replacement: source('opentelemetry/index.ts') },
      { find: /^stablecoin-payments\/payouts$/, replacement: source('payouts/index.ts') },
    ],
  },
  test: {
    // Two cores that also do other work are slow, not wrong.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: { deps: { inline: ['ky'] } },
    include: ['test/**/*.test.ts'],
    // The browser's tests need a Chromium: vitest.browser.config.ts runs them.
    exclude: [
      'test/package/**',
      'test/fleet/**',
      'test/runtimes/**',
      'test/**/*.browser.test.ts',
      '**/node_modules/**',
    ],
    typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], checker: 'tsc' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/cli/cli.ts'],
      reporter: ['text-summary', 'text', 'json-summary'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
