/**
 * The release checklist.
 *
 *   node scripts/release.ts --check    checks the files and the repository, lists what the owner must fill in, and
 *                                      changes nothing
 *   node scripts/release.ts            the same, then `.ci/run`, then makes the tag
 *   node scripts/release.ts --tag v…   in CI: checks that this tag may be published
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One point of the checklist: what must be true, and what is wrong if it is not. */
export interface Point {
  readonly name: string;
  readonly fault: string | undefined;
}

/** A text that only the owner of the repository can write: docs/release.md explains each. */
export interface Placeholder {
  readonly where: string;
  readonly value: string;
  readonly fillIn: string;
}

/** The version that package.json names. */
export function versionOf(root: string): string {
  return field(readFileSync(join(root, 'package.json'), 'utf8'), /"version": "([^"]+)"/);
}

/** What must be true of the files of a release. */
export function checkFiles(root: string): Point[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const version = versionOf(root);
  const lock = field(read('package-lock.json'), /"version": "([^"]+)"/);
  const source = field(read('src/version.ts'), /VERSION = '([^']+)'/);
  const heading = read('CHANGELOG.md')
    .split('\n')
    .find((line) => line.startsWith(`## ${version} `));
  return [
    point(
      'package.json names a semantic version',
      /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
      `it is ${version}`,
    ),
    point('package-lock.json names the same', lock === version, `it is ${lock}: run npm install`),
    point('src/version.ts names the same', source === version, `it is ${source}`),
    point('CHANGELOG.md has an entry for it', heading !== undefined, `add "## ${version} (date)"`),
    point(
      'the entry is dated',
      heading === undefined || /\(\d{4}-\d{2}-\d{2}\)$/.test(heading),
      `it is "${heading}"`,
    ),
  ];
}

/** What the owner has not filled in yet. The repository has placeholders, because it names no host. */
export function placeholders(root: string): Placeholder[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const manifest: { homepage?: string; repository?: { url?: string }; bugs?: { url?: string } } = JSON.parse(
    read('package.json'),
  );
  const addresses = [
    { where: 'package.json, homepage', value: manifest.homepage, fillIn: 'the address of the docs' },
    {
      where: 'package.json, repository.url',
      value: manifest.repository?.url,
      fillIn: 'the address of the repository, such as git+https://…/owner/stablecoin-payments.git',
    },
    { where: 'package.json, bugs.url', value: manifest.bugs?.url, fillIn: 'the address of its issues' },
  ];
  const clone = /git clone <[^>]+>/.exec(read('README.md'))?.[0];
  return [
    ...addresses
      .map(({ value = 'nothing', ...rest }) => ({ value, ...rest }))
      .filter(({ value }) => !isRealAddress(value)),
    ...(clone === undefined
      ? []
      : [{ where: 'README.md, The proof', value: clone, fillIn: 'the address of the repository' }]),
  ];
}

function isRealAddress(value: string): boolean {
  const address = value.replace(/^git\+/, '');
  return URL.canParse(address) && !new URL(address).hostname.endsWith('.example');
}

/** What must be true of the repository before a tag is made. */
export function checkRepository(root: string): Point[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const tag = `v${versionOf(root)}`;
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  const changes = git('status', '--porcelain').split('\n').filter(Boolean);
  const upstream = git('for-each-ref', '--format=%(upstream:short)', `refs/heads/${branch}`);
  const apart = upstream === '' ? '0\t0' : git('rev-list', '--left-right', '--count', `HEAD...${upstream}`);
  return [
    point('the tree is clean', changes.length === 0, `${changes.length} paths have changes`),
    point('the branch is main', branch === 'main', `it is ${branch}`),
    point(
      'main is level with its remote',
      /^0\s+0$/.test(apart),
      `ahead and behind by ${apart.replace('\t', ', ')}`,
    ),
    point(`there is no tag ${tag} yet`, git('tag', '--list', tag) === '', 'raise the version'),
  ];
}

/** Checks that a tag names the version of its commit. */
export function checkTag(root: string, tag: string): Point[] {
  const wanted = `v${versionOf(root)}`;
  return [point('the tag is that of package.json', tag === wanted, `it is ${tag}, not ${wanted}`)];
}

const point = (name: string, holds: boolean, fault: string): Point => ({
  name,
  fault: holds ? undefined : fault,
});

const field = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? 'not named';

function report(points: readonly Point[], missing: readonly Placeholder[] = []): boolean {
  for (const { name, fault } of points)
    console.log(fault === undefined ? `✓ ${name}` : `✗ ${name}: ${fault}`);
  if (missing.length > 0) {
    console.log('\nThe owner must still fill in these places, see docs/release.md:');
    for (const { where, value, fillIn } of missing) console.log(`□ ${where}: ${fillIn} (now ${value})`);
  }
  return points.every(({ fault }) => fault === undefined) && missing.length === 0;
}

/** Runs the checklist as the command line says; returns the exit code. */
export function main(args: readonly string[], root: string): number {
  const [mode, tag] = args;
  if (mode === '--tag')
    return report([...checkFiles(root), ...checkTag(root, tag ?? '')], placeholders(root)) ? 0 : 1;
  if (mode !== undefined && mode !== '--check') {
    console.error('Give --check, --tag v…, or nothing.');
    return 2;
  }
  if (!report([...checkFiles(root), ...checkRepository(root)], placeholders(root))) return 1;
  if (mode === '--check') return 0;
  execFileSync('.ci/run', { cwd: root, stdio: 'inherit' });
  // What CI writes must not differ from what is tagged.
  if (!report(checkRepository(root).slice(0, 1))) return 1;
  const name = `v${versionOf(root)}`;
  execFileSync('git', ['tag', '--annotate', name, '--message', name], { cwd: root, stdio: 'inherit' });
  console.log(`Tagged ${name}. To publish: git push origin ${name}`);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2), fileURLToPath(new URL('..', import.meta.url)));
}
