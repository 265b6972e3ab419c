import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { check, root, run } from './checklist.ts';

const bundlers = ['esbuild', 'vite', 'webpack', 'rspack', 'parcel'];
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
  for (const bundler of bundlers) {
    const output = (name: string) => join(place, `out-${bundler}/${name}.mjs`);
    /** Prints the size, and fails where the bundle contains the client. */
    const withoutClient = (name: string) => {
      const code = readFileSync(output(name), 'utf8');
      console.log(`    ${code.length} bytes, ${gzipSync(code, { level: 9 }).length} with gzip`);
      if (/\/v2\/|Bearer/.test(code)) throw new Error('the client is inside');
    };
    const printed = (name: string) => run(process.execPath, [output(name)], place).trim();
    await check(`${bundler} bundles two routes of Hono, and they do their work`, () => {
      run(process.execPath, ['build.mjs', bundler], place);
      if (!printed('app').includes('the routes did their work')) throw new Error(printed('app'));
    });
    await check(`${bundler} drops all but the one helper that is used`, () => {
      if (printed('helper') !== 'true false') throw new Error('the helper is wrong');
      withoutClient('helper');
    });
    await check(`${bundler} keeps only what makes an id`, () => {
      if (!/^[0-9a-f-]{36}$/.test(printed('request-id'))) throw new Error(printed('request-id'));
      withoutClient('request-id');
    });
  }
}
