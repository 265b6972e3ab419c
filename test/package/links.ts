import { posix } from 'node:path';
import { anchorOf } from '../../scripts/docs-links.ts';

/** Links of the documents in a package that lead to no file of it, or to no heading. */
export function brokenLinks(files: readonly string[], read: (path: string) => string): string[] {
  const places = new Set(files.flatMap((file) => [file, posix.dirname(file)]));
  const documents = files.filter((file) => /\.(md|txt)$/.test(file) && !file.startsWith('THIRD-PARTY'));
  const texts = new Map(documents.map((file) => [file, withoutCode(read(file))]));
  return documents.flatMap((file) =>
    linksOf(texts.get(file) ?? '')
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? file : posix.join(posix.dirname(file), path).replace(/\/$/, '');
        if (!places.has(target)) return true;
        const text = texts.get(target);
        return anchor !== undefined && text !== undefined && !anchorsOf(text).has(anchor);
      })
      .map((link) => `${file} links to ${link}`),
  );
}

/** Images of the docs are on the site only. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));

const withoutCode = (text: string): string =>
  text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').replaceAll(/<!--[\s\S]*?-->/g, '');

/** Headings, and the anchors that tables have. A heading may name its own anchor. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set([
    ...headings.map((heading) => /\{:#([\w-]+):\}$/.exec(heading)?.[1] ?? anchorOf(heading)),
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
  ]);
}
