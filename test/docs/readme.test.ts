import { expect, test } from 'vitest';
import { read, snippetsOf } from './documents.ts';

const text = read('README.md');

test('the README has fewer than 500 words', () => {
  expect(text.split(/\s+/).filter(Boolean).length).toBeLessThan(500);
});

test('the README says how to install the package, how to run its program, and how to check a clone', () => {
  for (const command of [
    'npm install stablecoin-payments',
    'node pay.mts',
    'npm ci && npm run quickstart',
    'npm ci && npm test',
  ]) {
    expect(text).toContain(command);
  }
  // A folder that `npm init -y` made is CommonJS: only the name of the file makes the program a module.
  expect(text).toContain('`pay.mts`');
  expect(snippetsOf('README.md').filter(({ runs }) => runs)).toHaveLength(1);
});
