/**
 * Prints what a bundler makes of a one-call program, of a helper and of a receiver of webhooks alone, what Node loads for
 * the main entry, and what a call allocates. Fails where a count is above its limit in bundle-limits.json: files, modules
 * of Node's own, and modules of its `fetch`. Bytes are only printed. Run it after a build.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url);
const main = new URL('dist/index.js', root);
const limits: Record<string, number> = JSON.parse(
  readFileSync(new URL('scripts/bundle-limits.json', root), 'utf8'),
);

const measured: Record<string, number> = {
  ...(await bundles()),
  ...(await importMain()),
  ...inAFreshProcess(),
};

let isExceeded = false;
for (const [name, value] of Object.entries(measured)) {
  const limit = limits[name];
  const fits = limit === undefined || value <= limit;
  isExceeded ||= !fits;
  console.log(
    `${fits ? '        ' : 'EXCEEDED'} ${name}: ${value}${limit === undefined ? '' : ` of at most ${limit}`}`,
  );
}
const unmeasured = Object.keys(limits).filter((name) => measured[name] === undefined);
if (unmeasured.length > 0)
  throw new Error(`bundle-limits.json limits ${unmeasured.join(', ')}, which is not measured`);
if (isExceeded) {
  console.error('Load less; or raise the limit in scripts/bundle-limits.json and say why in the commit.');
  process.exitCode = 1;
}

async function bundles() {
  const whole = await bundle(`import { PaymentsClient } from './dist/index.js';
    const payments = new PaymentsClient({ baseUrl: 'https://payments.test', accessToken: () => 'example' });
    globalThis.kyc = await payments.kyc.retrieve('u-1');`);
  const helper = await bundle(`import { OnrampStatus } from './dist/index.js';
    console.log(OnrampStatus.COMPLETED);`);
  const receiver = await bundle(`import { createWebhookReceiver, standardWebhooks } from './dist/webhooks.js';
    const webhooks = createWebhookReceiver({ verifier: standardWebhooks({ secret: 'whsec_example' }) });
    globalThis.handle = webhooks.handler({ otherwise: () => {} });`);
  const hasKy = (contents: Uint8Array) => Buffer.from(contents).includes('throwHttpErrors');
  if (!hasKy(whole))
    throw new Error('The bundle of one call has no name of ky: this check looks for another one.');
  return {
    oneCallBundleBytes: whole.length,
    oneCallBundleGzipBytes: gzipSync(whole, { level: 9 }).length,
    helperBundleBytes: helper.length,
    receiverBundleGzipBytes: gzipSync(receiver, { level: 9 }).length,
    // A top-level use of ky would keep all of it in every bundle.
    helperBundlesWithKy: hasKy(helper) ? 1 : 0,
  };
}

/** What a bundler makes of a program. */
async function bundle(program: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: program,
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
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild made nothing');
  return file.contents;
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
  return {
    filesLoadedAtImport: files.length,
    bytesLoadedAtImport: files.reduce((sum, file) => sum + statSync(file).size, 0),
    // A single one makes Node keep its file in two bytes a character. Bundlers escape them in texts, not in patterns.
    charactersBeyondAsciiAtImport: files.flatMap(
      (file) => readFileSync(file, 'utf8').match(/\P{ASCII}/gu) ?? [],
    ).length,
  };
}

/**
 * Modules of Node's own that the import adds, and those of its `fetch` that calls over a global dispatcher add: loading
 * them takes 30 ms. And the bytes that a warm call allocates, with nothing collected meanwhile.
 */
function inAFreshProcess(): Record<string, number> {
  const program = `
    const builtins = () => process.moduleLoadList.length;
    // Node's own loader of modules does not count.
    await import('data:text/javascript,');
    const builtinsBefore = builtins();
    const { PaymentsClient } = await import(${JSON.stringify(main.href)});
    const builtinsLoadedAtImport = builtins() - builtinsBefore;
    const body = Buffer.from('{"userId":"u-1","kycInfo":{"firstName":"Amina"}}');
    const dispatcher = {
      dispatch(_options, handler) {
        queueMicrotask(() => {
          handler.onConnect(() => {});
          handler.onHeaders(200, [], () => {});
          handler.onData(body);
          handler.onComplete([]);
        });
        return true;
      },
    };
    const slot = Number.parseInt(process.versions.undici, 10) >= 8 ? 2 : 1;
    globalThis[Symbol.for('undici.globalDispatcher.' + slot)] = dispatcher;
    const payments = new PaymentsClient({ baseUrl: 'https://payments.test', accessToken: () => 'example' });
    const run = async (calls) => { for (let call = 0; call < calls; call += 1) await payments.kyc.retrieve('u-1'); };
    await run(20_000);
    gc();
    const before = process.memoryUsage().heapUsed;
    await run(2_000);
    const bytesAllocatedPerCall = Math.round((process.memoryUsage().heapUsed - before) / 2_000);
    const fetchModulesLoadedByCalls = process.moduleLoadList.filter((module) => module.includes('undici')).length;
    console.log(JSON.stringify({ builtinsLoadedAtImport, fetchModulesLoadedByCalls, bytesAllocatedPerCall }));`;
  const flags = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];
  const printed = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  return JSON.parse(printed);
}
