import { isRecord } from '../../shared/values.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { accountListKey } from '../dialect/wire.ts';
import type { Fault } from '../state/faults.ts';
import type { Exchange } from './exchange.ts';

/** A failure as a network makes it: what `fetch` rejects with when the connection is reset. */
export function connectionReset(message = 'fetch failed'): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError(message, { cause });
}

/** Waits so long, or until the signal fires; then rejects with the signal's reason. */
export function waitOrAbort(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    function done(): void {
      signal.removeEventListener('abort', abort);
      resolve();
    }
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Never resolves; rejects with the signal's reason once it fires. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** The response as a caller in the same process meets it, with the network's faults played on streams and promises. */
export async function deliver(
  response: Response,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Response> {
  await waitOrAbort(exchange.latency, signal);
  if (exchange.delivery === 'whole') return response;
  // A 204 has no body: the connection breaks or stalls before one would begin.
  const hasBody = response.body !== null;
  if (exchange.delivery === 'reset' || (exchange.delivery === 'cut-body' && !hasBody))
    throw connectionReset();
  if (exchange.delivery === 'stall-headers' || !hasBody) return aborted(signal);
  const whole = new Uint8Array(await response.arrayBuffer());
  const half = firstHalf(whole);
  // The announced length is that of the whole, so that what is missing is missed.
  response.headers.set('content-length', String(whole.byteLength));
  const stalls = exchange.delivery === 'stall-body';
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(half),
      pull: (controller) => {
        if (!stalls) controller.error(connectionReset('terminated'));
        else return aborted(signal).catch((reason: unknown) => controller.error(reason));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

export function firstHalf(bytes: Uint8Array): Uint8Array {
  return bytes.slice(0, Math.max(1, bytes.byteLength >> 1));
}

/** Per family of operations: an essential field of the response, and a field with an enum. */
const FIELDS: readonly (readonly [prefix: string, essential: string, enumeration: string])[] = [
  ['onramps.list', 'records', 'records.0.transferDetails.status'],
  ['transfers.list', 'records', 'records.0.transferDetails.status'],
  ['bridges.list', 'records', 'records.0.transferDetails.status'],
  ['offramps.list', 'records', 'records.0.transferDetails.status'],
  ['onramps.', 'transferDetails.id', 'transferDetails.status'],
  ['transfers.', 'transferDetails.id', 'transferDetails.status'],
  ['bridges.', 'transferDetails.id', 'transferDetails.status'],
  ['offramps.', 'transferDetails.id', 'transferDetails.status'],
  ['accounts.list', 'accounts', 'accounts.0.status'],
  ['accounts.', 'id', 'status'],
  ['approvals.list', 'approvals', 'approvals.0.status'],
  ['approvals.', 'approvalId', 'status'],
  ['reporting.', 'data', 'status'],
  ['kyc.', 'kycInfo', 'kycInfo.type'],
  ['externalWallets.', 'externalWallets', 'externalWallets.0.chain'],
];

/** Applies a fault to the body of a successful response. */
export function spoil(fault: Fault, operation: string, text: string, dialect: Dialect): string {
  if (fault.kind === 'malformed-json') return `${text.slice(0, -1)},}`;
  const [, ...fields] = FIELDS.find(([prefix]) => operation.startsWith(prefix)) ?? ['', '', ''];
  const body: unknown = JSON.parse(text);
  const [named = '', enumeration = ''] = fields.map((field) => inDialect(field, dialect));
  // Some dialects name the id of an account `accountId`.
  const essential = named === 'id' && isRecord(body) && !('id' in body) ? 'accountId' : named;
  if (fault.kind === 'unknown-field' && isRecord(body)) {
    body.fieldOfTomorrow = { since: 'the next version', values: [1, 2] };
    if (isRecord(body.transferDetails)) body.transferDetails.fieldOfTomorrow = 'unknown to the spec';
  }
  if (fault.kind === 'unknown-enum') edit(body, fault.field ?? enumeration, () => 'STATE_OF_TOMORROW');
  if (fault.kind === 'missing-field') edit(body, fault.field ?? essential, () => undefined);
  if (fault.kind === 'wrong-type') {
    edit(body, fault.field ?? essential, (value) => (typeof value === 'number' ? 'not a number' : 12345));
  }
  return JSON.stringify(body);
}

/** A field as a dialect names it. */
function inDialect(field: string, dialect: Dialect): string {
  return field.replace(/^accounts/, accountListKey(dialect));
}

/** Replaces the value at a path, where the body has one there; `undefined` removes it. */
function edit(body: unknown, path: string, change: (value: unknown) => unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place: unknown = body;
  for (const key of keys) place = childOf(place, key);
  if (Array.isArray(place) && Number(last) in place) place[Number(last)] = change(place[Number(last)]);
  else if (isRecord(place) && Object.hasOwn(place, last)) place[last] = change(place[last]);
}

function childOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
