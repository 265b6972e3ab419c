import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { expect, it, onTestFinished } from 'vitest';
import { forms } from './forms.ts';
import { bench, START } from './support.ts';

const EXPECTED = 'Wed, 04 Mar 2026 13:00:00 GMT';

it.each(forms)('dates every response by the emulator’s clock: %s', async (_form, open) => {
  const { call, emulator } = await open({ clock: { start: START, frozen: true } });
  emulator.clock.advance('1h');
  for (const path of ['/v2/transfer-approvals', '/v2/nowhere', '/_emulator/state'])
    expect([path, (await call('GET', path)).headers.get('date')]).toEqual([path, EXPECTED]);
});

it('dates a cut response of the server by the emulator’s clock', async () => {
  const { emulator } = bench();
  emulator.clock.advance('1h');
  const server = await startEmulatorServer({ emulator });
  onTestFinished(() => server.close());
  emulator.faults.inject({ kind: 'cut-body' });
  const cut = await fetch(`${server.url}/v2/transfer-approvals`, { headers: { authorization: 'Bearer x' } });
  expect(cut.headers.get('date')).toBe(EXPECTED);
  await cut.text().catch(() => {});
});
