import { type EarlierCall, type Finding, InvalidRequestError } from '../errors/index.ts';
import { isClosed, outcomeOf, strongerOf } from './finding.ts';

/** The number of keys that are remembered. Keys that are certain are forgotten first. */
const remembered = 10_000;

/** The calls with one credential under a key. */
interface KeyRecord {
  /** The credential of the calls. */
  readonly owner: number;
  /** Stands for the payload; undefined while nothing of it has reached the service. */
  digest: number | undefined;
  operation: string;
  running: number;
  /** The strongest finding of the calls that have ended. */
  finding: Finding | undefined;
}

/** The data that all copies of this package in one process share: plain data, so that each of them can read it. */
interface Memory {
  /** Of most keys there is one record. The key that was used longest ago comes first. */
  readonly keys: Map<string, readonly KeyRecord[]>;
  /** Stands at the next key to forget. A new iterator would pass all keys that were forgotten before. */
  readonly line: MapIterator<[string, readonly KeyRecord[]]>;
  /** True once a key in doubt was forgotten: then every key that is not remembered is in doubt. */
  hasForgotten: boolean;
}

/** A call that begins under a key. */
export interface StartingCall {
  readonly requestId: string;
  readonly operation: string;
  readonly digest: number;
  readonly owner: number;
  /** True if the key was made for this call, so that nothing can be known of it. */
  readonly isNewKey: boolean;
  /** True if the caller says that an earlier call with the key may have been made. */
  readonly inDoubt: boolean;
}

/**
 * Remembers what calls with an idempotency key came to, for all clients of this process that reach the same service. It
 * keeps digests, no bodies. The calls with one credential belong together: another payload under their key is refused.
 * What another credential left open stays open, as it may be that of the same account.
 */
export class KeyMemory {
  readonly #memory: Memory;

  constructor(memory: Memory = emptyMemory()) {
    this.#memory = memory;
  }

  /** Returns what is known of a key, or undefined if no call of this process has used it. */
  recall(requestId = '', owner?: number): Finding | undefined {
    return this.known(plainId(requestId), owner, 0);
  }

  /**
   * Notes a call.
   *
   * @throws InvalidRequestError if the key stands for another payload.
   */
  begin(call: StartingCall): RunningCall {
    const { requestId, operation, digest, owner, isNewKey, inDoubt } = call;
    const { keys, hasForgotten } = this.#memory;
    const id = plainId(requestId);
    const found = keys.get(id) ?? [];
    const known = found.find((one) => one.owner === owner);
    if (known !== undefined && (known.digest ?? digest) !== digest)
      throw reused(known, this.recall(requestId, owner), operation, requestId);
    const isOpen = inDoubt || (hasForgotten && !isNewKey && found.length === 0);
    const record = known ?? { owner, digest, operation, running: 0, finding: undefined };
    record.digest = digest;
    record.operation = operation;
    record.running += 1;
    if (isOpen) record.finding = strongerOf(record.finding, 'open');
    // Last in the order.
    keys.delete(id);
    keys.set(id, [...found.filter((one) => one !== record), record]);
    if (keys.size > remembered) forgetOne(this.#memory);
    return new RunningCall(this, call, id, record);
  }

  /** Joins the findings of all credentials for a key. `own`: the number of the owner's running calls that are left out. */
  known(id: string, owner: number | undefined, own: number): Finding | undefined {
    const { keys, hasForgotten } = this.#memory;
    const records = keys.get(id);
    if (records === undefined) return hasForgotten ? 'open' : undefined;
    let known: Finding | undefined;
    for (const record of records) {
      const isOwn = owner === undefined || record.owner === owner;
      if (record.running > (isOwn ? own : 0)) known = strongerOf(known, 'open');
      if (record.finding === undefined) continue;
      known = strongerOf(known, isOwn || isClosed(record.finding) ? record.finding : 'open');
    }
    return known;
  }
}

/** A call under a key that is under way. */
export class RunningCall {
  readonly #memory: KeyMemory;
  readonly #call: StartingCall;
  readonly #id: string;
  readonly #record: KeyRecord;
  #own: Finding | undefined;

  constructor(memory: KeyMemory, call: StartingCall, id: string, record: KeyRecord) {
    this.#memory = memory;
    this.#call = call;
    this.#id = id;
    this.#record = record;
  }

  /** Returns what is known of the key from all other calls: `open` while one of them is under way. */
  earlier(): Finding | undefined {
    return this.#memory.known(this.#id, this.#call.owner, 1);
  }

  /** Notes what one attempt of the call came to. */
  note(finding: Finding): void {
    this.#own = strongerOf(this.#own, finding);
  }

