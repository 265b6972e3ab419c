import { createEmulator, type EmulatorOptions } from 'stablecoin-payments/emulator';
import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { describe, expect, it } from 'vitest';

/** Options as JavaScript can pass them. */
const loose = (options: object) => JSON.parse(JSON.stringify(options));

describe('an option that does not exist is refused with the one that is probably meant', () => {
  it.each<[EmulatorOptions, string]>([
    [loose({ sead: 1 }), 'createEmulator: `sead` is not an option. Did you mean `seed`?'],
    [loose({ duplicate: 'refuse' }), 'Did you mean `dialect: { duplicates }`?'],
    [loose({ webhookUrl: 'http://x' }), '`webhookUrl` is not an option'],
    [
      { webhook: loose({ url: 'http://x.test', retries: ['1s'] }) },
      'createEmulator: `webhook`: `retries` is not an option',
    ],
    [
      { clock: loose({ frozn: true }) },
      'createEmulator: `clock`: `frozn` is not an option. Did you mean `frozen`?',
    ],
    [{ dialect: loose({ votesNeded: 2 }) }, 'Did you mean `votesNeeded`?'],
  ])('%j', (options, message) => {
    expect(() => createEmulator(options)).toThrow(TypeError);
    expect(() => createEmulator(options)).toThrow(message);
  });

  it('of a server, of handlers, and of a route', async () => {
    await expect(startEmulatorServer(loose({ prot: 1 }))).rejects.toThrow('Did you mean `port`?');
    await expect(startEmulatorServer(loose({ sead: 1 }))).rejects.toThrow('Did you mean `seed`?');
    const emulator = createEmulator();
    expect(() => emulatorHandlers(emulator, loose({ baseURL: 'http://x' }))).toThrow(
      'Did you mean `baseUrl`?',
    );
    const route = { method: 'GET' as const, path: '/v2/x', handle: () => ({ body: 1 }) };
    expect(() => emulator.route(Object.assign(route, { name: 'x' }))).toThrow(
      'route: `name` is not an option',
    );
  });
});
