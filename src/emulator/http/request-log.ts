import { isRecord, jsonIn } from '../../shared/values.ts';
import type { RequestRecord } from '../options.ts';
import { notFound, ServiceProblem } from '../problem.ts';
import { UUID } from '../reading/check.ts';
import { Latest } from '../state/collection.ts';
import { type Exchange, newExchange, textOfResponse } from './exchange.ts';

/** The request and the response without masks, so that the request can be sent again. */
interface KeptExchange {
  url: string;
  headers: [string, string][];
  /** `null` where there was none, or none was read; `undefined` where it was too large to keep. */
  body: string | null | undefined;
  responseHeaders: [string, string][];
  responseBody: string | null;
  /** The id of the original request, if this one is a replay. */
  replayOf: string | null;
}

/** The number of latest requests whose headers and bodies are kept. */
const MOST_KEPT = 500;

/** The longest body that is kept, in characters. */
const LONGEST_KEPT = 64 * 1024;

/** The latest requests. */
export class RequestLog extends Latest<RequestRecord> {
  readonly #onRequest: (request: RequestRecord) => void;
  readonly #kept = new Map<string, KeptExchange>();
  #total = 0;

  constructor(limit: number, onRequest: (request: RequestRecord) => void = () => {}) {
    super(limit);
    this.#onRequest = onRequest;
  }

  /** Adds a request; returns its id. */
  add(request: Omit<RequestRecord, 'id'>, kept: KeptExchange): string {
    this.#total += 1;
    const id = `request-${this.#total}`;
    const record = { id, ...request };
    this.push(record);
    this.#kept.set(id, kept);
    this.#kept.delete(`request-${this.#total - Math.min(MOST_KEPT, this.limit)}`);
    try {
      this.#onRequest({ ...record });
    } catch {
      // A listener's mistake must not change the response that it hears about.
    }
    return id;
  }

  get(id: string): RequestRecord | undefined {
    return this.find((request) => request.id === id);
  }

  /** The request and the response without masks. */
  kept(id: string): KeptExchange | undefined {
    return this.#kept.get(id);
  }

  /** A request with its headers and bodies, secrets masked. Throws what the service responds where there is none. */
  detail(id: string) {
    const request = this.get(id);
    if (request === undefined) throw notFound('request', id);
    const kept = this.kept(id);
    return {
      ...request,
      /** The path with its query. */
      target: kept === undefined ? request.path : maskPath(kept.url),
      headers: maskHeaders(kept?.headers ?? []),
      body: typeof kept?.body === 'string' ? maskBody(kept.body) : null,
      responseHeaders: maskHeaders(kept?.responseHeaders ?? []),
      responseBody: typeof kept?.responseBody === 'string' ? maskBody(kept.responseBody) : null,
      /** True if the request can be sent again. */
      replayable: kept?.body !== undefined && request.path.startsWith('/v2/'),
      replayOf: kept?.replayOf ?? null,
    };
  }

  clear(): void {
    this.replaceWith([]);
    this.#kept.clear();
    this.#total = 0;
  }
}

/** A finished exchange as the request log keeps it. */
export function recordOf(
  request: Request,
  response: Response,
  exchange: Exchange,
  { at, duration }: Pick<RequestRecord, 'at' | 'duration'>,
): { record: Omit<RequestRecord, 'id'>; kept: KeptExchange } {
  const lost = exchange.delivery === 'reset' || exchange.delivery === 'stall-headers';
  const { requestText } = exchange;
  const responseText = textOfResponse(response) ?? '';
  const record = {
    at,
    method: request.method,
    path: new URL(request.url).pathname.slice(0, 500),
    operation: exchange.operation ?? null,
    ...payloadOf(requestText),
    status: lost ? null : response.status,
    error: lost || response.status < 400 ? null : errorLine(responseText),
    fault: exchange.fault?.kind ?? null,
    duration,
  };
  const kept = {
    url: request.url,
    headers: [...request.headers],
    body: (requestText?.length ?? 0) > LONGEST_KEPT ? undefined : (requestText ?? null),
    responseHeaders: lost ? [] : [...response.headers],
    responseBody: lost ? null : startOfText(responseText),
    replayOf: exchange.replayOf ?? null,
  };
  return { record, kept };
}

