import { createHmac } from 'node:crypto';
import type { DeliveryAttempt, EmulatorWebhookOptions } from 'stablecoin-payments/emulator';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closedAddress, serve } from '../servers.ts';
import { bench, START, US_ACCOUNT, withUser } from './support.ts';

const SECRET = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

type Reaction = number | Error | Response | ((init: RequestInit) => Promise<Response>);

/** An emulator whose webhook reacts as told, in order of the requests; then with 204. */
function receiving(reactions: Reaction[] = [], more: Partial<EmulatorWebhookOptions> = {}) {
  const received: { id: string | null; url: string; init: RequestInit }[] = [];
  const attempts: DeliveryAttempt[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    received.push({ id: new Headers(init.headers).get('webhook-id'), url, init });
    const reaction = reactions.shift() ?? 204;
    if (reaction instanceof Error) throw reaction;
    if (typeof reaction === 'function') return reaction(init);
    if (reaction instanceof Response) return reaction;
    return new Response(reaction === 204 ? null : 'body', { status: reaction });
  };
  const onAttempt = (attempt: DeliveryAttempt) => attempts.push(attempt);
  const tools = bench({
    accountValidation: 'manual',
    webhook: { url: 'http://receiver.test/hook', secret: SECRET, fetch, onAttempt, ...more },
  });
  const { emulator } = tools;
  const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 0 });
  const emit = async (count = 1) => {
    for (let made = 0; made < count; made += 1)
      await tools.call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    return emulator.events.list().at(-1)?.eventId ?? '';
  };
  /** Moves the emulator's clock, and lets everything that is then due be sent. */
  const later = async (duration: string) => {
    emulator.clock.advance(duration);
    await emulator.delivered();
  };
  const summary = () => attempts.map(({ attempt, status, outcome }) => [attempt, status, outcome]);
  return { ...tools, received, attempts, summary, emit, later };
}

const MANUAL = { accountValidation: 'manual' } as const;

