/** Deeper than any response of the service, and shallow enough for every recursive reader. */
const maxDepth = 500;

/** JSON read from a body, or why it could not be. */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; code: 'invalid_json' | 'too_deep' };

/** Parses a body; an empty one is `undefined`. */
export function parseJson(text: string): ParsedJson {
  if (text === '' || text.trim() === '') return { ok: true, value: undefined };
  if (isTooDeep(text)) return { ok: false, code: 'too_deep' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, code: 'invalid_json' };
  }
}

/** Whether brackets nest too deep. Counts openers first, which is quick and settles almost every body. */
function isTooDeep(text: string): boolean {
  if (text.length <= maxDepth) return false;
  if (countUpTo(text, '{', maxDepth) + countUpTo(text, '[', maxDepth) < maxDepth) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}

function countUpTo(text: string, character: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count < most; at = text.indexOf(character, at + 1))
    count += 1;
  return count;
}
