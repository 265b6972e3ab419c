import { isRecord } from '../../shared/values.ts';
import { hexOf, sortedJson } from './ids.ts';

/** One used `requestId`: what was asked under it, and the response that was given. `id` is the requestId. */
export interface LedgerEntry {
  id: string;
  /** The hash of the payload; another payload has another one. */
  fingerprint: string;
  /** The HTTP status of the response. */
  status: number;
  /** The text of the response. */
  body: string;
}

/** The response to a `requestId` that was used before: the first response, or a refusal. */
export type Duplicates = 'replay' | 'refuse';

/**
 * The idempotency ledger: no `requestId` ever makes a second transfer. A `requestId` is a UUID, so its case does not
 * count.
 */
export class Ledger {
  #entries = new Map<string, LedgerEntry>();
  /** Called with each id whose entry changes, and the entry or `null`. */
  onChange: (id: string, entry: LedgerEntry | null) => void = () => {};

  /** The entry of a known `requestId`, and whether the content is the same; `undefined` for a new one. */
  find(
    operation: string,
    requestId: string,
    body: unknown,
  ): { entry: LedgerEntry; same: boolean } | undefined {
    const entry = this.#entries.get(requestId.toLowerCase());
    return entry && { entry, same: entry.fingerprint === fingerprintOf(operation, body) };
  }

  record(operation: string, requestId: string, body: unknown, status: number, text: string): void {
    const id = requestId.toLowerCase();
    const entry = { id, fingerprint: fingerprintOf(operation, body), status, body: text };
    this.#entries.set(id, entry);
    this.onChange(id, entry);
  }

  /** Forgets an id together with the transfer it made, when that leaves the bounded history. */
  forget(requestId: string): void {
    this.#entries.delete(requestId.toLowerCase());
    this.onChange(requestId.toLowerCase(), null);
  }

  list(): LedgerEntry[] {
    return [...this.#entries.values()];
  }

  replaceWith(entries: readonly LedgerEntry[]): void {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
  }
}

function fingerprintOf(operation: string, body: unknown): string {
  const content =
    isRecord(body) && typeof body.requestId === 'string'
      ? { ...body, requestId: body.requestId.toLowerCase() }
      : body;
  return hexOf(`${operation} ${sortedJson(content)}`, 64);
}
