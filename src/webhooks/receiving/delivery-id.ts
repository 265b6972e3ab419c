import { isExact, isRecord, jsonIn } from '../../shared/values.ts';
import { normalHeaders } from './raw-request.ts';

/** The headers in which senders name a delivery or its event, such as `webhook-id`, `svix-id` and `x-delivery-id`. */
const idHeader = /^(?:webhook|svix)-id$|(?:webhook|delivery|event|message)-?id$/i;

/** Events have a few kilobytes. Of anything larger only the headers are read. */
const maxRead = 64 * 1024;

/**
 * The id that a delivery claims to have, for the log: of a header, else of its body. Nothing has proved it. Undefined
 * where there is none.
 */
export function claimedIdOf(givenHeaders: unknown, body: unknown): string | undefined {
  try {
    for (const [name, value] of normalHeaders(givenHeaders))
      if (idHeader.test(name) && value.trim() !== '') return value;
    return idInBody(body);
  } catch {
    return undefined;
  }
}

function idInBody(body: unknown): string | undefined {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body.subarray(0, maxRead)) : body;
  if (typeof text !== 'string' || text.length > maxRead) return undefined;
  const event = jsonIn(text);
  if (!isRecord(event)) return undefined;
  return [event.eventId, event.id].map(textOfId).find((id) => id !== undefined);
}

/** An id of an event, which other fields may not replace; undefined where it is none. */
export function textOfId(id: unknown): string | undefined {
  if (typeof id === 'string' && id.trim() !== '') return id;
  return isExact(id) ? String(id) : undefined;
}
