/**
 * Checks what a release needs and no other tool checks: `npm run release`. It changes nothing.
 *
 *   node scripts/release.ts v1.0.0       in CI: the same, and the tag must be that of package.json
 *   node scripts/release.ts --version    run by `npm version`: writes src/shared/version.ts first
 */
import { readFileSync, writeFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(path, 'utf8');
const manifest: { version: string; homepage: string; repository: { url: string }; bugs: { url: string } } =
  JSON.parse(read('package.json'));
const { version } = manifest;
const [option] = process.argv.slice(2);

if (option === '--version') {
  const source = read('src/shared/version.ts').replace(/(VERSION = ')[^']+/, `$1${version}`);
  writeFileSync('src/shared/version.ts', source);
}

/** The repository names no host, so it has placeholders for the addresses of its owner (docs/release.md). */
const isPlaceholder = (address: string): boolean => {
  const url = address.replace(/^git\+/, '');
  return !URL.canParse(url) || new URL(url).hostname.endsWith('.example');
};
const heading = read('CHANGELOG.md')
  .split('\n')
  .find((line) => line.startsWith(`## ${version} `));
const faults = [
  option?.startsWith('v') &&
    option !== `v${version}` &&
    `The tag is ${option}, but the version is ${version}.`,
  !/\(\d{4}-\d{2}-\d{2}\)$/.test(heading ?? '') && `CHANGELOG.md needs "## ${version} (YYYY-MM-DD)".`,
  isPlaceholder(manifest.homepage) && 'package.json, homepage: fill in the address of the docs.',
  isPlaceholder(manifest.repository.url) &&
    'package.json, repository.url: fill in the address of the repository.',
  isPlaceholder(manifest.bugs.url) && 'package.json, bugs.url: fill in the address of its issues.',
  /git clone <[^>]+>/.test(read('README.md')) &&
    'README.md, git clone: fill in the address of the repository.',
].filter(Boolean);

for (const fault of faults) console.error(`✗ ${fault}`);
if (faults.length > 0) process.exitCode = 1;
else console.log(`✓ ${version} may be released.`);
