/**
 * Holds the public surface of every entry to its report in docs/api-report, so that no change of it goes unseen and
 * none goes without an entry in the CHANGELOG. Run it after a build: `npm run api`, and `npm run api -- --write` to
 * write the reports anew.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changelogTellsOf } from './api-report/changelog.ts';
import { surfaceOf } from './api-report/surface.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = 'docs/api-report';
const writes = process.argv.includes('--write');

const manifest: { name: string; exports: Record<string, string | { import: { types: string } }> } =
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const reports = new Map<string, string>();
for (const [path, target] of Object.entries(manifest.exports)) {
  if (typeof target === 'string') continue;
  const entry = path === '.' ? manifest.name : `${manifest.name}${path.slice(1)}`;
  const file = `${path === '.' ? 'index' : path.slice(2).replaceAll('/', '-')}.txt`;
  const head = `The public surface of ${entry}, written by \`npm run api -- --write\`.\n\n`;
  reports.set(file, head + surfaceOf(join(root, target.import.types)));
}

mkdirSync(join(root, folder), { recursive: true });
const present = readdirSync(join(root, folder));
const surplus = present.filter((file) => !reports.has(file));
const differing = [...reports].filter(([file, text]) => {
  const path = join(root, folder, file);
  return !existsSync(path) || readFileSync(path, 'utf8') !== text;
});

if (writes) {
  for (const file of surplus) rmSync(join(root, folder, file));
  for (const [file, text] of differing) writeFileSync(join(root, folder, file), text);
  console.log(`${differing.length} of ${reports.size} reports written, ${surplus.length} removed.`);
} else {
  for (const [file, text] of differing) console.log(differenceOf(file, text));
  for (const file of surplus) console.log(`${folder}/${file} is of no entry.`);
  if (differing.length + surplus.length > 0) {
    console.error(
      'The public surface is not what docs/api-report says. If that is meant: run `npm run api -- --write`, and say in CHANGELOG.md what changes for users.',
    );
    process.exitCode = 1;
  }
}

if (process.exitCode !== 1) {
  const told = changelogTellsOf(root, folder);
  if (told === 'missing') {
    console.error(
      'The public surface changed, and CHANGELOG.md does not tell of it: add an entry for users.',
    );
    process.exitCode = 1;
  } else if (told === 'unknown') {
    console.log('There is no history here to compare CHANGELOG.md with.');
  }
}
if (process.exitCode !== 1) console.log(`The public surface of ${reports.size} entries is as reported.`);

/** What changed, as git shows it. */
function differenceOf(file: string, text: string): string {
  const place = mkdtempSync(join(tmpdir(), 'api-report-'));
  const path = join(root, folder, file);
  const now = join(place, file);
  writeFileSync(now, text);
  try {
    const before = existsSync(path) ? path : '/dev/null';
    return execFileSync('git', ['diff', '--no-index', '--no-color', '-U2', before, now], {
      encoding: 'utf8',
    });
  } catch (error) {
    // git ends with 1 where there is a difference.
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
