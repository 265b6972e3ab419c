import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/commands.ts';
import { runDoctor } from '../../src/doctor/run-doctor.ts';
import { runCommand } from '../../src/emulator/command/command.ts';
import { runGenerate } from '../../src/generate/command.ts';

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
    for (const command of ['emulator', 'doctor', 'generate']) expect(stdout).toContain(`  ${command} `);
    expect(stderr).toBe('');
  });

  it('tells its version', async () => {
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  it.each([
    ['emulater', "There is no command 'emulater'. Did you mean emulator?"],
    ['docter', "There is no command 'docter'. Did you mean doctor?"],
    ['generated', "There is no command 'generated'. Did you mean generate?"],
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
    const cli = fileURLToPath(new URL('../../src/cli/cli.ts', import.meta.url));
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
    ['generate', ['a.json', '--outs', 'b.ts'], 'There is no option --outs. Did you mean --out?', runGenerate],
    ['generate', ['a.json'], 'Give the file to write', runGenerate],
    ['generate', [], 'Give the description', runGenerate],
    ['generate', ['a.json', 'b.json', '--out', 'c.ts'], 'one description only', runGenerate],
    ['generate', ['/nowhere.json', '--out', 'c.ts'], 'cannot be read: /nowhere.json (ENOENT)', runGenerate],
  ] as const)('%s %j', async (_command, args, words, command) => {
    const { out, surroundings } = streams();
    const status = await command(args, { ...surroundings, env, ask: undefined, onEnd: () => () => {} });
    expect(status).toBe(2);
    expect(out.stderr).toContain(words);
  });

  const baseUrl = 'https://sandbox.test';
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
    expect(await runDoctor(args, { ...surroundings, env: given, ask: undefined })).toBe(2);
    expect(out.stderr).toContain(words);
  });

  it('and --help of each command is its own', async () => {
    for (const command of [runDoctor, runGenerate]) {
      const { out, surroundings } = streams();
      expect(await command(['--help'], { ...surroundings, env, ask: undefined })).toBe(0);
      expect(out.stdout).toContain('Usage: stablecoin-payments');
    }
  });
});
