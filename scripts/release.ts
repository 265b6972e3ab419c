/**
 * The release checklist.
 *
 *   node scripts/release.ts --check    goes through what can be told at once, and changes nothing
 *   node scripts/release.ts            the same, then `.ci/run`, then makes the tag
 *   node scripts/release.ts --tag v…   in CI: whether this very tag may be published
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One point of the checklist: what must hold, and why it does not, if it does not. */
export interface Point {
  readonly name: string;
  readonly fault: string | undefined;
}

/** The version that package.json names. */
export function versionOf(root: string): string {
  return field(readFileSync(join(root, 'package.json'), 'utf8'), /"version": "([^"]+)"/);
}

/** What must hold of the files of a release. */
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
    ...checkLinks(read('package.json')),
    point('CHANGELOG.md has an entry for it', heading !== undefined, `add "## ${version} (date)"`),
    point(
      'the entry is dated',
      heading === undefined || /\(\d{4}-\d{2}-\d{2}\)$/.test(heading),
      `it is "${heading}"`,
    ),
  ];
}

/** The addresses that a registry shows. The repository has placeholders, because it names no host. */
function checkLinks(manifest: string): Point[] {
  const {
    homepage,
    repository,
    bugs,
  }: { homepage?: string; repository?: { url?: string }; bugs?: { url?: string } } = JSON.parse(manifest);
  return Object.entries({ homepage, repository: repository?.url, bugs: bugs?.url }).map(([name, value]) => {
    const address = value?.replace(/^git\+/, '') ?? '';
    const isReal = URL.canParse(address) && !new URL(address).hostname.endsWith('.example');
    return point(`package.json names the real ${name}`, isReal, `it is ${value ?? 'not named'}`);
  });
}

/** What must hold of the repository before a tag is made. */
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

/** Whether a tag is that of the version it stands on. */
export function checkTag(root: string, tag: string): Point[] {
  const wanted = `v${versionOf(root)}`;
  return [point('the tag is that of package.json', tag === wanted, `it is ${tag}, not ${wanted}`)];
}

const point = (name: string, holds: boolean, fault: string): Point => ({
  name,
  fault: holds ? undefined : fault,
});

const field = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? 'not named';

function report(points: readonly Point[]): boolean {
  for (const { name, fault } of points)
    console.log(fault === undefined ? `✓ ${name}` : `✗ ${name}: ${fault}`);
  return points.every(({ fault }) => fault === undefined);
}

/** Runs the checklist as the command line says; gives the exit code. */
export function main(args: readonly string[], root: string): number {
  const [mode, tag] = args;
  if (mode === '--tag') return report([...checkFiles(root), ...checkTag(root, tag ?? '')]) ? 0 : 1;
  if (mode !== undefined && mode !== '--check') {
    console.error('Give --check, --tag v…, or nothing.');
    return 2;
  }
  if (!report([...checkFiles(root), ...checkRepository(root)])) return 1;
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
