import type { Dialect } from './dialect/dialect.ts';
import { resolveDialect } from './dialect/resolve.ts';
import type { EmulatorOptions } from './options.ts';
import { toMilliseconds } from './state/duration.ts';

/** How many records of each kind are kept. */
export function historyLimitOf({ historyLimit = 10_000 }: EmulatorOptions): number {
  if (!(Number.isInteger(historyLimit) && historyLimit >= 1 && historyLimit <= 1_000_000)) {
    throw new RangeError('historyLimit must be a whole number from 1 to 1,000,000');
  }
  return historyLimit;
}

/** The dialect of the options; `duplicates` stands apart for history's sake, and wins. */
export function dialectOf({ dialect, duplicates }: EmulatorOptions): Dialect {
  return { ...resolveDialect(dialect), ...(duplicates === undefined ? {} : { duplicates }) };
}

/** How fast the service works, in milliseconds. */
export function paceOf(options: EmulatorOptions) {
  const {
    accountValidation = '3s',
    settlementStep = 0,
    quoteLifetime = '15m',
    depositWindow = '7d',
  } = options;
  return {
    accountValidation:
      accountValidation === 'manual' ? undefined : toMilliseconds(accountValidation, 'accountValidation'),
    settlementStep: toMilliseconds(settlementStep, 'settlementStep'),
    quoteLifetime: quoteLifetime === 'N/A' ? undefined : toMilliseconds(quoteLifetime, 'quoteLifetime'),
    depositWindow: toMilliseconds(depositWindow, 'depositWindow'),
  };
}

/** Whether a token is accepted, where the options list some; `undefined` where they list none. */
export function allowance(
  token: string | readonly string[] | undefined,
): ((candidate: string) => boolean) | undefined {
  if (token === undefined) return undefined;
  const tokens = new Set(typeof token === 'string' ? [token] : token);
  return (candidate) => tokens.has(candidate);
}
