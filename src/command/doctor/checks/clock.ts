import type { Surroundings } from '../observed-call.ts';

/** Milliseconds by which two clocks may differ: a response takes some time, and its `Date` has whole seconds. */
const tolerated = 60_000;

/** Compares the clock of this machine with the `Date` of the last response. A cache keeps the `Date` that it got. */
export function checkClock({ wire, on, now }: Surroundings): void {
  const headers = wire.last?.headers;
  if (headers === undefined || headers.get('age') !== null) return;
  const difference = now() - Date.parse(headers.get('date') ?? '');
  const distance = Math.abs(difference);
  if (Number.isNaN(difference) || distance <= tolerated) return;
  const amount = distance < 120_000 ? `${Math.round(distance / 1000)} s` : durationOf(distance);
  on('clock').warning(
    `The clock of this machine is ${amount} ${difference < 0 ? 'behind' : 'ahead of'} the one of the service. Set the clock of this machine, or ask the operator of the service: tokens and webhooks depend on the time.`,
  );
}

function durationOf(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
