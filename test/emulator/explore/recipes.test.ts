import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { root, snippetsOf } from '../../docs/documents.ts';

const folder = `${root}.explored`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);

/** Imports a program of a document. */
async function programOf(document: string, place: number, exported = ''): Promise<Record<string, unknown>> {
  const snippet = snippetsOf(document)[place];
  if (snippet === undefined) throw new Error(`${document} has no program ${place}`);
  writeFileSync(`${folder}/${snippet.name}`, `${snippet.code}\n${exported}`);
  return import(/* @vite-ignore */ `${folder}/${snippet.name}`);
}

// The recipe has its tests with it.
await programOf('AGENTS.md', 0);