/** The start of a text. It is copied, since a slice would keep the whole text in memory. */
function startOfText(text: string): string {
  return text.length <= LONGEST_KEPT ? text : structuredClone(text.slice(0, LONGEST_KEPT));
}

/** The requestId and the amount of a body, where they are such: other texts may be secrets in the wrong field. */
function payloadOf(text: string | undefined): { requestId: string | null; amount: string | null } {
  const body = text === undefined || text.length > LONGEST_KEPT ? undefined : jsonIn(text);
  if (!isRecord(body)) return { requestId: null, amount: null };
  const { requestId, source, destination } = body;
  const parts = [body, source, destination].filter(isRecord);
  const place = parts.find((part) => typeof part.amount === 'number');
  const currency = place?.currency ?? parts.find((part) => typeof part.currency === 'string')?.currency;
  const unit = typeof currency === 'string' && /^[\w.]{1,12}$/.test(currency) ? ` ${currency}` : '';
  return {
    requestId: typeof requestId === 'string' && UUID.test(requestId) ? requestId : null,
    amount: place === undefined ? null : `${place.amount}${unit}`,
  };
}

/** The refusal in a line, whatever the shape of its body: the name, and the sentence. */
function errorLine(text: string): string | null {
  const body = jsonIn(text);
  if (!isRecord(body)) return null;
  const inner = isRecord(body.error) ? body.error : body;
  const parts = [inner.code, inner.error, inner.message, inner.errorDetails];
  return (
    parts
      .filter((part) => typeof part === 'string')
      .join(': ')
      .slice(0, 500) || null
  );
}

/** The text that replaces a secret. */
const MASK = '••••••';

const SECRET = /token|secret|passw|authorization|cookie|credential|api[-_]?key|private[-_]?key|signature/i;

/** The headers with the values of those that authenticate somebody masked. */
function maskHeaders(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => {
    if (!SECRET.test(name)) return [name, value];
    const scheme = /^(Bearer|Basic|Digest) /i.exec(value)?.[0] ?? '';
    return [name, scheme + MASK];
  });
}

/** The path and query of an address with the values of secret parameters masked. */
function maskPath(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams].map(([name, value]) => {
    return `${encodeURIComponent(name)}=${SECRET.test(name) ? MASK : encodeURIComponent(value)}`;
  });
  return query.length === 0 ? pathname : `${pathname}?${query.join('&')}`;
}

/** A body with the values of secret fields masked. In any other text, what looks like a credential is masked. */
function maskBody(text: string): string {
  const value = jsonIn(text);
  if (isRecord(value) || Array.isArray(value)) return JSON.stringify(maskValue(value));
  if (value !== undefined) return text;
  return text
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${MASK}`)
    .replace(/("[^"]*"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/g, (whole, name: string) => {
      return SECRET.test(name) ? `${name}"${MASK}"` : whole;
    });
}

function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const secret = SECRET.test(name) && (typeof inner === 'string' || typeof inner === 'number');
      return [name, secret ? MASK : maskValue(inner)];
    }),
  );
}

/** Sends a request to the emulator. */
export type Resend = (request: Request, exchange: Exchange) => Promise<unknown>;

/** Sends a request of the service again, as it was, and logs it as another one. */
export async function replay(
  id: string,
  requests: RequestLog,
  resend: Resend,
): Promise<{ id: string; status: number | null }> {
  const { method, replayable } = requests.detail(id);
  const kept = requests.kept(id);
  if (kept === undefined || !replayable) {
    throw new ServiceProblem(
      409,
      'REQUEST_NOT_KEPT',
      'Only one of the latest 500 requests to /v2 with a body of at most 64 KB can be sent again',
    );
  }
  const { url, headers, body } = kept;
  const about: Exchange = { ...newExchange(), replayOf: id };
  await resend(new Request(url, { method, headers, ...(typeof body === 'string' ? { body } : {}) }), about);
  const { loggedAs = '' } = about;
  return { id: loggedAs, status: requests.detail(loggedAs).status };
}
