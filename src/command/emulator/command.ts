import type { Writable } from 'node:stream';
import { type EmulatorServer, startEmulatorServer } from '../../emulator/node.ts';
import type { DeliveryAttempt, RequestRecord } from '../../emulator/settings/index.ts';
import { isLoopback } from '../../shared/loopback.ts';
import { type CommandOptions, given, parseCommand, UsageError } from './command-options.ts';

/** The output streams of the command, and the signal that ends it. */
export interface CommandSurroundings {
  stdout: Pick<Writable, 'write'>;
  stderr: Pick<Writable, 'write'>;
  /** Calls back on SIGINT or SIGTERM; returns the way to stop listening. */
  onEnd: (end: () => void) => () => void;
}

/**
 * Runs the command line: serves the emulator until a signal ends it.
 *
 * @param args - The arguments after `emulator`.
 * @param surroundings - The streams and signals; those of the process by default.
 * @returns The exit status: 0 after a clean end, 1 where the server cannot listen, 2 for a usage that is not understood.
 */
export async function runCommand(
  args: readonly string[],
  surroundings: CommandSurroundings = processSurroundings(),
): Promise<number> {
  const { stdout, stderr } = surroundings;
  try {
    const options = parseCommand(args);
    if ('text' in options) {
      stdout.write(options.text);
      return 0;
    }
    return await serveUntilEnd(options, surroundings);
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${error.message}\nRun 'stablecoin-payments emulator --help' for how to use it.\n`);
      return 2;
    }
    stderr.write(`The emulator could not start: ${messageOfError(error)}\n`);
    return 1;
  }
}

function messageOfError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? `${message}. Choose another port with --port; 0 picks a free one.`
    : message;
}

async function serveUntilEnd(options: CommandOptions, surroundings: CommandSurroundings): Promise<number> {
  const write = (line: string): void => void surroundings.stdout.write(`${line}\n`);
  const { json, webhookUrl, webhookSecret, webhookRetry4xx, ...rest } = options;
  const ended = new Promise<void>((resolve) => {
    const stop = surroundings.onEnd(() => {
      stop();
      resolve();
    });
  });
  const onAttempt = ({ eventType, eventId, attempt, status, outcome }: DeliveryAttempt) => {
    const line = `webhook ${eventType} ${eventId} attempt ${attempt}: ${status ?? 'no response'}, ${outcome}`;
    write(json ? JSON.stringify({ type: 'webhook', eventType, eventId, attempt, status, outcome }) : line);
  };
  const webhook =
    webhookUrl === undefined
      ? undefined
      : {
          url: webhookUrl,
          ...given({ secret: webhookSecret, retryClientErrors: webhookRetry4xx }),
          onAttempt,
        };
  const server = await startEmulatorServer({
    ...rest,
    onRequest: (request) =>
      write(json ? JSON.stringify({ type: 'request', ...request }) : requestLine(request)),
    ...given({ webhook }),
  });
  const key = await verificationOf(server, options);
  for (const line of json ? [greetingJson(server, key)] : greeting(server, options, key)) write(line);
  await ended;
  try {
    await server.close();
    return 0;
  } catch (error) {
    surroundings.stderr.write(`The emulator ended with an error: ${messageOfError(error)}\n`);
    return 1;
  }
}

/** The key that verifies deliveries: a secret, or the public key of a dialect that signs tokens. */
interface Verification {
  webhookSecret?: string;
  webhookPublicKey?: string;
}

/** A secret that was given is not printed; one that was made must be, since nobody could use it otherwise. */
async function verificationOf(
  { emulator }: EmulatorServer,
  { webhookSecret }: CommandOptions,
): Promise<Verification> {
  if (emulator.dialect.webhookScheme === 'jwt') {
    return given({ webhookPublicKey: await emulator.webhookPublicKey() });
  }
  return given({ webhookSecret: webhookSecret === undefined ? emulator.webhookSecret : undefined });
}

function greetingJson(server: EmulatorServer, key: Verification): string {
  const { url, port, host, token, emulator } = server;
  return JSON.stringify({ type: 'listening', url, port, host, seed: emulator.seed, ...key, token });
}

function greeting(
  server: EmulatorServer,
  options: CommandOptions,
  { webhookSecret, webhookPublicKey }: Verification,
): string[] {
  const { url, emulator } = server;
  const open = !isLoopback(server.host);
  // A given token is not printed: it is a secret.
  const token = server.token ?? (options.token === undefined ? 'any-token' : '$TOKEN');
  const header = ` -H "Authorization: Bearer ${token}"`;
  const frozen = emulator.clock.frozen
    ? `, and the clock stands still at ${emulator.clock.now().toISOString()}`
    : '';
  return [
    `The payments emulator listens on ${url}`,
    `Its seed is ${emulator.seed}${frozen}`,
    ...(options.stateFile === undefined ? [] : [`Its state is kept in ${options.stateFile}`]),
    ...(webhookSecret === undefined ? [] : [`Webhooks are signed with the secret ${webhookSecret}`]),
    ...(webhookPublicKey === undefined
      ? []
      : ['Webhooks carry a token. Verify it with this public key:', webhookPublicKey.trimEnd()]),
    ...(open ? [openNotice(server.host)] : []),
    ...(server.token === undefined ? [] : [`The token of this run is ${server.token}`]),
    'Create a user, and list the approvals:',
    `  curl -X POST ${url}/_emulator/users${open ? header : ''} -H 'Content-Type: application/json' -d '{"rails":["usd","africa"]}'`,
    `  curl ${url}/v2/transfer-approvals${header}`,
    `See it all at ${url}/_emulator`,
    '',
  ];
}

const openNotice = (host: string): string =>
  `It is bound to ${host}: other machines can reach it, so every request, also to /_emulator, must carry a bearer token`;

function requestLine({ method, path, status, operation, fault, duration }: RequestRecord): string {
  const name = operation === null ? '' : ` ${operation}`;
  const struck = fault === null ? '' : ` (fault: ${fault})`;
  return `${method} ${path} ${status ?? '---'} ${duration.toFixed(1)} ms${name}${struck}`;
}

function processSurroundings(): CommandSurroundings {
  let closed = (): void => {};
  // A reader that has seen enough, such as `head -1`, closes the pipe. That ends the command like a signal.
  process.stdout.on('error', () => closed());
  process.stderr.on('error', () => {});
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    onEnd: (end) => {
      closed = end;
      process.once('SIGINT', end).once('SIGTERM', end);
      return () => void process.off('SIGINT', end).off('SIGTERM', end);
    },
  };
}
