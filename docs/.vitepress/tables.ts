interface Token {
  readonly type: string;
  readonly content: string;
  attrSet(name: string, value: string): void;
}

/**
 * Gives each cell of a table the heading of its column, which a phone shows above the cell: there, a row is a card and
 * needs no sideways scrolling.
 */
export function labelCells(tokens: readonly Token[]): void {
  let headings: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') headings = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') headings.push((tokens[index + 1]?.content ?? '').replaceAll(/[`*]/g, ''));
    if (token.type !== 'td_open') continue;
    const codes = tokens[index + 1]?.content.match(/`[^`]+`/g) ?? [];
    // A name is never broken at its hyphens. Longer code may wrap between its words.
    if (codes.length > 0 && codes.every((code) => !code.includes(' '))) token.attrSet('class', 'names');
    const heading = headings[column] ?? '';
    column += 1;
    if (column > 1 && heading !== '') token.attrSet('data-label', heading);
  }
}
