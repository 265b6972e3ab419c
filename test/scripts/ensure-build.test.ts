import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../scripts/ensure-build.ts', import.meta.url));

/** What the program prints in a project with this build, and its exit status. */
function ensured(build: string, finished?: Date) {
  const project = mkdtempSync(join(tmpdir(), 'ensure-build-'));
  writeFileSync(join(project, 'build.cjs'), build);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts: { build: 'node build.cjs' } }));
  mkdirSync(join(project, 'dist'));
  for (const file of finished === undefined ? [] : ['dist/openapi.json', 'llms-full.txt']) {
    writeFileSync(join(project, file), '');
    utimesSync(join(project, file), finished ?? 0, finished ?? 0);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    cwd: project,
    encoding: 'utf8',
  });
  return {
    status,
    stdout,
    stderr: stderr.replaceAll(/^.*(?:ExperimentalWarning|--trace-warnings).*\n/gm, ''),
  };
}

const noise = "console.log('CLI Building entry'); console.log('CJS dist/index.cjs 1 KB');";
const announced = 'Building the package. This takes about a minute.\n';

// Issue 61: "145 of the quickstart's 253 lines are noise of the build: print what the reader came for; warnings of the build
// are mended."
test('a build prints one line', () => {
  expect(ensured(noise)).toEqual({ status: 0, stdout: announced, stderr: '' });
});

test('a build that fails prints everything', () => {
  const { status, stdout, stderr } = ensured(
    `${noise} console.error('a type is wrong'); process.exitCode = 3;`,
  );
  expect([status, stdout]).toEqual([1, announced]);
  expect(stderr).toMatch(/CLI Building entry[\s\S]*CJS dist[\s\S]*a type is wrong/);
});

test('warnings of a build are printed', () => {
  expect(ensured(`${noise} console.warn('never used');`)).toEqual({
    status: 0,
    stdout: announced,
    stderr: 'never used\n',
  });
});

test('what was built since its last change is not built again, and prints nothing', () => {
  expect(ensured(noise, new Date(Date.now() + 60_000))).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(ensured(noise, new Date(0)).stdout).toBe(announced);
});
