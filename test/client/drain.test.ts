import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClientClosedError, createClient, errorFromJSON, InvalidRequestError, Kyc } from '../../src/index.ts';
import { baseUrl, bridge, clientOf, failure, json, networkFailure, scripted, token } from './support.ts';

const record = { userId: 'u1', kycInfo: {} };

afterEach(() => {
  vi.useRealTimers();
});

describe('drain', () => {
  it('ends at once where nothing runs', async () => {
    expect(await clientOf(scripted(json(record))).drain()).toEqual({ unfinished: [] });
  });

  it('refuses new calls: nothing is sent', async () => {
    const fetch = scripted(json(record));
    const payments = clientOf(fetch);
    await payments.drain();
    const error = await failure(payments.bridges.create(bridge));
    expect(error).toBeInstanceOf(ClientClosedError);
    expect(error).toMatchObject({ code: 'client_closed', outcome: 'not-sent', attempts: 0 });
    expect(error.message).toBe(
      'bridges.create: the client takes no more calls, since `drain` was called. Nothing was sent: this call made no payment.',
    );
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(errorFromJSON(JSON.parse(JSON.stringify(error)))).toBeInstanceOf(ClientClosedError);
    expect(await failure(payments.approvals.list().toArray())).toBeInstanceOf(ClientClosedError);
    expect(await failure(payments.request({ method: 'GET', path: '/v2/fees' }))).toBeInstanceOf(
      ClientClosedError,
    );
    expect(fetch.seen).toHaveLength(0);
  });

  it('keeps what an earlier call may have paid', async () => {
    const requestId = '2ad5f2ea-5a6c-4d0e-8a5b-7f3a7a2c9e11';
    const payments = clientOf(scripted(json({}, 500)), { retries: 0 });
    await failure(payments.bridges.create({ ...bridge, requestId }));
    await payments.drain();
    const error = await failure(payments.bridges.create({ ...bridge, requestId }));
    expect(error).toMatchObject({ code: 'client_closed', outcome: 'unknown' });
  });

  it('leaves the key of a refused payment unused', async () => {
    const requestId = '2ad5f2ea-5a6c-4d0e-8a5b-7f3a7a2c9e12';
    const payments = clientOf(scripted(json({}, 500)), { retries: 0 });
    await payments.drain();
    for (let call = 0; call < 2; call += 1) {
      const error = await failure(payments.bridges.create({ ...bridge, requestId }));
      expect(error).toMatchObject({ code: 'client_closed', outcome: 'not-sent' });
    }
  });

  it('waits for the calls that run, with their retries', async () => {
    vi.useFakeTimers();
    const fetch = scripted(networkFailure('ECONNREFUSED'), json(record));
    const payments = clientOf(fetch, { retries: { limit: 1, minDelay: 5_000 } });
    const call = payments.kyc.retrieve('u1');
    await vi.advanceTimersByTimeAsync(0);
    let isDrained = false;
    const drained = payments.drain({ deadline: 20_000 }).then((result) => {
      isDrained = true;
      return result;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isDrained).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await drained).toEqual({ unfinished: [] });
    expect((await call).userId).toBe('u1');
    expect(fetch.seen).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for the calls that are queued', async () => {
    const fetch = scripted(json(record));
    const payments = clientOf(fetch, { maxConcurrency: 1 });
    const calls = ['a', 'b', 'c'].map((userId) => payments.kyc.retrieve(userId));
    expect(await payments.drain()).toEqual({ unfinished: [] });
    expect(fetch.seen).toHaveLength(3);
    await Promise.all(calls);
  });

  it('tells what still runs when the deadline passes', async () => {
    vi.useFakeTimers();
    const requestId = '90f0b4a8-18c4-44ab-a3c1-d2a0c2b5be11';
    let answer: (response: Response) => void = () => undefined;
    const slow = scripted(() => new Promise((resolve) => (answer = resolve)));
    const payments = clientOf(slow);
    const call = payments.bridges.create({ ...bridge, requestId });
    const drained = payments.drain({ deadline: 3_000 });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await drained).toEqual({ unfinished: [{ operation: 'bridges.create', requestId }] });
    // The call itself goes on, and a second drain waits for it.
    const again = payments.drain();
    answer(
      Response.json({ transferType: 'BRIDGE', transferDetails: { id: 't1', requestId, status: 'CREATED' } }),
    );
    expect(await again).toEqual({ unfinished: [] });
    expect((await call).transferDetails.id).toBe('t1');
  });

  it('counts the calls of the clients that are derived, and ends them, too', async () => {
    const payments = clientOf(scripted(json(record)));
    const tenant = payments.withOptions({ accessToken: 'of-another-tenant' });
    const call = tenant.kyc.retrieve('u1');
    const [{ unfinished }] = await Promise.all([payments.drain(), call]);
    expect(unfinished).toEqual([]);
    expect(await failure(tenant.kyc.retrieve('u1'))).toBeInstanceOf(ClientClosedError);
    expect(await failure(payments.withOptions({ timeout: 100 }).kyc.retrieve('u1'))).toBeInstanceOf(
      ClientClosedError,
    );
    const other = clientOf(scripted(json(record)));
    expect((await other.kyc.retrieve('u1')).userId).toBe('u1');
  });

  it('is there for a composed client', async () => {
    const payments = createClient(
      { kyc: Kyc },
      { baseUrl, accessToken: token, fetch: scripted(json(record)) },
    );
    expect(await payments.drain({ deadline: 1_000 })).toEqual({ unfinished: [] });
    expect(await failure(payments.kyc.retrieve('u1'))).toBeInstanceOf(ClientClosedError);
  });

  it.each([
    [{ deadline: 0 }, '`deadline` must be a number of milliseconds from 100'],
    [{ deadLine: 5 }, '`deadLine` is not an option. Did you mean `deadline`?'],
    [5, 'the options must be an object, but are a number'],
  ])('refuses %o, and drains nothing', async (options, words) => {
    const payments = clientOf(scripted(json(record)));
    const error = await failure(payments.drain(options as object));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain(`drain: ${words}`);
    expect((await payments.kyc.retrieve('u1')).userId).toBe('u1');
  });
});
