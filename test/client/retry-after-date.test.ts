import { RateLimitError } from 'stablecoin-payments';
import { expect, it } from 'vitest';
import { serve } from '../servers.ts';
import { clientAt } from './support.ts';

/** Reads approvals of a service whose clock differs from the one of this machine, and that asks to wait. */
async function askedToWait(clockDiffersBy: number, wait: number): Promise<unknown> {
  const { url } = await serve((_request, response) => {
    const now = Date.now() + clockDiffersBy * 1000;
    response.writeHead(429, {
      'content-type': 'application/json',
      date: new Date(now).toUTCString(),
      'retry-after': new Date(now + wait * 1000).toUTCString(),
    });
    response.end('{}');
  });
  const payments = clientAt(url);
  return payments.approvals.list().then(
    () => undefined,
    (error: unknown) => (error instanceof RateLimitError ? error.retryAfter : error),
  );
}

// "Retry-After (seconds, or an HTTP date read against the response's own `Date`)"
it.each([0, 600, -600, 86_400])(
  'a date in Retry-After is read by the clock of the service, which differs by %i s',
  async (seconds) => {
    expect(await askedToWait(seconds, 9)).toBe(9);
  },
);
