import { setupServer } from 'msw/node';
import { createEmulator, type Emulator, type EmulatorOptions } from 'stablecoin-payments/emulator';
import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { onTestFinished } from 'vitest';
import { type Call, caller } from './support.ts';

/** An emulator, and how to reach it in one of its forms. */
export interface Reached {
  readonly emulator: Emulator;
  readonly fetcher: (input: string, init?: RequestInit) => Promise<Response>;
  readonly base: string;
  readonly call: Call;
}

type Open = (options?: EmulatorOptions) => Promise<Reached>;

const reached = (emulator: Emulator, fetcher: Reached['fetcher'], base: string): Reached => ({
  emulator,
  fetcher,
  base,
  call: caller(fetcher, base),
});

/** The forms of the emulator. Each is closed when the test ends. */
export const forms: readonly (readonly [name: string, open: Open])[] = [
  [
    'in process',
    async (options) => {
      const emulator = createEmulator(options);
      return reached(emulator, emulator.fetch, 'http://in.test');
    },
  ],
  [
    'msw',
    // Each test reads the bodies: fetch fails an assertion, in a later test, when it clears one away that msw sent.
    async (options) => {
      const emulator = createEmulator(options);
      const server = setupServer(...emulatorHandlers(emulator, { baseUrl: 'https://msw.test/api' }));
      server.listen({ onUnhandledFrame: 'error' });
      onTestFinished(() => server.close());
      return reached(emulator, fetch, 'https://msw.test/api');
    },
  ],
  [
    'the server',
    async (options) => {
      const server = await startEmulatorServer(options);
      onTestFinished(() => server.close());
      return reached(server.emulator, fetch, server.url);
    },
  ],
];
