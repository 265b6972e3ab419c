import { APIError, isPaymentsError, type PaymentsClient, type PaymentsError } from 'stablecoin-payments';
import type { Drift, Report } from './report.ts';

/** What every check works with. */
export interface Surroundings {
  /** A client with the token of the environment. */
  readonly client: PaymentsClient;
  readonly report: Report;
  /** The user to read. */
  readonly userId: string;
  /** The drift of the call that is under way. */
  readonly drift: Drift[];
  readonly now: () => number;
}

/** What came of one call. */
export interface Observation<T> {
  readonly data?: T;
  readonly error?: PaymentsError;
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
}

interface Observable<T> {
  withResponse(): Promise<{ data: T; response: Response }>;
}

/** Makes one call, and notes its status, its time, its drift and its headers. */
export async function observe<T>(
  { report, drift, now }: Surroundings,
  operation: string,
  call: () => Observable<T>,
): Promise<Observation<T>> {
  drift.length = 0;
  const started = now();
  const observation = await outcomeOf(call);
  const { status, headers } = observation;
  report.operations.push({
    operation,
    status,
    milliseconds: Math.round(now() - started),
    drift: distinct(drift),
  });
  const date = Date.parse(headers?.get('date') ?? '');
  // The header has whole seconds, so the middle of one is the best guess.
  if (!Number.isNaN(date)) report.clockSkew ??= Math.round(date + 500 - (started + now()) / 2);
  for (const [name] of headers ?? []) {
    if (/rate-?limit|retry-after|quota/i.test(name) && !report.rateLimitHeaders.includes(name))
      report.rateLimitHeaders.push(name);
  }
  return observation;
}

async function outcomeOf<T>(call: () => Observable<T>): Promise<Observation<T>> {
  try {
    const { data, response } = await call().withResponse();
    return { data, status: response.status, headers: response.headers };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return error instanceof APIError ? { error, status: error.status, headers: error.headers } : { error };
  }
}

/** Departures without the positions in lists: a hundred records that depart alike are one finding. */
function distinct(drift: readonly Drift[]): Drift[] {
  const seen = new Map<string, Drift>();
  for (const { path, code } of drift) {
    const general = path.replaceAll(/(^|\.)\d+(?=\.|$)/g, '$1*');
    seen.set(`${general} ${code}`, { path: general, code });
  }
  return [...seen.values()];
}

/** What may be shown of an error: its name, its code, its status, and the service's name for it; no sentence. */
export function briefly(error: PaymentsError): string {
  const status = error instanceof APIError ? ` (HTTP ${error.status})` : '';
  return `${error.name}, ${error.code}${status}`;
}
