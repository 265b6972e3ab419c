import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { runCli } from '../../src/command/commands.ts';
import { runDoctor } from '../../src/command/doctor/run-doctor.ts';
import { runCommand } from '../../src/command/emulator/command.ts';
import { parseArguments } from '../../src/command/parse-arguments.ts';

function streams() {
  const out = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr') => ({
    write: (words: string) => {
      out[stream] += words;
      return true;
    },
  });
  return { out, surroundings: { stdout: write('stdout'), stderr: write('stderr') } };
}

async function run(...args: string[]) {
  const { out, surroundings } = streams();
  const status = await runCli(args, surroundings);
  return { status, ...out };
}

describe('stablecoin-payments', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('with %j lists what it can do', async (args) => {
    const { status, stdout, stderr } = await run(...args);
    expect(status).toBe(0);
    for (const command of ['emulator', 'doctor']) expect(stdout).toContain(`  ${command} `);
    expect(stderr).toBe('');
  });

  it.each(['emulator', 'doctor'])('runs %s, which prints its own options', async (command) => {
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const status = await runCli([command, '--help']);
    const printed = print.mock.calls.join('\n');
    print.mockRestore();
    expect(status).toBe(0);
    expect(printed).toContain(`stablecoin-payments ${command}`);
  });

  it('tells its version', async () => {
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each([
    ['emulater', "There is no command 'emulater'. Did you mean emulator?"],
    ['docter', "There is no command 'docter'. Did you mean doctor?"],
    ['generate', "There is no command 'generate'.\n"],
    ['xyz', "There is no command 'xyz'.\n"],
    ['constructor', "There is no command 'constructor'.\n"],
    ['--port', 'Give a command before --port.'],
  ])('refuses %s', async (command, words) => {
    const { status, stdout, stderr } = await run(command);
    expect(status).toBe(2);
    expect(stderr).toContain(words);
    expect(stdout).toBe('');
  });

  it('runs as a program', async () => {
    const cli = fileURLToPath(new URL('../../src/command/cli.ts', import.meta.url));
    const child = spawn(process.execPath, ['--no-warnings', cli]);
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(stdout).toContain('Usage: stablecoin-payments <command>');
    expect(child.exitCode).toBe(0);
  });
});

describe('a flag that does not exist is refused with the one that is probably meant', () => {
  const env = {};
  it.each([
    ['emulator', ['--prot', '4010'], 'There is no option --prot. Did you mean --port?', runCommand],
    [
      'doctor',
      ['--sandbox-write'],
      'There is no option --sandbox-write. Did you mean --sandbox-writes?',
      runDoctor,
    ],
    ['doctor', ['--zzz'], 'There is no option --zzz.\n', runDoctor],
  ] as const)('%s %j', async (_command, args, words, command) => {
    const { out, surroundings } = streams();
    const status = await command(args, { ...surroundings, env, onEnd: () => () => {} });
    expect(status).toBe(2);
    expect(out.stderr).toContain(words);
  });

  const baseUrl = 'https://sandbox.test';
  const local = 'http://127.0.0.1:4010';
  const refuse = async () => expect.unreachable();
  it.each([
    [['--base-url', 'nowhere'], {}, '--base-url (or PAYMENTS_BASE_URL) is not an absolute URL'],
    [['--base-url', 'http://pay.test'], {}, 'or add --insecure-http'],
    [
      ['--base-url', baseUrl],
      { PAYMENTS_ACCESS_TOKEN: 'Bearer x' },
      'PAYMENTS_ACCESS_TOKEN must be the bare token',
    ],
    [['--base-url', baseUrl, '--known-refusal', ''], {}, '--known-refusal must be'],
    [['--base-url', baseUrl, '--user', '..'], {}, '--user (or PAYMENTS_USER_ID)'],
  ])('doctor names what it was given: %j', async (args, more, words) => {
    const { out, surroundings } = streams();
    const given = { PAYMENTS_ACCESS_TOKEN: 'x', PAYMENTS_USER_ID: 'u', ...more };
    expect(await runDoctor(args, { ...surroundings, env: given })).toBe(2);
    expect(out.stderr).toContain(words);
  });

  it.each([
    [[], { PAYMENTS_BASE_URL: undefined }, 'Give the base address'],
    [[], { PAYMENTS_ACCESS_TOKEN: '' }, 'Give the token'],
    [[], { PAYMENTS_USER_ID: undefined }, 'Give the user'],
    [['--amount', '0'], {}, '--amount must be a number above 0'],
    [['--amount', '1e3'], {}, '--amount must be a number above 0'],
    [['--webhook', '/nowhere/at/all'], {}, 'cannot be read'],
    [['--sandbox-writes'], {}, 'add --yes'],
    [['--sandbox-writes', '--yes'], { PAYMENTS_BASE_URL: baseUrl }, 'add --sandbox-host sandbox.test'],
    [
      ['--sandbox-writes', '--yes', '--sandbox-host', 'b.test'],
      { PAYMENTS_BASE_URL: baseUrl },
      'names b.test',
    ],
    [
      ['--sandbox-writes', '--yes'],
      { PAYMENTS_ENVIRONMENT: 'production' },
      'PAYMENTS_ENVIRONMENT is production',
    ],
    [
      ['--sandbox-writes', '--yes'],
      { PAYMENTS_PRODUCTION_URL: local },
      'PAYMENTS_PRODUCTION_URL has the host',
    ],
  ])('doctor %j %j is refused, and nothing is sent', async (args, more, words) => {
    const { out, surroundings } = streams();
    const given = { PAYMENTS_BASE_URL: local, PAYMENTS_ACCESS_TOKEN: 'x', PAYMENTS_USER_ID: 'u', ...more };
    expect(await runDoctor(args, { ...surroundings, env: given, fetch: refuse })).toBe(2);
    expect(out.stderr).toContain(words);
    expect(out.stdout).toBe('');
  });

  it.each([
    [['--sandbox-host', 'sandbox.test'], {}],
    [[], { PAYMENTS_SANDBOX_URL: `${baseUrl}/v2` }],
  ])('doctor writes to a sandbox that was named: %j %j', async (args, more) => {
    const { surroundings } = streams();
    const given = { PAYMENTS_ACCESS_TOKEN: 'x', PAYMENTS_USER_ID: 'u', ...more };
    const all = ['--base-url', baseUrl, '--sandbox-writes', '--yes', ...args];
    const fetch = async () => new Response(null, { status: 401 });
    expect(await runDoctor(all, { ...surroundings, env: given, fetch })).toBe(1);
  });

  it('and --help of doctor is its own', async () => {
    const { out, surroundings } = streams();
    expect(await runDoctor(['--help'], { ...surroundings, env })).toBe(0);
    expect(out.stdout).toContain('Usage: stablecoin-payments doctor');
    expect(out.stdout).toContain('--sandbox-writes');
  });
});

it('refuses an option of a command that has none', () => {
  expect(() => parseArguments({ args: ['--port'] }, RangeError)).toThrow(
    new RangeError('There is no option --port.'),
  );
});
