/**
 * Mutation tests of what decides what became of a payment: `npm run mutation`. test/mutants/mutation.ts judges the result.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Stryker knows which test reaches which mutant, so vitest need not look for related files each time.
  vitest: { related: false },
  coverageAnalysis: 'perTest',
  mutate: ['src/shared/outcome/**/*.ts', 'src/client/call/open-keys.ts'],
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  reporters: ['progress-append-only', 'json', 'html'],
  // The sandbox needs the sources and the tests only.
  ignorePatterns: ['/docs', '/bench', '/dist', '/coverage', '/page', '/reports', '/*.txt'],
  // vitest does not check types, so the sandbox needs no `@ts-nocheck`.
  disableTypeChecks: false,
  // A mutant outside of functions is judged by all tests, which are slow on busy cores.
  timeoutMS: 60_000,
};
