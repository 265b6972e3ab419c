import type { EmulatorEvent, EmulatorEventType } from '../service/records/metrics-and-events.ts';
import type { Clock } from '../state/clock.ts';
import { Latest } from '../state/collection.ts';
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
   * @throws RangeError when an option is out of its limits.
   *
   * @example
   * ```ts
   * emulator.events.hold();
   * emulator.approve(approval.id);
   * emulator.events.release({ order: 'reversed', copies: 2 });
   * ```
   */
  release(options?: ReleaseOptions): number;
  /**
   * Delivers an event again.
   *
   * @param eventId - The id of the event.
   * @returns False if the id is unknown.
   *
   * @example
   * ```ts
   * emulator.events.redeliver(event.eventId);
   * ```
   */
  redeliver(eventId: string): boolean;
}

export class EventLog extends Latest<EmulatorEvent> implements EmulatorEvents {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #listeners = new Set<EmulatorEventListener>();
  #held: EmulatorEvent[] | undefined;
  /** Called with each event that is added to the log, or to those held back; the key '' tells of the hold itself. */
  onChange: (table: 'events' | 'held', key: string, value: EmulatorEvent | null | true) => void = () => {};

  constructor(clock: Clock, ids: Ids, limit: number) {
    super(limit);
    this.#clock = clock;
    this.#ids = ids;
  }

  emit(eventType: EmulatorEventType, data: Record<string, unknown>, at: number = this.#clock.millis()): void {
    const createdAt = new Date(at).toISOString();
    const event = { eventId: this.#ids.uuid('event'), eventType, data, createdAt };
    this.push(event);
    this.onChange('events', event.eventId, event);
    if (this.#held === undefined) this.#deliver(event);
    else if (this.#held.length < this.limit) {
      this.#held.push(event);
      this.onChange('held', event.eventId, event);
    }
  }

  on(listener: EmulatorEventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  hold(): void {
    if (this.#held !== undefined) return;
    this.#held = [];
    this.onChange('held', '', true);
  }

  release({ order = 'as-emitted', copies = 1 }: ReleaseOptions = {}): number {
    if (!(Number.isInteger(copies) && copies >= 1 && copies <= 10)) {
      throw new RangeError('copies must be a whole number from 1 to 10');
    }
    const held = this.#held ?? [];
    this.#held = undefined;
    this.onChange('held', '', null);
    if (order === 'reversed') held.reverse();
    if (order === 'shuffled') {
      const ids = this.#ids;
      const place = new Map(held.map((event) => [event, ids.hex(`shuffle/${event.eventId}`, 16)]));
      held.sort((a, b) => ((place.get(a) ?? '') < (place.get(b) ?? '') ? -1 : 1));
    }
    for (const event of held) for (let copy = 0; copy < copies; copy += 1) this.#deliver(event);
    return held.length * copies;
  }

  redeliver(eventId: string): boolean {
    const event = this.find((candidate) => candidate.eventId === eventId);
    if (event !== undefined) this.#deliver(event);
    return event !== undefined;
  }

  /** The events that are held back; `null` while none are. */
  held(): EmulatorEvent[] | null {
    return this.#held === undefined ? null : [...this.#held];
  }

  override replaceWith(events: readonly EmulatorEvent[], held: readonly EmulatorEvent[] | null = null): void {
    super.replaceWith(events);
    this.#held = held === null ? undefined : [...held];
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
