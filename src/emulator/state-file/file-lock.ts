import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isRecord, jsonIn } from '../../shared/values.ts';

/** The interval at which the holder touches its lock, in milliseconds. */
const BEAT = 250;

/** The time without a touch after which the holder counts as ended, in milliseconds. */
const PATIENCE = 2000;

interface Holder {
  pid: number;
  host: string;
}

/**
 * A lock file, which lets one process use a file. A killed process leaves its lock behind. Another process takes such
 * a lock over: at once if the holder is gone from this machine, and otherwise if nobody has touched the lock for two
 * seconds, since the number of a process says little on another machine, or once another program has it.
 *
 * A holder that only slept may lose its lock that way. Nothing is lost by that if the holder asks `isHeld` after each
 * write and before it acknowledges the write, and the new holder reads the file after it took the lock.
 */
export class FileLock {
  readonly #path: string;
  readonly #handle: FileHandle;
  // As long as the lock file is open, no other file gets its inode.
  #inode: number | undefined;
  readonly #beat: ReturnType<typeof setInterval>;

  private constructor(path: string, handle: FileHandle, inode: number) {
    this.#path = path;
    this.#handle = handle;
    this.#inode = inode;
    this.#beat = setInterval(() => {
      const now = new Date();
      handle.utimes(now, now).catch(() => {});
    }, BEAT);
    this.#beat.unref();
  }

  /** Takes the lock at a path, or returns the name of the process that holds it. */
  static async take(path: string): Promise<FileLock | string> {
    const free = await createLock(path);
    if (free !== undefined) return FileLock.#of(path, free);
    const holder = await livingHolder(path);
    if (holder !== undefined) {
      return `process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}`;
    }
    const own = `${path}.${crypto.randomUUID()}`;
    const handle = await createLock(own);
    if (handle === undefined) throw new Error(`${own} exists`);
    await rename(own, path);
    return FileLock.#of(path, handle);
  }

  static async #of(path: string, handle: FileHandle): Promise<FileLock> {
    return new FileLock(path, handle, (await handle.stat()).ino);
  }

  /** Returns false if another process took the lock over, or somebody deleted it. */
  async isHeld(): Promise<boolean> {
    const { ino } = await stat(this.#path).catch(() => ({ ino: undefined }));
    return ino !== undefined && ino === this.#inode;
  }

  /** Gives the lock back. A lock that another process took over stays. */
  async release(): Promise<void> {
    clearInterval(this.#beat);
    if (await this.isHeld()) await rm(this.#path, { force: true });
    this.#inode = undefined;
    await this.#handle.close();
  }
}

/** Creates a lock file that names this process; returns `undefined` if the file exists. */
async function createLock(path: string): Promise<FileHandle | undefined> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
    return handle;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** The process that holds a lock; `undefined` if it has ended. */
async function livingHolder(path: string): Promise<Holder | undefined> {
  const holder = await holderAt(path);
  if (holder === undefined || (holder.host === hostname() && !isRunning(holder.pid))) return undefined;
  const touched = async () => (await stat(path).catch(() => undefined))?.mtimeMs;
  const before = await touched();
  await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  return (await touched()) === before ? undefined : holder;
}

/** A lock that cannot be read was left by a process that was killed while it took the lock. */
async function holderAt(path: string): Promise<Holder | undefined> {
  const value = jsonIn(await readFile(path, 'utf8').catch(() => ''));
  if (!isRecord(value)) return undefined;
  const { pid, host } = value;
  return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
