import { setTimeout } from 'node:timers/promises';
import {
  APIError,
  type FetchLike,
  isPaymentsError,
  Page,
  type PaymentsClient,
  type PaymentsError,
} from 'stablecoin-payments';
import { retryAfterIn } from '../../shared/retry-after.ts';
import type { DoctorOptions } from './options.ts';
import { type Reporter, safeWord } from './report.ts';
import type { Seen } from './seen.ts';

/** What all checks share. */
export interface Surroundings extends Reporter {
  readonly client: PaymentsClient;
  /** Returns a client that remembers no call, as after a restart. */
  readonly restarted: () => PaymentsClient;
  readonly options: DoctorOptions;
  readonly wire: ObservedWire;
  readonly seen: Seen;
  readonly now: () => number;
  readonly timer: Timer;
}

/** The state of the network that the checks and the wrapped `fetch` share. */
export interface ObservedWire {
  /** The status line and the headers of the last response, which errors about a body do not have. */
  last: LastResponse | undefined;
  /** Where the response to the call that is under way differs from the schema: `path: code`. */
  readonly drift: Set<string>;
  /** True during the first reads: the doctor says what the service asks for, and does not wait. */
  isConnecting: boolean;
  /** What the call that is under way waits for. */
  awaits: 'response' | 'body' | 'retry';
  /** Says after some seconds what a call waits for. Returns a function that ends that. */
  readonly watchSilence: () => () => void;
  /** The only parameter that takes the cursor, by list. */
  readonly cursorParams: Set<string>;
  /** Aborted by Ctrl-C, with the error that ends the checks. */
  readonly stop: AbortSignal;
  /** Aborted some time later, for the writes that are still under way. */
  readonly late: AbortSignal;
  /** True while what is open is being closed: Ctrl-C does not end that. */
  isClosing: boolean;
}

/** A response as the doctor's `fetch` gives it. */
type ObservedAnswer = Awaited<ReturnType<FetchLike>>;

/** The status line and the headers of a response, and the address that was called. */
export interface LastResponse extends Pick<ObservedAnswer, 'status' | 'headers'> {
  readonly url: string;
}

/** Ends the checks after Ctrl-C. */
export class DoctorInterrupted extends Error {}

/** The result of one call. */
export interface Observation<T> {
  readonly data?: T;
  readonly error?: PaymentsError;
}

/** Waits; rejects when the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

export const realSleep: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal });

/** Calls back after some time. Returns a function that cancels that. */
export type Timer = (milliseconds: number, callback: () => void) => () => void;

export const realTimer: Timer = (milliseconds, callback) => {
  const timeout = globalThis.setTimeout(callback, milliseconds);
  return () => clearTimeout(timeout);
};

/** Milliseconds that the waits for Retry-After may take in one call. */
const maxWaiting = 60_000;

/**
 * Wraps a `fetch` so that the doctor sees the headers of every response, waits where the service asks to, and ends with
 * Ctrl-C. A write that is under way may make a record, so it gets some time to end.
 */
export const watched =
  (fetch: FetchLike, wire: ObservedWire, sleep: Sleep, say: (text: string) => void): FetchLike =>
  async (input, init) => {
    wire.last = undefined;
    const ends = (by: AbortSignal) => AbortSignal.any([init.signal, ...(wire.isClosing ? [] : [by])]);
    const signal = ends(init.method === 'GET' ? wire.stop : wire.late);
    for (let left = maxWaiting; ; ) {
      wire.awaits = 'response';
      const response = await fetch(input, { ...init, signal });
      wire.awaits = 'body';
      const wait = wire.isConnecting ? undefined : waitAsked(response, init.method === 'GET');
      if (wait === undefined || wait > left) {
        wire.last = { status: response.status, headers: response.headers, url: String(input) };
        return response;
      }
      left -= Math.max(wait, 1000);
      await response.arrayBuffer?.();
      wire.awaits = 'retry';
      say(`Waiting ${Math.ceil(wait / 1000)} s, as the service asks (HTTP ${response.status}).`);
      await sleep(wait, ends(wire.stop));
    }
  };

/**
 * Milliseconds that a response asks to wait; undefined if it does not ask. A write is sent again after a 429 alone: a 503
 * may follow the act.
 */
function waitAsked(response: ObservedAnswer, isRead: boolean): number | undefined {
  const { status } = response;
  const isDeferred = status === 429 || (isRead && (status === 425 || status === 503));
  return isDeferred ? retryAfterIn(response.headers, Date.now()) : undefined;
}

/**
 * Makes one call, and keeps its response as a sample of the service.
 *
 * @param what - The operation, or what else the response is a sample of.
 * @throws Interrupted after Ctrl-C, if the call was not made or has no result.
 */
export async function observe<T>(
  around: Surroundings,
  what: string,
  call: () => Promise<T>,
): Promise<Observation<T>> {
  const { wire } = around;
  if (!wire.isClosing) wire.stop.throwIfAborted();
  wire.drift.clear();
  wire.last = undefined;
  const result = await settledCall(wire, call);
  keepSample(around, what, result);
  if (result.error !== undefined && !wire.isClosing) wire.stop.throwIfAborted();
  return result;
}

function keepSample(
  { wire: { last }, seen }: Surroundings,
  what: string,
  result: Observation<unknown>,
): void {
  if (last !== undefined) seen.samples.push({ what, status: last.status, body: bodyOf(result) });
}

/** The JSON of a response; undefined if none could be read. */
function bodyOf({ data, error }: Observation<unknown>): unknown {
  if (error !== undefined) return 'body' in error ? error.body : undefined;
  return data instanceof Page ? data.body : data;
}

/** Makes one call, which may run beside others. */
export async function settledCall<T>(wire: ObservedWire, call: () => Promise<T>): Promise<Observation<T>> {
  const stopWatching = wire.watchSilence();
  try {
    return { data: await call() };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return { error };
  } finally {
    stopWatching();
  }
}

/** The public part of an error: its class, its code, its status and the service's name for it; no sentence. */
export function briefly(error: PaymentsError): string {
  if (!(error instanceof APIError)) return `${error.name}, ${error.code}`;
  const name = safeWord(error.service.error);
  return `${error.name}, ${error.code} (HTTP ${error.status}${name === undefined ? '' : `, ${name}`})`;
}
