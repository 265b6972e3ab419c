/**
 * `stablecoin-payments/emulator`, `/emulator/node` and `/emulator/msw`: the service in memory.
 *
 * ```ts
 * import { createEmulator } from 'stablecoin-payments/emulator';
 *
 * const emulator = createEmulator();
 * const payments = new PaymentsClient({ baseUrl: 'http://localhost', accessToken: 'token', fetch: emulator.fetch });
 * ```
 *
 * @module emulator
 */
export * from '../../src/emulator/index.ts';
export { type EmulatorHandlersOptions, emulatorHandlers } from '../../src/emulator/msw.ts';
export {
  type EmulatorServer,
  type EmulatorServerOptions,
  startEmulatorServer,
} from '../../src/emulator/node.ts';
