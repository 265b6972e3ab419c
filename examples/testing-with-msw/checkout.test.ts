import { setupServer } from 'msw/node';
import { createEmulator } from 'stablecoin-payments/emulator';
import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { checkout } from './checkout.ts';

const baseUrl = 'https://payments.test';
// The service of this test returns the first response again to a known requestId.
const emulator = createEmulator({ seed: 1, dialect: { duplicates: 'replay' } });
const server = setupServer(...emulatorHandlers(emulator, { baseUrl }));

beforeAll(() => {
  vi.stubEnv('PAYMENTS_BASE_URL', baseUrl);
  vi.stubEnv('PAYMENTS_ACCESS_TOKEN', 'any');
  server.listen({ onUnhandledFrame: 'error' });
});
afterEach(() => emulator.reset());
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});

test('tells the payer the reference of the deposit', async () => {
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const message = await checkout('o-1', userId, 100);
  const [onramp] = emulator.state().onramps;
  expect(message).toBe(`Pay with the reference ${onramp?.transferDetails.depositInfo?.reference}`);
});

test('asks to try again when the user has no active rail', async () => {
  const { userId } = emulator.createUser();
  expect(await checkout('o-1', userId, 100)).toBe('This did not work: try again');
  expect(emulator.state().onramps).toEqual([]);
});

test('creates one onramp although the first response is lost', async () => {
  const { userId } = emulator.createUser({ rails: ['usd'] });
  emulator.faults.inject({ operation: 'onramps.create', kind: 'status', status: 502, commit: true });
  expect(await checkout('o-1', userId, 100)).toContain('reference');
  expect(emulator.state().onramps).toHaveLength(1);
});

test('reports an unknown outcome when every response is lost', async () => {
  const { userId } = emulator.createUser({ rails: ['usd'] });
  emulator.faults.inject({
    operation: 'onramps.create',
    kind: 'status',
    status: 502,
    commit: true,
    times: 2,
  });
  expect(await checkout('o-1', userId, 100)).toBe('We are looking into it');
});
