import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changelogTellsOf } from '../../scripts/api-report/changelog.ts';
import { surfaceOf } from '../../scripts/api-report/surface.ts';

let root = '';
const write = (path: string, text: string) => writeFileSync(join(root, path), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'api-report-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('the surface of an entry', () => {
  const surface = (text: string, chunk = 'export {};') => {
    write('package.json', '{ "type": "module" }');
    write('chunk-1.d.ts', chunk);
    write('index.d.ts', `${text}\nexport {};`);
    return surfaceOf(join(root, 'index.d.ts'));
  };

  test('holds what is exported, sorted and without comments', () => {
    const text = `
      /** Zeroes. */
      declare const zero: 0;
      declare class Box<T> {
        #private;
        /** What is inside. */
        readonly content: T;
        constructor(content: T);
      }
      interface Hidden { field: string }
      export { zero, Box };`;
    expect(surface(text)).toBe(
      [
        'class Box<T> {',
        '  readonly content: T;',
        '  constructor(content: T);',
        '}',
        'const zero: 0;',
        '',
      ].join('\n'),
    );
  });

  test('tells of types that have no public name, but are part of one that has', () => {
    const text = `
      interface Inner { deep: Deeper }
      interface Deeper { text: string }
      interface Unused { text: string }
      export interface Outer { inner: Inner }`;
    const [exported, inner] = surface(text).split('Not exported, but part of the above:');
    expect(exported).toContain('interface Outer');
    expect(inner).toContain('interface Inner');
    expect(inner).toContain('interface Deeper');
    expect(inner).not.toContain('Unused');
  });

  test('follows exports into files whose names change with each build', () => {
    const text = `export { a as Thing } from './chunk-1.js';`;
    expect(surface(text, 'interface Thing { id: string }\nexport { type Thing as a };')).toBe(
      'interface Thing {\n  id: string;\n}\n',
    );
  });

  test('tells a type that a schema gives by its fields', () => {
    const text = `
      type output<T> = T extends { out: infer O } ? O : never;
      declare const schema: () => { out: { id: string; note?: string | null } };
      export type Thing = output<ReturnType<typeof schema>>;
      export interface Other extends output<ReturnType<typeof schema>> {}`;
    expect(surface(text)).toBe(
      'interface Other {\n  id: string;\n  note?: string | null;\n}\ntype Thing = {\n  id: string;\n  note?: string | null;\n};\n',
    );
  });
});

describe('the entry in the CHANGELOG', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], { cwd: root, stdio: 'ignore' });
  const commit = () => {
    git('add', '-A');
    git('commit', '-m', 'm', '--allow-empty');
  };

  beforeEach(() => {
    git('init');
    mkdirSync(join(root, 'report'));
    write('CHANGELOG.md', 'first');
    commit();
    write('report/index.txt', 'one');
    commit();
  });

  test('is not asked for when the report is new', () => {
    expect(changelogTellsOf(root, 'report')).toBe('told');
  });

  test('is missed when the report changed and nothing tells of it, also many commits later', () => {
    write('report/index.txt', 'two');
    expect(changelogTellsOf(root, 'report')).toBe('missing');
    commit();
    commit();
    expect(changelogTellsOf(root, 'report')).toBe('missing');
  });

  test('is found in the same change, and in a later one', () => {
    write('report/index.txt', 'two');
    write('CHANGELOG.md', 'second');
    expect(changelogTellsOf(root, 'report')).toBe('told');
    commit();
    expect(changelogTellsOf(root, 'report')).toBe('told');
    write('report/index.txt', 'three');
    commit();
    expect(changelogTellsOf(root, 'report')).toBe('missing');
    write('CHANGELOG.md', 'third');
    expect(changelogTellsOf(root, 'report')).toBe('told');
  });

  test('cannot be known without history', () => {
    rmSync(join(root, '.git'), { recursive: true });
    expect(changelogTellsOf(root, 'report')).toBe('unknown');
  });
});
