import { setupServer } from 'msw/node';
import { createEmulator } from 'stablecoin-payments/emulator';
import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
import { type EmulatorServerOptions, startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bench, caller, transfer, US_ACCOUNT } from './support.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

describe('emulator.fetch', () => {
  it('takes a text, a URL or a Request, for any origin', async () => {
    const { emulator } = bench();
    const path = '/_emulator/state';
    for (const input of [
      `http://a.test${path}`,
      new URL(`https://b.test:8443${path}`),
      new Request(`http://c.test${path}`),
    ]) {
      expect((await emulator.fetch(input)).status).toBe(200);
    }
    await expect(emulator.fetch('/no-origin')).rejects.toThrow(TypeError);
  });

  it('rejects with the reason of a signal that has fired, and does nothing', async () => {
    const { emulator } = bench();
    const reason = new Error('changed my mind');
    const init = { method: 'POST', body: '{}', signal: AbortSignal.abort(reason) };
    await expect(emulator.fetch('http://a.test/_emulator/users', init)).rejects.toBe(reason);
    expect(emulator.state().users).toEqual([]);
  });

  it('rejects a reset as a network does', async () => {
    const { emulator } = bench();
    emulator.faults.inject({ kind: 'reset-before-commit' });
    const answer = emulator.fetch('http://a.test/v2/transfer-approvals', {
      headers: { authorization: 'Bearer x' },
    });
    await expect(answer).rejects.toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'ECONNRESET' },
    });
  });

  it('rejects at once under a stall whose signal has fired meanwhile', async () => {
    const { emulator } = bench();
    const leaving = new AbortController();
    emulator.faults.inject({ kind: 'stall-headers' });
    emulator.events.on(() => leaving.abort(new Error('gone')));
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const init = {
      method: 'POST',
      body: JSON.stringify(US_ACCOUNT),
      headers: { authorization: 'Bearer x' },
      signal: leaving.signal,
    };
    await expect(emulator.fetch(`http://a.test/v2/users/${userId}/accounts`, init)).rejects.toThrow('gone');
    emulator.faults.inject({ kind: 'latency' });
    await expect(
      emulator.fetch(`http://a.test/v2/users/${userId}/accounts`, {
        ...init,
        signal: AbortSignal.timeout(5),
      }),
    ).rejects.toThrow();
  });

  it('tells onRequest of every request, and survives its mistakes', async () => {
    const seen: unknown[] = [];
    const { call } = bench({
      onRequest: ({ method, path, status, fault }) => {
        seen.push([method, path, status, fault]);
        throw new Error('in the listener');
      },
    });
    await call('POST', '/_emulator/faults', { kind: 'reset-after-commit' });
    await call('GET', '/v2/transfer-approvals').catch(() => {});
    expect(seen).toEqual([
      ['POST', '/_emulator/faults', 201, null],
      ['GET', '/v2/transfer-approvals', null, 'reset-after-commit'],
    ]);
  });

  it.each([
    { accountValidation: 'soon' },
    { settlementStep: -1 },
    { depositWindow: '1y' },
    { clock: { start: 'yesterday' } },
  ])('is not made with %j', (options) => {
    expect(() => createEmulator(options)).toThrow(TypeError);
  });
});

describe('msw handlers', () => {
  const listen = (options?: { baseUrl?: string }) => {
    const emulator = createEmulator({ seed: 1 });
    const server = setupServer(...emulatorHandlers(emulator, options));
    server.listen({ onUnhandledFrame: 'bypass' });
    cleanups.push(() => server.close());
    return emulator;
  };

  it('answer at any origin and below any path', async () => {
    const emulator = listen();
    const { userId } = emulator.createUser();
    for (const base of ['http://one.test', 'https://two.test/payments/api']) {
      const call = caller(fetch, base);
      expect((await call('POST', '/v2/wallets/transfers', transfer(userId))).status).toBe(201);
      expect((await call('GET', '/_emulator/state')).body.transfers.length).toBeGreaterThan(0);
    }
    // Read to its end: fetch fails an assertion, in a later test, when it clears a body away that msw sent.
    expect(await (await fetch('http://one.test/_emulator')).text()).toContain('<title>Payments emulator');
    expect(emulator.state().transfers).toHaveLength(2);
  });

  it('answer only for the given base address', async () => {
    const emulator = listen({ baseUrl: 'http://one.test/api/' });
    expect((await caller(fetch, 'http://one.test/api')('POST', '/_emulator/users')).status).toBe(201);
    await expect(fetch('http://127.0.0.1:9/api/_emulator/state')).rejects.toThrow();
    expect(emulator.requests()).toHaveLength(1);
  });

  it('need a base address that is one, and an emulator of this package', () => {
    expect(() => emulatorHandlers(createEmulator(), { baseUrl: '/api' })).toThrow('baseUrl');
    expect(() => emulatorHandlers({ ...createEmulator() })).toThrow('createEmulator');
  });
});

describe('the server', () => {
  it('keeps idle connections for longer than clients do', async () => {
    const server = await startEmulatorServer();
    cleanups.push(() => server.close());
    const { headers } = await fetch(`${server.url}/_emulator/state`);
    expect(headers.get('keep-alive')).toBe('timeout=65');
  });

  const start = async (options: EmulatorServerOptions = {}) => {
    const server = await startEmulatorServer(options);
    cleanups.push(() => server.close());
    return server;
  };

  it('binds to loopback on a free port, with the length of what it sends', async () => {
    const server = await start();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const { status, headers, text } = await caller(fetch, server.url)('GET', '/v2/transfer-approvals');
    expect([status, headers.get('content-length')]).toEqual([200, String(text.length)]);
    const head = await fetch(`${server.url}/_emulator/state`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('serves an emulator that exists already', async () => {
    const { emulator } = bench();
    const server = await start({ emulator });
    await caller(fetch, server.url)('POST', '/_emulator/users');
    expect(server.emulator).toBe(emulator);
    expect(emulator.state().users).toHaveLength(1);
  });

  it('fails to start where the port is taken', async () => {
    const { port } = await start();
    await expect(startEmulatorServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('lets what is due happen while nobody asks', async () => {
    const { emulator, url } = await start({ accountValidation: 1 });
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const heard: unknown[] = [];
    emulator.events.on(({ eventType }) => heard.push(eventType));
    await caller(fetch, url)('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
    await vi.waitFor(() => expect(heard).toContain('ACCOUNT.ONRAMP.UPDATE'), { timeout: 3000 });
  });

  it('answers 413 to a large body and goes on', async () => {
    const { url } = await start();
    const call = caller(fetch, url);
    expect((await call('POST', '/v2/onramps', `"${'x'.repeat(3_000_000)}"`)).status).toBe(413);
    expect((await call('GET', '/v2/transfer-approvals')).status).toBe(200);
  });
});
