import { expect, test } from 'vitest';
import { compile } from './compile.ts';

// What `npm run typecheck` does, beside the other tests.
test.each([
  ['the sources, the tests, the examples and the scripts', '.'],
  ['the page of the emulator', 'page'],
])('%s compile under the strict settings', async (_what, project) => {
  expect(await compile(project)).toBe('');
});
