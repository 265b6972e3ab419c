import { parseArguments } from '../parse-arguments.ts';

/** Reports a command line that cannot be run. */
export class DoctorUsageError extends Error {}

export const DOCTOR_HELP = `Usage: stablecoin-payments doctor [options]

Checks a payments service against this client and prints what differs, and the client options to set. It only reads, and
prints no value of a record.

  --base-url <address>   base address of the service (or PAYMENTS_BASE_URL)
  --user <id>            a user to read (or PAYMENTS_USER_ID)
  --metric <id>          a saved metric to read (default: none is read)
  --webhook <file>       check a captured delivery: an HTTP request as text, or JSON with headers and body. Its signature
                         is verified with WEBHOOK_SECRET or WEBHOOK_PUBLIC_KEY
  --sandbox-writes       also create two transfers that need approval, and reject them; and an account, and delete it.
                         Refused without --yes, and where nothing says that the host is a sandbox
  --sandbox-host <host>  say that this host is a sandbox, for --sandbox-writes
  --amount <number>      the amount of the transfers in usdc (default: 1.01)
  --to <id>              who receives them: a user, or a wallet address that begins with 0x (default: the user of --user)
  --known-refusal <name> the service refuses a known requestId under this name, as in the option refusals.known. May be
                         given more than once
  --yes                  make the writes
  --insecure-http        allow plain http to another host
  --json                 print the report as JSON, at the end
  --help                 show this

The token comes from PAYMENTS_ACCESS_TOKEN. The exit status is 0 where nothing breaks the client, 1 where something does or
nothing could be checked, 2 where the command line is wrong, and 130 after Ctrl-C.
`;

const DOCTOR_OPTIONS = {
  'base-url': { type: 'string' },
  user: { type: 'string' },
  metric: { type: 'string' },
  webhook: { type: 'string' },
  'sandbox-writes': { type: 'boolean' },
  'sandbox-host': { type: 'string' },
  amount: { type: 'string' },
  to: { type: 'string' },
  'known-refusal': { type: 'string', multiple: true },
  yes: { type: 'boolean' },
  'insecure-http': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The options of a command line and an environment; throws a `DoctorUsageError` where something is missing or wrong. */
export function parseDoctorOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) {
  const { values } = parseArguments({ args: [...args], options: DOCTOR_OPTIONS }, DoctorUsageError);
  if (values.help === true) return undefined;
  return {
    baseUrl: requireValue(
      values['base-url'] ?? env.PAYMENTS_BASE_URL,
      'the base address: --base-url or PAYMENTS_BASE_URL',
    ),
    accessToken: requireValue(env.PAYMENTS_ACCESS_TOKEN, 'the token: the variable PAYMENTS_ACCESS_TOKEN'),
    userId: requireValue(values.user ?? env.PAYMENTS_USER_ID, 'the user: --user or PAYMENTS_USER_ID'),
    metricId: values.metric,
    webhookFile: values.webhook,
    sandboxWrites: values['sandbox-writes'] ?? false,
    sandboxHost: values['sandbox-host'],
    amount: amountOption(values.amount ?? '1.01'),
    to: values.to,
    knownRefusals: values['known-refusal'] ?? [],
    yes: values.yes ?? false,
    json: values.json ?? false,
    insecure: values['insecure-http'] ?? false,
  };
}

/** The options of the command line and the environment. */
export type DoctorOptions = NonNullable<ReturnType<typeof parseDoctorOptions>>;

function requireValue(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new DoctorUsageError(`Give ${what}.`);
  return value;
}

function amountOption(text: string): number {
  const amount = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (amount === 0) throw new DoctorUsageError('--amount must be a number above 0, such as 25 or 0.5.');
  return amount;
}
