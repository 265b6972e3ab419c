interface Token {
  readonly type: string;
  readonly content: string;
  tag: string;
  children: Token[] | null;
  attrs: [string, string][] | null;
}

/** Headings of the generated reference that come again for every symbol. They do not belong in a page's outline. */
const parts = new Set([
  'Parameters',
  'Type Parameters',
  'Returns',
  'Throws',
  'Example',
  'Extends',
  'Implements',
  'Overrides',
  'Inherited from',
  'Extended by',
  'Get Signature',
  'Type Declaration',
  'Union Members',
]);
const groups = new Set(['Properties', 'Methods']);

/**
 * Makes a generated page readable from its outline: members stand right below their class, and headings such as
 * "Parameters" are no entries.
 */
export function outlineSymbols(tokens: Token[]): Token[] {
  let isBelowGroup = false;
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.type !== 'heading_open') {
      kept.push(token);
      continue;
    }
    const [, inline, close] = tokens.slice(index, index + 3);
    const title = inline?.content ?? '';
    if (token.tag === 'h2' || token.tag === 'h3') isBelowGroup = false;
    if (token.tag === 'h3' && groups.has(title)) {
      isBelowGroup = true;
      index += 2;
      continue;
    }
    if (isBelowGroup && close !== undefined) {
      const level = Number(token.tag.slice(1));
      token.tag = close.tag = `h${level - 1}`;
    }
    if (parts.has(title) && inline !== undefined) {
      token.attrs = null;
      inline.children = inline.children?.slice(0, 1) ?? null;
    }
    kept.push(token);
  }
  return kept;
}
