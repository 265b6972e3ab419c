import { posix } from 'node:path';

/** The anchor of a heading, as Markdown renderers make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** The documents that the package has as files of their own. */
const shipped =
  /^((README|CHANGELOG|SECURITY|AGENTS)\.md|LICENSE|llms(-full)?\.txt|examples\/invoices(\/.*)?)$/;

/** Code is left out: a comment in it is not a heading, and an array is not a link. */
const fenced = /^( *)```[\s\S]*?^\1```$/gm;
const anchorsOf = (text: string): string[] =>
  [...text.replaceAll(fenced, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/**
 * A function that makes the links of a text lead where they do in the package: to one of its files, or to a heading of
 * `full`, the file that contains the pages. What the package does not contain becomes plain text.
 *
 * @param pages - The texts of the pages, by their paths in the repository.
 * @param full - The name of the file with the pages; empty for the pages themselves.
 */
export function relinker(pages: ReadonlyMap<string, string>, full: string) {
  const starts = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)[0] ?? '']));
  const anchors = [...pages.values()].flatMap(anchorsOf);
  const isUnique = (anchor: string) => anchors.filter((one) => one === anchor).length === 1;
  const follow = (path: string, link: string): string | undefined => {
    const [file = '', anchor = ''] = link.split('#');
    if (/^[a-z]+:/.test(link) || (file === '' && full !== '')) return link;
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    if (shipped.test(target) && !(full === '' && pages.has(target))) return target;
    // The examples that are not shipped stand on their page.
    const start = starts.get(target.startsWith('examples/') ? 'docs/examples.md' : target);
    return start === undefined ? undefined : `${full}#${isUnique(anchor) ? anchor : start}`;
  };
  return (path: string, text: string): string =>
    text.replaceAll(
      /^( *)```[\s\S]*?^\1```$|(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/gm,
      (whole, _indent, shown?: string, link?: string) => {
        if (shown === undefined || link === undefined) return whole;
        const target = follow(path, link);
        return target === undefined ? shown : `[${shown}](${target})`;
      },
    );
}
