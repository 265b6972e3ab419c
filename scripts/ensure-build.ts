/** Builds unless the build is newer than everything that it is made of, so that a chain of scripts builds once. */
import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';

const inputs = globSync([
  '{src,tools,page}/**/*.{ts,tsx,css}',
  // `llms-full.txt` is a part of the package.
  'docs/{*,guides/*}.md',
  'scripts/finish-build.ts',
  'package*.json',
  'tsup.config.ts',
]);
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
// The last files that a build writes.
const finishedAt = Math.min(changedAt('dist/openapi.json'), changedAt('llms-full.txt'));

if (inputs.some((path) => changedAt(path) > finishedAt))
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
