/**
 * Holds the built package to one conformance suite on every runtime: packs a tarball, installs it into a fresh
 * folder, and runs the suite there, against the emulator and a service that misbehaves, both behind real sockets.
 *
 * `npm run test:runtimes` runs all; `npm run test:runtimes -- bun deno` some.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inChromium, inProcess, inWorkerd } from './launch.ts';
import { here, installRuntimes, makeProject } from './project.ts';
import { startService } from './service-process.ts';
import type { Result, Surroundings } from './suite.ts';

/** Where the suite runs, and what the platform does not let a program know. */
interface Runtime {
  name: string;
  limits?: Partial<Surroundings>;
  run(project: string, at: Surroundings, origin: string): Promise<Result[]>;
}

const modules = join(here, 'node_modules');

/** A Node of another major version, from whichever package has it for this machine. */
function node(major: number): string {
  const { platform, arch } = process;
  const found = join(modules, `node${major}-${platform}-${arch}`, 'bin', 'node');
  if (!existsSync(found)) throw new Error(`There is no Node ${major} package for ${platform}-${arch}.`);
  return found;
}

const ownNode = `node ${process.versions.node.split('.')[0]}`;
const runtimes: readonly Runtime[] = [
  ...(['program.mjs', 'program.cjs'] as const).flatMap((program) => {
    const format = program.endsWith('.cjs') ? 'CommonJS' : 'ESM';
    return [
      {
        name: `${ownNode} ${format}`,
        run: (project: string, at: Surroundings) => inProcess(process.execPath, [program], project, at),
      },
      ...[24, 26].map((major) => ({
        name: `node ${major} ${format}`,
        run: (project: string, at: Surroundings) => inProcess(node(major), [program], project, at),
      })),
    ];
  }),
  {
    name: 'bun',
    run: (project, at) => inProcess(join(modules, '.bin', 'bun'), ['program.mjs'], project, at),
  },
  {
    // No leave to read the environment or files: the package needs neither when the options say all.
    name: 'deno',
    limits: { knowsRefusals: false },
    run: (project, at) =>
      inProcess(
        join(modules, '.bin', 'deno'),
        [
          'run',
          '--allow-net=127.0.0.1',
          '--no-prompt',
          '--node-modules-dir=manual',
          '--no-lock',
          'program.mjs',
        ],
        project,
        at,
      ),
  },
  { name: 'workerd', limits: { knowsRefusals: false }, run: (project, at) => inWorkerd(project, at) },
  {
    name: 'chromium',
    limits: { knowsRefusals: false, repeatsByItself: true, namesItself: false },
    run: (_project, at, origin) => inChromium(origin, { ...at, serviceUrl: origin }),
  },
];

const wanted = process.argv.slice(2);
const chosen = runtimes.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
if (chosen.length === 0) throw new Error(`There is no such runtime: ${wanted.join(', ')}`);

installRuntimes();
const project = makeProject();
const rows: { name: string; passed: number; failed: number; seconds: string }[] = [];

async function hold({ name, limits, run }: Runtime): Promise<void> {
  const started = Date.now();
  const service = await startService(project);
  const { origin, serviceUrl, closedUrl } = service;
  const at: Surroundings = {
    runtime: name,
    serviceUrl,
    troubleUrl: `${origin}/trouble`,
    closedUrl,
    knowsRefusals: true,
    repeatsByItself: false,
    namesItself: true,
    ...limits,
  };
  const results = await run(project, at, origin).catch((error: unknown): Result[] => [
    { title: 'runs at all', milliseconds: 0, error: error instanceof Error ? error.message : String(error) },
  ]);
  service.stop();
  const failed = results.filter(({ error }) => error !== undefined);
  console.log(`${failed.length === 0 ? '✓' : '✗'} ${name}`);
  for (const { title, error } of failed) console.log(`    ✗ ${title}\n      ${error}`);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  rows.push({ name, passed: results.length - failed.length, failed: failed.length, seconds });
}

// The suite waits most of its time for limits that run out, so two runtimes go side by side.
const waiting = chosen.values();
const holdTheNext = async () => {
  for (const runtime of waiting) await hold(runtime);
};
await Promise.all([holdTheNext(), holdTheNext()]);
rmSync(project, { recursive: true, force: true });

const width = Math.max(...rows.map(({ name }) => name.length));
console.log(`\n${'runtime'.padEnd(width)} | passed | failed | seconds`);
for (const { name, passed, failed, seconds } of rows) {
  const cells = [String(passed).padStart(6), String(failed).padStart(6), seconds.padStart(7)];
  console.log(`${name.padEnd(width)} | ${cells.join(' | ')}`);
}
const total = (key: 'passed' | 'failed') => rows.reduce((sum, row) => sum + row[key], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;
