import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../scripts/release.ts';

let root = '';
/** A repository that is ready for a release, made once. */
let whole = '';
let printed: string[] = [];

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trim();

const write = (path: string, text: string) => writeFileSync(join(root, path), text);

function commit(): void {
  git('add', '-A');
  git('commit', '-qm', 'change');
}

const manifest = (version: string, host = 'payments.test') =>
  JSON.stringify(
    {
      name: 'x',
      version,
      homepage: `https://${host}`,
      repository: { type: 'git', url: `git+https://${host}/x.git` },
      bugs: { url: `https://${host}/issues` },
    },
    undefined,
    2,
  );

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'release-'));
  mkdirSync(join(root, 'src'));
  mkdirSync(join(root, '.ci'));
  write('package.json', manifest('1.2.3'));
  write('package-lock.json', '{\n  "name": "x",\n  "version": "1.2.3"\n}\n');
  write('src/version.ts', "export const VERSION = '1.2.3';\n");
  write('README.md', 'git clone https://payments.test/x.git\n');
  write('CHANGELOG.md', '# Changelog\n\n## 1.2.3 (2026-11-30)\n\n- better\n');
  write('.ci/run', '#!/bin/sh\nexit 0\n');
  chmodSync(join(root, '.ci/run'), 0o755);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@example.com');
  commit();
  whole = root;
});
afterAll(() => rmSync(whole, { recursive: true }));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'release-'));
  cpSync(whole, root, { recursive: true });
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void printed.push(String(line)));
  vi.spyOn(console, 'error').mockImplementation((line: unknown) => void printed.push(String(line)));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

const faults = () => printed.filter((line) => line.startsWith('✗'));

describe('--check', () => {
  test('passes for a clean tree whose versions agree, and makes no tag', () => {
    expect(main(['--check'], root)).toBe(0);
    expect(faults()).toEqual([]);
    expect(git('tag')).toBe('');
  });

  test.each([
    ['src/version.ts', "export const VERSION = '1.2.2';\n", 'src/version.ts names the same: it is 1.2.2'],
    ['package-lock.json', '{ "version": "1.2.4" }', 'package-lock.json names the same: it is 1.2.4'],
    ['CHANGELOG.md', '# Changelog\n', 'CHANGELOG.md has an entry for it: add "## 1.2.3 (date)"'],
    ['CHANGELOG.md', '## 1.2.3 (unreleased)\n', 'the entry is dated: it is "## 1.2.3 (unreleased)"'],
  ])('fails when %s does not agree', (path, text, fault) => {
    write(path, text);
    commit();
    expect(main(['--check'], root)).toBe(1);
    expect(faults()).toEqual([expect.stringContaining(fault)]);
  });

  test('lists what the owner must fill in, in one place after all points, and fails', () => {
    write('package.json', manifest('1.2.3', 'payments.example'));
    write('README.md', 'git clone <this repository> x\n');
    commit();
    expect(main(['--check'], root)).toBe(1);
    expect(faults()).toEqual([]);
    const list = printed.slice(printed.findIndex((line) => line.includes('docs/release.md')) + 1);
    expect(list).toEqual([
      '□ package.json, homepage: the address of the docs (now https://payments.example)',
      expect.stringContaining('□ package.json, repository.url: '),
      expect.stringContaining('□ package.json, bugs.url: '),
      '□ README.md, The proof: the address of the repository (now git clone <this repository>)',
    ]);
    expect(main(['--tag', 'v1.2.3'], root)).toBe(1);
  });

  test('fails for a version that is none', () => {
    write('package.json', '{ "name": "x" }');
    commit();
    expect(main(['--check'], root)).toBe(1);
    expect(faults()[0]).toContain('it is not named');
  });

  test('fails on changes, on another branch, and for a tag that exists', () => {
    git('tag', 'v1.2.3');
    git('checkout', '-qb', 'side');
    write('new.txt', '');
    expect(main(['--check'], root)).toBe(1);
    expect(faults()).toHaveLength(3);
  });

  test('fails when main is not level with its remote', () => {
    git('branch', 'remote');
    git('config', 'branch.main.remote', '.');
    git('config', 'branch.main.merge', 'refs/heads/remote');
    write('new.txt', '');
    commit();
    expect(main(['--check'], root)).toBe(1);
    expect(faults()).toEqual(['✗ main is level with its remote: ahead and behind by 1, 0']);
  });
});

test('without an option, runs CI and makes an annotated tag', () => {
  expect(main([], root)).toBe(0);
  expect(git('cat-file', '-t', 'v1.2.3')).toBe('tag');
});

test('makes no tag when CI fails, or leaves changes behind', () => {
  write('.ci/run', '#!/bin/sh\nexit 1\n');
  commit();
  expect(() => main([], root)).toThrow();
  write('.ci/run', '#!/bin/sh\ntouch left-behind\n');
  commit();
  expect(main([], root)).toBe(1);
  expect(git('tag')).toBe('');
});

test('--tag tells CI whether this tag may be published', () => {
  expect(main(['--tag', 'v1.2.3'], root)).toBe(0);
  expect(main(['--tag', 'v1.2.4'], root)).toBe(1);
  expect(main(['--tag'], root)).toBe(1);
});

test('refuses an option that it does not know', () => {
  expect(main(['--force'], root)).toBe(2);
});
