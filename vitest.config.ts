import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { emulatorPageInTests } from './tools/emulator-page.ts';
import { lightKyInTests } from './tools/light-ky.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const sources = [
  { find: /^stablecoin-payments$/, replacement: local('src/index.ts') },
  { find: /^stablecoin-payments\/webhooks$/, replacement: local('src/webhooks/index.ts') },
  { find: /^stablecoin-payments\/emulator$/, replacement: local('src/emulator/index.ts') },
  { find: /^stablecoin-payments\/emulator\/msw$/, replacement: local('src/emulator/msw.ts') },
  { find: /^stablecoin-payments\/emulator\/node$/, replacement: local('src/emulator/node.ts') },
  { find: /^stablecoin-payments\/opentelemetry$/, replacement: local('src/opentelemetry/index.ts') },
  { find: /^stablecoin-payments\/payouts$/, replacement: local('src/payouts/index.ts') },
];

const common = {
  // Two cores that also do other work are slow, not wrong. A property test with many cases takes longer.
  testTimeout: process.env.PAYMENTS_PROPERTY_CASES === 'many' ? 120_000 : 30_000,
  hookTimeout: 60_000,
  // A third fills the cores while another one waits: 66 s instead of 74, for 4 s more of CPU.
  maxWorkers: 3,
  server: { deps: { inline: ['ky'] } },
  setupFiles: [local('test/setup.ts')],
  // A worker runs a hundred files with the same sources: what one file has compiled is kept for a later one.
  execArgv: ['--no-flush-bytecode'],
};

/** These files load the client anew, or with fake timers, which no other file may find loaded. */
const fresh = ['test/examples/{frameworks,scenes}.test.ts'];
/** A timer that a file of other tests left running would set its next one among the fake ones of these. */
const timers = readdirSync(local('test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => readFileSync(local(`test/${file}`), 'utf8').includes('useFakeTimers'))
  .map((file) => `test/${file}`)
  .filter((file) => !fresh.includes(file));
const elsewhere = ['test/{package,fleet,runtimes}/**', 'test/**/*.browser.test.ts', '**/node_modules/**'];

/** Sorts the files of a project by where the first pattern that fits them stands; others come `others`. */
const inOrder = (patterns: readonly RegExp[], others: 'first' | 'last') =>
  class extends BaseSequencer {
    override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
      const sorted = await super.sort(files);
      const rank = (path: string) => {
        const place = patterns.findIndex((pattern) => pattern.test(path));
        return place === -1 && others === 'last' ? patterns.length : place;
      };
      sorted.sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
      // Projects stay one after the other: their files cannot share a worker.
      return [...Map.groupBy(sorted, ({ project }) => project).values()].flat();
    }
  };

/** So that no core idles in the end while the other still has a long file. */
const LongFirst = inOrder(
  [
    /examples\/(frameworks|scenes)/,
    /emulator\/state-file/,
    /fault-matrix/,
    // Its many cases in CI take longer than any other file.
    /client\/property/,
    // The first file with a database initializes it for the others.
    /payouts\/paying/,
    /types\/typecheck/,
    /openapi/,
    // One after the other: a database that rested for many files takes seconds to run again.
    /payouts\/(worker|sweep|brakes|review|transfer-events|edited-rows|store)|postgres-dedupe/,
    /generate|payouts\/rules-property/,
    /docs\/(snippets|worked)|emulator\/(fuzz|ledger)/,
    /doctor|pagination/,
    /state-machine/,
  ],
  'last',
);
/** Most mutants are killed before the slow files start, and the first failure ends a run. */
const FastFirst = inOrder(
  [/client\/(time|retries)\./, /payouts\/(paying|worker|sweep)\./, /repeated-pages/, /plain-data/],
  'first',
);

/** Judges mutants (test/mutants/stryker.config.mjs): no processes, no bundles, no docs, no thousands of calls. */
const mutation = {
  name: 'mutation',
  isolate: false,
  testTimeout: 10_000,
  include: (
    process.env.MUTATION_TESTS ??
    'client,outcomes,unit,pagination,webhooks,parameters,node-transport,payouts,redaction'
  )
    .split(',')
    .map((path) => (path.endsWith('.ts') ? `test/${path}` : `test/${path}/**/*.test.ts`)),
  exclude: [
    'test/client/{custom-body,deno,ky-platform,property}.test.ts',
    'test/node-transport/{http2,neighbours}.test.ts',
    'test/webhooks/{bundle,frameworks}.test.ts',
  ],
  sequence: { sequencer: FastFirst },
};

/** The projects of each mode, such as `vitest run --mode browser`. */
const modes = {
  /** All that needs no browser, no database and no build: `npm test`. */
  test: [
    // Modules stay loaded from file to file, which halves the time.
    {
      name: 'shared',
      isolate: false,
      // V8 would compile the database in WebAssembly a second time in each worker, which no run is long enough to repay.
      execArgv: [...common.execArgv, '--liftoff-only'],
      include: ['test/**/*.test.ts'],
      exclude: [...fresh, ...timers, ...elsewhere],
    },
    { name: 'timers', isolate: false, include: timers },
    { name: 'fresh', include: fresh },
  ],
  /** Needs a Chromium, which `CHROMIUM_PATH` may name. */
  browser: [{ name: 'browser', include: ['test/**/*.browser.test.ts'], fileParallelism: false }],
  /** Needs a PostgreSQL and a Redis: scripts/with-stores.sh starts both. */
  stores: [
    { name: 'stores', include: ['test/stores/**/*.stores.ts'], testTimeout: 60_000, fileParallelism: false },
  ],
  /** Every emulator of these tests speaks the dialect of its project, unless the test is about one. */
  dialects: ['spec', 'field'].map((dialect) => ({
    name: dialect,
    isolate: false,
    env: { PAYMENTS_DIALECT: dialect },
    include: [
      'test/examples/**/*.test.ts',
      // Three thousand cells over real sockets: once, as `npm test` runs them on `spec`.
      ...(dialect === 'field' ? ['test/fault-matrix/**/*.test.ts'] : []),
      'test/opentelemetry/**/*.test.ts',
      'test/docs/snippets.test.ts',
    ],
  })),
  /** Needs the packages of the example, and a PostgreSQL at DATABASE_URL: `npm test` in examples/payout-fleet. */
  fleet: [{ name: 'fleet', include: ['test/fleet/**/*.test.ts'], testTimeout: 90_000 }],
};
const dialectEmulators = [
  { find: /^stablecoin-payments\/emulator$/, replacement: local('test/dialects/emulator.ts') },
  { find: /^stablecoin-payments\/emulator\/node$/, replacement: local('test/dialects/emulator-node.ts') },
];

export default defineConfig(({ mode }) => {
  if (process.env.STRYKER_MUTATOR_WORKER !== undefined)
    return {
      plugins: [emulatorPageInTests, lightKyInTests],
      resolve: { alias: sources },
      test: { ...common, ...mutation },
    };
  const projects = modes[mode as keyof typeof modes] ?? modes.test;
  const alias = mode === 'dialects' ? [...dialectEmulators, ...sources] : sources;
  return {
    test: {
      projects: projects.map((project) => ({
        plugins: [emulatorPageInTests, lightKyInTests],
        resolve: { alias },
        test: { ...common, ...project },
      })),
      maxWorkers: 3,
      sequence: { sequencer: LongFirst },
      coverage: {
        provider: 'v8',
        include: ['src/**/*.ts'],
        exclude: ['src/cli/cli.ts'],
        reporter: ['text-summary', 'text', 'json-summary'],
        thresholds: { lines: 95, branches: 95 },
      },
    },
  };
});
