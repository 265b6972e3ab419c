import { createHmac } from 'node:crypto';
import type { EmulatorEvent, WebhookOptions } from 'stablecoin-payments/emulator';
import { describe, expect, it, vi } from 'vitest';
import { bench, START, transfer, US_ACCOUNT } from './support.ts';

describe('events', () => {
  it('tell of an approval from its creation to its decision, with what consumers use', async () => {
    const { call, emulator } = bench();
    const { userId } = emulator.createUser();
    const heard: EmulatorEvent[] = [];
    emulator.events.on((event) => heard.push(event));
    const decide = async (decision: string, comment?: string) => {
      const { body } = await call(
        'POST',
        '/v2/wallets/transfers',
        transfer(userId, { requireApproval: true }),
      );
      const { approval } = body.transferDetails.receipt;
      await call(
        'POST',
        `/v2/transfer-approvals/${approval.id}/${decision}`,
        comment === undefined ? undefined : { comment },
      );
      return approval;
    };
    const first = await decide('approve');
    await decide('reject', 'too much');
    expect(heard.map(({ eventType, data }) => [eventType, data.comment])).toEqual([
      ['TRANSFER.APPROVAL.PENDING', null],
      ['TRANSFER.APPROVAL.APPROVED', null],
      ['TRANSFER.APPROVAL.PENDING', null],
      ['TRANSFER.APPROVAL.REJECTED', 'too much'],
    ]);
    expect(heard[0]).toEqual({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      eventType: 'TRANSFER.APPROVAL.PENDING',
      data: {
        transferId: first.transferId,
        approvalId: first.id,
        transferType: 'WALLET.TRANSFER',
        status: 'PENDING_APPROVAL',
        amount: 25,
        currency: 'usdc',
        chain: 'POLYGON',
        destination: { userId },
        initiatorId: userId,
        comment: null,
      },
      createdAt: START,
    });
    expect((await call('GET', '/_emulator/events')).body.events).toEqual(heard);
    expect(new Set(heard.map(({ eventId }) => eventId)).size).toBe(4);
  });

  it('can be held, and released in another order and several times', async () => {
    const { call, emulator } = bench();
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const heard: string[] = [];
    const stop = emulator.events.on(({ eventId }) => heard.push(eventId));
    const emit = async (count: number) => {
      for (let i = 0; i < count; i += 1) await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
      return emulator.events
        .list()
        .slice(-count)
        .map(({ eventId }) => eventId);
    };
    expect((await call('POST', '/_emulator/events/hold')).body).toEqual({ held: true });
    const ids = await emit(3);
    expect(heard).toEqual([]);
    const released = await call('POST', '/_emulator/events/release', { order: 'reversed', copies: 2 });
    expect(released.body).toEqual({ delivered: 6 });
    expect(heard.splice(0)).toEqual(ids.toReversed().flatMap((id) => [id, id]));
    emulator.events.hold();
    const more = await emit(8);
    emulator.events.release({ order: 'shuffled' });
    expect(heard).not.toEqual(more);
    expect(heard.splice(0).sort()).toEqual(more.sort());
    expect((await call('POST', `/_emulator/events/${ids[0]}/redeliver`)).status).toBe(200);
    expect(heard.splice(0)).toEqual([ids[0]]);
    expect((await call('POST', '/_emulator/events/none/redeliver')).status).toBe(404);
    expect(emulator.events.release()).toBe(0);
    expect((await call('POST', '/_emulator/events/release', { copies: 0 })).status).toBe(400);
    expect(() => emulator.events.release({ copies: 11 })).toThrow(RangeError);
    stop();
    await emit(1);
    expect(heard).toEqual([]);
  });

  it('are held no further than the history reaches', async () => {
    const { call, emulator } = bench({ historyLimit: 2 });
    const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 0 });
    emulator.events.hold();
    emulator.events.hold();
    for (let i = 0; i < 4; i += 1) await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    expect(emulator.events.release()).toBe(2);
  });

  it('are not lost to a listener that throws', async () => {
    const { call, emulator } = bench();
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const heard: string[] = [];
    emulator.events.on(() => {
      throw new Error('listener');
    });
    emulator.events.on(({ eventType }) => heard.push(eventType));
    expect((await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT)).status).toBe(201);
    expect(heard).toEqual(['ACCOUNT.ONRAMP.CREATE']);
  });
});

