import { invalidField } from '../problem.ts';
import type { EmulatorEvent, EmulatorEventType } from '../service/records/metrics-and-events.ts';
import type { Clock } from '../state/clock.ts';
import type { Collection } from '../state/collection.ts';
import type { Ids } from '../state/ids.ts';

/** Receives each event that is delivered. */
export type EmulatorEventListener = (event: EmulatorEvent) => void;

/** The order and number of copies in which held events are delivered. */
export interface ReleaseOptions {
  /** The order in which they are delivered. Default `as-emitted`; `shuffled` follows the seed. */
  order?: 'as-emitted' | 'reversed' | 'shuffled' | undefined;
  /** The number of times that each event is delivered, 1 to 10. Default 1. */
  copies?: number | undefined;
}

/** The emitted events, and functions to delay, shuffle and duplicate their delivery. */
export interface EmulatorEvents {
  /** The latest events, oldest first. */
  list(): EmulatorEvent[];
  /**
   * Calls the listener with every event that is delivered from now on.
   *
   * @param listener - Receives each event.
   * @returns A function that removes the listener.
   *
   * @example
   * ```ts
   * const stop = emulator.events.on(({ eventType }) => console.log(eventType));
   * ```
   */
  on(listener: EmulatorEventListener): () => void;
  /** Holds all events that are emitted from now on, for listeners and for the webhook. */
  hold(): void;
  /**
   * Delivers the held events, and stops holding.
   *
   * @param options - The order, and the number of copies, 1 to 10.
   * @returns The number of deliveries.
   * @throws Error when an option does not exist, or is out of its limits.
   *
   * @example
   * ```ts
   * emulator.events.hold();
   * emulator.approve(approval.id);
   * emulator.events.release({ order: 'reversed', copies: 2 });
   * ```
   */
  release(options?: ReleaseOptions): number;
}

interface EventLogParts {
  clock: Clock;
  ids: Ids;
  collections: Readonly<Record<'events' | 'held', Collection<EmulatorEvent>>>;
}

/** The events that were emitted, and those that are held back. */
export class EventLog implements EmulatorEvents {
  readonly #world: EventLogParts;
  readonly #listeners = new Set<EmulatorEventListener>();
  /** True while events are held back. */
  holding = false;

  constructor(world: EventLogParts) {
    this.#world = world;
  }

  /** Emits an event, and returns its id. */
  emit(
    eventType: EmulatorEventType,
    data: Record<string, unknown>,
    at: number = this.#world.clock.millis(),
  ): string {
    const { events, held } = this.#world.collections;
    const createdAt = new Date(at).toISOString();
    const event = events.add({ eventId: this.#world.ids.uuid('event'), eventType, data, createdAt });
    if (this.holding) held.add(event);
    else this.#deliver(event);
    return event.eventId;
  }

  list(): EmulatorEvent[] {
    return structuredClone(this.#world.collections.events.list());
  }

  on(listener: EmulatorEventListener): () => void {
    if (typeof listener !== 'function') throw invalidField('listener', 'must be a function');
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  hold(): void {
    this.holding = true;
  }

  release({ order = 'as-emitted', copies = 1 }: ReleaseOptions = {}): number {
    const { ids, collections } = this.#world;
    const released = collections.held.list();
    this.holding = false;
    for (const { eventId } of released) collections.held.delete(eventId);
    if (order === 'reversed') released.reverse();
    if (order === 'shuffled') {
      const place = new Map(released.map((event) => [event, ids.hex(`shuffle/${event.eventId}`, 16)]));
      released.sort((a, b) => ((place.get(a) ?? '') < (place.get(b) ?? '') ? -1 : 1));
    }
    for (const event of released) for (let copy = 0; copy < copies; copy += 1) this.#deliver(event);
    return released.length * copies;
  }

  #deliver(event: EmulatorEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(structuredClone(event));
      } catch {
        // A listener's mistake is its owner's; the payment that caused the event has already happened.
      }
    }
  }
}
