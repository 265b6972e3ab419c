import { readFileSync } from 'node:fs';
import { VERSION } from 'stablecoin-payments';
import { expect, test } from 'vitest';

test('VERSION is the version of package.json', () => {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  expect(VERSION).toBe(manifest.version);
});
