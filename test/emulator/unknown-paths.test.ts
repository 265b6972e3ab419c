import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { forms } from './forms.ts';
import { caller } from './support.ts';

describe.each(forms)('an unknown path of the emulator in the form: %s', (_form, open) => {
  it.each(['spec', 'field'] as const)('is ROUTE_NOT_FOUND in the dialect %s', async (dialect) => {
    const { call } = await open({ dialect });
    for (const path of ['/v2/nowhere', '/v3/onramps', '/_emulator/nowhere', '/v2/onramps/a/b/c']) {
      const { status, body } = await call('GET', path);
      expect([path, status, body.error.code]).toEqual([path, 404, 'ROUTE_NOT_FOUND']);
      expect(body.error.message).toContain(path);
    }
  });
});

it('names the part of the base URL that is too much', async () => {
  const call = caller(createEmulator().fetch, 'http://localhost/api');
  const { body } = await call('GET', '/v2/transfer-approvals');
  expect(body.error.message).toContain("leave '/api' out of the base URL");
});
