import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { emulatorPageInTests } from './tools/emulator-page.ts';
import { lightKyInTests } from './tools/light-ky.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const alias = [
  { find: /^stablecoin-payments(\/emulator\/\w+)$/, replacement: local('src$1.ts') },
  { find: /^stablecoin-payments(\/\w+)?$/, replacement: local('src$1/index.ts') },
];
const dialectAlias = [
  { find: /^stablecoin-payments\/emulator$/, replacement: local('test/dialects/emulator.ts') },
  { find: /^stablecoin-payments\/emulator\/node$/, replacement: local('test/dialects/emulator-node.ts') },
];

/** These files load the client anew, or with fake timers, among which no timer of other tests may be set. */
const fresh = ['test/examples/{frameworks,scenes}.test.ts'];
const timers = globSync('test/**/*.test.ts', { cwd: local('.'), exclude: fresh }).filter((file) =>
  readFileSync(local(file), 'utf8').includes('useFakeTimers'),
);
const elsewhere = ['test/{package,fleet,runtimes}/**', 'test/**/*.browser.test.ts'];

/** The projects of each mode, such as `vitest run --mode browser`. Without `isolate`, a worker keeps its modules. */
const modes = {
  test: [
    { name: 'fresh', include: fresh },
    {
      name: 'shared',
      isolate: false,
      include: ['test/**/*.test.ts'],
      exclude: [...fresh, ...timers, ...elsewhere],
    },
    { name: 'timers', isolate: false, include: timers },
  ],
  browser: [{ name: 'browser', include: ['test/**/*.browser.test.ts'], fileParallelism: false }],
  stores: [{ name: 'stores', include: ['test/stores/**/*.stores.ts'], fileParallelism: false }],
  // Every emulator of these tests speaks the dialect of its project, unless the test is about one.
  dialects: ['spec', 'field'].map((name) => ({
    name,
    isolate: false,
    env: { PAYMENTS_DIALECT: name },
    include: ['test/{examples,opentelemetry,fault-matrix}/**/*.test.ts', 'test/docs/snippets.test.ts'],
  })),
  fleet: [{ name: 'fleet', include: ['test/fleet/**/*.test.ts'] }],
};
/** Judges the mutants of src/evidence (test/mutants/stryker.config.mjs). */
const mutation = { isolate: false, execArgv: [], include: ['test/{unit,outcomes}/**/*.test.ts'] };

/** Long files first, so that no core idles in the end. The files of a project stay together: they share workers. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.name + (/fault-matrix|payouts|typecheck|state-file|openapi|docs/.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => rank(a).localeCompare(rank(b)));
  }
}

const configOf = (project: object, dialect = false) => ({
  plugins: [emulatorPageInTests, lightKyInTests],
  resolve: { alias: dialect ? [...dialectAlias, ...alias] : alias },
  test: {
    // Two cores that also do other work are slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    server: { deps: { inline: ['ky'] } },
    setupFiles: [local('test/setup.ts')],
    // A worker compiles a file once, and the database in WebAssembly for a short life.
    execArgv: ['--no-flush-bytecode', '--liftoff-only'],
    ...project,
  },
});

export default defineConfig(({ mode }) => {
  if (process.env.STRYKER_MUTATOR_WORKER !== undefined) return configOf(mutation);
  const projects = modes[mode as keyof typeof modes] ?? modes.test;
  return {
    test: {
      projects: projects.map((project) => configOf(project, mode === 'dialects')),
      // A third fills the cores while another one waits.
      maxWorkers: 3,
      sequence: { sequencer: LongFirst },
      coverage: {
        include: ['src/**/*.ts'],
        exclude: ['src/cli/cli.ts'],
        thresholds: { lines: 95, branches: 95 },
      },
    },
  };
});
