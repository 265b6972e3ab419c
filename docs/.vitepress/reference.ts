import { anchorOf } from '../../scripts/docs-links.ts';

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
  'Constructors',
  'Constructor',
  'Accessors',
  'toJSON()',
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
      const id = token.attrs?.find(([name]) => name === 'id')?.[1];
      const text = inline.children?.[0];
      token.attrs = null;
      // Without an id the heading is no entry of the outline. Links to it still lead here.
      if (text !== undefined) inline.children = [like(text, 'html_inline', `<a id="${id ?? ''}"></a>`), text];
    }
    kept.push(token);
  }
  return kept;
}

/**
 * Puts the functions and methods of a page first, and folds its types. A type is a section without methods whose heading
 * names no function.
 */
export function foldTypes(tokens: Token[]): Token[] {
  const starts = tokens.flatMap(({ type, tag }, index) =>
    type === 'heading_open' && tag === 'h2' ? [index] : [],
  );
  const first = starts[0] ?? tokens.length;
  const shown = tokens.slice(0, first);
  const folded: Token[] = [];
  starts.forEach((start, index) => {
    const section = tokens.slice(start, starts[index + 1]).filter(({ type }) => type !== 'hr');
    const [open, title, close, ...rest] = section;
    if (open === undefined || title === undefined || close === undefined) return;
    const hasMethods = rest.some(({ type, content }) => type === 'inline' && content === 'Methods');
    if (hasMethods || title.content.endsWith('()')) {
      shown.push(...section);
      return;
    }
    const html = (content: string) => like(open, 'html_block', content);
    // The heading lies over the summary: a link inside of a summary would be a control in a control.
    const name = title.content.replaceAll(/\W/g, '');
    const summary = `<details class="type"><summary><span>Show ${name}</span></summary>`;
    folded.push(html('<section class="type">'), open, title, close, html(summary));
    folded.push(...rest, html('</details></section>'));
  });
  return [...shown, ...folded];
}

/** Another token beside one. */
const like = (token: Token, type: string, content: string): Token =>
  Object.assign(Object.create(Object.getPrototypeOf(token)), token, { type, content });

/** A function, or a method of a class, of a page of the reference. */
export interface Callable {
  name: string;
  anchor: string;
  /** The first sentence about it. */
  sentence: string;
}

/** The functions of a page, and then its methods. */
export function callablesOf(source: string): Callable[] {
  const taken = new Set<string>();
  const lines = source.split('\n');
  const functions: Callable[] = [];
  const methods: Callable[] = [];
  let owner = '';
  let inMethods = false;
  let isCode = false;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, level = '', title = ''] = (isCode ? null : /^(#+) (.+)$/.exec(line)) ?? [];
    if (level === '') continue;
    const anchor = uniqueAnchor(title, taken);
    if (level === '##') owner = title;
    if (level.length <= 3) inMethods = title === 'Methods';
    const isFunction = level === '##' && title.endsWith('()');
    const isMethod = level === '####' && inMethods && title.endsWith('()') && title !== 'toJSON()';
    if (!isFunction && !isMethod) continue;
    const name = isMethod ? `${owner}.${title}` : title;
    (isFunction ? functions : methods).push({ name, anchor, sentence: sentenceAfter(lines, index) });
  }
  return [...functions, ...methods];
}

/** The functions and methods of a page as a table before everything else, with the first sentence of each. */
export function withMethodTable(source: string): string {
  const rows = callablesOf(source).map(
    ({ name, anchor, sentence }) => `| [\`${name}\`](#${anchor}) | ${sentence} |`,
  );
  if (rows.length < 2) return source;
  const lines = source.split('\n');
  const first = lines.findIndex((line) => line.startsWith('## '));
  const table = ['| Function or method | Effect |', '| --- | --- |', ...rows, ''];
  return [...lines.slice(0, first), ...table, ...lines.slice(first)].join('\n');
}

/** The anchor that markdown-it-anchor gives to a heading. */
function uniqueAnchor(title: string, taken: Set<string>): string {
  const slug = anchorOf(title.replaceAll('\\', ''));
  let anchor = slug;
  for (let count = 1; taken.has(anchor); count += 1) anchor = `${slug}-${count}`;
  taken.add(anchor);
  return anchor;
}

/** The first sentence below a heading, after its signature. */
function sentenceAfter(lines: readonly string[], heading: number): string {
  const end = lines.findIndex((line, index) => index > heading && line.startsWith('#'));
  const text = lines
    .slice(heading + 1, end < 0 ? undefined : end)
    .join('\n')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .trim();
  const paragraph = text.split('\n\n')[0] ?? '';
  return (/^.*?[.?](?=\s|$)/s.exec(paragraph)?.[0] ?? paragraph).replaceAll('\n', ' ').replaceAll('|', '\\|');
}
