import { isObject } from '../reading/json.ts';
import type { EmulatorEvent } from '../service/records/index.ts';
import type { Dialect } from './dialect.ts';
import { present } from './present.ts';

/** An event as it is delivered in a dialect. */
export function eventWire(dialect: Dialect, event: EmulatorEvent): object {
  const written = present(dialect, dialect.eventEnvelope === 'short' ? event : fullEnvelope(event));
  return isObject(written) ? written : event;
}

function fullEnvelope({ eventId, eventType, data, createdAt }: EmulatorEvent): Record<string, unknown> {
  const eventCategory = eventType.split('.')[0];
  const about = { eventId, eventCategory, eventType, eventAction: actionOf(eventType) };
  return { ...about, data, createdAt, timestamp: createdAt, version: '1.0' };
}

function actionOf(eventType: string): 'CREATE' | 'UPDATE' {
  return /\.CREATED?$/.test(eventType) || eventType === 'TRANSFER.APPROVAL.PENDING' ? 'CREATE' : 'UPDATE';
}
