import { parseArguments } from '../../cli/parse-arguments.ts';
import { VERSION } from '../../version.ts';
import { type DialectName, type DialectOptions, resolveDialect } from '../dialect/dialect.ts';
import type { EmulatorOptions } from '../options.ts';
import { parseDuration } from '../state/clock.ts';

/** A command line that is not understood, told in a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface CommandOptions
  extends Pick<
    EmulatorOptions,
    | 'token'
    | 'seed'
    | 'dialect'
    | 'duplicates'
    | 'clock'
    | 'historyLimit'
    | 'accountValidation'
    | 'settlementStep'
  > {
  port: number;
  host: string;
  json: boolean;
  stateFile?: string;
  webhookUrl?: string;
  webhookSecret?: string;
  webhookRetry4xx?: boolean;
}

const HELP = `Usage: stablecoin-payments emulator [options]

Serves an emulator of the payments service, in memory, until it is interrupted.

  --port <number>            port to listen on; 0 picks a free one (default 4010)
  --host <address>           address to bind to (default 127.0.0.1, this machine only); any other address makes
                             every route, /_emulator included, require a token
  --token <token>            accept only this bearer token; may be repeated (default: any)
  --webhook-url <url>        deliver events there, signed
  --webhook-secret <secret>  sign with this secret, whsec_<base64> (default: one is made and printed)
  --webhook-retry-4xx        send an event again also after a 4xx response (default: only after others)
  --seed <text>              make ids and rates follow from this, and stop the clock (default: random, running)
  --dialect <which>          how the service does what its description leaves open: spec, field, or single
                             decisions as JSON (default spec)
  --duplicates <how>         a known requestId gets the first response or a refusal: replay or refuse (default: what the
                             dialect says)
  --clock <how>              real or frozen, or a date at which a stopped clock stands
  --account-validation <t>   when new accounts become active: a time such as 3s, or manual (default 3s)
  --settlement-step <t>      how long each status of an executing transfer lasts (default 0)
  --history-limit <number>   how many records of each kind are kept (default 10000)
  --state <file>             keep the state in this file, so that it outlives the process (default: in memory only)
  --json                     write one JSON object per line
  --version                  show the version
  --help                     show this
`;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string', multiple: true },
  'webhook-url': { type: 'string' },
  'webhook-secret': { type: 'string' },
  'webhook-retry-4xx': { type: 'boolean' },
  seed: { type: 'string' },
  dialect: { type: 'string' },
  duplicates: { type: 'string' },
  clock: { type: 'string' },
  'account-validation': { type: 'string' },
  'settlement-step': { type: 'string' },
  'history-limit': { type: 'string' },
  state: { type: 'string' },
  json: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The options of a command line; throws a `UsageError` where it is not understood. */
export function parseCommand(args: readonly string[]): CommandOptions | { text: string } {
  const { values, positionals } = parseArguments(
    { args: [...args], options: OPTIONS, allowPositionals: true },
    UsageError,
  );
  if (values.help === true) return { text: HELP };
  if (values.version === true) return { text: `${VERSION}\n` };
  if (positionals.length > 0) throw new UsageError(`The argument '${positionals[0]}' is not understood.`);
  const { duplicates } = values;
  if (duplicates !== undefined && duplicates !== 'replay' && duplicates !== 'refuse')
    throw wrongFlag('duplicates', 'replay or refuse');
  const url = values['webhook-url'];
  if (url !== undefined && !(URL.canParse(url) && /^https?:/.test(url))) {
    throw wrongFlag('webhook-url', 'an http or https address');
  }
  const secret = values['webhook-secret'];
  const retry4xx = values['webhook-retry-4xx'];
  for (const [name, value] of Object.entries({ secret, 'retry-4xx': retry4xx })) {
    if (value !== undefined && url === undefined)
      throw new UsageError(`--webhook-${name} needs --webhook-url.`);
  }
  if (secret !== undefined && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) {
    throw wrongFlag('webhook-secret', 'whsec_ and base64');
  }
  const dialect = optional(values.dialect, dialectFlag);
  if (secret !== undefined && resolveDialect(dialect).webhookScheme === 'jwt') {
    throw new UsageError(
      '--webhook-secret has no effect with this dialect, which signs deliveries with a token. Leave it out, and verify with the public key that the emulator prints.',
    );
  }
  if (values.token?.some((token) => !/^\S+$/.test(token))) throw wrongFlag('token', 'a text without spaces');
  if (values.seed?.trim() === '') throw wrongFlag('seed', 'a text');
  if (values.state?.trim() === '') throw wrongFlag('state', 'the path of a file');
  return {
    port: wholeNumberFlag('port', values.port ?? '4010', 0, 65_535),
    host: values.host?.trim() || '127.0.0.1',
    json: values.json ?? false,
    ...given({
      duplicates,
      dialect,
      token: values.token,
      stateFile: values.state,
      seed: values.seed,
      clock: optional(values.clock, clockOf),
      webhookUrl: url,
      webhookSecret: secret,
      webhookRetry4xx: retry4xx,
      historyLimit: optional(values['history-limit'], (text) =>
        wholeNumberFlag('history-limit', text, 1, 1_000_000),
      ),
      accountValidation: optional(values['account-validation'], (text) =>
        text === 'manual' ? text : time('account-validation', text),
      ),
      settlementStep: optional(values['settlement-step'], (text) => time('settlement-step', text)),
    }),
  };
}

/** The fields that have a value. */
export function given<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The compiler does not follow the fields through entries.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function optional<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}

function dialectFlag(text: string): DialectName | DialectOptions {
  if (!/^(spec|field|\{.*)$/s.test(text))
    throw wrongFlag('dialect', 'spec, field or single decisions as JSON');
  try {
    const dialect = text.startsWith('{') ? JSON.parse(text) : text;
    resolveDialect(dialect);
    return dialect;
  } catch (error) {
    throw new UsageError(
      `--dialect is not understood: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function clockOf(text: string): { start?: string; frozen: boolean } {
  if (text === 'real') return { frozen: false };
  if (text === 'frozen') return { frozen: true };
  const instant = Date.parse(text);
  if (!(instant >= 0 && instant < Date.parse('9999-01-01')))
    throw wrongFlag('clock', 'real, frozen or a date');
  return { start: text, frozen: true };
}

function time(name: string, text: string): number {
  const milliseconds = parseDuration(/^\d+$/.test(text) ? Number(text) : text);
  if (milliseconds === undefined) throw wrongFlag(name, 'milliseconds or a time such as 3s or 2h');
  return milliseconds;
}

function wholeNumberFlag(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) throw wrongFlag(name, `a whole number from ${least} to ${most}`);
  return number;
}

function wrongFlag(option: string, expected: string): UsageError {
  return new UsageError(`--${option} must be ${expected}.`);
}
