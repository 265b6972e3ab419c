import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { cases } from './test/cases.ts';
import { partNow } from './test/mutants/parts.ts';
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

const include = ['test/**/*.test.ts'];
const elsewhere = ['test/{package,runtimes}/**', 'test/**/*.browser.test.ts'];
/** These files fake timers, so no timer of other tests may be set in their workers. */
const timers = globSync(include, { cwd: local('.'), exclude: elsewhere }).filter((file) =>
  readFileSync(local(file), 'utf8').includes('useFakeTimers'),
);

/** Of a schema that is built once, the first test alone would judge the mutants. */
const unkept = {
  name: 'unkept',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('/src/shared/schema/schema.ts')) return undefined;
    const declaration = 'export function lazy<T>';
    if (!code.includes(declaration)) throw new Error(`${id} declares no \`lazy\`.`);
    const imported = `import { lazy } from '${local('test/mutants/lazy.ts')}';\nexport { lazy };\n`;
    return imported + code.replace(declaration, 'function keptLazy<T>');
  },
};

/** The projects of each mode, such as `vitest run --mode browser`. Without `isolate`, a worker keeps its modules. */
const modes = {
  test: [
    { name: 'shared', isolate: false, include, exclude: [...timers, ...elsewhere] },
    { name: 'timers', isolate: false, include: timers },
    // On ky as published, with the platform's own classes.
    { name: 'published-ky', isolate: false, include: ['test/node-transport/**/*.test.ts'] },
  ],
  browser: [{ name: 'browser', include: ['test/**/*.browser.test.ts'], fileParallelism: false }],
  stores: [
    { name: 'stores', include: ['test/{webhooks/stores,payouts}/**/*.stores.ts'], fileParallelism: false },
  ],
  // Every emulator of these tests speaks the dialect of its project, unless the test is about one.
  dialects: ['spec', 'field'].map((name) => ({
    name,
    isolate: false,
    env: { PAYMENTS_DIALECT: name },
    include: ['test/{examples,opentelemetry,fault-matrix}/**/*.test.ts', 'test/docs/snippets.test.ts'],
  })),
  /** Judges the mutants of one part (test/mutants/parts.ts). */
  mutation: [{ name: 'mutation', isolate: false, execArgv: [], include: [...partNow().tests] }],
};

export default defineConfig(({ mode }) => {
  const chosen = process.env.STRYKER_MUTATOR_WORKER === undefined ? mode : 'mutation';
  const moreAlias: Readonly<Record<string, typeof alias>> = { dialects: dialectAlias };
  const morePlugins = chosen === 'mutation' ? [unkept] : [];
  const projects = (modes[chosen as keyof typeof modes] ?? modes.test).map((project) => ({
    plugins: [
      emulatorPageInTests,
      ...(project.name === 'published-ky' ? [] : [lightKyInTests]),
      ...morePlugins,
    ],
    resolve: { alias: [...(moreAlias[chosen] ?? []), ...alias] },
    test: {
      // Two cores that also do other work are slow, not wrong. At night a test makes many cases.
      testTimeout: cases(120_000, 900_000),
      hookTimeout: 120_000,
      server: { deps: { inline: ['ky'] } },
      setupFiles: [local('test/setup.ts')],
      // A worker compiles a file once, and the database in WebAssembly for a short life.
      execArgv: ['--no-flush-bytecode', '--liftoff-only'],
      ...project,
    },
  }));
  const coverage = {
    include: ['src/**/*.ts'],
    exclude: ['src/command/cli.ts', 'src/**/*.d.ts'],
    thresholds: { lines: 95, branches: 95 },
  };
  // Stryker starts workers of its own, and takes no projects.
  if (chosen === 'mutation') return projects[0] ?? {};
  // A third worker fills the cores while another one waits.
  return { test: { projects, maxWorkers: 3, coverage } };
});
