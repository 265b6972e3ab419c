import { inspect } from 'node:util';
import {
  createWebhookReceiver,
  isPaymentsError,
  verified,
  type WebhookVerifier,
} from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { accepting, codeOf, moment, now, rejected } from '../support.ts';

describe('a verifier of your own', () => {
  const outcome = (verifier: WebhookVerifier) =>
    codeOf(createWebhookReceiver({ verifier }).unwrap(JSON.stringify(rejected), { 'x-caller': 'known' }));

  it('sees the bytes, the headers, the time and the tolerance', async () => {
    const seen: unknown[] = [];
    const receiver = createWebhookReceiver({
      verifier: async ({ body, headers, now: time, tolerance }) => {
        seen.push(new TextDecoder().decode(body), headers.get('X-Caller'), time, tolerance);
        return true;
      },
      now,
      tolerance: 60_000,
    });
    await receiver.unwrap(JSON.stringify(rejected), { 'x-caller': 'known' });
    expect(seen).toEqual([JSON.stringify(rejected), 'known', moment * 1000, 60_000]);
  });

  it('accepts with true or with an object made by verified(), and with nothing else', async () => {
    expect(await outcome(async () => true)).toBe('nothing was thrown');
    expect(await outcome(async () => verified())).toBe('nothing was thrown');
    expect(await outcome(async () => verified({ id: 'd1' }))).toBe('nothing was thrown');
    const own = verified({ id: 'd1' });
    const accepting = [
      false,
      undefined,
      null,
      'true',
      1,
      {},
      [],
      { id: 'd1' },
      { valid: false },
      { valid: true },
      { success: false },
      { ...own },
      Object.create(own),
      Object.setPrototypeOf({}, Object.getPrototypeOf(own)),
      structuredClone(own),
      new Proxy(own, {}),
      new Error('refused'),
      Response.json({ error: 'refused' }, { status: 401 }),
      () => true,
      Promise,
    ];
    for (const result of accepting) {
      expect(await outcome(async () => result as never)).toBe('webhook_bad_signature');
    }
  });

  it('is refused with 401 for false alone, because any other result may be its own mistake', async () => {
    const statusOf = async (result: unknown) => {
      const handle = createWebhookReceiver({
        verifier: async () => result as never,
        unverifiedStatus: 401,
        onError: () => {},
      }).handler(accepting);
      return (await handle(new Request('http://receiver.test', { method: 'POST', body: '{}' }))).status;
    };
    expect(await statusOf(false)).toBe(401);
    expect(await statusOf(undefined)).toBe(500);
    expect(await statusOf({ valid: true })).toBe(500);
  });

  it.each(['', ' ', 7, null])(
    'cannot vouch for the id %j, which would be that of every event',
    async (id) => {
      expect(await codeOf(() => verified({ id: id as never }))).toBe('configuration');
    },
  );

  it('refuses by throwing, synchronously too, and the error is kept out of what is printed', async () => {
    const thrown = new Error('token abc123 is not theirs');
    expect(await outcome(async () => Promise.reject(thrown))).toBe('webhook_verifier_failed');
    expect(
      await outcome(() => {
        throw new TypeError('broken');
      }),
    ).toBe('webhook_verifier_failed');
    const receiver = createWebhookReceiver({ verifier: async () => Promise.reject(thrown) });
    const failure = await receiver.unwrap('{}', {}).catch((error: unknown) => error);
    if (!isPaymentsError(failure)) throw new Error('not one of ours');
    expect(failure.originalError).toBe(thrown);
    expect(inspect(failure)).not.toContain('abc123');
  });
});
