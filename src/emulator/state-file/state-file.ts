import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { EmulatorCore } from '../core.ts';
import type { ChangeTracker } from '../state/change-tracker.ts';
import { changesLine, parseState, type StateText } from './state-lines.ts';

/** How large the changes may grow before the file is written anew; a larger snapshot allows for more. */
const LEAST_CHANGES = 4 * 1024 * 1024;

interface OpenFile {
  handle: FileHandle;
  inode: number;
  size: number;
  snapshotSize: number;
}

/** What a state file holds; `undefined` where there is none, or an empty one. */
export async function readStateFile(path: string): Promise<StateText | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  if (text === '') return undefined;
  try {
    return parseState(text);
  } catch (error) {
    throw new Error(`The state file ${path} ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

/**
 * Keeps an emulator's state in a file. Changes are appended and synced to the disk before they are acknowledged; those
 * of requests that arrive during a write share the next one. A new snapshot replaces the file as a whole.
 */
export class StateFile {
  readonly #path: string;
  readonly #core: EmulatorCore;
  readonly #changes: ChangeTracker;
  #file: OpenFile | undefined;
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #taken: Error | undefined;

  /** Nothing is written yet: the caller first makes sure that no other emulator serves this state. */
  constructor(path: string, core: EmulatorCore) {
    this.#path = resolve(path);
    this.#core = core;
    this.#changes = core.keep(() => this.stored());
    this.#changes.replaced = true;
  }

  /** Resolves once everything that has happened so far is on the disk. */
  stored(): Promise<void> {
    if (this.#writing === undefined) {
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined;
      });
      return this.#writing;
    }
    // A write is in progress that may have begun before the latest change, so that the next one is needed as well.
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.stored();
      });
    return this.#next;
  }

  async close(): Promise<void> {
    await this.stored().finally(() => this.#file?.handle.close());
    this.#file = undefined;
    this.#taken = new Error('The emulator is closed');
  }

  async #write(): Promise<void> {
    if (this.#taken !== undefined) throw this.#taken;
    const changes = this.#changes.take();
    try {
      const file = this.#file;
      const full = file === undefined || file.size > LEAST_CHANGES + 2 * file.snapshotSize;
      if (full || this.#changes.replaced) await this.#rewrite();
      else if (changes.length > 0) await this.#append(file, changesLine(changes));
    } catch (error) {
      // What was taken is not stored: the next write has to write everything.
      this.#changes.replaced = true;
      throw error;
    }
  }

  async #append(file: OpenFile, line: string): Promise<void> {
    const bytes = Buffer.from(line);
    await file.handle.write(bytes, 0, bytes.byteLength, file.size);
    await file.handle.datasync();
    file.size += bytes.byteLength;
    const { ino } = await stat(this.#path).catch(() => ({ ino: undefined }));
    if (ino === file.inode) return;
    this.#taken = new Error(`The state file ${this.#path} was replaced or deleted by another process`);
    throw this.#taken;
  }

  /** Writes a snapshot beside the file, and puts it in its place: whenever the process dies, one of both is whole. */
  async #rewrite(): Promise<void> {
    const snapshot = this.#core.snapshot();
    const setting = this.#core.clockSetting();
    this.#changes.startOver();
    await this.#file?.handle.close();
    this.#file = undefined;
    const bytes = Buffer.from(`${JSON.stringify(snapshot)}\n${changesLine([['clockSetting', '', setting]])}`);
    const temporary = `${this.#path}.tmp`;
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
      const { ino } = await handle.stat();
      await rename(temporary, this.#path);
      await syncFolder(dirname(this.#path));
      this.#file = { handle, inode: ino, size: bytes.byteLength, snapshotSize: bytes.byteLength };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}

/** Makes a rename last through a power failure. Where a folder cannot be synced, the system does it by itself. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