describe('a delivery', () => {
  it('gets each event in order, signed as Standard Webhooks are', async () => {
    const { emulator, received, emit } = receiving();
    await emit(20);
    await emulator.delivered();
    expect(received.map(({ init }) => JSON.parse(String(init.body)))).toEqual(emulator.events.list());
    const { url, init } = received[0] ?? { url: '', init: {} };
    expect([url, init.method]).toEqual(['http://receiver.test/hook', 'POST']);
    const headers = new Headers(init.headers);
    expect(headers.get('content-type')).toBe('application/json');
    const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${init.body}`;
    const digest = createHmac('sha256', 'a secret of the tests').update(signed).digest('base64');
    expect(headers.get('webhook-signature')).toBe(`v1,${digest}`);
    expect(Number(headers.get('webhook-timestamp'))).toBe(Date.parse(START) / 1000);
  });

  it('is signed at the time of its attempt, by the emulator’s clock', async () => {
    const { received, emit, later, emulator } = receiving([500, 500]);
    await emit();
    await later('10s');
    await later('1h');
    expect(
      received.map(({ init }) => Number(new Headers(init.headers).get('webhook-timestamp')) * 1000),
    ).toEqual([Date.parse(START), Date.parse(START) + 10_000, emulator.clock.now().getTime()]);
  });

  it('is accepted by a receiver with the same clock, whatever the time of day', async () => {
    const receive = createWebhookReceiver({
      verifier: standardWebhooks({ secret: SECRET }),
      now: () => emulator.clock.now().getTime(),
    }).handler({ otherwise: () => {} });
    const { emulator, emit, later, summary } = receiving([], {
      fetch: (url, init) => receive(new Request(url, init)),
    });
    await emit();
    await later('400d');
    await emit();
    await emulator.delivered();
    expect(summary()).toEqual([
      [1, 200, 'delivered'],
      [1, 200, 'delivered'],
    ]);
  });

  it('keeps its planned retry when a snapshot is refused', async () => {
    const { emulator, summary, emit, later } = receiving([500]);
    await emit();
    await emulator.delivered();
    expect(() => emulator.restore({ ...emulator.snapshot(), seed: 'changed' })).toThrow('no snapshot');
    await later('5s');
    expect(summary()).toEqual([
      [1, 500, 'retrying'],
      [2, 204, 'delivered'],
    ]);
  });

  it('backs off for 24 hours of the emulator’s clock, with growing waits, and is then given up', async () => {
    const { emulator, attempts, emit, later } = receiving(Array(20).fill(500));
    await emit();
    await emulator.delivered();
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['retrying']);
    await later('4s');
    expect(attempts).toHaveLength(1);
    await later('1s');
    expect(attempts).toHaveLength(2);
    await later('23h');
    expect(attempts.at(-1)?.outcome).toBe('retrying');
    await later('1h');
    expect(attempts.at(-1)).toMatchObject({ outcome: 'given-up', nextAttemptAt: null });
    const times = attempts.map(({ at }) => (Date.parse(at) - Date.parse(START)) / 1000);
    expect(times).toEqual([0, 5, 65, 365, 2165, 9365, 27_365, 56_165, 84_965]);
    await later('48h');
    expect(attempts).toHaveLength(9);
    expect(new Set(attempts.map(({ deliveryId }) => deliveryId)).size).toBe(1);
  });

  it('makes all attempts of a day in one advance, each at its own time', async () => {
    const { emulator, attempts, emit, later } = receiving([500, new Error('down'), 302, 503, 200]);
    await emit();
    await emulator.delivered();
    await later('1d');
    expect(attempts.map(({ attempt, status, outcome }) => [attempt, status, outcome])).toEqual([
      [1, 500, 'retrying'],
      [2, null, 'retrying'],
      [3, 302, 'retrying'],
      [4, 503, 'retrying'],
      [5, 200, 'delivered'],
    ]);
    expect(attempts[1]).toMatchObject({ error: 'down', responseBody: null });
    expect(attempts[0]).toMatchObject({ error: null, responseBody: 'body', nextAttemptAt: attempts[1]?.at });
  });

  it.each([400, 401, 404, 408, 409, 410, 422, 429])('is not sent again after a %d', async (status) => {
    const { emulator, summary, emit, later } = receiving([status]);
    await emit();
    await emulator.delivered();
    await later('2d');
    expect(summary()).toEqual([[1, status, 'given-up']]);
  });

  it('is sent again after a 4xx where the options say so', async () => {
    const busy = new Response(null, { status: 429, headers: { 'retry-after': '90' } });
    const { emulator, summary, attempts, emit, later } = receiving([404, busy], { retryClientErrors: true });
    await emit();
    await emulator.delivered();
    await later('1h');
    expect(summary()).toEqual([
      [1, 404, 'retrying'],
      [2, 429, 'retrying'],
      [3, 204, 'delivered'],
    ]);
    expect(Date.parse(attempts[2]?.at ?? '') - Date.parse(attempts[1]?.at ?? '')).toBe(90_000);
  });

  const unavailable = (retryAfter: string) =>
    new Response('wait', { status: 503, headers: { 'retry-after': retryAfter } });

  it.each([
    ['120', 120],
    ['2', 5],
    ['soon', 5],
    ['-5', 5],
  ])('honours Retry-After %j: the wait is %d s', async (header, seconds) => {
    const { emulator, attempts, emit, later } = receiving([unavailable(header)]);
    await emit();
    await emulator.delivered();
    await later(`${seconds - 1}s`);
    expect(attempts).toHaveLength(1);
    await later('1s');
    expect(attempts).toHaveLength(2);
    expect(attempts[0]?.retryAfter).toBe(header);
  });

  it('that fails blocks no other one', async () => {
    const { emulator, received, emit, later } = receiving([500, 204, 204]);
    const first = await emit();
    await emit(2);
    await emulator.delivered();
    expect(received).toHaveLength(3);
    await later('5s');
    expect(received.map(({ id }) => id).at(3)).toBe(first);
    expect(emulator.deliveries.list().map(({ status }) => status)).toContain('delivered');
  });

  it('whose receiver does not respond holds up no other one, and ends with its timeout', async () => {
    const silence = (init: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    const { emulator, received, attempts, emit } = receiving([silence, 204], {
      timeout: 400,
      retryDelays: [],
    });
    await emit(2);
    await vi.waitFor(() => expect(attempts).toHaveLength(1));
    expect(attempts[0]).toMatchObject({ eventId: received[1]?.id, outcome: 'delivered' });
    await emulator.delivered();
    expect(attempts[1]).toMatchObject({ status: null, error: 'no response in 400 ms', outcome: 'given-up' });
  });

  it('is retried by a running clock without any look at the emulator', async () => {
    const running = bench({
      clock: { frozen: false },
      webhook: {
        url: 'http://receiver.test',
        retryDelays: [20, 20],
        fetch: async () => new Response(null, { status: 500 }),
        onAttempt: ({ attempt, outcome }) => seen.push([attempt, outcome]),
      },
      ...MANUAL,
    });
    const seen: unknown[] = [];
    const { userId } = running.emulator.createUser({ rails: ['usd'] });
    await running.call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    await vi.waitFor(() => expect(seen).toHaveLength(3));
    expect(seen).toEqual([
      [1, 'retrying'],
      [2, 'retrying'],
      [3, 'given-up'],
    ]);
  });

  it('survives a listener that throws, and a body without end', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(1000))),
    });
    const { emulator, emit } = receiving([new Response(endless, { status: 500 })], {
      onAttempt: () => {
        throw new Error('in the listener');
      },
    });
    await emit(2);
    await emulator.delivered();
    const [first, second] = emulator.deliveries.list();
    expect(first?.attempts[0]?.responseBody).toHaveLength(2000);
    expect(second?.status).toBe('delivered');
  });

  it('names a network failure by its code', async () => {
    const { port } = await closedAddress();
    const { call, emulator, userId } = withUser(
      { rails: ['usd'] },
      { webhook: { url: `http://127.0.0.1:${port}/` } },
    );
    await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    await emulator.delivered();
    expect(emulator.deliveries.list()[0]?.attempts[0]?.error).toBe('ECONNREFUSED');
  });
});

