import { isRecord, jsonIn } from '../../shared/values.ts';
import type { Change } from '../state/change-tracker.ts';
import { hexOf } from '../state/ids.ts';
import { isSnapshot, SNAPSHOT_VERSION, type Snapshot } from '../state/snapshot.ts';

/**
 * The text of a state file: a snapshot in the first line, then a line of changes per write. A line of changes starts
 * with its place and a checksum over the file it belongs to, its place and its text: a line that a crash cut off
 * shows, and so does one that was changed, dropped, doubled, moved, or taken from another file.
 */
export interface StateText {
  snapshot: Snapshot;
  changes: Change[];
  /** True if the last line does not match its checksum. It is not among the changes. */
  leftOut: boolean;
}

/** Writes the lines of one state file. The first line of changes follows the snapshot and has the place 1. */
export class StateLines {
  readonly #of: string;
  #place = 0;

  /** @param checksum - The checksum of the snapshot in the first line. */
  constructor(checksum: string) {
    this.#of = checksum;
  }

  next(changes: readonly Change[]): string {
    this.#place += 1;
    return lineOf(this.#of, this.#place, JSON.stringify(changes));
  }
}

function lineOf(file: string, place: number, text: string): string {
  return `${place} ${hexOf(`${file} ${place} ${text}`, 16)} ${text}\n`;
}

/** Reads the text of a state file. Throws an error that names the problem. */
export function parseState(text: string): StateText {
  const [first = '', ...rest] = text.split('\n');
  const snapshot = jsonIn(first);
  if (!isSnapshot(snapshot)) {
    const version = isRecord(snapshot) ? snapshot.version : undefined;
    const other = typeof version === 'number' && version !== SNAPSHOT_VERSION;
    throw new Error(
      other
        ? 'was written by another version of the emulator; delete it, or use that version'
        : 'is not a state file of the emulator, or was edited; the emulator does not overwrite it',
    );
  }
  // Whatever follows the last line break is a write that was never finished, and so never acknowledged.
  rest.pop();
  let leftOut = false;
  const changes = rest.flatMap((line, index) => {
    const [, place = '', text = ''] = /^(\d+) [0-9a-f]{16} (.*)$/s.exec(line) ?? [];
    const whole = `${line}\n` === lineOf(snapshot.checksum, Number(place), text);
    if (whole && Number(place) === index + 1) return changesOf(text);
    // A crash may also leave a last line of which only parts are on the disk. All else is damage.
    if (!whole && index === rest.length - 1) {
      leftOut = true;
      return [];
    }
    throw new Error(
      `is damaged at line ${index + 2}: a line was changed, removed, repeated or moved. Restore it from a copy, or delete it to start anew`,
    );
  });
  return { snapshot, changes, leftOut };
}

function changesOf(text: string): Change[] {
  const changes = jsonIn(text);
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change: unknown): Change[] => {
    if (!Array.isArray(change)) return [];
    const [table, key, value]: unknown[] = change;
    return typeof table === 'string' && typeof key === 'string' ? [[table, key, value]] : [];
  });
}
