import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/release.ts', import.meta.url));
let root = '';
const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const manifest = (host: string) =>
  JSON.stringify({
    version: '1.2.3',
    homepage: `https://${host}`,
    repository: { url: `git+https://${host}/x.git` },
    bugs: { url: `https://${host}/issues` },
  });
const check = (...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
  return { status, faults: stderr.split('\n').filter((line) => line.startsWith('✗')) };
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'release-'));
  mkdirSync(join(root, 'src/shared'), { recursive: true });
  write('package.json', manifest('payments.test'));
  write('src/shared/version.ts', "export const VERSION = '1.2.3';\n");
  write('README.md', 'git clone https://payments.test/x.git\n');
  write('CHANGELOG.md', '# Changelog\n\n## 1.2.3 (2026-11-30)\n\n- better\n');
});
afterEach(() => rmSync(root, { recursive: true }));

test('passes where the changelog is dated and the addresses are real', () => {
  expect(check()).toEqual({ status: 0, faults: [] });
  expect(check('v1.2.3').status).toBe(0);
});

test.each([
  ['CHANGELOG.md', '# Changelog\n', 'CHANGELOG.md needs "## 1.2.3 (YYYY-MM-DD)"'],
  ['CHANGELOG.md', '## 1.2.3 (unreleased)\n', 'CHANGELOG.md needs "## 1.2.3 (YYYY-MM-DD)"'],
  ['README.md', 'git clone <this repository> x\n', 'README.md, git clone'],
])('fails when %s does not agree', (path, text, fault) => {
  write(path, text);
  expect(check()).toEqual({ status: 1, faults: [expect.stringContaining(fault)] });
});

test('names every placeholder of package.json, and a tag of another version', () => {
  write('package.json', manifest('payments.example'));
  expect(check('v1.2.4').faults).toEqual([
    expect.stringContaining('The tag is v1.2.4'),
    expect.stringContaining('homepage'),
    expect.stringContaining('repository.url'),
    expect.stringContaining('bugs.url'),
  ]);
});

test('--version writes the version of package.json into the sources', () => {
  write('src/shared/version.ts', "export const VERSION = '1.2.2';\n");
  expect(check('--version').status).toBe(0);
  expect(readFileSync(join(root, 'src/shared/version.ts'), 'utf8')).toBe("export const VERSION = '1.2.3';\n");
});
