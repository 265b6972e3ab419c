import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts a program as a process of its own; a relative path begins at the root of the repository. */
export function start(program: string, args: string[], environment: Record<string, string>): ChildProcess {
  return fork(resolve(root, program), args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The next message of a process; an error if it ends without one. */
export async function messageOf(child: ChildProcess): Promise<unknown> {
  const abort = new AbortController();
  const ended = once(child, 'exit', { signal: abort.signal }).then(([code, signal]) => {
    throw new Error(`A process ended early: ${code ?? signal}`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: abort.signal }), ended]);
    return message;
  } finally {
    abort.abort();
    ended.catch(() => {});
  }
}

/** Ends a process as a deployment does, and waits for it; one that does not end in time is killed. */
export async function stop(child: ChildProcess, patience = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  await ended;
  clearTimeout(timer);
}
