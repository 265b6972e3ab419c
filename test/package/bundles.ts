import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { check, root, run } from './checklist.ts';

/**
 * The bundlers, and the bytes that a bundle of one status helper may have; with the client it has some 100 000. webpack's
 * minifier knows no functions without side effects, so it keeps the schemas and the error classes.
 */
const bundlers = { esbuild: 5_000, vite: 5_000, webpack: 35_000 };

/** Bundles a consumer's routes and a single helper with each bundler, and runs what comes out. */
export async function checkBundles(folder: string, tarball: string): Promise<void> {
  const place = join(folder, 'bundlers');
  cpSync(join(root, 'test/package/bundlers'), place, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  run('npm', ['ci', '--no-audit', '--no-fund'], place);
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', tarball], place);
  for (const [bundler, largestHelper] of Object.entries(bundlers)) {
    await check(`${bundler} bundles two routes of Hono, and they do their work`, () => {
      run(process.execPath, ['build.mjs', bundler], place);
      const output = run(process.execPath, [`out-${bundler}/app.mjs`], place);
      if (!output.includes('the routes did their work')) throw new Error(output);
    });
    await check(`${bundler} drops all but the one helper that is used`, () => {
      const file = join(place, `out-${bundler}/helper.mjs`);
      if (run(process.execPath, [file], place).trim() !== 'true false')
        throw new Error('the helper is wrong');
      const { size } = statSync(file);
      if (size > largestHelper) throw new Error(`${size} bytes, more than ${largestHelper}`);
      if (/\/v2\/|Bearer/.test(readFileSync(file, 'utf8'))) throw new Error('the client is inside');
    });
    await check(`${bundler} keeps only the namespaces that a client is composed of`, () => {
      const file = join(place, `out-${bundler}/composed.mjs`);
      const output = run(process.execPath, [file], place).trim();
      if (output !== 'https://payments.test/v2/users/u-1/kyc') throw new Error(output);
      const paths = readFileSync(file, 'utf8').match(/\/v2\/[\w/{}-]+/g) ?? [];
      if (paths.join() !== '/v2/users/{userId}/kyc') throw new Error(`the bundle holds ${paths.join(', ')}`);
    });
  }
}
