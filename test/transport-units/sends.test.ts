import { afterEach, describe, expect, it, vi } from 'vitest';
import { InnerError } from '../../src/transport/attempt/inner-error.ts';
import { createKyWire } from '../../src/transport/ky-adapter.ts';
import { LightHeaders, LightRequest } from '../../src/transport/ky-platform.ts';
import { chooseSend } from '../../src/transport/fetch.ts';
import { Cancellation, timers } from '../../src/transport/limits.ts';
import {
  BodyFailure,
  ConnectionLost,
  RedirectFollowed,
  refuseFollowed,
  WholeResponse,
  type WireRequest,
} from '../../src/transport/wire.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const request: WireRequest = {
  url: 'https://pay.example/v2/x',
  origin: 'https://pay.example',
  method: 'POST',
  headers: { 'x-team': 'a' },
  body: '{"a":1}',
  cancellation: new Cancellation(),
  maxResponseBytes: 10,
};

const whole = (status: number, text: string) => new WholeResponse(status, { 'x-from': 'service' }, text);

/** What a fetch of the test's is called with, and what it responds. */
const fetchOf = (response: () => Response = () => new Response('{}')) =>
  vi.fn(async (_url: string, _init: RequestInit) => response());

describe('the fetch option', () => {
  it('gets the whole request', async () => {
    const fetch = fetchOf();
    const response = await chooseSend({ fetch })(request);
    expect(response).toBeInstanceOf(Response);
    expect(fetch.mock.calls).toEqual([
      [
        'https://pay.example/v2/x',
        {
          method: 'POST',
          headers: { 'x-team': 'a' },
          signal: request.cancellation.signal,
          redirect: 'manual',
          body: '{"a":1}',
        },
      ],
    ]);
    await chooseSend({ fetch })({ ...request, body: undefined });
    expect(fetch.mock.calls[1]?.[1].body).toBeNull();
  });

  it('gets the body as it is, also on Deno', async () => {
    vi.stubGlobal('Deno', {});
    const fetch = fetchOf();
    await chooseSend({ fetch })(request);
    expect(fetch.mock.calls[0]?.[1].body).toBe('{"a":1}');
  });

  it.each([
    [7, 'a number'],
    [null, 'null'],
    ['fetch', 'a string'],
  ])('is a function and not %j', (fetch, what) => {
    expect(() => chooseSend({ fetch })).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: `\`fetch\` must be a function, but is ${what}.`,
      }),
    );
  });

  it('does not go with a dispatcher', () => {
    expect(() => chooseSend({ fetch: fetchOf(), dispatcher: { dispatch: () => true } })).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: 'Give `fetch` or `dispatcher`, not both.',
      }),
    );
  });
});

describe('the dispatcher option', () => {
  it('is used as it is, in the newer form of handlers', async () => {
    const dispatch = vi.fn((_options: object, _handler: object) => true);
    void chooseSend({ dispatcher: { dispatch } })(request);
    expect(dispatch).toHaveBeenCalledTimes(1);
    const [options, handler] = dispatch.mock.calls[0] ?? [];
    expect(options).toMatchObject({ origin: 'https://pay.example', path: '/v2/x', method: 'POST' });
    expect(handler).toHaveProperty('onRequestStart');
  });

  it.each([
    [7, 'a number'],
    [{}, 'an object'],
    [null, 'null'],
  ])('is a dispatcher and not %j', (dispatcher, what) => {
    expect(() => chooseSend({ dispatcher })).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: `\`dispatcher\` must be an undici dispatcher with a \`dispatch\` method, but is ${what}.`,
      }),
    );
  });
});

