import { posix } from 'node:path';

/** A page of the docs: its path in the repository, and its text. */
export interface Page {
  path: string;
  text: string;
}

/** Where a link of a page leads; `undefined` where the package has nothing of that name. */
export type Follow = (path: string, link: string) => string | undefined;

/** The page that shows the examples. */
const examples = 'docs/examples.md';

/** The documents that the package has as files of their own. */
const isShipped = (path: string): boolean =>
  /^((README|CHANGELOG|SECURITY|AGENTS)\.md|LICENSE|llms(-full)?\.txt|examples\/invoices(\/.*)?)$/.test(path);

/** The anchor of a heading, as Markdown renderers make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Code is left out: a comment in it is no heading, and an array no link. */
const fenced = /^( *)```[\s\S]*?^\1```$/gm;
const headingsOf = (text: string): string[] =>
  [...text.replaceAll(fenced, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Follows links among pages that stand in one file: to a heading of that file, or to another file of the package. */
export function followInside(pages: readonly Page[]): Follow {
  const headings = pages.flatMap(({ text }) => headingsOf(text));
  const starts = new Map(pages.map(({ path, text }) => [path, headingsOf(text)[0] ?? '']));
  const isUnique = (anchor: string) => headings.filter((one) => one === anchor).length === 1;
  return (path, link) => {
    if (/^[a-z]+:/.test(link)) return link;
    const [file = '', anchor = ''] = link.split('#');
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    const start = starts.get(/^examples\//.test(target) && !isShipped(target) ? examples : target);
    if (start !== undefined) return `#${isUnique(anchor) ? anchor : start}`;
    return isShipped(target) ? target : undefined;
  };
}

/** Follows links of a document that is a file of the package: to a file, or to a heading of `llms-full.txt`. */
export function followInPackage(pages: readonly Page[]): Follow {
  const inside = followInside(pages);
  return (path, link) => {
    const [file = ''] = link.split('#');
    if (/^[a-z]+:|^#/.test(link) || isShipped(posix.join(posix.dirname(path), file))) return link;
    const target = inside(path, link);
    if (target === undefined) return undefined;
    return posix.relative(posix.dirname(path), `llms-full.txt${target}`);
  };
}

/** A text whose links lead where they do in the package. What leads nowhere becomes plain text. */
export function relinked({ path, text }: Page, follow: Follow): string {
  return text.replaceAll(
    /^( *)```[\s\S]*?^\1```$|(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/gm,
    (whole, _indent, shown?: string, link?: string) => {
      if (shown === undefined || link === undefined) return whole;
      const target = follow(path, link);
      return target === undefined ? shown : `[${shown}](${target})`;
    },
  );
}
