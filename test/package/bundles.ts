import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { check, root, run } from './checklist.ts';

/**
 * The bundlers, and the bytes that they may make of one status helper, of `requestIdFrom` with gzip, and of a client of
 * one namespace with gzip.
 */
const bundlers = {
  esbuild: { helper: 1_500, requestId: 4_000, composed: 49_550 },
  vite: { helper: 1_500, requestId: 4_000, composed: 47_750 },
  webpack: { helper: 1_500, requestId: 4_000, composed: 48_100 },
  rspack: { helper: 1_500, requestId: 4_000, composed: 47_650 },
  parcel: { helper: 1_500, requestId: 4_000, composed: 54_300 },
};
/** Several of their platform packages are not in every registry, so that they stand in no lock file. */
const unlocked = ['@rspack/core@2.3.2', 'parcel@2.16.4'];

/** Bundles a consumer's routes and single parts of the package with each bundler, and runs what comes out. */
export async function checkBundles(folder: string, tarball: string): Promise<void> {
  const place = join(folder, 'bundlers');
  cpSync(join(root, 'test/package/bundlers'), place, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  run('npm', ['ci', '--no-audit', '--no-fund'], place);
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', tarball, ...unlocked], place);
  for (const [bundler, most] of Object.entries(bundlers)) {
    const output = (name: string) => join(place, `out-${bundler}/${name}.mjs`);
    const printed = (name: string) => run(process.execPath, [output(name)], place).trim();
    const atMost = (bytes: number, limit: number) => {
      console.log(`    ${bytes} of at most ${limit} bytes`);
      if (bytes > limit) throw new Error(`${bytes} bytes, more than ${limit}`);
    };
    await check(`${bundler} bundles two routes of Hono, and they do their work`, () => {
      run(process.execPath, ['build.mjs', bundler], place);
      if (!printed('app').includes('the routes did their work')) throw new Error(printed('app'));
    });
    await check(`${bundler} drops all but the one helper that is used`, () => {
      if (printed('helper') !== 'true false') throw new Error('the helper is wrong');
      atMost(statSync(output('helper')).size, most.helper);
      if (/\/v2\/|Bearer/.test(readFileSync(output('helper'), 'utf8')))
        throw new Error('the client is inside');
    });
    await check(`${bundler} keeps only what makes an id`, () => {
      if (!/^[0-9a-f-]{36}$/.test(printed('request-id'))) throw new Error(printed('request-id'));
      atMost(gzipSync(readFileSync(output('request-id')), { level: 9 }).length, most.requestId);
    });
    await check(`${bundler} keeps only the namespaces that a client is composed of`, () => {
      if (printed('composed') !== 'https://payments.test/v2/users/u-1/kyc')
        throw new Error(printed('composed'));
      const code = readFileSync(output('composed'), 'utf8');
      atMost(gzipSync(code, { level: 9 }).length, most.composed);
      if (bundler === 'parcel') return;
      const paths = code.match(/\/v2\/[\w/{}-]+/g) ?? [];
      if (paths.join() !== '/v2/users/{userId}/kyc') throw new Error(`the bundle holds ${paths.join(', ')}`);
    });
  }
}
