import { type EarlierCall, type Finding, InvalidRequestError } from '../errors/index.ts';
import { isClosed, outcomeOf, strongerOf } from './evidence.ts';

/** The number of keys that are kept with their payload. Of older keys, only their use is kept. */
const remembered = 10_000;

/** The calls of one client, with those derived from it, under a key; and of one payer, where only the token names it. */
interface KeyRecord {
  /** Stands for the payload; undefined while nothing of it has reached the service. */
  digest: number | undefined;
  readonly owner: object;
  readonly payer: number | undefined;
  operation: string;
  running: number;
  /** The strongest finding of the calls that have ended. */
  finding: Finding | undefined;
}

/** The data that all copies of this package in one process share: plain data, so that each of them can read it. */
interface Memory {
  /** Of most keys there is one record. */
  readonly keys: Map<string, readonly KeyRecord[]>;
  /** Stands at the key to forget next. A new iterator would pass all keys that were forgotten before. */
  readonly oldest: MapIterator<[string, readonly KeyRecord[]]>;
  readonly forgotten: Uint32Array[];
  /** The number of keys in the last of the filters. */
  inLast: number;
}

/** A call under a key that is under way. */
export interface RunningCall {
  /** Returns what is known of the key from all other calls: `open` while one of them is under way. */
  earlier(): Finding | undefined;
  /** Returns what is known of the key from all calls, this one included. */
  recall(): Finding | undefined;
  /** Notes what one attempt of the call came to. */
  note(finding: Finding): void;
  /** Begins another call with the same payload. */
  again(): RunningCall;
  /** Ends the call, with a last finding. A call that ends without any is `open`. */
  settle(finding?: Finding): void;
}

/**
 * Remembers what calls with an idempotency key came to, for all clients of this process that reach the same service. It
 * keeps digests, no bodies. Another client may be another account with keys of its own. So another payload under a key is
 * refused only to the client that used the key, and to those derived from it; and what another client paid is told as
 * open, unless its payload was the same, and so was the payer.
 */
export class KeyMemory {
  readonly #memory: Memory;
  readonly #owner: object;

  constructor(memory: Memory = emptyMemory(), owner: object = {}) {
    this.#memory = memory;
    this.#owner = owner;
  }

  /** Returns what is known of a key, or undefined if no call of this process has used it. */
  recall(requestId = ''): Finding | undefined {
    return this.#known(plainId(requestId), 0);
  }

  /** Returns a mark of the calls under a key: the same one if meanwhile none has begun and none is under way. */
  markOf(requestId = ''): unknown {
    const records = this.#memory.keys.get(plainId(requestId));
    return records?.some(({ running }) => running > 0) ? {} : records;
  }

