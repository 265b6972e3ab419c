const withZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Returns the instant of an ISO 8601 time, in milliseconds since 1970; NaN for anything else. A date, or a time without a
 * zone, is no instant: it would mean another one in each zone, and the service does not say which zone is meant.
 */
export function instantOf(time: unknown): number {
  if (typeof time !== 'string' || !withZone.test(time)) return Number.NaN;
  // The form that every engine reads.
  return Date.parse(
    time
      .toUpperCase()
      .replace(' ', 'T')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
  );
}
