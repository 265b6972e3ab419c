import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the command of these sources is, without types: to strip them takes longer than all else a process does. */
export function builtCommand(): () => string {
  let folder = '';
  beforeAll(async () => {
    // Where its packages are found.
    folder = await mkdtemp(join(root, 'node_modules', 'command-'));
    await build({
      absWorkingDir: root,
      entryPoints: ['src/command/cli.ts'],
      outdir: folder,
      bundle: true,
      splitting: true,
      packages: 'external',
      // The page of the emulator, which no process of these tests serves.
      external: ['./built.ts'],
      format: 'esm',
      target: 'node22',
      platform: 'node',
      outExtension: { '.js': '.mjs' },
    });
  });
  afterAll(() => rm(folder, { recursive: true }));
  return () => join(folder, 'cli.mjs');
}