describe('without either', () => {
  it('the fetch of the platform is used, whatever it is by then', async () => {
    const send = chooseSend({});
    const [first, second] = [fetchOf(), fetchOf()];
    vi.stubGlobal('fetch', first);
    await send(request);
    vi.stubGlobal('fetch', second);
    await send(request);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
    expect(first.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', redirect: 'manual', body: '{"a":1}' });
  });

  /** Runs a send while a process's dispatcher is another one. */
  async function sendOver(dispatcher: unknown): Promise<unknown> {
    const slot = Symbol.for(
      Number.parseInt(process.versions.undici ?? '', 10) >= 8
        ? 'undici.globalDispatcher.2'
        : 'undici.globalDispatcher.1',
    );
    // Node sets its dispatcher with the first touch of one of its classes.
    expect(new Headers()).toBeDefined();
    const before: unknown = Reflect.get(globalThis, slot);
    Reflect.set(globalThis, slot, dispatcher);
    try {
      return await chooseSend({})(request).catch((error: unknown) => error);
    } finally {
      Reflect.set(globalThis, slot, before);
    }
  }

  it('the dispatcher beneath Node’s own fetch is used', async () => {
    const dispatch = vi.fn(() => {
      throw new Error('dispatched');
    });
    expect(await sendOver({ dispatch })).toEqual(new Error('dispatched'));
    expect(dispatch).toHaveBeenCalledTimes(1);
  });

  it('Node’s own fetch is used where it has no dispatcher', async () => {
    expect(await sendOver({})).toMatchObject({ name: 'TypeError', message: 'fetch failed' });
    // A platform that only looks like Node may have Node's fetch, too.
    vi.stubGlobal('Deno', {});
    expect(await sendOver({})).toMatchObject({ name: 'TypeError', message: 'fetch failed' });
  });

  it('a platform that is not Node has its fetch used, with a body that Deno sends but once', async () => {
    vi.stubGlobal('Deno', {});
    const fetch = fetchOf();
    vi.stubGlobal('fetch', fetch);
    await chooseSend({})(request);
    const body = fetch.mock.calls[0]?.[1].body;
    if (!(body instanceof Blob)) throw new Error('the body is no Blob');
    expect(await body.text()).toBe('{"a":1}');
    await chooseSend({})({ ...request, body: undefined });
    expect(fetch.mock.calls[1]?.[1].body).toBeNull();
  });
});

describe('ky', () => {
  it('passes on a whole response', async () => {
    const sent = whole(201, 'text');
    expect(await createKyWire(async () => sent)(request)).toBe(sent);
  });

  it('reads a response of fetch, up to the limit', async () => {
    const wire = (text: string) =>
      createKyWire(async () => new Response(text, { status: 201, headers: { a: 'b' } }))(request);
    const { status, headers, text } = await wire('0123456789');
    expect([status, headers.get('a'), text]).toEqual([201, 'b', '0123456789']);
    await expect(wire('0123456789x')).rejects.toMatchObject({ reason: 'too-large', status: 201 });
  });

  it('asks for the request once, whatever its status', async () => {
    for (const status of [200, 404, 429, 500, 503]) {
      const send = vi.fn(async () => whole(status, 'text'));
      expect(await createKyWire(send)(request)).toMatchObject({ status, text: 'text' });
      expect(send.mock.calls).toEqual([[request]]);
    }
  });

  it('throws what was thrown, once', async () => {
    for (const thrown of [new TypeError('fetch failed'), 'text', undefined, null]) {
      const send = vi.fn(() => Promise.reject(thrown));
      await expect(createKyWire(send)(request)).rejects.toBe(thrown);
      expect(send).toHaveBeenCalledTimes(1);
    }
  });

  it('has errors of its own only where nothing was thrown', async () => {
    const planted = new RangeError('planted');
    const wire = createKyWire(() => {
      throw planted;
    });
    await expect(wire(request)).rejects.toBe(planted);
  });

  it('waits as long as the limits of the call do', async () => {
    vi.useFakeTimers();
    const slow = createKyWire(
      () => new Promise((resolve) => setTimeout(() => resolve(whole(200, 'late')), 60_000)),
    );
    const ended = slow(request);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await ended).toMatchObject({ text: 'late' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('refuses a response that was fetched from elsewhere', async () => {
    const moved = Object.defineProperty(new Response('{}'), 'redirected', { value: true });
    await expect(createKyWire(async () => moved)(request)).rejects.toBeInstanceOf(RedirectFollowed);
  });

  it('has a platform that holds nothing', () => {
    const headers = new LightHeaders();
    expect([headers.entries(), headers.has(), headers.get(), headers.set(), headers.delete()]).toEqual([
      [],
      false,
      null,
      undefined,
      undefined,
    ]);
    expect(new LightRequest('https://pay.example', { method: 'GET' })).toMatchObject({
      url: 'https://pay.example',
      method: 'GET',
      body: null,
      headers: new LightHeaders(),
    });
  });
});

describe('a response', () => {
  it('is fine from 200 to 299, and is taken for a Response', () => {
    expect([199, 200, 299, 300].map((status) => whole(status, '').ok)).toEqual([false, true, true, false]);
    expect(Object.prototype.toString.call(whole(200, ''))).toBe('[object Response]');
  });

  const from = (url: unknown, redirected: unknown) => {
    const response = new Response('{}');
    Object.defineProperty(response, 'url', { value: url });
    return Object.defineProperty(response, 'redirected', { value: redirected });
  };
  const hostOf = (response: Response): string | undefined => {
    try {
      refuseFollowed(response, 'https://pay.example/v2/x');
    } catch (error) {
      if (error instanceof RedirectFollowed) return error.host ?? 'hidden';
      throw error;
    }
    return undefined;
  };

  it.each<[unknown, unknown, string | undefined]>([
    ['https://pay.example/v2/x', false, undefined],
    ['https://pay.example/v2/x', undefined, undefined],
    ['https://PAY.example:443/v2/x', undefined, undefined],
    ['https://other.example/v2/x', false, undefined],
    ['https://other.example:8443/v2/x', undefined, 'other.example:8443'],
    ['https://pay.example/v2/y', undefined, 'pay.example'],
    ['https://other.example/', true, 'other.example'],
    ['', true, 'hidden'],
    ['', undefined, undefined],
    [undefined, undefined, undefined],
    [7, true, 'hidden'],
    ['no address', 'true', undefined],
  ])('from %j, redirected: %j, has followed a redirect to %s', (url, redirected, host) => {
    expect(hostOf(from(url, redirected))).toBe(host);
  });

  it('that followed a redirect is not read', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const cancelled = vi.fn(() => {
      throw new Error('broken');
    });
    const response = new Response(new ReadableStream({ cancel: cancelled }));
    Object.defineProperty(response, 'redirected', { value: true });
    expect(hostOf(response)).toBe('hidden');
    expect(hostOf(Object.defineProperty(new Response(null), 'redirected', { value: true }))).toBe('hidden');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(cancelled).toHaveBeenCalledTimes(1);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('what the transport throws to itself', () => {
  it('says what it is', () => {
    expect(new BodyFailure('cut', 200, new Headers(), 7)).toMatchObject({
      message: 'cut',
      reason: 'cut',
      status: 200,
      caught: 7,
    });
    expect(new ConnectionLost(7)).toMatchObject({ message: 'connection lost', caught: 7 });
    expect(new RedirectFollowed('a')).toMatchObject({ message: 'redirect followed', host: 'a' });
  });

  it('is known by its class, and nothing else is, whatever was thrown', () => {
    const hostile = new Proxy(
      {},
      {
        getPrototypeOf: () => {
          throw new Error('hostile');
        },
      },
    );
    const lost = new ConnectionLost(1);
    expect([lost instanceof InnerError, lost instanceof ConnectionLost, lost instanceof BodyFailure]).toEqual(
      [true, true, false],
    );
    for (const other of [hostile, null, undefined, 7, 'x', {}, new Error('x'), () => 1]) {
      expect((other as unknown) instanceof ConnectionLost).toBe(false);
    }
    expect(Object.create(ConnectionLost.prototype) instanceof ConnectionLost).toBe(false);
  });
});

describe('timers', () => {
  /** The timers of a package that is loaded while these globals stand. */
  async function loadedWith(setTimeout: unknown): Promise<typeof timers> {
    vi.resetModules();
    vi.stubGlobal('setTimeout', setTimeout);
    const loaded = await import('../../src/transport/limits.ts');
    return loaded.timers;
  }
  const fake = Object.assign(() => 0, { clock: {} });

  it('are those of the platform, also where a test has faked them since', () => {
    expect(timers()).toBe(globalThis);
    vi.useFakeTimers();
    expect(timers()).toBe(globalThis);
  });

  it.each([
    ['sinon', fake],
    ['jest', Object.assign(() => 0, { _isMockFunction: true })],
  ])('that %s faked before the package was loaded are gone around', async (_who, faked) => {
    const timersThen = await loadedWith(faked);
    const real = process.getBuiltinModule('node:timers');
    expect(timersThen()).toBe(real);
    vi.spyOn(real, 'setTimeout').mockImplementation(fake as never);
    expect(timersThen()).toBe(globalThis);
    vi.restoreAllMocks();
    vi.stubGlobal('process', undefined);
    expect(timersThen()).toBe(globalThis);
    vi.stubGlobal('process', {});
    expect(timersThen()).toBe(globalThis);
  });

  it.each([
    ['a usual timer', () => 0],
    ['no function', { clock: {} }],
    ['none', undefined],
  ])('that are %s are used', async (_what, setTimeout) => {
    expect((await loadedWith(setTimeout))()).toBe(globalThis);
  });
});
