/**
 * Plants bugs, one at a time, in a copy of the payouts, and shows that a test notices each of them.
 *   npm run proof:mutants                    all of them
 *   npm run proof:mutants -- token quiet   those whose names contain one of the words
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutants } from './mutants.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const words = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const copy = mkdtempSync(join(tmpdir(), 'mutants-'));

/** Runs tests in the copy. Returns what they say if one of them fails. */
function failureOf(tests: string): string | undefined {
  const options = ['--bail=1', '--reporter=dot'];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = spawnSync(process.execPath, [vitest, 'run', ...options, tests], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 900_000,
    // As in CI: the few cases of `npm test` do not meet every bug.
    env: { ...process.env, PAYMENTS_PROPERTY_CASES: 'many' },
  });
  // A run that found no test at all has noticed nothing.
  if (/No test files found/.test(run.stdout + run.stderr)) throw new Error(`There are no tests in ${tests}.`);
  return run.status === 0 ? undefined : run.stderr;
}

try {
  for (const part of [
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'tools',
    'src',
    'test/setup.ts',
    'test/mutants/parts.ts',
    'test/cases.ts',
    'test/client/support.ts',
    'test/client/matching-body.ts',
    'test/client/transfers-from.test.ts',
    'test/client/close',
    'test/payouts',
    'docs/guides/payouts-limits.md',
  ]) {
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  const suites = [...new Set(chosen.map(({ tests }) => tests))];
  for (const suite of suites) {
    const failure = failureOf(suite);
    if (failure !== undefined) throw new Error(`Without a planted bug ${suite} fails already:\n${failure}`);
  }

  const missed: string[] = [];
  for (const { name, file, find, replace, tests } of chosen) {
    const path = join(copy, file);
    const source = readFileSync(path, 'utf8');
    if (!source.includes(find)) throw new Error(`${name}: ${file} does not contain what is to be replaced.`);
    writeFileSync(
      path,
      source.replace(find, () => replace),
    );
    const caught = failureOf(tests) !== undefined;
    writeFileSync(path, source);
    console.log(`${caught ? 'caught' : 'MISSED'}  ${name}  (${tests})`);
    if (!caught) missed.push(name);
  }
  console.log(`${chosen.length - missed.length} of ${chosen.length} planted bugs are caught.`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
