import { type FileHandle, open, readFile, realpath, rename, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { EmulatorCore, Keep } from '../create-emulator.ts';
import { errorCode, FileLock } from './file-lock.ts';
import { parseState, StateLines, type StateText } from './state-lines.ts';

/** The size of the changes at which the file is written anew, in bytes. A larger snapshot allows for more. */
const LEAST_CHANGES = 4 * 1024 * 1024;

/** The longest time that anybody waits for a write, in seconds. A network disk may never respond. */
const LONGEST_WRITE = 10;

interface OpenFile {
  handle: FileHandle;
  inode: number;
  lines: StateLines;
  size: number;
  snapshotSize: number;
}

/**
 * Keeps an emulator's state in a file. Changes are appended and synced to the disk before they are acknowledged; those
 * of requests that arrive during a write share the next one. A new snapshot replaces the file as a whole.
 */
export class StateFile {
  /** The state in the file when it was opened; `undefined` if the file did not exist, or was empty. */
  readonly earlier: StateText | undefined;
  readonly #path: string;
  readonly #lock: FileLock;
  #keep: Keep | undefined;
  #file: OpenFile | undefined;
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #lost: Error | undefined;
  #isFailing = false;

  private constructor(path: string, lock: FileLock, earlier: StateText | undefined) {
    this.#path = path;
    this.#lock = lock;
    this.earlier = earlier;
  }

  /** Locks a state file, and reads it. Throws if another emulator uses the file, or if it is damaged. */
  static async open(file: string): Promise<StateFile> {
    const path = await realpath(file).catch(() => resolve(file));
    const lock = await FileLock.take(`${path}.lock`).catch((error) => {
      throw unusable(file, error);
    });
    if (typeof lock === 'string') {
      throw new Error(
        `The state file ${file} is in use by another emulator (${lock}). Stop it, or choose another file.`,
      );
    }
    try {
      return new StateFile(path, lock, await readState(path));
    } catch (error) {
      await lock.release();
      throw errorCode(error) === undefined ? error : unusable(file, error);
    }
  }

  /** Stores the state of an emulator from now on. */
  keep(core: EmulatorCore): Promise<void> {
    this.#keep = core.keep(() => this.stored());
    this.#keep.changes.replaced = true;
    return this.stored();
  }

  /** Resolves once everything that has happened so far is on the disk. Rejects if that takes too long. */
  async stored(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`no response from the disk within ${LONGEST_WRITE} s`);
        this.#warn(error);
        reject(error);
      }, LONGEST_WRITE * 1000);
    });
    try {
      await Promise.race([this.#written(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #written(): Promise<void> {
    if (this.#writing === undefined) {
      // Not at once: what a write looks at may ask for another one, which must find this one in progress.
      this.#writing = Promise.resolve()
        .then(() => this.#write())
        .finally(() => {
          this.#writing = undefined;
        });
      return this.#writing;
    }
    // A write is in progress that may have begun before the latest change, so that the next one is needed as well.
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#written();
      });
    return this.#next;
  }

  /** Stores what has changed since the last write, and gives the file back. */
  async close(): Promise<void> {
    try {
      if (this.#keep !== undefined) await this.stored();
    } finally {
      await this.#file?.handle.close();
      this.#file = undefined;
      this.#lost = new Error('The emulator is closed');
      await this.#lock.release();
    }
  }

  async #write(): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    if (this.#keep === undefined) return;
    const { changes, snapshot, settings } = this.#keep;
    const news = changes.take();
    try {
      const file = this.#file;
      const full = file === undefined || file.size > LEAST_CHANGES + 2 * file.snapshotSize;
      if (full || changes.replaced) {
        const whole = snapshot();
        const lines = new StateLines(whole.checksum);
        changes.startOver();
        await this.#replace(`${JSON.stringify(whole)}\n${lines.next(settings())}`, lines);
      } else if (news.length > 0) await this.#append(file, file.lines.next(news));
      this.#isFailing = false;
    } catch (error) {
      // What was taken is not stored: the next write has to write everything.
      changes.replaced = true;
      this.#warn(error);
      throw error;
    }
  }

  /** Says once that writing fails, since nobody may be asking for the responses that say so. */
  #warn(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(
      `The emulator could not store its state in ${this.#path}, and acknowledges nothing until it can: ${reason}`,
    );
  }

  async #append(file: OpenFile, line: string): Promise<void> {
    const bytes = Buffer.from(line);
    // A disk that is nearly full may take a part without an error.
    for (let done = 0; done < bytes.byteLength; ) {
      const rest = bytes.byteLength - done;
      const { bytesWritten } = await file.handle.write(bytes, done, rest, file.size + done);
      done += bytesWritten;
    }
    await file.handle.datasync();
    file.size += bytes.byteLength;
    await this.#checkLock();
    const { ino } = await stat(this.#path).catch(() => ({ ino: undefined }));
    if (ino === file.inode) return;
    this.#lost = new Error(`The state file ${this.#path} was replaced or deleted by another process`);
    throw this.#lost;
  }

  /** Writes a snapshot beside the file, and puts it in its place: whenever the process dies, one of both is whole. */
  async #replace(text: string, lines: StateLines): Promise<void> {
    await this.#file?.handle.close();
    this.#file = undefined;
    const bytes = Buffer.from(text);
    const temporary = `${this.#path}.tmp`;
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
      const { ino } = await handle.stat();
      await this.#checkLock();
      await rename(temporary, this.#path);
      await syncFolder(dirname(this.#path));
      await this.#checkLock();
      this.#file = { handle, inode: ino, lines, size: bytes.byteLength, snapshotSize: bytes.byteLength };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #checkLock(): Promise<void> {
    if (await this.#lock.isHeld()) return;
    this.#lost = new Error(
      `another emulator took over the state file ${this.#path}, or its lock file was deleted`,
    );
    throw this.#lost;
  }
}

/** Reads a state file; returns `undefined` if it does not exist, or is empty. */
async function readState(path: string): Promise<StateText | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  if (text === '') return undefined;
  try {
    const state = parseState(text);
    if (state.leftOut) {
      process.emitWarning(
        `The last line of the state file ${path} does not match its checksum, and was left out: a crash cut the write off, or the file was changed`,
      );
    }
    return state;
  } catch (error) {
    throw new Error(`The state file ${path} ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

/** The error for a file that the system refuses to open. */
function unusable(file: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(
    `The state file ${file} cannot be used (${why}). Choose a file in a folder that exists and is writable.`,
    { cause: error },
  );
}

/** Makes a rename last through a power failure. Where a folder cannot be synced, the system does it by itself. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
