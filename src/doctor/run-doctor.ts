import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import { type FetchLike, isPaymentsError, PaymentsClient, VERSION } from 'stablecoin-payments';
import { checkConnection, checkErrors } from './checks/connection.ts';
import { checkReads } from './checks/reads.ts';
import { checkWebhook } from './checks/webhook.ts';
import { checkWrites } from './checks/writes.ts';
import { conclude } from './conclusions.ts';
import { type Surroundings, type Wire, watched } from './observed-call.ts';
import { type DoctorOptions, DoctorUsageError, HELP, parseDoctorOptions } from './options.ts';
import { type Drift, emptyReport, note, printReport, type Report } from './report.ts';
import { whyNoWrites } from './sandbox.ts';

/** The parts of the process that the doctor uses. */
export interface DoctorSurroundings {
  readonly stdout: Pick<Writable, 'write'>;
  readonly stderr: Pick<Writable, 'write'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks the user a question; undefined if the command does not run in a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly fetch?: FetchLike;
  readonly now?: () => number;
}

/**
 * Checks a service against this client, and prints a report.
 *
 * @param args - The arguments after `doctor`.
 * @param surroundings - The streams, the environment and the network; those of the process by default.
 * @returns The exit status: 0, 1 where something breaks the client, 2 for a usage that is not understood.
 */
export async function runDoctor(
  args: readonly string[],
  surroundings: DoctorSurroundings = terminalSurroundings(),
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  try {
    const options = parseDoctorOptions(args, env);
    if (options === undefined) {
      stdout.write(HELP);
      return 0;
    }
    const report = await examine(options, surroundings);
    stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report));
    return report.ok ? 0 : 1;
  } catch (error) {
    // A key of the environment that cannot be read is a wrong setting, too.
    if (!(error instanceof DoctorUsageError) && !isPaymentsError(error)) throw error;
    stderr.write(`${inFlags(error.message)}\nRun 'stablecoin-payments doctor --help' for how to use it.\n`);
    return 2;
  }
}

async function examine(
  options: DoctorOptions,
  { fetch = globalThis.fetch, ask, env, now = Date.now }: DoctorSurroundings,
): Promise<Report> {
  const drift: Drift[] = [];
  const wire: Wire = { last: undefined };
  const { knownRefusals } = options;
  // Clients with one `fetch` share the memory of keys, so each new client has its own.
  const newcomer = (names: readonly string[]) =>
    clientFor(options, watched(fetch, wire), drift, [...knownRefusals, ...names]);
  const client = newcomer([]);
  const report = emptyReport(VERSION, client.baseUrl);
  const delivery = options.webhookFile === undefined ? undefined : await readWebhookFile(options.webhookFile);
  if (options.sandboxWrites) {
    const why = whyNoWrites(client.baseUrl, options.accessToken, env, options.sandboxHost);
    if (why !== undefined) throw new DoctorUsageError(`--sandbox-writes is refused. ${why}`);
  }
  if (options.sandboxWrites && !options.yes) await confirm(new URL(client.baseUrl).host, ask);
  const around: Surroundings = {
    client,
    newcomer,
    knownRefusals,
    report,
    userId: options.userId,
    drift,
    wire,
    now,
  };
  if (await checkConnection(around)) {
    await checkErrors(around);
    await checkReads(around, options.metricId);
    if (options.sandboxWrites) await checkWrites(around);
    else note(report, 'writes', 'note', 'Not checked: --sandbox-writes creates records in a sandbox.');
    conclude(report);
  }
  const { WEBHOOK_SECRET: secret, WEBHOOK_PUBLIC_KEY: publicKey } = env;
  if (delivery !== undefined) await checkWebhook(report, delivery, { secret, publicKey });
  return report;
}

function clientFor(
  options: DoctorOptions,
  fetch: FetchLike,
  drift: Drift[],
  known: readonly string[],
): PaymentsClient {
  try {
    return new PaymentsClient({
      baseUrl: options.baseUrl,
      accessToken: options.accessToken,
      dangerouslyAllowInsecureHttp: options.insecure,
      retries: 0,
      refusals: { known: [...known] },
      // The wait for a limit of the rate is part of an attempt.
      timeout: 90_000,
      onDrift: ({ issues }) => void drift.push(...issues),
      fetch,
    });
  } catch (error) {
    if (isPaymentsError(error)) throw new DoctorUsageError(error.message);
    throw error;
  }
}

/** A sentence of the client in the words of the command line. */
function inFlags(message: string): string {
  return FLAGS.reduce((text, [option, flag]) => text.replaceAll(option, flag), message);
}

const FLAGS = [
  ['set `dangerouslyAllowInsecureHttp`', 'add --insecure-http'],
  ['`baseUrl`', '--base-url (or PAYMENTS_BASE_URL)'],
  ['`accessToken`', 'PAYMENTS_ACCESS_TOKEN'],
  ['`refusals.known`', '--known-refusal'],
  ['`userId`', '--user (or PAYMENTS_USER_ID)'],
] as const;

async function readWebhookFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new DoctorUsageError(`The file of --webhook cannot be read: ${file}`);
  }
}

async function confirm(host: string, ask: DoctorSurroundings['ask']): Promise<void> {
  if (ask === undefined)
    throw new DoctorUsageError(
      '--sandbox-writes asks before it creates records. Run it in a terminal, or add --yes.',
    );
  const answer = await ask(`This creates records at ${host}. Is it a sandbox? Type yes to go on: `);
  if (answer.trim().toLowerCase() !== 'yes') throw new DoctorUsageError('Nothing was created.');
}

function terminalSurroundings(): DoctorSurroundings {
  const { stdin, stdout, stderr, env } = process;
  const ask = async (question: string): Promise<string> => {
    const terminal = createInterface({ input: stdin, output: stderr });
    try {
      return await terminal.question(question);
    } finally {
      terminal.close();
    }
  };
  return { stdout, stderr, env, ask: stdin.isTTY ? ask : undefined };
}
