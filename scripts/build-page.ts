/**
 * Bundles the emulator's page (`page/`) into a text that the emulator serves, so that the emulator needs no file beside
 * it on any runtime, and runs from its sources without a build.
 *
 *   node scripts/build-page.ts           writes src/emulator/page/built.ts
 *   node scripts/build-page.ts --check   fails if it is not what the sources say
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}src/emulator/page/built.ts`;

/** The text of src/emulator/page/built.ts as the sources have it now. */
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
    '// Made from page/ by scripts/build-page.ts; change the sources there and run `npm run page`.',
    '',
    `export const SCRIPT = ${JSON.stringify(script)};`,
    '',
    `export const STYLE = ${JSON.stringify(textOf('.css'))};`,
  ];
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await builtPage();
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    console.error('src/emulator/page/built.ts is not what page/ says; run `npm run page`.');
    process.exitCode = 1;
  }
}
