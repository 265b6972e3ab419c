/**
 * Bundles the emulator's page (`page/`) into a text that the emulator serves, so that the emulator needs no file beside
 * it on any runtime. The build and the tests do so themselves (tools/emulator-page.ts).
 *
 *   node scripts/build-page.ts    writes src/emulator/page/built.ts, to run the emulator from its sources
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}src/emulator/page/built.ts`;

/** The text of src/emulator/page/built.ts. */
export async function builtPage(): Promise<string> {
  const { outputFiles } = await build({
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

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await builtPage());
