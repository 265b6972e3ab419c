import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { knownKeyNames, refusalNames } from '../../src/shared/outcome/names.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/guides/error-codes.md'), 'utf8');
const anchors = new Set([...guide.matchAll(/<a id="([a-z-]+)">/g)].map(([, id]) => id));
const anchorOf = (code: string) => code.toLowerCase().replaceAll('_', '-');

/** Codes of issues of zod, and of departures of a response from its schema: they are on no error. */
const departures = new Set([
  'content_encoding',
  'contradicts_call',
  'empty',
  'error_shape',
  'no_record',
  'invalid_json',
  'invalid_type',
  'invalid_value',
  'list_not_found',
  'renamed_list',
  'schema',
  'schema_failed',
  'too_large',
]);

test('every code of the client has its row in the guide of codes', () => {
  const codes = new Set<string>();
  for (const folder of ['client', 'shared']) {
    for (const file of readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const source = readFileSync(join(root, 'src', folder, file), 'utf8');
      for (const [, code = ''] of source.matchAll(/\bcode: '([a-z_]+)'/g)) codes.add(code);
      for (const [, code = ''] of source.matchAll(/\[\w*Error, '([a-z_]+)'\]/g)) codes.add(code);
    }
  }
  expect(codes.size).toBeGreaterThan(20);
  expect(codes).toContain('request_id_known');
  const missing = [...codes].filter((code) => !departures.has(code) && !anchors.has(anchorOf(code)));
  expect(missing).toEqual([]);
});

test('every known name of the service has its row in the guide of codes', () => {
  expect([...knownKeyNames, ...refusalNames].filter((name) => !anchors.has(anchorOf(name)))).toEqual([]);
});

test('no anchor of the guide stands twice', () => {
  expect(guide.match(/<a id="/g)).toHaveLength(anchors.size);
});
