import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { type FetchLike, isPaymentsError, PaymentsClient, VERSION } from 'stablecoin-payments';
import { checkAccountWrites } from './checks/account.ts';
import { checkConnection } from './checks/connection.ts';
import { emulatorOf } from './checks/emulator.ts';
import { checkReads } from './checks/reads.ts';
import { checkTimes } from './checks/times.ts';
import { checkTransfer } from './checks/transfer.ts';
import { checkWebhook } from './checks/webhook.ts';
import {
  DoctorInterrupted,
  type ObservedWire,
  realSleep,
  realTimer,
  type Sleep,
  type Surroundings,
  type Timer,
  watched,
} from './observed-call.ts';
import { DOCTOR_HELP, type DoctorOptions, DoctorUsageError, parseDoctorOptions } from './options.ts';
import { type Report, startReport, summaryOfReport } from './report.ts';
import { requireSandbox } from './sandbox.ts';
import { nothingSeen } from './seen.ts';

/** The parts of the process that the doctor uses. */
export interface DoctorSurroundings {
  readonly stdout: Pick<Writable, 'write'>;
  readonly stderr: Pick<Writable, 'write'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch?: FetchLike;
  readonly now?: () => number;
  readonly sleep?: Sleep;
  readonly timer?: Timer;
  /** Calls back at Ctrl-C. Returns a function that ends that. */
  readonly onInterrupt?: (callback: () => void) => () => void;
}

/**
 * Checks a service against this client. It prints each finding as it is made, and a summary at the end.
 *
 * @param args - The arguments after `doctor`.
 * @param surroundings - The streams, the environment and the network; those of the process by default.
 * @returns The exit status: 0, 1 where something breaks the client, 2 for a usage that is not understood, 130 after Ctrl-C.
 */
export async function runDoctor(
  args: readonly string[],
  surroundings: DoctorSurroundings = terminalSurroundings(),
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  try {
    const options = parseDoctorOptions(args, env);
    if (options === undefined) {
      stdout.write(DOCTOR_HELP);
      return 0;
    }
    const report = await examine(options, surroundings);
    stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : summaryOfReport(report));
    if (report.interrupted) return 130;
    return report.ok ? 0 : 1;
  } catch (error) {
    // A key of the environment that cannot be read is a wrong setting, too.
    if (!(error instanceof DoctorUsageError) && !isPaymentsError(error)) throw error;
    stderr.write(`${inFlags(error.message)}\nRun 'stablecoin-payments doctor --help' for how to use it.\n`);
    return 2;
  }
}

/** Milliseconds that a write which is under way has to end after Ctrl-C. */
const grace = 10_000;

async function examine(options: DoctorOptions, surroundings: DoctorSurroundings): Promise<Report> {
  const {
    fetch = globalThis.fetch,
    env,
    now = Date.now,
    sleep = realSleep,
    timer = realTimer,
  } = surroundings;
  const { stdout, stderr, onInterrupt = () => () => undefined } = surroundings;
  const say = (text: string) => void stderr.write(`${text}\n`);
  const stopping = new AbortController();
  const late = new AbortController();
  const done = new AbortController();
  const { host } = URL.parse(options.baseUrl) ?? { host: '' };
  const wire: ObservedWire = {
    last: undefined,
    drift: new Set(),
    isConnecting: false,
    awaits: 'response',
    watchSilence: () => watchSilence(host, wire, timer, say),
    cursorParams: new Set(),
    stop: stopping.signal,
    late: late.signal,
    isClosing: false,
  };
  const restarted = () => clientFor(options, watched(fetch, wire, sleep, say), wire);
  const client = restarted();
  const delivery = options.webhookFile === undefined ? undefined : await readWebhookFile(options.webhookFile);
  if (options.sandboxWrites) requireSandbox(client.baseUrl, options, env);
  const reporter = startReport(VERSION, client.baseUrl, (text) => void (options.json || stdout.write(text)));
  const around: Surroundings = {
    ...reporter,
    client,
    restarted,
    options,
    wire,
    seen: nothingSeen(),
    now,
    timer,
  };
  const stopListening = onInterrupt(() => {
    say('Interrupted: rejecting what is open. Press Ctrl-C again to end at once.');
    stopping.abort(new DoctorInterrupted());
    sleep(grace, done.signal).then(
      () => late.abort(),
      () => undefined,
    );
  });
  try {
    const isConnected = await checkConnection(around);
    if (delivery !== undefined) {
      const { WEBHOOK_SECRET: secret, WEBHOOK_PUBLIC_KEY: publicKey } = env;
      await checkWebhook(around, delivery, { secret, publicKey });
    }
    if (isConnected) await checkService(around);
  } catch (error) {
    if (!(error instanceof DoctorInterrupted)) throw error;
  } finally {
    stopListening();
    done.abort();
  }
  around.report.interrupted = stopping.signal.aborted;
  return around.report;
}

/** Milliseconds of silence after which the doctor says what it waits for. */
const silence = 5000;

function watchSilence(
  host: string,
  wire: ObservedWire,
  timer: Timer,
  say: (text: string) => void,
): () => void {
  return timer(silence, () => {
    // A wait for Retry-After has been said.
    if (wire.awaits === 'response') say(`Waiting for a response from ${host}: none after 5 s.`);
    if (wire.awaits === 'body')
      say(`Waiting for the rest of the response from ${host}: not complete after 5 s.`);
  });
}

async function checkService(around: Surroundings): Promise<void> {
  await checkReads(around);
  if (around.options.sandboxWrites) {
    await checkTransfer(around);
    await checkAccountWrites(around);
  } else around.on('writes').note('Not checked: --sandbox-writes creates records in a sandbox.');
  checkTimes(around);
  const { report, wire } = around;
  report.emulator = emulatorOf(around.seen);
  // Where both names work, or neither was tried, the default stays.
  const [name = 'createdBefore', ...others] = wire.cursorParams;
  report.options.baseUrl = `'${report.baseUrl}'`;
  report.options.cursorParam = `'${others.length === 0 ? name : 'createdBefore'}'`;
}

function clientFor(options: DoctorOptions, fetch: FetchLike, { drift }: ObservedWire): PaymentsClient {
  try {
    return new PaymentsClient({
      baseUrl: options.baseUrl,
      accessToken: options.accessToken,
      dangerouslyAllowInsecureHttp: options.insecure,
      retries: 0,
      refusals: { known: [...options.knownRefusals] },
      // The wait for a limit of the rate is part of an attempt.
      timeout: 90_000,
      hooks: {
        drift: ({ issues }) => {
          // A hundred records with the same difference are one finding.
          for (const { path, code } of issues)
            drift.add(`${path.replaceAll(/(^|\.)\d+(?=\.|$)/g, '$1*') || 'the body'}: ${code}`);
        },
      },
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

function terminalSurroundings(): DoctorSurroundings {
  const onInterrupt = (callback: () => void) => {
    process.once('SIGINT', callback);
    return () => void process.off('SIGINT', callback);
  };
  return { stdout: process.stdout, stderr: process.stderr, env: process.env, onInterrupt };
}
