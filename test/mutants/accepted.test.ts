import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parts } from './parts.ts';

// The mutation tests run at night. What they read must be right by day.
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const accepted: readonly { readonly file: string; readonly code: string | readonly string[] }[] = JSON.parse(
  read('test/mutants/accepted.json'),
);

describe('the mutants that do the same as the code', () => {
  it.each(accepted.map(({ file, code }) => ({ file, code })))(
    'are on lines of $file: $code',
    ({ file, code }) => {
      const lines = read(file)
        .split('\n')
        .map((line) => line.trim());
      for (const one of [code].flat()) expect(lines).toContain(one);
    },
  );
});

describe('the part', () => {
  it.each(Object.entries(parts))(
    '%s mutates code that is there, by tests that are there',
    (_name, { mutate, tests }) => {
      for (const pattern of [...mutate, ...tests].flatMap(alternatives))
        expect(globSync(pattern, { cwd: root }), pattern).not.toEqual([]);
    },
  );
});

/** Each name that a pattern with braces stands for. */
function alternatives(pattern: string): string[] {
  const [, before, inside, after] = /^(.*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (inside === undefined) return [pattern];
  return inside.split(',').flatMap((one) => alternatives(`${before}${one}${after}`));
}
