import { isRecord, jsonIn } from '../../shared/values.ts';
import type { RequestRecord } from '../options.ts';
import { notFound, ServiceProblem } from '../problem.ts';
import { UUID } from '../reading/check.ts';
import { type Exchange, type Handled, textOfResponse } from './exchange.ts';
import { idsOfExchange } from './request-ids.ts';

/** The request and the response without masks. */
interface KeptExchange {
  url: string;
  headers: [string, string][];
  /** `null` where there was none, none was read, or it was too large to keep. */
  body: string | null;
  responseHeaders: [string, string][];
  responseBody: string | null;
  /** The time at which it arrived, and its place among the entries of all histories. */
  began: string;
  order: number;
  handled: Handled | undefined;
  /** True if the page made it, without a token. */
  trusted: boolean;
  /** True if the body was too large to keep. */
  isCut: boolean;
}

/** A logged request with what a timeline needs. */
export interface TracedRequest {
  record: RequestRecord;
  began: string;
  order: number;
  handled: Handled | undefined;
  /** The ids that its path, its body and the record in its response show, in lower case. */
  ids: ReadonlySet<string>;
}

interface Logged {
  record: RequestRecord;
  kept: KeptExchange;
  /** Read when a timeline first asks. */
  ids?: ReadonlySet<string>;
}

/** The number of latest requests that are kept. */
const MOST_KEPT = 1000;

/** The longest body that is kept, in characters. */
const LONGEST_KEPT = 64 * 1024;

/** The latest requests. */
export class RequestLog {
  readonly #log = new Map<string, Logged>();
  readonly #onRequest: (request: RequestRecord) => void;
  #total = 0;

  constructor(onRequest: (request: RequestRecord) => void = () => {}) {
    this.#onRequest = onRequest;
  }

  /** Adds a request, and returns its record. */
  add(request: Omit<RequestRecord, 'id'>, kept: KeptExchange): RequestRecord {
    this.#total += 1;
    const id = `request-${this.#total}`;
    const record = { id, ...request };
    this.#log.set(id, { record, kept });
    this.#log.delete(`request-${this.#total - MOST_KEPT}`);
    try {
      this.#onRequest({ ...record });
    } catch {
      // A listener's mistake must not change the response that it hears about.
    }
    return record;
  }

  has(id: string): boolean {
    return this.#log.has(id);
  }

  /** The requests, oldest first, each with the ids that it shows. */
  traced(): TracedRequest[] {
    return [...this.#log.values()].map((logged) => {
      logged.ids ??= idsOfExchange(logged.kept);
      const { record, kept, ids } = logged;
      const { began, order, handled } = kept;
      return { record, began, order, handled, ids };
    });
  }

  /** A request as it arrived, to send it again. Throws what the service responds where that is not possible. */
  original(id: string): { request: Request; trusted: boolean } {
    const found = this.#log.get(id);
    if (found === undefined) throw notFound('request', id);
    const { record, kept } = found;
    const refuse = (message: string): never => {
      throw new ServiceProblem(409, 'NOT_SENT_AGAIN', message);
    };
    if (isControlCall(record)) refuse('Only requests to the service can be sent again');
    if (kept.isCut)
      refuse(`The body is longer than ${LONGEST_KEPT} characters, so the emulator did not keep it`);
    const { method } = record;
    const body = method === 'GET' || method === 'HEAD' ? null : kept.body;
    return { request: new Request(kept.url, { method, headers: kept.headers, body }), trusted: kept.trusted };
  }

  /** The very records, oldest first, not to be changed. */
  all(): RequestRecord[] {
    return [...this.#log.values()].map(({ record }) => record);
  }

  /** A request with its headers and bodies, secrets masked. Throws what the service responds where there is none. */
  detail(id: string) {
    const found = this.#log.get(id);
    if (found === undefined) throw notFound('request', id);
    const { record, kept } = found;
    return {
      ...record,
      /** The path with its query. */
      target: maskPath(kept.url),
      headers: maskHeaders(kept.headers),
      body: maskBody(kept.body),
      responseHeaders: maskHeaders(kept.responseHeaders),
      responseBody: maskBody(kept.responseBody),
    };
  }

  clear(): void {
    this.#log.clear();
    this.#total = 0;
  }
}

/** Returns true if a request went to the emulator's own routes, not to the service. */
export function isControlCall({ path }: Pick<RequestRecord, 'path'>): boolean {
  return path === '/_emulator' || path.startsWith('/_emulator/');
}

/** A finished exchange as the request log keeps it. */
export function recordOf(
  request: Request,
  response: Response,
  exchange: Exchange,
  {
    at,
    duration,
    began,
    order,
  }: Pick<RequestRecord, 'at' | 'duration'> & Pick<KeptExchange, 'began' | 'order'>,
): { record: Omit<RequestRecord, 'id'>; kept: KeptExchange } {
  const lost = exchange.delivery === 'reset' || exchange.delivery === 'stall-headers';
  const { requestText } = exchange;
  const isCut = requestText !== undefined && requestText.length > LONGEST_KEPT;
  const responseText = textOfResponse(response) ?? '';
  const record = {
    at,
    method: request.method,
    path: new URL(request.url).pathname.slice(0, 500),
    operation: exchange.operation ?? null,
    ...loggedPayloadOf(requestText),
    status: lost ? null : response.status,
    error: lost || response.status < 400 ? null : errorLine(responseText),
    fault: exchange.fault?.kind ?? null,
    duration,
  };
  const kept = {
    url: request.url,
    headers: [...request.headers],
    body: isCut ? null : (requestText ?? null),
    responseHeaders: lost ? [] : [...response.headers],
    responseBody: lost ? null : startOfText(responseText),
    began,
    order,
    handled: exchange.handled,
    trusted: exchange.trusted === true,
    isCut,
  };
  return { record, kept };
}

/** The start of a text. It is copied, since a slice would keep the whole text in memory. */
function startOfText(text: string): string {
  return text.length <= LONGEST_KEPT ? text : structuredClone(text.slice(0, LONGEST_KEPT));
}

/** The requestId and the amount of a body, where they are such: other texts may be secrets in the wrong field. */
function loggedPayloadOf(text: string | undefined): { requestId: string | null; amount: string | null } {
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

const SECRET_HEADER =
  /token|secret|passw|authorization|cookie|credential|api[-_]?key|private[-_]?key|signature/i;

/** The headers with the values of those that authenticate somebody masked. */
function maskHeaders(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => {
    if (!SECRET_HEADER.test(name)) return [name, value];
    const scheme = /^(Bearer|Basic|Digest) /i.exec(value)?.[0] ?? '';
    return [name, scheme + MASK];
  });
}

/** The path and query of an address with the values of secret parameters masked. */
function maskPath(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams].map(([name, value]) => {
    return `${encodeURIComponent(name)}=${SECRET_HEADER.test(name) ? MASK : encodeURIComponent(value)}`;
  });
  return query.length === 0 ? pathname : `${pathname}?${query.join('&')}`;
}

/** A body with the values of secret fields masked. In any other text, what looks like a credential is masked. */
function maskBody(text: string | null): string | null {
  if (text === null) return null;
  const value = jsonIn(text);
  if (value !== undefined) return JSON.stringify(value, maskField);
  return text
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${MASK}`)
    .replace(/("[^"]*"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/g, (whole, name: string) => {
      return SECRET_HEADER.test(name) ? `${name}"${MASK}"` : whole;
    });
}

const maskField = (name: string, value: unknown) =>
  SECRET_HEADER.test(name) && (typeof value === 'string' || typeof value === 'number') ? MASK : value;
