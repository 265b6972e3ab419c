import { canonicalJson } from '../http/json.ts';
import { ServiceProblem } from '../http/problem.ts';
import { hexOf } from './ids.ts';

/** One used `requestId`: what was asked under it, and the answer that was given. `id` is the requestId. */
export interface LedgerEntry {
  /** Its id. */
  id: string;
  /** What tells another payload. */
  fingerprint: string;
  /** Its state. */
  status: number;
  /** The answer’s text. */
  body: string;
}

/** What a repeated `requestId` gets: the first answer again, or a 409. */
export type Duplicates = 'replay' | 'refuse';

/** The idempotency ledger: no `requestId` ever makes a second transfer. */
export class Ledger {
  readonly duplicates: Duplicates;
  #entries = new Map<string, LedgerEntry>();

  constructor(duplicates: Duplicates) {
    this.duplicates = duplicates;
  }

  /** The first answer to a repeated request, `undefined` for a new one; a 409 where a repeat is refused. */
  lookUp(operation: string, requestId: string, body: unknown): LedgerEntry | undefined {
    const entry = this.#entries.get(requestId.toLowerCase());
    if (entry === undefined) return undefined;
    if (entry.fingerprint !== fingerprintOf(operation, body)) {
      throw new ServiceProblem(
        409,
        'REQUEST_ID_REUSED',
        'This requestId was already used with another payload; a new transfer needs a new requestId',
      );
    }
    if (this.duplicates === 'replay') return entry;
    throw new ServiceProblem(
      409,
      'REQUEST_ALREADY_EXISTS',
      'This requestId was already used; its transfer exists and none was made now',
    );
  }

  record(operation: string, requestId: string, body: unknown, status: number, answer: string): void {
    const id = requestId.toLowerCase();
    this.#entries.set(id, { id, fingerprint: fingerprintOf(operation, body), status, body: answer });
  }

  /** Forgets an id together with the transfer it made, when that leaves the bounded history. */
  forget(requestId: string): void {
    this.#entries.delete(requestId.toLowerCase());
  }

  list(): LedgerEntry[] {
    return [...this.#entries.values()];
  }

  replaceWith(entries: readonly LedgerEntry[]): void {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
  }
}

function fingerprintOf(operation: string, body: unknown): string {
  return hexOf(`${operation} ${canonicalJson(body)}`, 64);
}