describe('the list of deliveries', () => {
  it('shows attempts and outcomes, in the process and over HTTP', async () => {
    const { emulator, call, emit, later } = receiving([unavailable503(), 200]);
    await emit();
    await emulator.delivered();
    const [waiting] = emulator.deliveries.list();
    expect(waiting).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      eventId: emulator.events.list()[0]?.eventId,
      eventType: 'ACCOUNT.ONRAMP.CREATE',
      url: 'http://receiver.test/hook',
      status: 'retrying',
      createdAt: START,
      nextAttemptAt: '2026-03-04T12:01:00.000Z',
      attempts: [
        {
          deliveryId: waiting?.id,
          eventId: waiting?.eventId,
          eventType: 'ACCOUNT.ONRAMP.CREATE',
          attempt: 1,
          at: START,
          status: 503,
          outcome: 'retrying',
          error: null,
          retryAfter: '60',
          requestHeaders: expect.arrayContaining([['webhook-signature', expect.stringMatching(/^v1,/)]]),
          requestBody: expect.stringContaining('"eventType":"ACCOUNT.ONRAMP.CREATE"'),
          responseBody: 'later',
          nextAttemptAt: '2026-03-04T12:01:00.000Z',
          duration: expect.any(Number),
        },
      ],
    });
    await later('1m');
    const { body } = await call('GET', '/_emulator/deliveries');
    expect(body).toEqual({ deliveries: emulator.deliveries.list() });
    expect(body.deliveries[0]).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    expect(body.deliveries[0].attempts).toHaveLength(2);
  });

  const unavailable503 = () => new Response('later', { status: 503, headers: { 'retry-after': '60' } });

  it('sends a delivery again on request', async () => {
    const { emulator, call, received, summary, emit, later } = receiving([400, 500, 200]);
    const eventId = await emit();
    await emulator.delivered();
    const id = emulator.deliveries.list()[0]?.id ?? '';
    const { status, body } = await call('POST', `/_emulator/deliveries/${id}/redeliver`);
    expect([status, body.status, body.attempts.length]).toEqual([200, 'pending', 1]);
    await emulator.delivered();
    await later('1m');
    expect(summary()).toEqual([
      [1, 400, 'given-up'],
      [2, 500, 'retrying'],
      [3, 200, 'delivered'],
    ]);
    expect(received.map((request) => request.id)).toEqual([eventId, eventId, eventId]);
    emulator.deliveries.redeliver(id);
    await emulator.delivered();
    expect(summary().at(-1)).toEqual([4, 204, 'delivered']);
    expect((await call('POST', '/_emulator/deliveries/none/redeliver')).status).toBe(404);
    expect(() => emulator.deliveries.redeliver('none')).toThrow('There is no delivery');
  });

  it('is empty without a webhook, and nothing can be sent again', async () => {
    const { emulator, call } = bench();
    expect((await call('GET', '/_emulator/deliveries')).body).toEqual({ deliveries: [] });
    expect((await call('POST', '/_emulator/deliveries/any/redeliver')).body.error.code).toBe('NO_WEBHOOK');
    await expect(emulator.delivered()).resolves.toBeUndefined();
  });
});