  /** Ends the call, with a last finding. A call that ends without any is `open`. */
  settle(last?: Finding): void {
    const record = this.#record;
    record.running -= 1;
    record.finding = strongerOf(record.finding, last ?? this.#own ?? 'open');
    // Nothing reached the service: the key may still be given to a corrected payload.
    if (record.running === 0 && record.finding === 'not-reached') record.digest = undefined;
  }
}

/**
 * Forgets the oldest key that is certain. Keys in doubt, and those of calls under way, go back to the end of the line. If
 * all of them are in doubt, the oldest one whose calls have ended is forgotten.
 */
function forgetOne(memory: Memory): void {
  const { keys, line } = memory;
  for (let mayKeep = keys.size; mayKeep > -keys.size; mayKeep -= 1) {
    const { value } = line.next();
    if (value === undefined) return;
    const [id, records] = value;
    const isRunning = records.some(({ running }) => running > 0);
    const isCertain = records.every(({ finding }) => finding === 'made' || isClosed(finding));
    keys.delete(id);
    if (!isRunning && (isCertain || mayKeep <= 0)) {
      memory.hasForgotten ||= !isCertain;
      return;
    }
    keys.set(id, records);
  }
}

interface Registry {
  readonly byOrigin: Map<string, Memory>;
  readonly byFetch: WeakMap<object, Map<string, Memory>>;
  /** The numbers of credentials that are functions. */
  readonly owners: WeakMap<object, number>;
}

/**
 * The memory of a service: one for each origin in a process, whatever the number of clients and of copies of this
 * package. A `fetch` of the caller's may reach any service, so it has memories of its own.
 */
export function keyMemoryOf(origin: string, fetch: unknown): KeyMemory {
  const { byOrigin, byFetch } = registry();
  const memories = typeof fetch === 'function' ? (byFetch.get(fetch) ?? new Map()) : byOrigin;
  if (typeof fetch === 'function') byFetch.set(fetch, memories);
  const memory = memories.get(origin) ?? emptyMemory();
  memories.set(origin, memory);
  return new KeyMemory(memory);
}

/** Stands for a credential: a token by its text, a function by its identity. No token is kept. */
export function ownerOf(accessToken: string | object): number {
  if (typeof accessToken === 'string') return digestOf(accessToken);
  const { owners } = registry();
  const owner = owners.get(accessToken) ?? Math.random();
  owners.set(accessToken, owner);
  return owner;
}

const place = Symbol.for('stablecoin-payments.keys.3');

function registry(): Registry {
  const found: Registry | undefined = Reflect.get(globalThis, place);
  if (found !== undefined) return found;
  const made: Registry = { byOrigin: new Map(), byFetch: new WeakMap(), owners: new WeakMap() };
  // On a frozen platform each copy of this package has a memory of its own.
  Reflect.defineProperty(globalThis, place, { value: made });
  return made;
}

function emptyMemory(): Memory {
  const keys = new Map<string, readonly KeyRecord[]>();
  return { keys, line: keys.entries(), hasForgotten: false };
}

/** Digests a text into 53 bits, by two multiplicative hashes side by side. It is a reminder, not a secret. */
export function digestOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Returns an id in the form in which ids are compared: without case, and a UUID without hyphens, braces and prefix. */
export function plainId(id: string): string {
  // The usual form, which takes a third of the time.
  if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/.test(id)) return id.replaceAll('-', '');
  const lower = id.trim().toLowerCase();
  const digits = lower.replace(/^urn:uuid:/, '').replaceAll(/[{}-]/g, '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : lower;
}

const told: Readonly<Record<EarlierCall['outcome'], string>> = {
  pending: 'is still under way and may make its payment',
  'not-sent': 'did not reach the service',
  rejected: 'was refused',
  unknown: 'may have made its payment',
  succeeded: 'made its payment',
};

function reused(
  record: KeyRecord,
  finding: Finding | undefined,
  operation: string,
  requestId: string,
): InvalidRequestError {
  const isPending = record.running > 0 && record.finding !== 'made' && record.finding !== 'open';
  const ended = outcomeOf(record.finding ?? 'open');
  const earlier: EarlierCall = { operation: record.operation, outcome: isPending ? 'pending' : ended };
  // The outcome is of the key, and a payment under the key says nothing of this payload: never `succeeded`.
  return new InvalidRequestError(
    `${operation}: an earlier ${earlier.operation} call used this \`requestId\` with another payload, and it ${told[earlier.outcome]}. This payload was not sent. Give a new payment a \`requestId\` of its own; to retry the earlier one, send the same payload.`,
    {
      code: 'request_id_reused',
      outcome: isClosed(finding) ? 'not-sent' : 'unknown',
      operation,
      requestId,
      field: 'requestId',
      earlier,
    },
  );
}