  /**
   * Notes a call. `isNew`: the key was made for this call, so that nothing can be known of it.
   *
   * @throws InvalidRequestError if the key stands for another payload.
   */
  begin(requestId: string, operation: string, digest: number, isNew = false, payer?: number): RunningCall {
    const { keys } = this.#memory;
    const id = plainId(requestId);
    const found = (isNew ? undefined : keys.get(id)) ?? [];
    const mine = found.filter(({ owner }) => owner === this.#owner);
    const other = mine.find((record) => (record.digest ?? digest) !== digest);
    if (other !== undefined) throw reused(other, this.recall(requestId), operation, requestId);
    const finding = !isNew && isIn(this.#memory.forgotten, id) ? 'open' : undefined;
    const fresh: KeyRecord = { digest, owner: this.#owner, payer, operation, running: 0, finding };
    const record = mine.find((one) => one.payer === payer) ?? fresh;
    record.digest = digest;
    record.operation = operation;
    record.running += 1;
    // Last in the order: the key that was used longest ago is forgotten first. A new list for each call, for `markOf`.
    keys.delete(id);
    keys.set(id, [...found.filter((one) => one !== record), record]);
    if (keys.size > remembered) this.#forgetOldest();
    let own: Finding | undefined;
    return {
      earlier: () => this.#known(id, 1, digest, payer),
      recall: () => this.#known(id, 0, digest, payer),
      again: () => this.begin(requestId, operation, digest, false, payer),
      note: (finding) => {
        own = strongerOf(own, finding);
      },
      settle: (last) => {
        record.running -= 1;
        record.finding = strongerOf(record.finding, last ?? own ?? 'open');
        // Nothing reached the service: the key may still be given to a corrected payload.
        if (record.running === 0 && record.finding === 'not-reached') record.digest = undefined;
      },
    };
  }

  /** Joins the findings of all clients for a key. `own`: the number of this client's running calls that are left out. */
  #known(id: string, own: number, digest?: number, payer?: number): Finding | undefined {
    const records = this.#memory.keys.get(id);
    if (records === undefined) return isIn(this.#memory.forgotten, id) ? 'open' : undefined;
    let known: Finding | undefined;
    for (const { owner, payer: paying, digest: sent, running, finding } of records) {
      const isOwn = paying === payer && owner === this.#owner;
      if (running > (isOwn ? own : 0)) known = strongerOf(known, 'open');
      if (finding === undefined) continue;
      // A payload that did not reach the service leaves its key to another one, whose finding is not that of its calls.
      const isSame = digest === undefined ? isOwn : paying === payer && sent === digest;
      known = strongerOf(known, isSame || isClosed(finding) ? finding : 'open');
    }
    return known;
  }

  #forgetOldest(): void {
    const { keys, oldest } = this.#memory;
    const { value } = oldest.next();
    if (value === undefined) return;
    const [id, records] = value;
    keys.delete(id);
    // A call under way still has to note its finding.
    if (records.some(({ running }) => running > 0)) keys.set(id, records);
    else if (!records.every(({ finding }) => isClosed(finding))) addTo(this.#memory, id);
  }
}

const registry = Symbol.for('stablecoin-payments.keys.2');

interface Registry {
  readonly byOrigin: Map<string, Memory>;
  readonly byFetch: WeakMap<object, Map<string, Memory>>;
}

/**
 * The memory of a service: one for each origin in a process, whatever the number of clients and of copies of this
 * package. A `fetch` of the caller's may reach any service, so it has memories of its own.
 */
export function keyMemoryOf(origin: string, fetch: unknown, owner?: object): KeyMemory {
  const { byOrigin, byFetch }: Registry = registryOf(globalThis);
  let memories = byOrigin;
  if (typeof fetch === 'function') {
    memories = byFetch.get(fetch) ?? new Map();
    byFetch.set(fetch, memories);
  }
  const memory = memories.get(origin) ?? emptyMemory();
  memories.set(origin, memory);
  return new KeyMemory(memory, owner);
}

function registryOf(place: object): Registry {
  const found: Registry | undefined = Reflect.get(place, registry);
  if (found !== undefined) return found;
  const made: Registry = { byOrigin: new Map(), byFetch: new WeakMap() };
  // On a frozen platform each copy of this package has a memory of its own.
  Reflect.defineProperty(place, registry, { value: made });
  return made;
}

function emptyMemory(): Memory {
  const keys = new Map<string, readonly KeyRecord[]>();
  return { keys, oldest: keys.entries(), forgotten: [], inLast: 0 };
}

/** A filter takes two bytes for each key and is wrong in one of 2,000 lookups, which only makes an outcome `unknown`. */
const filterWords = 2 ** 19;
const mostInFilter = 2 ** 20;

function addTo(memory: Memory, id: string): void {
  let last = memory.forgotten.at(-1);
  if (last === undefined || memory.inLast >= mostInFilter) {
    last = new Uint32Array(filterWords);
    memory.forgotten.push(last);
    memory.inLast = 0;
  }
  memory.inLast += 1;
  for (const bit of bitsOf(id)) last[bit >>> 5] = (last[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

const isIn = (filters: readonly Uint32Array[], id: string): boolean =>
  filters.some((filter) => bitsOf(id).every((bit) => ((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0));

function bitsOf(id: string): number[] {
  const digest = digestOf(id);
  const step = Math.floor(digest / 2 ** 24) | 1;
  const bits: number[] = [];
  for (let at = digest % 2 ** 24; bits.length < 8; at += step) bits.push(at % (filterWords * 32));
  return bits;
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
