import { posix } from 'node:path';

/** Pages of the site that show a file from outside of docs. */
const shown: Record<string, string> = {
  'README.md': '/',
  'CONTRIBUTING.md': '/contributing.md',
  'CHANGELOG.md': '/changelog.md',
  'SECURITY.md': '/guides/security.md',
  'AGENTS.md': '/agents.md',
  'docs/decisions/0000-template.md': '/decisions/README.md',
  'docs/pages.json': '/',
};

/** Pages that are included from the root of the repository. */
const included = ['contributing.md', 'changelog.md', 'agents.md'];

/**
 * The address on the site of a link in Markdown. Pages link to each other and to examples by their paths in the
 * repository, so that the links work there and in the package, too.
 *
 * @param page - The page that holds the link, from the root of docs, such as `guides/errors.md`.
 * @param link - The link as written.
 */
export function siteLink(page: string, link: string): string {
  if (/^([a-z]+:|#|\/)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const from = included.includes(page) ? '' : posix.dirname(`docs/${page}`);
  const target = posix.normalize(posix.join(from, path));
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (shown[target] !== undefined) return `${shown[target]}${suffix}`;
  if (target.startsWith('examples/')) return `/examples.md#${exampleAnchor(target)}`;
  if (target.startsWith('docs/')) return `/${target.slice('docs/'.length)}${suffix}`;
  throw new Error(`${page} links to ${link}, which is not on the site`);
}

/** The anchor of an example on the page of examples: the name of its file or its folder. */
const exampleAnchor = (target: string): string =>
  (/^examples\/([^/]+?)(?:\.ts)?(?:\/|$)/.exec(target)?.[1] ?? '').toLowerCase();