describe('the webhook', () => {
  it('has a secret in any case', () => {
    const url = 'http://receiver.test';
    const made = bench({ webhook: { url } }).emulator.webhookSecret;
    expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(bench({ webhook: { url } }).emulator.webhookSecret).toBe(made);
    expect(bench({ webhook: { url, secret: SECRET } }).emulator.webhookSecret).toBe(SECRET);
    expect(bench().emulator.webhookSecret).toBeUndefined();
  });

  it('gets nothing that waited when the emulator is closed or reset, and what comes after', async () => {
    const { emulator, received, attempts, emit, later } = receiving([500, 500]);
    await emit();
    await emulator.delivered();
    await emit();
    await emulator.delivered();
    expect(attempts).toHaveLength(2);
    emulator.close();
    await later('25h');
    expect(attempts).toHaveLength(2);
    await emit();
    await emulator.delivered();
    expect(received.length).toBeGreaterThan(1);
    emulator.reset();
    expect(emulator.events.list()).toEqual([]);
    expect(emulator.deliveries.list()).toEqual([]);
  });

  it.each(['receiver', 'ftp://receiver.test', ''])('cannot be %j', (url) => {
    expect(() => bench({ webhook: { url } })).toThrow('webhook.url');
  });

  it('gets retries over real sockets while the clock runs and nobody sends a request', async () => {
    const statuses = [503, 500, 200];
    const seen: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      seen.push(String(request.headers['webhook-id']));
      request.resume().on('end', () => response.writeHead(statuses.shift() ?? 200).end());
    });
    const server = await startEmulatorServer({ webhook: { url, retryDelays: [10, 10] }, ...MANUAL });
    cleanups.push(() => server.close());
    const { userId } = server.emulator.createUser({ rails: ['usd'] });
    await fetch(`${server.url}/v2/users/${userId}/accounts`, {
      method: 'POST',
      headers: { authorization: 'Bearer x' },
      body: JSON.stringify(US_ACCOUNT),
    });
    await vi.waitFor(() => expect(server.emulator.deliveries.list()[0]?.status).toBe('delivered'));
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(1);
  });
});
