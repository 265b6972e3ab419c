/**
 * Holds the built package to the limits in bundle-limits.json: what a bundler makes of a one-call program, and what
 * Node loads for the main entry. All of it is deterministic, unlike time. Run it after a build.
 */
import { readFileSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = new URL('..', import.meta.url);
const main = new URL('dist/index.js', root);
const limits: Record<string, number> = JSON.parse(
  readFileSync(new URL('scripts/bundle-limits.json', root), 'utf8'),
);

const measured: Record<string, number> = { ...(await bundleOneCall()), ...(await importMain()) };

let exceeded = false;
for (const [name, limit] of Object.entries(limits)) {
  const value = measured[name];
  if (value === undefined) throw new Error(`bundle-limits.json limits ${name}, which is not measured`);
  const fits = value <= limit;
  exceeded ||= !fits;
  console.log(`${fits ? 'ok      ' : 'EXCEEDED'} ${name}: ${value} of at most ${limit}`);
}
if (exceeded) {
  console.error(
    'Make it smaller; or raise the limit in scripts/bundle-limits.json and say why in the commit.',
  );
  process.exitCode = 1;
}

async function bundleOneCall() {
  // esbuild comes with tsup.
  const resolve = createRequire(import.meta.url);
  const { build } = createRequire(resolve.resolve('tsup'))('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: `import { PaymentsClient } from './dist/index.js';
        const payments = new PaymentsClient({ baseUrl: 'https://payments.test', accessToken: () => 'example' });
        globalThis.answer = await payments.kyc.retrieve('u-1');`,
      resolveDir: fileURLToPath(root),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    write: false,
    logLevel: 'error',
  });
  const bytes: Uint8Array = outputFiles[0].contents;
  return {
    oneCallBundleBytes: bytes.length,
    oneCallBundleGzipBytes: gzipSync(bytes, { level: 9 }).length,
  };
}

async function importMain() {
  const files: string[] = [];
  const hooks = registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:')) files.push(fileURLToPath(url));
      return next(url, context);
    },
  });
  await import(main.href);
  hooks.deregister();
  const sources: string[] = files.flatMap((file) => JSON.parse(readFileSync(`${file}.map`, 'utf8')).sources);
  return {
    filesLoadedAtImport: files.length,
    bytesLoadedAtImport: files.reduce((sum, file) => sum + statSync(file).size, 0),
    modulesInMainEntry: new Set(sources).size,
  };
}
