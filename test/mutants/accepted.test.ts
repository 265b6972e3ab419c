import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import accepted from './accepted.json' with { type: 'json' };

describe('accepted.json', () => {
  it.each(accepted)('$file still has the line of each mutant: $code', ({ file, code }) => {
    const lines = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n');
    expect(lines.map((line) => line.trim())).toContain(code);
  });
});
