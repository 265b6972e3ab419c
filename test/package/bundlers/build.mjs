// Bundles `app.js`, `helper.js` and `composed.js`, minified, with the bundler that the argument names: node build.mjs vite
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const entries = { app: `${here}app.js`, helper: `${here}helper.js`, composed: `${here}composed.js` };

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
  webpack: async (outDir) => {
    const { default: webpack } = await import('webpack');
    const compiler = webpack({
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
  },
};

const name = process.argv[2];
const bundle = bundlers[name];
if (bundle === undefined) throw new Error(`The bundlers are ${Object.keys(bundlers).join(', ')}.`);
await bundle(`${here}out-${name}`);
