import {
  createEmulator as create,
  type DialectName,
  type DialectOptions,
  type Emulator,
  type EmulatorOptions,
} from '../../src/emulator/index.ts';
import { PINNED } from './about-one-dialect.ts';

export * from '../../src/emulator/index.ts';

/** The dialect of this run: `spec`, `field` or `random:<seed>`. */
export function dialectOfRun(): DialectName | DialectOptions {
  const name = process.env.PAYMENTS_DIALECT ?? 'spec';
  if (name === 'spec' || name === 'field') return name;
  if (/^random:./.test(name)) return { random: name.slice('random:'.length) };
  throw new Error(`PAYMENTS_DIALECT must be spec, field or random:<seed>, not ${name}`);
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
  if (typeof dialect === 'string' || dialect.extends !== undefined || dialect.random !== undefined)
    return dialect;
  return typeof run === 'string' ? { ...dialect, extends: run } : { ...run, ...dialect };
}
