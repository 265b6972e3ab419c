import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { check, root, run } from './checklist.ts';

/** What the build writes itself: a file that exports another one, and of the emulator also `explore` with its client. */
const WRITTEN =
  /^export \{[^}]*\} from '[^']+';\n(?:import \{ exploreBy \} from '[^']+';\nexport const explore = [^\n]+\n)?$/;

/** The built files that have code of their own, with their source maps. Those that only export another file have none. */
export function mappedFiles(installed: string): { file: string; code: string; map: SourceMapPayload }[] {
  const dist = join(installed, 'dist');
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.c?js$/.test(file))
    .map((file) => ({ file, code: readFileSync(join(dist, file), 'utf8') }))
    .filter(({ code }) => !WRITTEN.test(code))
    .map(({ file, code }) => ({
      file,
      code,
      map: JSON.parse(readFileSync(join(dist, `${file}.map`), 'utf8')),
    }));
}

/** Checks that a debugger and a stack trace lead from the installed files to their sources. */
export async function checkSourceMaps(project: string): Promise<void> {
  const mapped = mappedFiles(join(project, 'node_modules/stablecoin-payments'));
  await check('has a source map with all its sources for every file of code', () => {
    for (const { file, code, map } of mapped) {
      if (!code.includes(`//# sourceMappingURL=${basename(file)}.map`))
        throw new Error(`${file} does not name its source map`);
      for (const [at, source] of map.sources.entries()) {
        // What the build itself writes is mapped to the file, which is there.
        if (source === basename(file)) continue;
        if (typeof map.sourcesContent?.[at] !== 'string') throw new Error(`${file}: ${source} has no text`);
        if (/^\/|:\/|\\/.test(source)) throw new Error(`${file}: ${source} is a place of one machine`);
      }
    }
  });
  await check('has source maps that lead from a name to the line that has it', () => {
    for (const { file, code, map } of mapped) {
      const { found, missed } = followNames(code, map);
      if (found < missed * 4) throw new Error(`${file}: ${missed} of ${found + missed} names are elsewhere`);
    }
  });
  for (const [format, name, load] of [
    ['ES modules', 'traced.mjs', "import { PaymentsClient } from 'stablecoin-payments';"],
    ['CommonJS', 'traced.cjs', "const { PaymentsClient } = require('stablecoin-payments');"],
  ] as const)
    await check(`shows the lines of the sources in a stack trace, ${format}`, () => {
      const program = `${load}\ntry { new PaymentsClient({ timeout: 1 }); } catch (error) { console.log(error.stack); }\n`;
      writeFileSync(join(project, name), program);
      const printed = run(process.execPath, ['--enable-source-maps', name], project);
      const [, source = '', line = ''] = /stablecoin-payments\/(src\/[\w/-]+\.ts):(\d+)/.exec(printed) ?? [];
      if (source === '') throw new Error(`no source in the trace: ${printed}`);
      const shown = readFileSync(resolve(root, source), 'utf8').split('\n')[Number(line) - 1] ?? '';
      if (!shown.includes('new ConfigurationError(')) throw new Error(`${source}:${line} is "${shown}"`);
    });
}

/**
 * How many of the longer names in a file stand in the line of the source that the map gives for them. Names and lines
 * that the build makes are in no source.
 */
function followNames(code: string, payload: SourceMapPayload): { found: number; missed: number } {
  const map = new SourceMap(payload);
  const texts = new Map(
    payload.sources.map((source, at) => [source, payload.sourcesContent?.[at]?.split('\n') ?? []]),
  );
  const names = new Set((payload.sourcesContent ?? []).join('\n').match(/\b[A-Za-z]\w{9,}/g));
  let found = 0;
  let missed = 0;
  for (const [row, line] of code.split('\n').entries()) {
    for (const { 0: name, index } of line.matchAll(/\b[A-Za-z]\w{9,}/g)) {
      const entry = map.findEntry(row, index);
      if (!('originalSource' in entry) || entry.generatedLine !== row || !names.has(name)) continue;
      const original = texts.get(entry.originalSource)?.[entry.originalLine] ?? '';
      if (original.includes(name)) found += 1;
      else missed += 1;
    }
  }
  return { found, missed };
}
