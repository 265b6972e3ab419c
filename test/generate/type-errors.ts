import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../types/compile.ts';

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/** The errors of files under strict settings. */
export async function typeErrors(files: readonly string[]): Promise<string> {
  const project = join(dirname(files[0] ?? ''), 'tsconfig.json');
  const compilerOptions = {
    noUnusedLocals: true,
    noUnusedParameters: false,
    paths: { 'stablecoin-payments': [source('index.ts')] },
    typeRoots: [source('../node_modules/@types')],
  };
  const config = { extends: source('../tsconfig.json'), compilerOptions, files, include: [] };
  await writeFile(project, JSON.stringify(config));
  return compile(project);
}
