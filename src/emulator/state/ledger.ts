import { sortedJson } from '../../shared/sorted-json.ts';
import { isRecord } from '../../shared/values.ts';
import type { Collection } from './collection.ts';

/** One used `requestId`: the request that used it, and its response. `id` is the requestId. */
export interface LedgerEntry {
  id: string;
  /** The operation of the request. */
  operation: string;
  /** The body of the request, without its `requestId`. */
  request: unknown;
  /** The HTTP status of the response. */
  status: number;
  /** The text of the response. */
  body: string;
}

/** The used `requestId`s: none ever makes a second transfer. A `requestId` is a UUID, so its case does not count. */
export type Ledger = Collection<LedgerEntry>;

/** One request with its operation, its `requestId` and its body. */
export interface KeyedRequest {
  operation: string;
  requestId: string;
  body: unknown;
}

/** An earlier use of a `requestId`. */
export interface EarlierUse {
  entry: LedgerEntry;
  /** How the new request differs from the earlier one; empty if it is the same request again. */
  differences: readonly string[];
}

/** The earlier use of a `requestId`; `undefined` for a new one. */
export function usedBefore(
  ledger: Ledger,
  { operation, requestId, body }: KeyedRequest,
): EarlierUse | undefined {
  const entry = ledger.peek(requestId.toLowerCase());
  if (entry === undefined) return undefined;
  return {
    entry,
    differences:
      entry.operation === operation
        ? differingFields(entry.request, payloadOf(body)).map((field) => `\`${field}\` differs`)
        : [`it was used for ${entry.operation}`],
  };
}

export function noteUse(
  ledger: Ledger,
  { operation, requestId, body }: KeyedRequest,
  response: Pick<LedgerEntry, 'status' | 'body'>,
): void {
  ledger.add({ id: requestId.toLowerCase(), operation, request: payloadOf(body), ...response });
}

function payloadOf(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { requestId: _, ...payload } = body;
  return payload;
}

/** The paths of the fields in which two JSON values differ. A list of another length differs as a whole. */
function differingFields(one: unknown, other: unknown, path: readonly string[] = []): string[] {
  const isList = Array.isArray(one) && Array.isArray(other) && one.length === other.length;
  if (isList || (isRecord(one) && isRecord(other))) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) =>
      differingFields(Reflect.get(one, name), Reflect.get(other, name), [...path, name]),
    );
  }
  return sortedJson(one) === sortedJson(other) ? [] : [path.join('.') || 'body'];
}
