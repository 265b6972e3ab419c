import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, root } from './documents.ts';

const run = promisify(execFile);
const copy = mkdtempSync(join(tmpdir(), 'worked-example-'));

beforeAll(async () => {
  for (const path of ['src', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'tools', 'docs/reference'])
    cpSync(root + path, join(copy, path), { recursive: true });
  for (const path of ['test/setup.ts', 'test/docs/reference.test.ts']) cpSync(root + path, join(copy, path));
  symlinkSync(`${root}node_modules`, join(copy, 'node_modules'));
  const diff = /^```diff\n([\s\S]*?)^```$/m.exec(read('CONTRIBUTING.md'))?.[1] ?? '';
  writeFileSync(join(copy, 'example.diff'), diff);
  // Who follows the example has applied it to the tree; the tests are to pass then, too.
  const isApplied = await run('git', ['apply', '--recount', '--reverse', '--check', 'example.diff'], {
    cwd: copy,
  }).then(
    () => true,
    () => false,
  );
  if (!isApplied) await run('git', ['apply', '--recount', 'example.diff'], { cwd: copy });
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('the worked example changes one file', () => {
  expect(read('CONTRIBUTING.md').match(/^\+\+\+ /gm)).toHaveLength(1);
});

test('the worked example compiles under the strict settings', { timeout: 60_000 }, async () => {
  const compiler = `${root}node_modules/typescript7/bin/tsc`;
  const { stdout } = await run(process.execPath, [compiler, '--noEmit', '-p', copy]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

// .ci/run applies the example and runs all of `npm test`. These are the tests that read what the example changes.
test('the tests of docstrings pass with it', { timeout: 60_000 }, async () => {
  const args = [`${root}node_modules/vitest/vitest.mjs`, 'run', 'test/docs/reference.test.ts'];
  const { stdout } = await run(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1' },
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toMatch(/Test Files\s+1 passed/);
});

test('the added operation is called, retried and parsed like any other', async () => {
  const program = `
    import { PaymentsClient } from './src/index.ts';
    const answers = [new Response('busy', { status: 500 }), Response.json({ transferType: 'ONRAMP', transferDetails: { id: 'o 1', status: 'NEW' } })];
    const seen = [];
    const payments = new PaymentsClient({
      baseUrl: 'http://localhost', accessToken: 'token',
      fetch: async (url, init) => (seen.push(init.method + ' ' + url), answers.shift()),
    });
    const onramp = await payments.onramps.retrieve('o 1');
    console.log(JSON.stringify([seen, onramp.transferDetails.status]));
  `;
  writeFileSync(join(copy, 'program.mjs'), program);
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: copy });
  const path = 'GET http://localhost/v2/onramps/o%201';
  expect(JSON.parse(stdout)).toEqual([[path, path], 'NEW']);
});
