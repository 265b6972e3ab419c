import type { FetchLike } from 'stablecoin-payments';
import { createEmulator, type Emulator, type FaultSpec } from 'stablecoin-payments/emulator';
import type { Dialect, TroubleName } from './schedule.ts';

/** Mistakes of a client, made on the wire in its place: the machine has to notice each. */
export type Planted = 'new id on retry' | 'known id read as a refusal';

/** The forms in which services refuse a known id: status and body. */
const refusals: readonly (readonly [status: number, body: object])[] = [
  [409, { status: 'error', error: { code: 'REQUEST_ALREADY_EXISTS', message: 'x' } }],
  [409, {}],
  [400, { code: 400017, error: 'TRANSACTION_REQUEST_ALREADY_EXISTS', errorDetails: 'x' }],
  [422, { code: 100009, error: 'RESOURCE_CONFLICT', errorDetails: 'please try a different request id' }],
  [400, { error: 'Bad request', errorDetails: 'requestId has already been used' }],
  [200, { success: false, message: 'Duplicate request id' }],
];

const faults: Partial<Record<TroubleName, FaultSpec>> = {
  'reset-before-commit': { kind: 'reset-before-commit' },
  'reset-after-commit': { kind: 'reset-after-commit' },
  'cut-body': { kind: 'cut-body' },
  'malformed-json': { kind: 'malformed-json' },
  429: { kind: 'status', status: 429 },
  500: { kind: 'status', status: 500 },
  '500 after commit': { kind: 'status', status: 500, commit: true },
  503: { kind: 'status', status: 503 },
  '503 after commit': { kind: 'status', status: 503, commit: true },
  '503 with Retry-After': { kind: 'status', status: 503, retryAfter: 0 },
  '503 with Retry-After after commit': { kind: 'status', status: 503, retryAfter: 0, commit: true },
};

/** What a gateway or a framework says in place of the service, after it has acted. */
const inItsPlace: Partial<Record<TroubleName, readonly [status: number, body: string]>> = {
  '405 page after commit': [405, '<html>Not Allowed</html>'],
  '413 page after commit': [413, '<html>Request Entity Too Large</html>'],
  '501 page after commit': [501, '<html>Not Implemented</html>'],
  '403 of a gateway after commit': [403, '{"message":"Forbidden"}'],
  '404 of a router after commit': [404, '{"message":"no Route matched with those values"}'],
  '400 of a framework after commit': [400, '{"statusCode":400,"error":"Bad Request","message":"x"}'],
};

/** Refusals before the service looks at the request. */
const turnedAway: Partial<Record<TroubleName, [body: string, init: { status: number }]>> = {
  400: ['{"error":"INSUFFICIENT_BALANCE"}', { status: 400 }],
  '400 unreadable': ['', { status: 400 }],
  401: ['{"error":"UNAUTHORIZED"}', { status: 401 }],
  403: ['{"error":"USER_FROZEN"}', { status: 403 }],
  'in progress': ['{"error":"REQUEST_IN_PROGRESS"}', { status: 400 }],
};

const keyIn = (body: unknown): string | undefined =>
  typeof body === 'string' ? JSON.parse(body).requestId : undefined;

const emulators = new Map<string, Emulator>();

/** An emulator in its first state. Making one for each of a hundred thousand schedules takes longer. */
function emulatorOf({ duplicates, name: dialect }: Dialect): Emulator {
  const name = `${duplicates} ${dialect}`;
  const known = emulators.get(name);
  if (known !== undefined) {
    known.reset();
    return known;
  }
  const made = createEmulator({
    seed: 1,
    dialect: { extends: dialect, duplicates },
  });
  emulators.set(name, made);
  return made;
}

/** The emulator, with one trouble for each attempt and the dialect's way to refuse a known id. */
export class Service {
  readonly emulator: Emulator;
  readonly #dialect: Dialect;
  readonly #planted: Planted | undefined;
  #troubles: TroubleName[] = [];
  readonly #refused = new Set<string>();
  #lastText = '{}';
  #lastUrl = '';
  #lastKey = '';

  constructor(dialect: Dialect, planted?: Planted) {
    this.#dialect = dialect;
    this.#planted = planted;
    this.emulator = emulatorOf(dialect);
  }

  /** Where the response that a surplus one repeats came from. */
  get lastUrl(): string {
    return this.#lastUrl;
  }

  /** Whether the next attempt gets no token, or its caller gives up. */
  get nextTrouble(): TroubleName {
    return this.#troubles[0] ?? 'none';
  }

  /** Goes on to what the attempt after the next one meets. */
  skip(): void {
    this.#troubles.shift();
  }

  /** What the next attempts meet, one each; those after them meet nothing. */
  expect(troubles: readonly TroubleName[]): void {
    this.#troubles = [...troubles];
    this.#lastKey = '';
  }

  readonly fetch: FetchLike = async (url, init) => {
    const trouble = this.#troubles.shift() ?? 'none';
    // A surplus response, while the request itself is lost.
    if (trouble === 'response of the call before') return new Response(this.#lastText);
    if (trouble === 'refused connection')
      throw Object.assign(new TypeError('fetch failed'), {
        cause: { code: 'ECONNREFUSED', syscall: 'connect' },
      });
    const turned = turnedAway[trouble];
    const key = keyIn(init.body);
    if (turned !== undefined) {
      if (key !== undefined) this.#refused.add(key);
      return new Response(...turned);
    }
    if (this.#dialect.keepsRefused && key !== undefined && this.#refused.has(key))
      return Response.json({ error: 'RESOURCE_CONFLICT' }, { status: 409 });
    const fault = faults[trouble];
    if (fault !== undefined) this.emulator.faults.inject(fault);
    const response = await this.emulator.fetch(url, this.#withMistake(url, init));
    const { status } = response;
    // A body that is cut stays cut.
    if (fault !== undefined) return response;
    const text = await response.text();
    if (status < 300) {
      this.#lastText = text;
      this.#lastUrl = url;
    }
    const page = inItsPlace[trouble];
    if (page !== undefined) return new Response(page[1], { status: page[0] });
    if (trouble === 'maintenance page') return new Response('<html>Back soon</html>');
    if (trouble === 'error under 200')
      return Response.json({ code: 500, error: 'INTERNAL_ERROR', errorDetails: 'x' });
    if (status !== 409 || !url.includes('/wallets/')) return new Response(text, { status });
    if (this.#planted === 'known id read as a refusal')
      return Response.json({ error: 'USER_FROZEN' }, { status: 403 });
    const [refusal, body] = refusals[this.#dialect.refusal] ?? [409, {}];
    return Response.json(body, { status: refusal });
  };

  #withMistake(url: string, init: RequestInit): RequestInit {
    const isRetry = this.#lastKey === url;
    this.#lastKey = url;
    if (this.#planted !== 'new id on retry' || !isRetry || typeof init.body !== 'string') return init;
    return { ...init, body: JSON.stringify({ ...JSON.parse(init.body), requestId: crypto.randomUUID() }) };
  }
}
