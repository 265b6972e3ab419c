import { setupServer } from 'msw/node';
import { createEmulator, type DialectName } from 'stablecoin-payments/emulator';
import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterEach, describe, expect, it } from 'vitest';
import { type Call, caller } from './support.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const FORMS: Record<string, (dialect: DialectName) => Promise<Call> | Call> = {
  'in process': (dialect) => caller(createEmulator({ dialect }).fetch, 'http://localhost'),
  msw: (dialect) => {
    const server = setupServer(
      ...emulatorHandlers(createEmulator({ dialect }), { baseUrl: 'https://payments.test/api' }),
    );
    server.listen({ onUnhandledFrame: 'error' });
    cleanups.push(() => server.close());
    return caller(fetch, 'https://payments.test/api');
  },
  'the server': async (dialect) => {
    const server = await startEmulatorServer({ dialect });
    cleanups.push(() => server.close());
    return caller(fetch, server.url);
  },
};

describe.each(Object.keys(FORMS))('an unknown path of %s', (form) => {
  it.each(['spec', 'field'] as const)('is ROUTE_NOT_FOUND in the dialect %s', async (dialect) => {
    const call = await FORMS[form]?.(dialect);
    for (const path of ['/v2/nowhere', '/v3/onramps', '/_emulator/nowhere', '/v2/onramps/a/b/c']) {
      const answer = await call?.('GET', path);
      expect([path, answer?.status, answer?.body.error.code]).toEqual([path, 404, 'ROUTE_NOT_FOUND']);
      expect(answer?.body.error.message).toContain(path);
    }
  });
});

it('names the part of the base URL that is too much', async () => {
  const call = caller(createEmulator().fetch, 'http://localhost/api');
  const { body } = await call('GET', '/v2/transfer-approvals');
  expect(body.error.message).toContain("leave '/api' out of the base URL");
});
