import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const here = fileURLToPath(new URL('.', import.meta.url));
const tool = (name: string) => join(here, 'node_modules', '.bin', name);

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Brings the runtimes, unless they are here as the lock file has them. */
export function installRuntimes(): void {
  const done = join(here, 'node_modules', '.package-lock.json');
  const isCurrent =
    existsSync(done) && statSync(done).mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs;
  if (!isCurrent) run('npm', ['ci', '--no-audit', '--no-fund'], here);
}

/** Makes a project as a stranger would: the packed tarball installed, and the suite compiled beside it. */
export function makeProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'stablecoin-payments-runtimes-'));
  const [{ filename }]: [{ filename: string }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], root),
  );
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--no-audit', '--no-fund', join(project, filename)], project);

  const compile = (program: string, to: string, format: string) =>
    run(
      tool('esbuild'),
      [
        join(here, 'programs', program),
        '--bundle',
        '--packages=external',
        // Without the project's own, whose `paths` lead to the sources instead of the package.
        '--tsconfig-raw={}',
        '--platform=node',
        '--target=es2023',
        `--format=${format}`,
        `--outfile=${join(project, to)}`,
        '--log-level=warning',
      ],
      here,
    );
  compile('program.ts', 'program.mjs', 'esm');
  compile('program.ts', 'program.cjs', 'cjs');
  compile('service.ts', 'service.mjs', 'esm');
  compile('worker.ts', 'worker.mjs', 'esm');
  compile('page.ts', 'page.mjs', 'esm');
  // Workers and pages take no packages: these are bundled from within the project, where the tarball is installed.
  const bundle = (from: string, to: string, ...options: string[]) =>
    run(
      tool('esbuild'),
      [from, '--bundle', '--target=es2023', `--outfile=${to}`, '--log-level=warning', ...options],
      project,
    );
  bundle('worker.mjs', 'worker.js', '--format=esm', '--conditions=workerd,worker,browser');
  bundle('page.mjs', 'page.js', '--format=iife', '--platform=browser');
  return project;
}
