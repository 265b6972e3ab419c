import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile } from '../types/compile.ts';
import { strayTexts } from './docstrings.ts';
import { read, root } from './documents.ts';

const run = promisify(execFile);
const copy = mkdtempSync(join(tmpdir(), 'worked-example-'));

beforeAll(async () => {
  for (const path of ['src', 'package.json', 'tsconfig.json'])
    cpSync(root + path, join(copy, path), { recursive: true });
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
  expect(await compile(copy)).toBe('');
});

// At night the example is applied and all of `npm test` runs.
test('its docstring is as the tests of docstrings want it', () => {
  expect(strayTexts(join(copy, 'src'))).toEqual([]);
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
