/**
 * Builds unless the build is newer than everything that it is made of, so that a chain of scripts builds once. Shows the
 * steps of the build only if it fails: whoever starts an example came for what the example prints.
 */
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';

const inputs = globSync([
  '{src,tools,page}/**/*.{ts,tsx,css}',
  // `llms-full.txt` is a part of the package.
  'docs/{*,guides/*}.md',
  'scripts/{finish-build,openapi,third-party,llms}.ts',
  'package*.json',
  'tsconfig.json',
  'tsup.config.ts',
]);
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
// The last files that a build writes.
const finishedAt = Math.min(changedAt('dist/openapi.json'), changedAt('llms-full.txt'));

if (inputs.some((path) => changedAt(path) > finishedAt)) {
  console.log('Building the package. This takes about a minute.');
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build', '--silent'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) {
    console.error(stdout);
    process.exitCode = 1;
  }
  // Warnings, too.
  process.stderr.write(stderr);
}
