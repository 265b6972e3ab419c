import { sortedJson } from '../../shared/sorted-json.ts';
import { isRecord } from '../../shared/values.ts';
import type { Collection } from './collection.ts';
import { hexOf } from './ids.ts';

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

/** The used `requestId`s: none ever makes a second transfer. A `requestId` is a UUID, so its case does not count. */
export type Ledger = Collection<LedgerEntry>;

/** One request with its operation, its `requestId` and its body. */
export interface KeyedRequest {
  operation: string;
  requestId: string;
  body: unknown;
}

/** The entry of a known `requestId`, and whether the content is the same; `undefined` for a new one. */
export function usedBefore(
  ledger: Ledger,
  { operation, requestId, body }: KeyedRequest,
): { entry: LedgerEntry; same: boolean } | undefined {
  const entry = ledger.peek(requestId.toLowerCase());
  return entry && { entry, same: entry.fingerprint === fingerprintOf(operation, body) };
}

export function noteUse(
  ledger: Ledger,
  { operation, requestId, body }: KeyedRequest,
  response: Pick<LedgerEntry, 'status' | 'body'>,
): void {
  ledger.add({ id: requestId.toLowerCase(), fingerprint: fingerprintOf(operation, body), ...response });
}

function fingerprintOf(operation: string, body: unknown): string {
  const content =
    isRecord(body) && typeof body.requestId === 'string'
      ? { ...body, requestId: body.requestId.toLowerCase() }
      : body;
  return hexOf(`${operation} ${sortedJson(content)}`, 64);
}
