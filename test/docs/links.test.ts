import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documents, read, root } from './documents.ts';

/** The anchor that a heading gets. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Headings, and the anchors that texts and tables have. */
const anchorsOf = (path: string) => [
  ...[...read(path).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? '')),
  ...[...read(path).matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] ?? ''),
];

describe('every relative link leads somewhere', () => {
  for (const path of documents()) {
    test(path, () => {
      const broken = [...read(path).matchAll(/\]\(([^)\s]+)\)/g)]
        .map((match) => match[1] ?? '')
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [file = '', anchor] = link.split('#');
          const target = file === '' ? path : join(dirname(path), file);
          if (!existsSync(root + target)) return true;
          return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
        });
      expect(broken).toEqual([]);
    });
  }
});
