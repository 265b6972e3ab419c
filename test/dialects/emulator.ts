import {
  createEmulator as create,
  type DialectName,
  type DialectOptions,
  type Emulator,
  type EmulatorOptions,
} from '../../src/emulator/index.ts';
import { PINNED } from './about-one-dialect.ts';

export * from '../../src/emulator/index.ts';

/** The dialect of this run: `spec` or `field`. */
export function dialectOfRun(): DialectName {
  const name = process.env.PAYMENTS_DIALECT ?? 'spec';
  if (name === 'spec' || name === 'field') return name;
  throw new Error(`PAYMENTS_DIALECT must be spec or field, not ${name}`);
}

/** An emulator in the dialect of this run. What a test says about a decision stands over it. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  return create({ ...options, dialect: inDialectOfRun(options.dialect) });
}

/** The dialect of the run, beneath what a group of programs is about, beneath what a test says about a decision. */
export function inDialectOfRun(given: EmulatorOptions['dialect']): DialectName | DialectOptions {
  const pinned: DialectOptions = PINNED[process.env.PAYMENTS_DIALECT_GROUP ?? ''] ?? {};
  const dialect = under(dialectOfRun(), pinned);
  return given === undefined ? dialect : under(dialect, given);
}

function under(
  run: DialectName | DialectOptions,
  dialect: DialectName | DialectOptions,
): DialectName | DialectOptions {
  if (typeof dialect === 'string' || dialect.extends !== undefined) return dialect;
  return typeof run === 'string' ? { ...dialect, extends: run } : { ...run, ...dialect };
}