describe('the webhook', () => {
  const SECRET = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;

  function receiving(answers: (number | Error)[] = [], more: Partial<WebhookOptions> = {}) {
    const received: { url: string; init: RequestInit }[] = [];
    const attempts: unknown[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      received.push({ url, init });
      const answer = answers.shift() ?? 204;
      if (answer instanceof Error) throw answer;
      return new Response(answer === 204 ? null : 'body', { status: answer });
    };
    const webhook = {
      url: 'http://receiver.test/hook',
      secret: SECRET,
      fetch,
      retryDelays: [1, 1],
      onAttempt: ({
        attempt,
        status,
        outcome,
      }: {
        attempt: number;
        status: number | null;
        outcome: string;
      }) => attempts.push([attempt, status, outcome]),
      ...more,
    };
    const tools = bench({ webhook });
    const { userId } = tools.emulator.createUser({ rails: ['usd'] });
    const emit = () => tools.call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    return { ...tools, received, attempts, emit };
  }

  it('gets each event in order, signed as Standard Webhooks are', async () => {
    const { emulator, received, emit } = receiving();
    await emit();
    await emit();
    await emulator.delivered();
    expect(received.map(({ init }) => JSON.parse(String(init.body)))).toEqual(emulator.events.list());
    const { url, init } = received[0] ?? { url: '', init: {} };
    expect([url, init.method]).toEqual(['http://receiver.test/hook', 'POST']);
    const headers = new Headers(init.headers);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('webhook-id')).toBe(emulator.events.list()[0]?.eventId);
    const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${init.body}`;
    const digest = createHmac('sha256', 'a secret of the tests').update(signed).digest('base64');
    expect(headers.get('webhook-signature')).toBe(`v1,${digest}`);
    expect(Math.abs(Number(headers.get('webhook-timestamp')) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('is tried again after a refusal or no answer, and given up after the last try', async () => {
    const { emulator, received, attempts, emit } = receiving([500, new Error('down'), 200, 302, 404, 503]);
    await emit();
    await emit();
    await emulator.delivered();
    expect(attempts).toEqual([
      [1, 500, 'retrying'],
      [2, null, 'retrying'],
      [3, 200, 'delivered'],
      [1, 302, 'retrying'],
      [2, 404, 'retrying'],
      [3, 503, 'given-up'],
    ]);
    const idOf = (place: number) => new Headers(received[place]?.init.headers).get('webhook-id');
    expect(idOf(0)).toBe(idOf(2));
  });

  it('has a secret in any case', async () => {
    const { secret: _, ...rest } = { secret: '', url: 'http://receiver.test' };
    const made = bench({ webhook: rest }).emulator.webhookSecret;
    expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(bench({ webhook: rest }).emulator.webhookSecret).toBe(made);
    expect(bench({ webhook: { ...rest, secret: SECRET } }).emulator.webhookSecret).toBe(SECRET);
    expect(bench().emulator.webhookSecret).toBeUndefined();
    await expect(bench().emulator.delivered()).resolves.toBeUndefined();
  });

  it('stops when the emulator is closed or reset, and goes on with what comes after', async () => {
    const { emulator, received, attempts, emit } = receiving([500], { retryDelays: ['1h'] });
    await emit();
    await emit();
    await vi.waitFor(() => expect(attempts).toHaveLength(1));
    emulator.close();
    await emulator.delivered();
    expect(received).toHaveLength(1);
    await emit();
    await emulator.delivered();
    expect(received).toHaveLength(2);
    emulator.reset();
    expect(emulator.events.list()).toEqual([]);
  });

  it('waits no longer for an answer than its timeout', async () => {
    const fetch = (_url: string, init: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    const { emulator, attempts, emit } = receiving([], { fetch, timeout: 5, retryDelays: [] });
    await emit();
    await emulator.delivered();
    expect(attempts).toEqual([[1, null, 'given-up']]);
  });

  it('keeps the latest events when too many wait', async () => {
    const held: (() => void)[] = [];
    const fetch = () =>
      new Promise<Response>((resolve) => held.push(() => resolve(new Response(null, { status: 204 }))));
    const webhook = { url: 'http://receiver.test', secret: SECRET, fetch };
    const { emulator, call } = bench({ webhook, historyLimit: 3 });
    const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 0 });
    for (let i = 0; i < 8; i += 1) await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    for (let delivered = 0; delivered < 4; delivered += 1) {
      await vi.waitFor(() => expect(held).toHaveLength(1));
      held.pop()?.();
    }
    await emulator.delivered();
    expect(held).toEqual([]);
  });

  it.each(['receiver', 'ftp://receiver.test', ''])('cannot be %j', (url) => {
    expect(() => bench({ webhook: { url } })).toThrow('webhook.url');
  });
});
