import type { OptionNames } from '../closed-options.ts';
import type { Dialect } from './dialect/dialect.ts';
import { resolveDialect } from './dialect/resolve.ts';
import type { EmulatorOptions, WebhookOptions } from './options.ts';
import { refuse } from './reading/near-match.ts';
import type { EmulatorClockOptions } from './state/clock.ts';
import { toMilliseconds } from './state/duration.ts';

/** The number of records of each kind that are kept. */
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

/** The delays of the service, in milliseconds. */
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

/** A check of bearer tokens, or `undefined` if the options list no token. */
export function allowance(
  token: string | readonly string[] | undefined,
): ((candidate: string) => boolean) | undefined {
  if (token === undefined) return undefined;
  const tokens = new Set(typeof token === 'string' ? [token] : token);
  return (candidate) => tokens.has(candidate);
}

/** The names of the options of an emulator. */
export const EMULATOR_OPTIONS: OptionNames<EmulatorOptions> = {
  clock: true,
  seed: true,
  token: true,
  dialect: true,
  duplicates: true,
  webhook: true,
  accountValidation: true,
  settlementStep: true,
  quoteLifetime: true,
  depositWindow: true,
  historyLimit: true,
  routes: true,
  onRequest: true,
};
const WEBHOOK: OptionNames<WebhookOptions> = {
  url: true,
  secret: true,
  privateKey: true,
  retryDelays: true,
  retryClientErrors: true,
  timeout: true,
  onAttempt: true,
  fetch: true,
};
const CLOCK: OptionNames<EmulatorClockOptions> = { start: true, frozen: true, source: true };

/** Refuses options that do not exist, with the one that is probably meant. */
export function refuseStrangeOptions(options: EmulatorOptions): void {
  refuse('createEmulator', options, EMULATOR_OPTIONS);
  if (options.webhook !== undefined) refuse('createEmulator: webhook', options.webhook, WEBHOOK);
  if (options.clock !== undefined) refuse('createEmulator: clock', options.clock, CLOCK);
}
