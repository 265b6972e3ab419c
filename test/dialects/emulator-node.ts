import {
  type EmulatorServer,
  type EmulatorServerOptions,
  startEmulatorServer as start,
} from '../../src/emulator/node.ts';
import { inDialectOfRun } from './emulator.ts';

export * from '../../src/emulator/node.ts';

/** A server of an emulator in the dialect of this run. */
export function startEmulatorServer(options: EmulatorServerOptions = {}): Promise<EmulatorServer> {
  return start(
    options.emulator === undefined ? { ...options, dialect: inDialectOfRun(options.dialect) } : options,
  );
}
