import { isObject } from '../http/reading/json.ts';
import type { Change } from '../state/change-tracker.ts';
import { hexOf } from '../state/ids.ts';
import { type EmulatorSnapshot, isSnapshot, SNAPSHOT_VERSION } from '../state/snapshot.ts';

/**
 * The text of a state file: a snapshot in the first line, then a line of changes per write. A line of changes starts
 * with its checksum, so that one that was cut off by a crash shows.
 */
export interface StateText {
  snapshot: EmulatorSnapshot;
  changes: Change[];
}

export function changesLine(changes: readonly Change[]): string {
  const text = JSON.stringify(changes);
  return `${hexOf(text, 16)} ${text}\n`;
}

/** What the text of a state file holds; throws an error that says what is wrong with it. */
export function parseState(text: string): StateText {
  const [first = '', ...rest] = text.split('\n');
  const snapshot = jsonOf(first);
  if (!isSnapshot(snapshot)) {
    const version = isObject(snapshot) ? snapshot.version : undefined;
    const other = typeof version === 'number' && version !== SNAPSHOT_VERSION;
    throw new Error(
      other
        ? 'was written by another version of the emulator; delete it, or use that version'
        : 'is not a state file of the emulator, or was edited; the emulator does not overwrite it',
    );
  }
  // Whatever follows the last line break is a write that was never finished, and so never acknowledged.
  rest.pop();
  const lines = rest.map(parseLine);
  // The same is true of a broken last line. A broken line before others is damage, and losing it is not an option.
  if (lines.at(-1) === undefined) lines.pop();
  const broken = lines.indexOf(undefined);
  if (broken >= 0) throw new Error(`is damaged at line ${broken + 2}`);
  return { snapshot, changes: lines.flatMap((line) => line ?? []) };
}

function parseLine(line: string): Change[] | undefined {
  const text = line.slice(17);
  if (line.slice(0, 17) !== `${hexOf(text, 16)} `) return undefined;
  const changes = jsonOf(text);
  if (!Array.isArray(changes)) return undefined;
  return changes.flatMap((change: unknown): Change[] => {
    if (!Array.isArray(change)) return [];
    const [table, key, value]: unknown[] = change;
    return typeof table === 'string' && typeof key === 'string' ? [[table, key, value]] : [];
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
