import { notFound, ServiceProblem } from '../problem.ts';
import { requireId } from '../reading/check.ts';
import { catchUp } from '../service/due-tasks.ts';
import type { EmulatorEvent } from '../service/records/metrics-and-events.ts';
import { tenths } from '../state/clock.ts';
import type { World } from '../state/world.ts';
import {
  type DeliveryAttempt,
  type DeliveryRecord,
  deliveryState,
  type EmulatorDeliveries,
} from './delivery-records.ts';
import { type AttemptResult, type Receiver, sendEvent } from './send-event.ts';

/** Attempts start in order, each after the one before; one that takes longer than this no longer holds up the next. */
const PATIENCE = 100;

/** The longest wait of a timer, in milliseconds: a stopped clock may be resumed meanwhile. */
const LONGEST_SLEEP = 60_000;

export interface DeliveryParts {
  world: World;
  receiver: Receiver;
  /** The waits before the second and later attempts, in milliseconds. */
  delays: readonly number[];
  retryClientErrors: boolean;
  onAttempt: (attempt: DeliveryAttempt) => void;
  /** Resolves once everything that has happened so far is stored: no event leaves before its cause is. */
  stored: () => Promise<void>;
}

/** Delivers events to the webhook. Retries are tasks of the emulator's clock, so that moving the clock drives them. */
export class WebhookDelivery {
  readonly #parts: DeliveryParts;
  readonly #inProgress = new Set<Promise<void>>();
  #last: Promise<void> = Promise.resolve();
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    parts.world.onDeliveryDue = (id, at) => this.attempt(id, at);
  }

  enqueue(event: EmulatorEvent): void {
    const { world, receiver } = this.#parts;
    const { eventId, eventType } = event;
    const createdAt = world.clock.iso();
    const { id } = world.deliveries.add({
      id: world.ids.uuid('delivery'),
      eventId,
      eventType,
      url: receiver.url,
      status: 'pending',
      createdAt,
      nextAttemptAt: createdAt,
      attempts: [],
      event,
    });
    this.attempt(id, world.clock.millis());
  }

  /** Attempts a delivery as soon as the attempts before it allow. */
  attempt(id: string, at: number): void {
    const { signal } = this.#stop;
    const made = this.#last.then(() => this.#attempt(id, at, signal));
    this.#inProgress.add(made);
    void made.finally(() => this.#inProgress.delete(made));
    this.#last = this.#last.then(() => waitAtMost(made, PATIENCE));
  }

  redeliver(id: string): DeliveryRecord {
    const { world } = this.#parts;
    const record = world.deliveries.get(id);
    if (record === undefined) throw notFound('delivery', id);
    world.tasks.cancel(id);
    record.status = 'pending';
    record.nextAttemptAt = world.clock.iso();
    this.attempt(id, world.clock.millis());
    return record;
  }

  /** Resolves once no attempt is in progress and none is due. */
  async idle(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress);
  }

  /** Ends what is in progress and forgets what is planned. The records stay. */
  stop(): void {
    const { tasks, deliveries } = this.#parts.world;
    clearTimeout(this.#timer);
    this.#stop.abort(new Error('The delivery was stopped'));
    this.#stop = new AbortController();
    for (const { id } of deliveries.list()) tasks.cancel(id);
  }

  /**
   * Continues after a state was loaded. An attempt that was in progress then has no task any more, and is made again;
   * the planned ones keep their places.
   */
  resume(): void {
    const { tasks, deliveries } = this.#parts.world;
    for (const { id, nextAttemptAt } of deliveries.list()) {
      if (nextAttemptAt === null || tasks.has(id)) continue;
      tasks.plan({ id, kind: 'delivery.attempt', at: Date.parse(nextAttemptAt) });
    }
    this.#wake();
  }

  /** Runs planned attempts in time also where nobody sends requests and no server ticks. */
  #wake(): void {
    clearTimeout(this.#timer);
    const { clock, tasks } = this.#parts.world;
    const next = tasks.next();
    if (next === undefined) return;
    const wait = clock.frozen ? LONGEST_SLEEP : Math.min(Math.max(next - clock.millis(), 0), LONGEST_SLEEP);
    this.#timer = setTimeout(() => {
      catchUp(this.#parts.world);
      this.#wake();
    }, wait);
    letExit(this.#timer);
  }

  async #attempt(id: string, at: number, stop: AbortSignal): Promise<void> {
    const { world, receiver, onAttempt, stored } = this.#parts;
    const record = world.deliveries.get(id);
    if (record === undefined || stop.aborted) return;
    try {
      await receiver.signer.prepare();
      await stored();
    } catch {
      // Not sent: what caused the event is not on the disk. The attempt stays due until it is.
      if (!stop.aborted) world.tasks.plan({ id, kind: 'delivery.attempt', at });
      return;
    }
    if (stop.aborted) return;
    record.url = receiver.url;
    const started = performance.now();
    const result = await sendEvent(receiver, record.event, stop);
    if (stop.aborted || world.deliveries.get(id) !== record) return;
    const number = record.attempts.length + 1;
    const due = this.#nextAttempt(result, number, at);
    const accepted = result.status !== null && result.status >= 200 && result.status < 300;
    record.status = accepted ? 'delivered' : due === undefined ? 'given-up' : 'retrying';
    record.nextAttemptAt = due === undefined ? null : new Date(due).toISOString();
    const attempt: DeliveryAttempt = {
      deliveryId: id,
      eventId: record.eventId,
      eventType: record.eventType,
      attempt: number,
      at: new Date(at).toISOString(),
      ...result,
      outcome: record.status,
      nextAttemptAt: record.nextAttemptAt,
      duration: tenths(performance.now() - started),
    };
    record.attempts.push(attempt);
    if (due !== undefined) {
      world.tasks.plan({ id, kind: 'delivery.attempt', at: due });
      if (due <= world.clock.millis()) catchUp(world);
      else this.#wake();
    }
    try {
      onAttempt({ ...attempt });
    } catch {
      // A listener's mistake must not stop the deliveries that it hears about.
    }
  }

  /** The time of the next attempt, in milliseconds since 1970, or `undefined` if there is none. */
  #nextAttempt({ status, retryAfter }: AttemptResult, number: number, at: number): number | undefined {
    const { delays, retryClientErrors } = this.#parts;
    if (status !== null && status >= 200 && status < 300) return undefined;
    if (status !== null && status >= 400 && status < 500 && !retryClientErrors) return undefined;
    const delay = delays[number - 1];
    if (delay === undefined) return undefined;
    const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
    return at + Math.max(delay, seconds * 1000);
  }
}

/** Waits for a promise, but no longer than some milliseconds. */
async function waitAtMost(promise: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Lets the process end while the timer waits; only Node has such timers, and they are objects. */
function letExit(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null) return;
  if ('unref' in timer && typeof timer.unref === 'function') timer.unref();
}

/** The deliveries as a test sees them: copies, so that changing one changes nothing. */
export function deliveriesOf(world: World, webhook: WebhookDelivery | undefined): EmulatorDeliveries {
  return {
    list: () => structuredClone(world.deliveries.list().map(deliveryState)),
    redeliver: (id) => {
      requireId(id);
      if (webhook === undefined) {
        const message = 'The emulator has no webhook to deliver to; start it with one';
        throw new ServiceProblem(409, 'NO_WEBHOOK', message);
      }
      return structuredClone(deliveryState(webhook.redeliver(id)));
    },
  };
}
