/**
 * Mutation tests: `npm run mutation`, or one area with `npm run mutation -- --mutate 'src/transport/failure/**'`.
 * The list holds what moves money or guards it. The last results are in docs/mutation.md.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Stryker knows which test reaches which mutant, so vitest need not look for related files each time.
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  mutate: [
    'src/transport/**/*.ts',
    'src/pagination/**/*.ts',
    'src/resources/checks/**/*.ts',
    'src/webhooks/{schemes,receiving,deduplication}/**/*.ts',
    'src/helpers/{redact,sensitive-fields}.ts',
    'src/payouts/**/*.ts',
    '!src/**/index.ts',
  ],
  thresholds: { high: 98, low: 95, break: 95 },
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
  // The sandbox needs the sources and the tests only.
  ignorePatterns: ['/docs', '/bench', '/dist', '/coverage', '/page', '/reports', '/test/fleet', '/*.txt'],
  // vitest does not check types, so the sandbox needs no `@ts-nocheck`.
  disableTypeChecks: false,
  timeoutMS: 10_000,
};
