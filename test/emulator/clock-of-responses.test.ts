import { setupServer } from 'msw/node';
import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { expect, it } from 'vitest';
import { bench, caller } from './support.ts';

const EXPECTED = 'Wed, 04 Mar 2026 13:00:00 GMT';

it('dates every response by the emulator’s clock: in process', async () => {
  const { call, emulator } = bench();
  emulator.clock.advance('1h');
  for (const path of ['/v2/transfer-approvals', '/v2/nowhere', '/_emulator/state'])
    expect([path, (await call('GET', path)).headers.get('date')]).toEqual([path, EXPECTED]);
});

it('dates every response by the emulator’s clock: msw', async () => {
  const { emulator } = bench();
  emulator.clock.advance('1h');
  const server = setupServer(...emulatorHandlers(emulator, { baseUrl: 'https://p.test' }));
  server.listen({ onUnhandledFrame: 'error' });
  const { headers } = await caller(fetch, 'https://p.test')('GET', '/v2/transfer-approvals');
  server.close();
  expect(headers.get('date')).toBe(EXPECTED);
});

it('dates every response by the emulator’s clock: the server, whole and cut', async () => {
  const { emulator } = bench();
  emulator.clock.advance('1h');
  const server = await startEmulatorServer({ emulator });
  const { headers } = await caller(fetch, server.url)('GET', '/v2/transfer-approvals');
  expect(headers.get('date')).toBe(EXPECTED);
  emulator.faults.inject({ kind: 'cut-body' });
  const cut = await fetch(`${server.url}/v2/transfer-approvals`, { headers: { authorization: 'Bearer x' } });
  expect(cut.headers.get('date')).toBe(EXPECTED);
  await cut.text().catch(() => {});
  await server.close();
});
