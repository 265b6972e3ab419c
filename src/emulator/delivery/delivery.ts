import { signWebhook } from '../../webhooks/signing/sign.ts';
import { pause } from '../http/connection-errors.ts';
import type { EmulatorEvent } from '../service/records/index.ts';
import { type Duration, toMilliseconds } from '../state/duration.ts';
import type { DeliveryAttempt } from './delivery-attempt.ts';

export interface DeliveryOptions {
  url: string;
  secret: string;
  retryDelays?: readonly Duration[] | undefined;
  timeout?: Duration | undefined;
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  onAttempt?: ((attempt: DeliveryAttempt) => void) | undefined;
  /** How many events may wait; the oldest waiting one is given up past it. */
  queueLimit: number;
}

/** Delivers events one after another, so that a receiver sees them in the order in which they are let go. */
export class WebhookDelivery {
  readonly #url: string;
  readonly #secret: string;
  readonly #delays: readonly number[];
  readonly #timeout: number;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly #onAttempt: (attempt: DeliveryAttempt) => void;
  readonly #queueLimit: number;
  #stop = new AbortController();
  #queue: EmulatorEvent[] = [];
  #running: Promise<void> | undefined;

  constructor(options: DeliveryOptions) {
    if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol)) {
      throw new TypeError('webhook.url must be an http or https address');
    }
    this.#url = options.url;
    this.#secret = options.secret;
    const delays = options.retryDelays ?? [500, 1000, 2000, 4000];
    this.#delays = delays.map((delay) => toMilliseconds(delay, 'webhook.retryDelays'));
    this.#timeout = toMilliseconds(options.timeout ?? 5000, 'webhook.timeout');
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#onAttempt = options.onAttempt ?? (() => {});
    this.#queueLimit = options.queueLimit;
  }

  enqueue(event: EmulatorEvent): void {
    this.#queue.push(event);
    if (this.#queue.length > this.#queueLimit) this.#queue.shift();
    this.#running ??= this.#drain(this.#stop.signal).finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves once nothing waits to be delivered or retried. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Drops what waits and ends what runs. */
  clear(): void {
    this.#queue = [];
    this.#stop.abort(new Error('The delivery was stopped'));
    this.#stop = new AbortController();
  }

  async #drain(signal: AbortSignal): Promise<void> {
    for (;;) {
      const event = this.#queue.shift();
      if (event === undefined) return;
      // After a clear, what is enqueued next is delivered by this same loop, under the new signal.
      await this.#deliver(event, signal.aborted ? this.#stop.signal : signal).catch(() => {});
    }
  }

  async #deliver(event: EmulatorEvent, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const status = await this.#attempt(event, signal);
      signal.throwIfAborted();
      const delivered = status !== null && status >= 200 && status < 300;
      const delay = this.#delays[attempt - 1];
      const outcome = delivered ? 'delivered' : delay === undefined ? 'given-up' : 'retrying';
      this.#onAttempt({ eventId: event.eventId, eventType: event.eventType, attempt, status, outcome });
      if (delivered || delay === undefined) return;
      await pause(delay, signal);
    }
  }

  async #attempt(event: EmulatorEvent, signal: AbortSignal): Promise<number | null> {
    // Signed by real time, whatever the emulator's clock says: the receiver holds it against its own clock.
    const { body, headers } = await signWebhook(event, { standardWebhooks: { secret: this.#secret } });
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.#timeout)]);
    try {
      const init: RequestInit = { method: 'POST', body, headers, redirect: 'manual', signal: limited };
      const response = await this.#fetch(this.#url, init);
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  }
}
