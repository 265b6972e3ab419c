import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documents, read, root } from './documents.ts';

/** The documents for those who change this repository; guides name files of other projects, too. */
const own = documents().filter((path) =>
  /^(CONTRIBUTING|docs\/architecture|docs\/decisions\/\d{4}-)/.test(path),
);

describe('every path of the repository that a document for its maintainers names exists', () => {
  for (const document of own) {
    test(document, () => {
      const named = [
        ...read(document).matchAll(/`((?:src|test|examples|docs|scripts|tools|\.github|\.ci)\/[\w./-]*)`/g),
      ].map((match) => match[1] ?? '');
      // What a build writes is not there before it.
      const missing = named.filter((path) => !path.startsWith('docs/api') && !existsSync(root + path));
      expect(missing).toEqual([]);
    });
  }
});
