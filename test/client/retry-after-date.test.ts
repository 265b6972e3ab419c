import { RateLimitError } from 'stablecoin-payments';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../servers.ts';
import { clientAt, clientOf } from './support.ts';

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

/** The forms of an HTTP date that a client has to read (RFC 9110, 5.6.7). */
it.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:46 GMT'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:46 GMT'],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sun Nov  6 08:49:46 1994'],
  ['Sun Nov  6 08:49:37 1994', 'Sun, 06 Nov 1994 08:49:46 GMT'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:46 1994'],
])('a date means GMT in each form: %s and %s', async (date, retryAfter) => {
  const zone = process.env.TZ;
  process.env.TZ = 'Asia/Tokyo';
  onTestFinished(() => {
    process.env.TZ = zone;
    if (zone === undefined) delete process.env.TZ;
  });
  const fetch = async () => Response.json({}, { status: 429, headers: { date, 'retry-after': retryAfter } });
  await expect(clientOf(fetch, { retries: 0 }).kyc.retrieve('u1')).rejects.toMatchObject({ retryAfter: 9 });
});

// "sent twice, the larger": over HTTP, in two headers.
it.each([
  ['its own connection', {}],
  ['the global fetch', { fetch }],
])('Retry-After may be sent twice, over %s', async (_way, options) => {
  for (const [first, second, seconds] of [
    ['5', '5', 5],
    ['5', '7', 7],
    ['Sun, 06 Nov 1994 08:49:46 GMT', '5', 9],
    ['5', 'Sunday, 06-Nov-94 08:49:46 GMT', 9],
  ] as const) {
    const { url } = await serve((_request, response) => {
      response.setHeader('date', 'Sun, 06 Nov 1994 08:49:37 GMT');
      response.setHeader('retry-after', [first, second]);
      response.writeHead(429).end();
    });
    await expect(clientAt(url, options).kyc.retrieve('u1')).rejects.toMatchObject({ retryAfter: seconds });
  }
});

// "Retry-After (seconds, or an HTTP date read against the response's own `Date`)"
it.each([0, 600, -600, 86_400])(
  'a date in Retry-After is read by the clock of the service, which differs by %i s',
  async (seconds) => {
    expect(await askedToWait(seconds, 9)).toBe(9);
  },
);

it.each([
  ['its own connection', {}],
  ['the global fetch, which keeps the spaces', { fetch }],
])('Retry-After may stand between spaces, over %s', async (_way, options) => {
  const { url } = await serve((_request, response) =>
    response.writeHead(429, { 'retry-after': ' \t7 \t' }).end(),
  );
  await expect(clientAt(url, options).kyc.retrieve('u1')).rejects.toMatchObject({
    name: 'RateLimitError',
    retryAfter: 7,
  });
});
