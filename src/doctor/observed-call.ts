import { setTimeout } from 'node:timers/promises';
import {
  APIError,
  type FetchLike,
  isPaymentsError,
  type PaymentsClient,
  type PaymentsError,
} from 'stablecoin-payments';
import { type Drift, type Report, safeWord } from './report.ts';

/** The status line and the headers of the last response, which errors about a body do not have. */
export interface Wire {
  last: Pick<Response, 'status' | 'headers'> | undefined;
}

/** The client, the report and the settings that all checks share. */
export interface Surroundings {
  /** A client with the token of the environment. */
  readonly client: PaymentsClient;
  /** Makes a client without a memory of earlier calls, and takes these names for those of known ids, too. */
  readonly newcomer: (names: readonly string[]) => PaymentsClient;
  /** Names under which the service refuses known ids, as the user says. */
  readonly knownRefusals: readonly string[];
  readonly report: Report;
  /** The user to read. */
  readonly userId: string;
  /** The drift of the call that is under way. */
  readonly drift: Drift[];
  readonly wire: Wire;
  readonly now: () => number;
}

/** The result of one call. */
export interface Observation<T> {
  readonly data?: T;
  readonly error?: PaymentsError;
  readonly status: number | undefined;
}

/** Headers under which services send their own id of a request. */
const traceHeaders = /^(?:x-)?(?:request|correlation|trace|amzn-request)-?id$|^cf-ray$/i;
const rateHeaders = /rate-?limit|retry-after|quota/i;

/**
 * Wraps a `fetch` so that the doctor sees the headers of every response. A limit of the rate shows nothing of the service,
 * so it is waited for, for a minute in all.
 */
export const watched =
  (fetch: FetchLike, wire: Wire): FetchLike =>
  async (input, init) => {
    wire.last = undefined;
    let response = await fetch(input, init);
    for (let left = 60; response.status === 429; ) {
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      left -= Math.max(seconds, 5);
      if (!(left >= 0)) break;
      await response.body?.cancel();
      await setTimeout(seconds * 1000, undefined, { ...(init.signal && { signal: init.signal }) });
      response = await fetch(input, init);
    }
    wire.last = response;
    return response;
  };

/** Makes one call, and adds its status, its time, its drift and what its headers show to the report. */
export async function observe<T>(
  { report, drift, wire, now }: Surroundings,
  operation: string,
  call: () => Promise<T>,
): Promise<Observation<T>> {
  drift.length = 0;
  wire.last = undefined;
  const started = now();
  const result = await settledCall(call);
  const ended = now();
  const { status, headers } = wire.last ?? { status: undefined, headers: undefined };
  report.operations.push({
    operation,
    status,
    milliseconds: Math.round(ended - started),
    isUsable: result.error === undefined,
    drift: distinct(drift),
  });
  if (headers !== undefined) readHeaders(report, headers, (started + ended) / 2);
  return { ...result, status };
}

export async function settledCall<T>(
  call: () => Promise<T>,
): Promise<Pick<Observation<T>, 'data' | 'error'>> {
  try {
    return { data: await call() };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return { error };
  }
}

function readHeaders(report: Report, headers: Headers, at: number): void {
  const date = Date.parse(headers.get('date') ?? '');
  // The header has whole seconds, so the middle of one is the best guess.
  if (!Number.isNaN(date)) report.clockSkew ??= Math.round(date + 500 - at);
  for (const [name] of headers) {
    if (rateHeaders.test(name) && !report.rateLimitHeaders.includes(name)) report.rateLimitHeaders.push(name);
    if (traceHeaders.test(name) && !report.traceHeaders.includes(name)) report.traceHeaders.push(name);
  }
}

/** Removes the positions in lists, so that a hundred records with the same difference are one finding. */
function distinct(drift: readonly Drift[]): Drift[] {
  const seen = new Map<string, Drift>();
  for (const { path, code } of drift) {
    const general = path.replaceAll(/(^|\.)\d+(?=\.|$)/g, '$1*');
    seen.set(`${general} ${code}`, { path: general, code });
  }
  return [...seen.values()];
}

/** The public part of an error: its class, its code, its status and the service's name for it; no sentence. */
export function briefly(error: PaymentsError): string {
  if (!(error instanceof APIError)) return `${error.name}, ${error.code}`;
  const name = safeWord(error.service.error);
  return `${error.name}, ${error.code} (HTTP ${error.status}${name === undefined ? '' : `, ${name}`})`;
}
