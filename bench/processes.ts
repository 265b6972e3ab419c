import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const here = fileURLToPath(new URL('.', import.meta.url));
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Node 24 from bench's own packages; the bars are for it. Elsewhere than on Linux the Node that runs this. */
export function node24(): string {
  const path = `${here}node_modules/node-${process.platform}-${process.arch}/bin/node`;
  return existsSync(path) ? path : process.execPath;
}

/** Runs a command to its end. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}

/** Runs a program given as source and reads the JSON that it prints. */
export async function evaluate<T>(
  source: string,
  flags: readonly string[] = [],
  node = node24(),
): Promise<T> {
  const child = spawn(node, [...flags, '--input-type=module', '-e', source], {
    cwd: here,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`a measured program ended with ${code}`);
  return JSON.parse(output);
}

/** Starts a module of this folder in a process that ends with this one, and waits for its first message. */
export async function start<T>(
  module: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<{ child: ChildProcess; first: T }> {
  const child = fork(`${here}${module}`, [...args], {
    execPath: node24(),
    execArgv: ['--no-warnings', ...flags],
  });
  const first = await new Promise<T>((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`${module} ${args.join(' ')} ended with ${code}`)));
  });
  child.removeAllListeners('exit');
  return { child, first };
}

/** Asks a runner for one measurement. */
export async function ask<T>(child: ChildProcess, question: object): Promise<T> {
  const answer = once(child, 'message');
  child.send(question);
  return (await answer)[0];
}
