// Bundles `app.js`, `helper.js` and `request-id.js`, minified, with the bundler that the argument names: node build.mjs vite
import { readdirSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const entries = Object.fromEntries(
  ['app', 'helper', 'request-id'].map((name) => [name, `${here}${name}.js`]),
);

/** webpack and rspack have the same options. */
async function pack(bundler, outDir) {
  const compiler = bundler({
    mode: 'production',
    target: ['web', 'es2022'],
    context: here,
    entry: entries,
    experiments: { outputModule: true },
    output: { path: outDir, filename: '[name].mjs', module: true, chunkFormat: 'module' },
    performance: false,
  });
  const stats = await new Promise((resolve, reject) =>
    compiler.run((error, result) => (error ? reject(error) : resolve(result))),
  );
  await new Promise((resolve) => compiler.close(resolve));
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
}

const bundlers = {
  esbuild: async (outDir) => {
    const { build } = await import('esbuild');
    await build({
      entryPoints: entries,
      outdir: outDir,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      outExtension: { '.js': '.mjs' },
      logLevel: 'warning',
    });
  },
  vite: async (outDir) => {
    const { build } = await import('vite');
    for (const [name, entry] of Object.entries(entries)) {
      await build({
        root: here,
        configFile: false,
        logLevel: 'warn',
        build: {
          outDir,
          emptyOutDir: false,
          target: 'es2022',
          modulePreload: false,
          rollupOptions: { input: { [name]: entry }, output: { entryFileNames: '[name].mjs' } },
        },
      });
    }
  },
  webpack: async (outDir) => pack((await import('webpack')).default, outDir),
  rspack: async (outDir) => pack((await import('@rspack/core')).rspack, outDir),
  // As it is by default: without the `exports` of packages.
  parcel: async (outDir) => {
    const { Parcel } = await import('@parcel/core');
    const target = {
      distDir: outDir,
      context: 'browser',
      outputFormat: 'esmodule',
      engines: { browsers: ['chrome 120'] },
      sourceMap: false,
    };
    for (const entry of Object.values(entries)) {
      await new Parcel({
        entries: entry,
        defaultConfig: '@parcel/config-default',
        mode: 'production',
        shouldDisableCache: true,
        targets: { [entry.replace(/.*[/\\]|\.js$/g, '')]: target },
        defaultTargetOptions: { shouldOptimize: true, shouldScopeHoist: true, sourceMaps: false },
      }).run();
    }
    for (const file of readdirSync(outDir))
      renameSync(`${outDir}/${file}`, `${outDir}/${file.replace(/\.js$/, '.mjs')}`);
  },
};

const name = process.argv[2];
const bundle = bundlers[name];
if (bundle === undefined) throw new Error(`The bundlers are ${Object.keys(bundlers).join(', ')}.`);
await bundle(`${here}out-${name}`);
