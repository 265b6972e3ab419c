import { plainId } from '../../evidence/key-memory.ts';
import { isRecord } from '../../shared/values.ts';

/**
 * The fields that show which request a response belongs to. Paths are dotted; `*` stands for every field of a record and `[]`
 * for every item of a list.
 */
export interface ResponseIdentity {
  /**
   * The paths in the response that contain a value that was sent, by the name of a path parameter or `requestId`. One
   * of the values must equal the sent value; below a `*` or a `[]`, each must. A missing or null value is ignored.
   */
  readonly echoes?: Readonly<Record<string, readonly string[]>>;
  /** The paths of the id of the record that the call makes or changes. A response without it, or an echo, proves nothing. */
  readonly record?: readonly string[];
  /** Values that contradict the call, by path: an approval whose response says `REJECTED`. */
  readonly contradictions?: Readonly<Record<string, readonly string[]>>;
}

/** The values of a request that its response may contain. */
export interface SentIdentity {
  readonly path: Readonly<Record<string, string>> | undefined;
  readonly requestId: string | undefined;
}

/** The result of a comparison of a response with its request. */
export interface IdentityVerdict {
  /** The path at which the response names another request. */
  readonly mismatch: string | undefined;
  /** The path at which the response contradicts the call. */
  readonly contradiction: string | undefined;
  /** True if the response contains the identity of the request, or of its record. */
  readonly proven: boolean;
}

const none: Readonly<Record<string, readonly string[]>> = {};

/** Compares what a response says with what was sent. */
export function compareIdentity(
  body: unknown,
  { echoes, record, contradictions }: ResponseIdentity,
  sent: SentIdentity,
): IdentityVerdict {
  let proven = false;
  for (const [name, paths] of Object.entries(echoes ?? none)) {
    const wanted = name === 'requestId' ? sent.requestId : sent.path?.[name];
    if (typeof wanted !== 'string') continue;
    const echo = compareEcho(body, paths, wanted);
    if (echo.mismatch !== undefined)
      return { mismatch: echo.mismatch, contradiction: undefined, proven: false };
    proven ||= echo.proven;
  }
  // Under another name than the record's own place it proves, but a gateway may use the name for an id of its own.
  const { requestId } = sent;
  proven ||= requestId !== undefined && idsAt(body, 'requestId').some((id) => sameId(id, requestId));
  proven ||= record?.some((path) => idsAt(body, path).length > 0) ?? false;
  let contradiction: string | undefined;
  for (const [path, wrong] of Object.entries(contradictions ?? none)) {
    if (idsAt(body, path).some((value) => wrong.includes(String(value).toUpperCase()))) contradiction = path;
  }
  return { mismatch: undefined, contradiction, proven };
}

function compareEcho(body: unknown, paths: readonly string[], wanted: string) {
  let proven = false;
  let other: string | undefined;
  for (const path of paths) {
    for (const value of idsAt(body, path)) {
      if (sameId(value, wanted)) proven = true;
      else if (isOfMany(path)) return { mismatch: path, proven };
      else other ??= path;
    }
  }
  return { mismatch: proven ? undefined : other, proven };
}

const isOfMany = (path: string) => path.includes('[]') || path.includes('*');

const splits = new Map<string, readonly string[]>();

/** The values at a path that can be an id. The paths come from declarations, so there are few of them. */
function idsAt(body: unknown, path: string): (string | number)[] {
  let segments = splits.get(path);
  if (segments === undefined) {
    segments = path.split('.');
    splits.set(path, segments);
  }
  const found: (string | number)[] = [];
  collect(body, segments, 0, found);
  return found;
}

function collect(value: unknown, path: readonly string[], index: number, found: (string | number)[]): void {
  const segment = path[index];
  if (segment === undefined) {
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') found.push(value);
  } else if (segment === '[]') {
    if (Array.isArray(value)) for (const item of value) collect(item, path, index + 1, found);
  } else if (!isRecord(value)) return;
  else if (segment === '*') for (const item of Object.values(value)) collect(item, path, index + 1, found);
  else if (Object.hasOwn(value, segment)) collect(value[segment], path, index + 1, found);
}

/** Returns true if two ids are the same: case, the form of a UUID, and a number written as text make no difference. */
export function sameId(one: string | number, other: string): boolean {
  return one === other || plainId(String(one)) === plainId(other);
}
