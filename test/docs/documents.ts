import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A program found in a document: a fenced block and those that continue it. */
export interface Snippet {
  /** File name that tells where it comes from. */
  readonly name: string;
  readonly code: string;
  /** Whether it is to be run, not only compiled. */
  readonly runs: boolean;
}

/** The documents that make promises: README, the guides, and what lies beside them. */
export function documents(): string[] {
  const guides = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('api'))
    .map((path) => `docs/${path}`);
  const top = readdirSync(root).filter((path) => path.endsWith('.md'));
  return [...top, ...guides].sort();
}

export const read = (path: string): string => readFileSync(root + path, 'utf8');

/**
 * The TypeScript programs of a document. Each fenced block is one, unless its info string says `continued`: then it
 * goes on where the block before ended. `run` in the info string says that it can be executed as it is.
 */
export const snippetsOf = (path: string): Snippet[] => snippetsIn(read(path), path);

/** The programs of a text. */
export function snippetsIn(text: string, path: string): Snippet[] {
  const snippets: { name: string; code: string; runs: boolean }[] = [];
  for (const match of text.matchAll(/^```ts([^\n]*)\n([\s\S]*?)^```$/gm)) {
    const info = (match[1] ?? '').trim().split(/\s+/);
    const code = match[2] ?? '';
    const previous = snippets.at(-1);
    if (info.includes('continued') && previous !== undefined) previous.code += `\n${code}`;
    else {
      const name = `${path.replaceAll(/[/.]/g, '_')}_${snippets.length + 1}.ts`;
      snippets.push({ name, code, runs: info.includes('run') });
    }
  }
  return snippets;
}
