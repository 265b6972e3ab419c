import type { World } from '../state/world.ts';

/** Emits an event of a kind that the description does not name, where the dialect has such. */
export function emitMore(
  world: World,
  eventType: string,
  data: Record<string, unknown>,
  at: number = world.clock.millis(),
): void {
  if (world.dialect.eventKinds === 'all') world.events.emit(eventType, structuredClone(data), at);
}
