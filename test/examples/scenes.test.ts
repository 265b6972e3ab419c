import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { scenes } from '../../examples/scenes.ts';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
let printed: string[] = [];

beforeEach(() => {
  printed = [];
  const note = (...line: unknown[]) => void printed.push(line.map(String).join(' '));
  vi.spyOn(console, 'log').mockImplementation(note);
  vi.spyOn(console, 'error').mockImplementation(note);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
  process.exitCode = undefined;
});

describe('every example plays against the emulator and says what happened', () => {
  for (const [name, scene] of Object.entries(scenes)) {
    test(name, async () => {
      const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      await scene();
      write.mockRestore();
      expect(printed.length).toBeGreaterThan(0);
      expect(printed.join('\n')).not.toContain('undefined');
    });
  }
});

test('every file of an example has its scene', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const helpers = ['payment-rows.ts', 'quickstart.ts', 'run.ts', 'scenes.ts'];
  const names = files.filter((file) => !helpers.includes(file)).map((file) => file.replace('.ts', ''));
  expect(names.filter((name) => !Object.hasOwn(scenes, name))).toEqual([]);
});

test('every example imports the package by its public names', () => {
  const paths = ['', 'quickstart/', 'testing-with-msw/', 'webhooks/'].flatMap((part) =>
    readdirSync(folder + part).map((file) => part + file),
  );
  const files = paths.filter((path) => path.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(12);
  for (const file of files) expect(readFileSync(folder + file, 'utf8'), file).not.toMatch(/from '.*\/src\//);
});

describe('npm run example', () => {
  const run = async (...names: string[]) => {
    const { argv } = process;
    process.argv = [...argv.slice(0, 2), ...names];
    try {
      await import('../../examples/run.ts');
    } finally {
      process.argv = argv;
    }
  };

  test('plays the named example', async () => {
    await run('multi-tenant');
    expect(printed.join('\n')).toMatch(/acme reads .*\nglobex reads /);
  });

  test('lists the names when it is given none of them', async () => {
    await run('toString');
    expect(printed.join('\n')).toContain('africa-mobile-money');
    expect(process.exitCode).toBe(1);
  });
});

test('the page of the examples names the examples that can be run, and no other', () => {
  const page = readFileSync(new URL('../../docs/examples.md', import.meta.url), 'utf8');
  const names = /^The names are (.*)\./m.exec(page)?.[1]?.matchAll(/`([\w-]+)`/g) ?? [];
  expect([...names].map(([, name]) => name).sort()).toEqual(Object.keys(scenes).sort());
});
