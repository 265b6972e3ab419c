import type { EmulatorWebhookOptions } from '../options.ts';
import { type Duration, toMilliseconds } from '../state/clock.ts';
import type { DeliveryAttempt } from './delivery-records.ts';

/** Nine attempts within 24 hours, with growing waits, as most services make them. */
const DEFAULT_DELAYS: readonly Duration[] = ['5s', '1m', '5m', '30m', '2h', '5h', '8h', '8h'];

const DAY = 86_400_000;

/** The part of an attempt that does not depend on its delivery. */
export interface AttemptResult
  extends Pick<
    DeliveryAttempt,
    'status' | 'error' | 'retryAfter' | 'responseBody' | 'requestHeaders' | 'requestBody'
  > {
  /** The `Date` header, which a Retry-After date is relative to. */
  date: string | null;
}

/** The waits before the retries of a delivery, and the longest time from its first attempt to the last one. */
export function retrySchedule({
  retryDelays = DEFAULT_DELAYS,
  retryClientErrors = false,
}: EmulatorWebhookOptions) {
  const delays = retryDelays.map((delay) => toMilliseconds(delay, 'webhook.retryDelays'));
  const total = delays.reduce((sum, delay) => sum + delay, 0);
  return { delays, window: Math.max(DAY, total), retryClientErrors };
}

export type RetrySchedule = ReturnType<typeof retrySchedule>;

/** The time of the next attempt, in milliseconds since 1970, or `undefined` if there is none. */
export function nextAttempt(
  { delays, window, retryClientErrors }: RetrySchedule,
  { status, retryAfter, date }: Pick<AttemptResult, 'status' | 'retryAfter' | 'date'>,
  { attempt, at, startedAt }: { attempt: number; at: number; startedAt: number },
): number | undefined {
  if (isSuccess(status)) return undefined;
  if (status !== null && status >= 400 && status < 500 && !retryClientErrors) return undefined;
  const delay = delays[attempt - 1];
  if (delay === undefined) return undefined;
  const due = at + Math.max(delay, retryAfterOf(retryAfter, date));
  return due <= startedAt + window ? due : undefined;
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The wait that a Retry-After header asks for, in milliseconds; 0 where there is none or it is not understood. */
function retryAfterOf(header: string | null, date: string | null): number {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return 0;
  // A date is by the receiver's clock, which is real time, whatever the emulator's clock says.
  const sent = Date.parse(date ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? Date.now() : sent));
}
