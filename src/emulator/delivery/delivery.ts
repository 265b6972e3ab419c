import { notFound, ServiceProblem } from '../problem.ts';
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
import { isSuccess, nextAttempt, type RetrySchedule } from './retry-schedule.ts';
import { type Receiver, sendEvent } from './send-event.ts';

/** Attempts start in order, each after the one before; one that takes longer than this no longer holds up the next. */
const PATIENCE = 100;

/** The longest wait of a timer, in milliseconds: a stopped clock may be resumed meanwhile. */
const LONGEST_SLEEP = 60_000;

/** The largest number of attempts in progress at once. */
const MOST_AT_ONCE = 32;

export interface DeliveryParts {
  world: World;
  receiver: Receiver;
  schedule: RetrySchedule;
  onAttempt: (attempt: DeliveryAttempt) => void;
  /** Resolves once everything that has happened so far is stored: no event leaves before its cause is. */
  stored: () => Promise<void>;
}

/** Delivers events to the webhook. Retries are tasks of the emulator's clock, so that moving the clock drives them. */
export class WebhookDelivery {
  readonly #parts: DeliveryParts;
  readonly #inProgress = new Map<string, Promise<void>>();
  #ready: { id: string; at: number }[] = [];
  #running: Promise<void> | undefined;
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    parts.world.onDeliveryDue = (id, at) => this.attempt(id, at);
  }

  enqueue(event: EmulatorEvent): void {
    const { world, receiver } = this.#parts;
    const now = world.clock.iso();
    const { eventId, eventType } = event;
    const at = world.clock.millis();
    const id = world.ids.uuid('delivery');
    const record: DeliveryRecord = {
      id,
      eventId,
      eventType,
      url: receiver.url,
      status: 'pending',
      createdAt: now,
      nextAttemptAt: now,
      attempts: [],
      event,
      earlier: 0,
      startedAt: at,
    };
    world.deliveries.add(record);
    this.attempt(id, at);
  }

  /** Attempts a delivery as soon as the attempts before it allow. */
  attempt(id: string, at: number): void {
    this.#ready.push({ id, at });
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  redeliver(id: string): DeliveryRecord {
    const { world } = this.#parts;
    const record = world.deliveries.get(id);
    if (record === undefined) throw notFound('delivery', id);
    if (this.#inProgress.has(id)) {
      throw new ServiceProblem(409, 'DELIVERY_IN_PROGRESS', 'An attempt of this delivery is in progress');
    }
    const now = world.clock.millis();
    world.tasks.cancel(id);
    this.#ready = this.#ready.filter((entry) => entry.id !== id);
    record.status = 'pending';
    record.nextAttemptAt = new Date(now).toISOString();
    record.earlier = record.attempts.length;
    record.startedAt = now;
    this.attempt(id, now);
    return record;
  }

  /** Resolves once no attempt is in progress and none is due. */
  async idle(): Promise<void> {
    while (this.#running !== undefined || this.#inProgress.size > 0) {
      await Promise.all([this.#running, ...this.#inProgress.values()]);
    }
  }

  /** Ends what is in progress and forgets what is planned. The records stay. */
  stop(): void {
    const { tasks, deliveries } = this.#parts.world;
    this.#ready = [];
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

  async #run(): Promise<void> {
    for (;;) {
      const next = this.#ready.shift();
      if (next === undefined) return;
      const attempt = this.#attempt(next.id, next.at, this.#stop.signal).finally(() => {
        if (this.#inProgress.get(next.id) === attempt) this.#inProgress.delete(next.id);
      });
      this.#inProgress.set(next.id, attempt);
      await waitAtMost(attempt, PATIENCE);
      while (this.#inProgress.size >= MOST_AT_ONCE) await Promise.race(this.#inProgress.values());
    }
  }

  async #attempt(id: string, at: number, stop: AbortSignal): Promise<void> {
    const { world, receiver, schedule, onAttempt, stored } = this.#parts;
    const record = world.deliveries.get(id);
    if (record === undefined) return;
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
    const { startedAt, attempts, earlier, eventId, eventType } = record;
    const count = attempts.length + 1;
    const due = nextAttempt(schedule, result, { attempt: count - earlier, at, startedAt });
    const outcome = isSuccess(result.status) ? 'delivered' : due === undefined ? 'given-up' : 'retrying';
    const nextAttemptAt = due === undefined ? null : new Date(due).toISOString();
    const { date: _, ...seen } = result;
    const attempt: DeliveryAttempt = {
      deliveryId: id,
      eventId,
      eventType,
      attempt: count,
      at: new Date(at).toISOString(),
      ...seen,
      outcome,
      nextAttemptAt,
      duration: tenths(performance.now() - started),
    };
    attempts.push(attempt);
    record.status = outcome;
    record.nextAttemptAt = nextAttemptAt;
    if (due !== undefined && due > world.clock.millis()) {
      world.tasks.plan({ id, kind: 'delivery.attempt', at: due });
      this.#wake();
    } else if (due !== undefined) this.attempt(id, due);
    try {
      onAttempt({ ...attempt });
    } catch {
      // A listener's mistake must not stop the deliveries that it hears about.
    }
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
      if (webhook === undefined) {
        throw new ServiceProblem(
          409,
          'NO_WEBHOOK',
          'The emulator has no webhook to deliver to; start it with one',
        );
      }
      return structuredClone(deliveryState(webhook.redeliver(id)));
    },
  };
}
