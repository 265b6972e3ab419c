import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paragraphs of docstrings that follow a tag after a blank line. TypeDoc shows them as part of the tag. */
export function strayTexts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => strayText(readFileSync(join(folder, name), 'utf8')).map((text) => `${name}: ${text}`));
}

function strayText(source: string): string[] {
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(([comment]) => {
    const lines = comment.split('\n').map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*) ?/, ''));
    const found: string[] = [];
    let inCode = false;
    let inTag = false;
    lines.forEach((line, index) => {
      const startsTag = !inCode && line.startsWith('@');
      if (line.startsWith('```')) inCode = !inCode;
      else if (inTag && !inCode && !startsTag && line !== '' && lines[index - 1] === '') found.push(line);
      inTag ||= startsTag;
    });
    return found;
  });
}
