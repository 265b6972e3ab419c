import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The tests that need a real browser, so that all others run where there is none: `CHROMIUM_PATH` names it. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ['test/**/*.browser.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
