/** Builds unless the build is newer than everything that it is made of, so that a chain of scripts builds once. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const changedAt = (path: string): number => statSync(join(root, path)).mtimeMs;

const inputs = [
  ...['src', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  ),
  'package.json',
  'package-lock.json',
  'scripts/finish-build.ts',
  'tsup.config.ts',
];
// The last file that a build writes to dist.
const finished = 'dist/openapi.json';
const isFresh =
  existsSync(join(root, finished)) &&
  existsSync(join(root, 'llms-full.txt')) &&
  inputs.every((path) => changedAt(path) < changedAt(finished));

if (!isFresh) execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: 'inherit' });
