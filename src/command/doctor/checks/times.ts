import { instantOf } from '../../../shared/instant.ts';
import { isRecord } from '../../../shared/values.ts';
import type { Surroundings } from '../observed-call.ts';

/** The documented fields that hold a time. */
const timeFields: readonly string[] = [
  'createdAt',
  'updatedAt',
  'expiresAt',
  'depositBy',
  'timestamp',
  'nextCursor',
];

/** Tells where the service sends times without a zone. Such a time is no instant. */
export function checkTimes({ seen, on }: Surroundings): void {
  const places = new Set<string>();
  let isEverywhere = true;
  for (const { what, status, body } of seen.samples) {
    if (status >= 300) continue;
    for (const [field, text] of timesIn(body)) {
      if (Number.isNaN(instantOf(text))) places.add(`${what}: ${field}`);
      else isEverywhere = false;
    }
  }
  if (places.size === 0) return;
  on('times').warning(
    `${isEverywhere ? 'No time of the service has' : 'Some times of the service do not have'} a zone, so it is not known which instant is meant. A lookup proves nothing by such a time: it never says that a payment is absent. Ask the operator of the service for times with a zone.`,
    [...places],
  );
}

/** The documented fields in a body that hold a text like a date. An opaque cursor, and `N/A`, are none. */
export function timesIn(body: unknown): (readonly [field: string, text: string])[] {
  if (Array.isArray(body)) return body.flatMap(timesIn);
  if (!isRecord(body)) return [];
  return Object.entries(body).flatMap(([field, value]) =>
    typeof value === 'string'
      ? timeFields.includes(field) && /^\d{4}-\d\d-\d\d/.test(value)
        ? [[field, value] as const]
        : []
      : timesIn(value),
  );
}
