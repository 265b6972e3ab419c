import {
  type DialectName,
  type DialectOptions,
  type EmulatorOptions,
  parseDuration,
  resolveDialect,
  WEBHOOK_SECRET,
} from '../../emulator/settings/index.ts';
import { VERSION } from '../../shared/version.ts';
import { parseArguments } from '../parse-arguments.ts';

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
    | 'clock'
    | 'accountValidation'
    | 'settlementStep'
    | 'quoteLifetime'
    | 'depositWindow'
    | 'lookups'
  > {
  port: number;
  host: string;
  json: boolean;
  stateFile?: string;
  webhookUrl?: string;
  webhookSecret?: string;
  webhookRetry4xx?: boolean;
}

const EMULATOR_HELP = `Usage: stablecoin-payments emulator [options]

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
  --clock <how>              real or frozen, or a date at which a stopped clock stands
  --account-validation <t>   when new accounts become active: a time such as 3s, or manual (default 3s)
  --settlement-step <t>      how long each status of an executing transfer lasts (default 0)
  --quote-lifetime <t>       how long a quote can be accepted, or N/A for no end (default 15m)
  --deposit-window <t>       how long an onramp waits for its deposit (default 7d)
  --no-lookups               leave out the lookups of payments, which the description does not have
  --state <file>             keep the state in this file, so that it outlives the process (default: in memory only)
  --json                     write one JSON object per line
  --version                  show the version
  --help                     show this
`;

const COMMAND_OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string', multiple: true },
  'webhook-url': { type: 'string' },
  'webhook-secret': { type: 'string' },
  'webhook-retry-4xx': { type: 'boolean' },
  seed: { type: 'string' },
  dialect: { type: 'string' },
  clock: { type: 'string' },
  'account-validation': { type: 'string' },
  'settlement-step': { type: 'string' },
  'quote-lifetime': { type: 'string' },
  'deposit-window': { type: 'string' },
  'no-lookups': { type: 'boolean' },
  state: { type: 'string' },
  json: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the text of an option; `undefined` where it is not understood. */
type ReadOption<T> = (text: string) => T | undefined;

const optionMatching =
  (pattern: RegExp): ReadOption<string> =>
  (text) =>
    pattern.test(text) ? text : undefined;
const wholeNumberOption =
  (min: number, max: number): ReadOption<number> =>
  (text) =>
    /^\d{1,7}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
const timeOption: ReadOption<number> = (text) => parseDuration(/^\d+$/.test(text) ? Number(text) : text);
const TIME = 'milliseconds or a time such as 3s or 2h';

/** The options of a command line; throws a `UsageError` where it is not understood. */
export function parseCommand(args: readonly string[]): CommandOptions | { text: string } {
  const { values, positionals } = parseArguments(
    { args: [...args], options: COMMAND_OPTIONS, allowPositionals: true },
    UsageError,
  );
  if (values.help === true) return { text: EMULATOR_HELP };
  if (values.version === true) return { text: `${VERSION}\n` };
  if (positionals.length > 0) throw new UsageError(`The argument '${positionals[0]}' is not understood.`);
  function option<T>(name: Exclude<keyof typeof values, 'token'>, read: ReadOption<T>, expected: string) {
    const text = values[name];
    if (typeof text !== 'string') return undefined;
    const value = read(text);
    if (value === undefined) throw new UsageError(`--${name} must be ${expected}.`);
    return value;
  }
  const webhookUrl = option('webhook-url', webAddress, 'an http or https address');
  for (const name of ['webhook-secret', 'webhook-retry-4xx'] as const)
    if (values[name] !== undefined && webhookUrl === undefined)
      throw new UsageError(`--${name} needs --webhook-url.`);
  const webhookSecret = option(
    'webhook-secret',
    optionMatching(WEBHOOK_SECRET),
    'whsec_ and base64 of 4 bytes or more',
  );
  const dialect = option('dialect', dialectIn, 'spec, field or single decisions as JSON');
  if (webhookSecret !== undefined && resolveDialect(dialect).webhookScheme === 'jwt')
    throw new UsageError(
      '--webhook-secret has no effect with this dialect, which signs deliveries with a token. Leave it out, and verify with the public key that the emulator prints.',
    );
  if (values.token?.some((token) => !/^\S+$/.test(token)))
    throw new UsageError('--token must be a text without spaces.');
  return {
    port: option('port', wholeNumberOption(0, 65_535), 'a whole number from 0 to 65535') ?? 4010,
    host: values.host?.trim() || '127.0.0.1',
    json: values.json ?? false,
    ...given({
      dialect,
      webhookUrl,
      webhookSecret,
      webhookRetry4xx: values['webhook-retry-4xx'],
      token: values.token,
      stateFile: option('state', optionMatching(/\S/), 'the path of a file'),
      seed: option('seed', optionMatching(/\S/), 'a text'),
      clock: option('clock', clockIn, 'real, frozen or a date'),
      accountValidation: option(
        'account-validation',
        (text) => (text === 'manual' ? text : timeOption(text)),
        TIME,
      ),
      settlementStep: option('settlement-step', timeOption, TIME),
      quoteLifetime: option('quote-lifetime', (text) => (text === 'N/A' ? text : timeOption(text)), TIME),
      depositWindow: option('deposit-window', timeOption, TIME),
      lookups: values['no-lookups'] === true ? false : undefined,
    }),
  };
}

/** The fields that have a value. */
export function given<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The compiler does not follow the fields through entries.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const webAddress: ReadOption<string> = (text) =>
  URL.canParse(text) && /^https?:/.test(text) ? text : undefined;

const dialectIn: ReadOption<DialectName | DialectOptions> = (text) => {
  if (!/^(spec|field|\{.*)$/s.test(text)) return undefined;
  try {
    const dialect = text.startsWith('{') ? JSON.parse(text) : text;
    resolveDialect(dialect);
    return dialect;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--dialect is not understood: ${reason}`);
  }
};

const clockIn: ReadOption<{ start?: string; frozen: boolean }> = (text) => {
  if (text === 'real' || text === 'frozen') return { frozen: text === 'frozen' };
  const instant = Date.parse(text);
  return instant >= 0 && instant < Date.parse('9999-01-01') ? { start: text, frozen: true } : undefined;
};
