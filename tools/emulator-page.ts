import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `src/emulator/page/built.ts`: the bundle of `page/`, made when the emulator's page is built or tested. The file
 * exists only where `npm run page` wrote it, for running the emulator from its sources.
 */
const built = /[\\/]src[\\/]emulator[\\/]page[\\/]built\.ts$/;
let made: Promise<string> | undefined;
/** The text of src/emulator/page/built.ts. */
export async function builtPage(): Promise<string> {
  const { outputFiles } = await esbuild({
    absWorkingDir: root,
    entryPoints: ['page/main.tsx', 'page/style.css'],
    outdir: 'built',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
  });
  const textOf = (ending: string): string => {
    const file = outputFiles.find(({ path }) => path.endsWith(ending));
    if (file === undefined) throw new Error(`esbuild made no ${ending}`);
    return file.text.trim();
  };
  // In the page the script stands between tags, so that no text in it may end one.
  const script = textOf('.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const lines = [
    `export const SCRIPT = ${JSON.stringify(script)};`,
    '',
    `export const STYLE = ${JSON.stringify(textOf('.css'))};`,
  ];
  return `${lines.join('\n')}\n`;
}

const once = (): Promise<string> => {
  made ??= builtPage();
  return made;
};

/** For the build. */
export const emulatorPage: Plugin = {
  name: 'emulator-page',
  setup: (build) => {
    build.onResolve({ filter: /^\.\/built\.ts$/ }, () => ({ path: 'built.ts', namespace: 'emulator-page' }));
    build.onLoad({ filter: /./, namespace: 'emulator-page' }, async () => ({
      contents: await once(),
      loader: 'ts',
    }));
  },
};

/** For the tests. */
export const emulatorPageInTests = {
  name: 'emulator-page',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined): string | undefined => {
    const path = importer === undefined ? '' : join(dirname(importer), source);
    return source.startsWith('./') && built.test(path) ? path : undefined;
  },
  load: (id: string): Promise<string> | undefined => (built.test(id) ? once() : undefined),
};
