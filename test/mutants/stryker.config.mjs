import { partNameNow, partNow } from './parts.ts';

/**
 * Mutation tests of one part of parts.ts: `npm run mutation`. test/mutants/mutation.ts judges the result.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Stryker knows which test reaches which mutant, so vitest need not look for related files each time.
  vitest: { related: false },
  coverageAnalysis: 'perTest',
  mutate: [...partNow().mutate],
  incremental: true,
  incrementalFile: `reports/mutation/${partNameNow()}-incremental.json`,
  jsonReporter: { fileName: `reports/mutation/${partNameNow()}.json` },
  htmlReporter: { fileName: `reports/mutation/${partNameNow()}.html` },
  reporters: ['progress-append-only', 'json', 'html'],
  // The sandbox needs the sources, the tests and the guides that tests read.
  ignorePatterns: ['/bench', '/dist', '/coverage', '/page', '/reports', '/*.txt'],
  // vitest does not check types, so the sandbox needs no `@ts-nocheck`.
  disableTypeChecks: false,
  // A mutant outside of functions is judged by all tests, which are slow on busy cores.
  timeoutMS: 60_000,
};
