import { inspect } from 'node:util';
import {
  type BridgeCreateParams,
  type ClientOptions,
  type FetchLike,
  isPaymentsError,
  PaymentsClient,
  type PaymentsError,
  type TransferBatchCreateParams,
} from '../../src/client/index.ts';
import { matchingBody } from './matching-body.ts';

export const baseUrl = 'http://127.0.0.1:4010';
export const token = 'eyJhbGciOiJIUzI1NiJ9.planted-token-7Q2';

/** A bridge, for tests that need any create with an idempotency key. */
export const bridge: BridgeCreateParams = {
  amount: 1,
  source: { userId: 'u1', chain: 'POLYGON', currency: 'usdc' },
  destination: { chain: 'BASE', currency: 'usdc' },
};

/** A batch, for tests that need any batch. */
export const batch: TransferBatchCreateParams = {
  source: { userId: 'u1' },
  destination: { batch: [{ userId: 'u2', amount: '1' }] },
  currency: 'usdc',
  chain: 'POLYGON',
};

/** A client whose responses come from a function instead of a network. */
export function clientOf(fetch: FetchLike, options: ClientOptions = {}): PaymentsClient {
  return new PaymentsClient({ baseUrl, accessToken: token, fetch, ...options });
}

/** A client of a real server, over the transport that it chooses by itself. */
export const clientAt = (url: string, options: ClientOptions = {}): PaymentsClient =>
  new PaymentsClient({ baseUrl: url, accessToken: token, retries: 0, ...options });

/** One request as a fetch function saw it. */
export interface Seen {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** What happens to one request: a status and a body, something thrown, or a promise of either. */
export type Step = (seen: Seen) => Response | Promise<Response>;

export interface ScriptedFetch extends FetchLike {
  readonly seen: Seen[];
}

/** A fetch that follows a script, one step per request; the last step serves all further requests. */
export function scripted(...steps: readonly Step[]): ScriptedFetch {
  const seen: Seen[] = [];
  const fetch: FetchLike = async (url, init) => {
    const request = {
      url: String(url),
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : undefined,
      signal: init.signal ?? new AbortController().signal,
    };
    seen.push(request);
    const step = steps[Math.min(seen.length, steps.length) - 1];
    if (step === undefined) throw new Error('the script has no step');
    return step(request);
  };
  return Object.assign(fetch, { seen });
}

/** Responds as a service does: the ids in the body of a success are those of the request. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Step =>
  (seen) =>
    new Response(JSON.stringify(status < 300 ? matchingBody(body, seen) : body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

export const text =
  (body: string | null, status = 200, headers: Record<string, string> = {}): Step =>
  () =>
    new Response(body, { status, headers });

/** Fails as Node's fetch does: a TypeError whose cause carries the code. */
export const networkFailure =
  (code: string, details: object = {}): Step =>
  () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...details }) });
  };

/** Never responds, and ends when the client gives up. */
export const hanging: Step = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Sends a status and part of a body, then breaks off. */
export const cutBody =
  (status = 200): Step =>
  () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"id":'));
        },
        pull(controller) {
          controller.error(
            new TypeError('terminated', { cause: Object.assign(new Error(), { code: 'UND_ERR_SOCKET' }) }),
          );
        },
      }),
      { status },
    );

/** The PaymentsError that an action ends in; anything else fails the test. */
export async function failure(action: PromiseLike<unknown> | (() => unknown)): Promise<PaymentsError> {
  try {
    await (typeof action === 'function' ? action() : action);
  } catch (error) {
    if (isPaymentsError(error)) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

/** Every printed form of a value: none may hold a secret. */
export function printedForms(value: unknown): string {
  const clone = structuredClone(value instanceof Error ? value : JSON.parse(JSON.stringify(value) ?? 'null'));
  const forms = [
    inspect(value, { depth: 20, showHidden: true }),
    inspect(value, { depth: 20, showHidden: true, customInspect: false, getters: false }),
    JSON.stringify(value),
    String(value),
    inspect(clone, { depth: 20, showHidden: true }),
  ];
  if (value instanceof Error) {
    forms.push(value.stack ?? '', inspect(value.cause, { depth: 20 }), JSON.stringify({ ...value }));
  }
  return forms.join('\n');
}
