import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The tests that need a real PostgreSQL and a real Redis: scripts/with-stores.sh starts both. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ['test/stores/**/*.stores.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
