import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import base from './vitest.config.ts';

/** The slowest files last: most mutants are killed before these start, and the first failure ends a run. */
const slow = [
  /client\/(?:time|retries)\.test/,
  /payouts\/(?:paying|worker|sweep)\.test/,
  /repeated-pages/,
  /parameters\/plain-data/,
];

class FastFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const rank = (path: string) => slow.findIndex((pattern) => pattern.test(path));
    return [...files].sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

/**
 * The tests that judge a mutant (stryker.config.mjs): in this process, without types and coverage. Tests that start
 * processes, bundle, read the docs or repeat thousands of calls are left out: each mutant runs all tests that reach it.
 */
export default defineConfig({
  plugins: base.plugins ?? [],
  resolve: base.resolve ?? {},
  test: {
    // Modules are loaded once for a mutant, not once for each file; the next mutant gets a new thread.
    isolate: false,
    testTimeout: 10_000,
    hookTimeout: 30_000,
    server: { deps: { inline: ['ky'] } },
    include: (
      process.env.MUTATION_TESTS ??
      'client,outcomes,pagination,webhooks,parameters,responses,node-transport,payouts,transport-units,redaction'
    )
      .split(',')
      .map((path) => (path.endsWith('.ts') ? `test/${path}` : `test/${path}/**/*.test.ts`)),
    exclude: [
      'test/client/{custom-body,deno,fake-timers,ky-platform,property}.test.ts',
      'test/node-transport/{http2,neighbours}.test.ts',
      'test/webhooks/{bundle,frameworks}.test.ts',
    ],
    sequence: { sequencer: FastFirst },
  },
});
