import { describe, expect, it, vi } from 'vitest';
import { defineResource, type PaymentsClient } from '../../src/index.ts';
import { transferParams } from './operations.ts';
import { baseUrl, clientOf, failure, json, scripted, token } from './support.ts';

const made = json({ transferType: 'x', transferDetails: { id: 't1', status: 'CREATED' } });

describe('a preview', () => {
  it('has the bytes that the call then sends', async () => {
    const fetch = scripted(made);
    const payments = clientOf(fetch, { headers: { 'x-app': '1' } });
    const shown = await payments.preview((client) => client.transfers.create(transferParams));
    expect(fetch.seen).toHaveLength(0);
    await payments.transfers.create(transferParams);
    const [sent] = fetch.seen;
    expect(shown).toMatchObject({
      operation: 'transfers.create',
      method: 'POST',
      url: sent?.url,
      body: sent?.body,
      requestId: transferParams.requestId,
    });
    const { authorization, ...headers } = sent?.headers ?? {};
    expect(headers).toMatchObject(shown.headers);
    expect(authorization).toBe(`Bearer ${token}`);
    expect(JSON.stringify(shown)).not.toContain('Bearer');
  });

  it('shows the key that the client made, and leaves no trace of it', async () => {
    const payments = clientOf(scripted(made));
    const { requestId: _own, ...params } = transferParams;
    const shown = await payments.preview((client) => client.transfers.create(params));
    expect(shown.body).toContain(String(shown.requestId));
    const other = { ...params, amount: 7, requestId: String(shown.requestId) };
    expect(await payments.transfers.create(other)).toMatchObject({ transferDetails: { id: 't1' } });
  });

  it('asks for no token, calls no hook and waits for nothing', async () => {
    const accessToken = vi.fn(() => 'token');
    const request = vi.fn();
    const payments = clientOf(scripted(made), { accessToken, hooks: { request, error: request } });
    await payments.preview((client) => client.kyc.retrieve('u1'));
    await payments.preview((client) => client.approvals.list().toArray());
    expect([accessToken.mock.calls.length, request.mock.calls.length]).toEqual([0, 0]);
  });

  it('sends nothing from a derived client, and leaves no trace there', async () => {
    const [fetch, tenant] = [scripted(made), scripted(made)];
    const [accessToken, request] = [vi.fn(() => 'token'), vi.fn()];
    const payments = clientOf(fetch, { hooks: { request, error: request } });
    const own = { accessToken, maxConcurrency: 1, retries: { limit: 3, minDelay: 60_000 } };
    for (const options of [own, { ...own, fetch: tenant }]) {
      const shown = await payments.preview((client) =>
        client.withOptions(options).transfers.create(transferParams),
      );
      expect(shown.requestId).toBe(transferParams.requestId);
    }
    expect([fetch.seen, tenant.seen]).toEqual([[], []]);
    expect([accessToken.mock.calls, request.mock.calls]).toEqual([[], []]);
    await payments.transfers.create({ ...transferParams, amount: 7 });
  });

  it('of `resolve` shows the request that would be sent again, and sends nothing', async () => {
    const fetch = scripted(() => {
      throw new TypeError('terminated');
    });
    const payments = clientOf(fetch, { retries: 0 });
    const error = await failure(payments.transfers.create(transferParams));
    for (const derived of [{}, { maxConcurrency: 1 }]) {
      const shown = await payments.preview((client) => client.withOptions(derived).resolve(error));
      expect(shown).toMatchObject({ operation: 'transfers.create', body: fetch.seen[0]?.body });
    }
    expect(fetch.seen).toHaveLength(1);
    const decision = await failure(payments.approvals.approve('a1'));
    const none = payments.preview((client) => client.resolve(decision));
    expect((await failure(none)).message).toContain('made no call');
    expect(fetch.seen).toHaveLength(2);
  });

  it('is shown after `drain`, too, and sends nothing in one that it calls', async () => {
    const fetch = scripted(made);
    const payments = clientOf(fetch);
    await payments.drain();
    const shown = await payments.preview(async (client) => {
      await client.drain();
      return client.transfers.create(transferParams);
    });
    expect(shown.requestId).toBe(transferParams.requestId);
    expect(fetch.seen).toEqual([]);
  });

  it('sends nothing after an `await` either, whatever the function derives from its client', async () => {
    const fetch = scripted(() => {
      throw new TypeError('terminated');
    });
    const payments = clientOf(fetch, { retries: 0 });
    const error = await failure(payments.transfers.create(transferParams));
    const Quotes = defineResource('quotes', {
      accept: { method: 'POST', path: '/v2/quotes/{quoteId}/accept' },
    });
    const later: ((client: PaymentsClient) => PromiseLike<unknown>)[] = [
      (client) => client.transfers.create(transferParams),
      (client) => client.withOptions({ fetch }).transfers.create(transferParams),
      (client) => client.with({ quotes: Quotes }).withOptions({ accessToken: 'b' }).quotes.accept('q1'),
      (client) => client.request({ method: 'POST', path: '/v2/x', body: new FormData() }),
      (client) => client.paginate({ path: '/v2/x', next: () => undefined }).toArray(),
      (client) => client.approvals.list().toArray(),
      (client) => client.accounts.waitUntilActive('u1', 'a1'),
      (client) => client.resolve(error),
    ];
    for (const call of later) {
      const shown = payments.preview(async (client) => {
        await new Promise((resolve) => setTimeout(resolve));
        return call(client);
      });
      expect((await shown).url, String(call)).toContain(baseUrl);
    }
    expect(fetch.seen).toHaveLength(1);
  });

  it('sends nothing with its client once it has ended', async () => {
    const fetch = scripted(made);
    let kept: PaymentsClient | undefined;
    await clientOf(fetch).preview((client) => {
      kept = client;
      return client.kyc.retrieve('u1');
    });
    expect(await failure(kept?.transfers.create(transferParams) ?? Promise.resolve())).toMatchObject({
      outcome: 'not-sent',
    });
    expect(fetch.seen).toEqual([]);
  });

  it('refuses a function that does not take the client, as it could only use one that sends', async () => {
    const fetch = scripted(made);
    const payments = clientOf(fetch);
    const error = await failure(
      payments.preview(async () => {
        await new Promise((resolve) => setTimeout(resolve));
        return payments.transfers.create(transferParams);
      }),
    );
    expect(error).toMatchObject({ name: 'InvalidRequestError', operation: 'preview', outcome: 'not-sent' });
    expect(error.message).toContain('(p) => p.');
    expect(fetch.seen).toEqual([]);
  });

  it('refuses a call of the outer client at once, and leaves no trace there', async () => {
    const fetch = scripted(made);
    const payments = clientOf(fetch);
    const tenant = payments.withOptions({ timeout: 5_000 });
    for (const { transfers } of [payments, tenant]) {
      const error = await failure(payments.preview((_client) => transfers.create(transferParams)));
      expect(error.message).toContain('use the client that the function receives');
    }
    expect(fetch.seen).toHaveLength(0);
    await payments.transfers.create({ ...transferParams, amount: 7 });
    expect(fetch.seen).toHaveLength(1);
  });

  it('does not say that nothing was sent where the function made no call with its client', async () => {
    const payments = clientOf(scripted(made));
    const error = await failure(
      payments.preview(async (_client) => {
        await new Promise((resolve) => setTimeout(resolve));
        return payments.transfers.create(transferParams);
      }),
    );
    expect(error).toMatchObject({ operation: 'preview', outcome: 'unknown' });
    expect(error.message).toContain('A call of another client is sent');
  });

  it('tells a function that handles its errors that nothing was sent, and why', async () => {
    const payments = clientOf(scripted(made));
    let error: unknown;
    await payments.preview(async (client) => {
      error = await failure(client.transfers.create(transferParams));
    });
    expect(error).toMatchObject({
      message: 'transfers.create: a preview sends nothing.',
      outcome: 'not-sent',
    });
  });

  it('checks as the call does', async () => {
    const payments = clientOf(scripted(made));
    const wrong = payments.preview((client) => client.transfers.create({ ...transferParams, amount: -1 }));
    expect(await failure(wrong)).toMatchObject({ name: 'InvalidRequestError', field: 'amount' });
    const none = payments.preview(async (_client) => undefined);
    expect((await failure(none)).message).toContain('made no call');
  });

  it('throws what the function throws before it calls a method', async () => {
    const own = new TypeError('params is undefined');
    const shown = clientOf(scripted(made)).preview((_client) => {
      throw own;
    });
    await expect(shown).rejects.toBe(own);
  });

  it('shows requests, lists and resources of your own', async () => {
    const Quotes = defineResource('quotes', {
      accept: { method: 'POST', path: '/v2/quotes/{quoteId}/accept' },
    });
    const payments = clientOf(scripted(made)).with({ quotes: Quotes });
    expect(await payments.preview((client) => client.quotes.accept('q1'))).toMatchObject({
      operation: 'quotes.accept',
      url: expect.stringContaining('/v2/quotes/q1/accept'),
    });
    const listed = await payments.preview((client) =>
      client.paginate({ path: '/v2/x', query: { kind: 'a' }, next: () => undefined }),
    );
    expect(listed).toMatchObject({ method: 'GET', url: expect.stringContaining('kind=a') });
    const form = new FormData();
    form.append('a', '1');
    const sent = await payments.preview((client) =>
      client.request({ method: 'POST', path: '/v2/files', body: form }),
    );
    expect(sent.body).toBeInstanceOf(Uint8Array);
  });
});
