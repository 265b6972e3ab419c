import type { Writable } from 'node:stream';
import { VERSION } from '../shared/version.ts';
import { suggestion } from './parse-arguments.ts';

const OVERVIEW = `stablecoin-payments ${VERSION}

Usage: stablecoin-payments <command> [options]

  emulator   serves an emulator of the payments service on this machine
  doctor     checks a real service against the client, and prints the client options to set

Try it:
  npx stablecoin-payments emulator --port 4010
  npx stablecoin-payments doctor --user <id>

Run a command with --help for its options.
`;

/** Loads a command when it is run, so that the emulator does not load the client. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  emulator: async (args) => {
    const { runCommand } = await import('./emulator/command.ts');
    return runCommand(args);
  },
  doctor: async (args) => {
    const { runDoctor } = await import('./doctor/run-doctor.ts');
    return runDoctor(args);
  },
};

/**
 * Runs the command line of the package.
 *
 * @param args - The arguments after the name of the program.
 * @param streams - The streams for the overview and for errors; those of the process by default.
 * @returns The exit status: that of the command, 0 for the overview, 2 for a command that does not exist.
 */
export async function runCli(
  args: readonly string[],
  { stdout, stderr }: Record<'stdout' | 'stderr', Pick<Writable, 'write'>> = process,
): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || ['help', '--help', '-h'].includes(command)) {
    stdout.write(OVERVIEW);
    return 0;
  }
  if (command === '--version' || command === '-v') {
    stdout.write(`${VERSION}\n`);
    return 0;
  }
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (run !== undefined) return run(rest);
  const what = command.startsWith('-')
    ? `Give a command before ${command}.`
    : `There is no command '${command}'${suggestion(command, Object.keys(commands))}`;
  stderr.write(`${what}\nRun 'stablecoin-payments' for what it can do.\n`);
  return 2;
}
