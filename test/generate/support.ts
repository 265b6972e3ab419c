import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type GenerateSurroundings, runGenerate } from '../../src/generate/command.ts';

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

/** Runs the command on a description, in a directory of its own. */
export async function generated(
  description: unknown,
  args: readonly string[] = [],
  more: Pick<GenerateSurroundings, 'typesOf' | 'readYaml'> = {},
) {
  const directory = await mkdtemp(join(tmpdir(), 'generate-'));
  directories.push(directory);
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  const file = join(directory, 'openapi.json');
  const out = join(directory, 'service.ts');
  await writeFile(file, typeof description === 'string' ? description : JSON.stringify(description));
  const run = async (again: readonly string[] = []) => {
    const said = { stdout: '', stderr: '' };
    const write = (stream: 'stdout' | 'stderr') => ({
      write: (text: string) => {
        said[stream] += text;
        return true;
      },
    });
    const surroundings = { stdout: write('stdout'), stderr: write('stderr'), ...more };
    const status = await runGenerate([file, '--out', out, ...args, ...again], surroundings);
    return { status, ...said };
  };
  const first = await run();
  const text = await readFile(out, 'utf8').catch(() => '');
  return { ...first, text, out, file, run };
}
