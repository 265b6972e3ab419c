import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { Exchange, isRead, ModernExchange } from '../../src/transport/dispatcher.ts';
import {
  afterIdle,
  bodySentOnce,
  dispatch,
  dispatcherIn,
  isDispatcher,
  nextTurn,
  slotOf,
} from '../../src/transport/fetch.ts';
import { Cancellation } from '../../src/transport/limits.ts';
import {
  BodyFailure,
  ConnectionLost,
  contentEncodingOf,
  decompress,
  toHeaders,
  WholeResponse,
  type WireRequest,
} from '../../src/transport/wire.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const requestOf = (part: Partial<WireRequest> = {}): WireRequest => ({
  url: 'https://pay.example/v2/x?y=1',
  origin: 'https://pay.example',
  method: 'POST',
  headers: {},
  body: '{}',
  cancellation: new Cancellation(),
  maxResponseBytes: 10,
  ...part,
});

/** An exchange, and what it has settled with so far. */
function exchangeOf(part: Partial<WireRequest> = {}) {
  const resolved = vi.fn<(response: WholeResponse) => void>();
  const rejected = vi.fn<(reason: unknown) => void>();
  return { exchange: new Exchange(requestOf(part), resolved, rejected), resolved, rejected };
}

const textOf = (resolved: ReturnType<typeof exchangeOf>['resolved']) => resolved.mock.calls[0]?.[0].text;

describe('a response from a dispatcher', () => {
  it('is collected, past informational ones, and waited for by nobody else', () => {
    const { exchange, resolved, rejected } = exchangeOf();
    const abort = vi.fn();
    exchange.onConnect(abort);
    expect(exchange.onHeaders(103, ['link', 'x'])).toBe(true);
    expect(exchange.onHeaders(199, ['x-a', 'early'])).toBe(true);
    expect(exchange.onHeaders(200, ['x-a', 'b'])).toBe(true);
    expect(exchange.onData(bytes('{"a"'))).toBe(true);
    expect(exchange.onData(bytes(':1}'))).toBe(true);
    expect(resolved).not.toHaveBeenCalled();
    exchange.onComplete();
    const [[response] = []] = resolved.mock.calls;
    expect([response?.status, response?.text, [...(response?.headers ?? [])]]).toEqual([
      200,
      '{"a":1}',
      [['x-a', 'b']],
    ]);
    expect(rejected).not.toHaveBeenCalled();
    expect(abort).not.toHaveBeenCalled();
  });

  it('may have no body, also under an encoding', () => {
    const plain = exchangeOf();
    plain.exchange.onHeaders(204, []);
    plain.exchange.onComplete();
    expect(textOf(plain.resolved)).toBe('');
    const encoded = exchangeOf();
    encoded.exchange.onHeaders(200, ['content-encoding', 'gzip']);
    encoded.exchange.onComplete();
    expect(textOf(encoded.resolved)).toBe('');
  });

  it('is as large as the limit allows, and not larger', () => {
    const fits = exchangeOf();
    fits.exchange.onHeaders(200, []);
    fits.exchange.onData(bytes('01234'));
    fits.exchange.onData(bytes('56789'));
    fits.exchange.onComplete();
    expect(textOf(fits.resolved)).toBe('0123456789');
    const { exchange, resolved, rejected } = exchangeOf();
    const abort = vi.fn();
    exchange.onConnect(abort);
    exchange.onHeaders(201, ['x-a', 'b']);
    exchange.onData(bytes('0123456789'));
    expect(abort).not.toHaveBeenCalled();
    expect(exchange.onData(bytes('x'))).toBe(true);
    expect(abort).toHaveBeenCalledTimes(1);
    const [[reason] = []] = rejected.mock.calls;
    expect(reason).toBeInstanceOf(BodyFailure);
    expect(reason).toMatchObject({ reason: 'too-large', status: 201, caught: undefined });
    expect((reason as BodyFailure).headers.get('x-a')).toBe('b');
    expect(resolved).not.toHaveBeenCalled();
  });

  it.each([
    ['before it was connected', false, undefined],
    ['after it was connected', true, undefined],
    ['after the status', true, 200],
  ])('may fail %s', (_when, connected, status) => {
    const { exchange, rejected } = exchangeOf();
    const error = new Error('gone');
    if (connected) exchange.onConnect(() => undefined);
    if (status !== undefined) exchange.onHeaders(status, ['x-a', 'b']);
    exchange.onError(error);
    const [[reason] = []] = rejected.mock.calls;
    if (!connected) expect(reason).toBe(error);
    else if (status === undefined) {
      expect(reason).toBeInstanceOf(ConnectionLost);
      expect(reason).toMatchObject({ caught: error });
    } else expect(reason).toMatchObject({ reason: 'cut', status: 200, caught: error });
  });
});

describe('a connection that fails after an informational response', () => {
  it('is a lost connection, and no body that was cut', () => {
    const { exchange, rejected } = exchangeOf();
    exchange.onConnect(() => undefined);
    exchange.onHeaders(103, []);
    exchange.onError(new Error('gone'));
    expect(rejected.mock.calls[0]?.[0]).toBeInstanceOf(ConnectionLost);
  });
});

describe('the end of an attempt', () => {
  it('ends the exchange, or the connection that it still waits for', () => {
    const cancellation = new Cancellation();
    const { exchange } = exchangeOf({ cancellation });
    const [first, second] = [vi.fn(), vi.fn()];
    exchange.onConnect(first);
    cancellation.cancel();
    expect(first).toHaveBeenCalledTimes(1);
    const waiting = new Cancellation();
    const late = exchangeOf({ cancellation: waiting });
    waiting.cancel();
    late.exchange.onConnect(second);
    expect(second).toHaveBeenCalledTimes(1);
  });
});

describe('a dispatcher that sends a request a second time', () => {
  it.each(['POST', 'DELETE', 'PUT', 'PATCH'])('is stopped: %s', (method) => {
    const { exchange, rejected } = exchangeOf({ method });
    const [first, second] = [vi.fn(), vi.fn()];
    exchange.onConnect(first);
    expect(rejected).not.toHaveBeenCalled();
    exchange.onConnect(second);
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledTimes(1);
    const [[reason] = []] = rejected.mock.calls;
    expect(reason).toBeInstanceOf(ConnectionLost);
    expect(reason).toMatchObject({
      caught: {
        message: 'The dispatcher was about to send the request a second time.',
        code: 'REPEATED_BY_DISPATCHER',
      },
    });
  });

  it.each(['GET', 'HEAD'])('may do so with what changes nothing: %s', (method) => {
    const { exchange, resolved, rejected } = exchangeOf({ method });
    const second = vi.fn();
    exchange.onConnect(() => undefined);
    exchange.onConnect(second);
    exchange.onHeaders(200, []);
    exchange.onComplete();
    expect(second).not.toHaveBeenCalled();
    expect(rejected).not.toHaveBeenCalled();
    expect(resolved).toHaveBeenCalledTimes(1);
  });
});

describe('a response of another call', () => {
  const foreign = (text: string) => text.includes('u2');

  it.each<[what: string, chunks: string[]]>([
    ['a record', ['{"a":"u2"}']],
    ['a list', ['["u2"]']],
    ['in two pieces', ['{"a":', '"u2"}']],
    ['with space after it', ['["u2"]', ' \r\n\t']],
    ['with space in its last piece', ['["u2"] \r\n\t']],
  ])('closes its connection before the connection is free again: %s', (_what, chunks) => {
    const { exchange, resolved } = exchangeOf({ isForeign: foreign, maxResponseBytes: 100 });
    const abort = vi.fn();
    exchange.onConnect(abort);
    exchange.onHeaders(299, []);
    for (const chunk of chunks) exchange.onData(bytes(chunk));
    expect(abort).toHaveBeenCalledTimes(1);
    expect(textOf(resolved)).toContain('u2');
  });

  it.each<[what: string, status: number, headers: string[], text: string]>([
    ['an error', 300, [], '["u2"]'],
    ['compressed', 200, ['content-encoding', 'gzip'], '["u2"]'],
    ['of the call itself', 200, [], '["u1"]'],
    ['not whole', 200, [], '["u2"'],
    ['only space', 200, [], '   '],
    ['empty', 200, [], ''],
  ])('is none: %s', (_what, status, headers, text) => {
    const { exchange, resolved } = exchangeOf({ isForeign: foreign, maxResponseBytes: 100 });
    const abort = vi.fn();
    exchange.onConnect(abort);
    exchange.onHeaders(status, headers);
    exchange.onData(bytes(text));
    expect(abort).not.toHaveBeenCalled();
    expect(resolved).not.toHaveBeenCalled();
  });

  it('is looked for only where a piece may be the last one, and each text is decoded once', () => {
    const isForeign = vi.fn(() => false);
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    const { exchange, resolved } = exchangeOf({ isForeign, maxResponseBytes: 100 });
    exchange.onHeaders(200, []);
    for (const chunk of ['{"a":', '{}', '} ']) exchange.onData(bytes(chunk));
    exchange.onComplete();
    expect(isForeign.mock.calls).toEqual([['{"a":{}'], ['{"a":{}} ']]);
    expect(decode).toHaveBeenCalledTimes(2);
    decode.mockRestore();
    expect(textOf(resolved)).toBe('{"a":{}} ');
  });
});

describe('a compressed body', () => {
  const text = '{"a":1}';
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
    ['unknown, gzip', gzipSync(text)],
  ])('in %s is unpacked', async (encoding, body) => {
    expect(Buffer.from(await decompress(body, encoding, 100)).toString()).toBe(text);
    const { exchange, resolved } = exchangeOf({ maxResponseBytes: 100 });
    exchange.onHeaders(200, ['Content-Encoding', ` ${encoding.toUpperCase()} `]);
    exchange.onData(body);
    exchange.onComplete();
    await vi.waitFor(() => expect(textOf(resolved)).toBe(text));
  });

  it.each([
    ['too large', gzipSync('x'.repeat(101)), 'too-large', 'ERR_BUFFER_TOO_LARGE'],
    ['not what it claims to be', Buffer.from('plain'), 'cut', 'Z_DATA_ERROR'],
  ])('may be %s', async (_what, body, reason, code) => {
    const { exchange, rejected } = exchangeOf({ maxResponseBytes: 100 });
    exchange.onHeaders(200, ['content-encoding', 'gzip']);
    exchange.onData(body);
    exchange.onComplete();
    await vi.waitFor(() => expect(rejected).toHaveBeenCalledTimes(1));
    expect(rejected.mock.calls[0]?.[0]).toMatchObject({ reason, status: 200, caught: { code } });
  });
});

describe('a handler of undici 7 and 8', () => {
  it('reports in its own form', () => {
    const resolved = vi.fn<(response: WholeResponse) => void>();
    const rejected = vi.fn<(reason: unknown) => void>();
    const cancellation = new Cancellation();
    const exchange = new ModernExchange(requestOf({ cancellation }), resolved, rejected);
    const controller = { abort: vi.fn<(reason: Error) => void>() };
    exchange.onRequestStart(controller);
    exchange.onResponseStart(controller, 201, { 'x-a': 'b' });
    exchange.onResponseData(controller, bytes('[1]'));
    exchange.onResponseEnd();
    const [[response] = []] = resolved.mock.calls;
    expect([response?.status, response?.text, response?.headers.get('x-a')]).toEqual([201, '[1]', 'b']);
    cancellation.cancel();
    expect(controller.abort.mock.calls).toEqual([[new Error('The attempt was ended.')]]);
    exchange.onResponseError(controller, new Error('gone'));
    expect(rejected.mock.calls[0]?.[0]).toMatchObject({ reason: 'cut' });
  });
});

describe('headers from a dispatcher', () => {
  it('come in pairs of text or bytes, or by name', () => {
    expect([...toHeaders(['x-a', 'b', Buffer.from('x-c'), Buffer.from([0xe9])])]).toEqual([
      ['x-a', 'b'],
      ['x-c', 'é'],
    ]);
    expect([...toHeaders({ 'x-a': 'b', 'x-c': ['d', 'e'] })]).toEqual([
      ['x-a', 'b'],
      ['x-c', 'd, e'],
    ]);
    expect([...toHeaders([])]).toEqual([]);
  });

  it('that the platform refuses are left out', () => {
    expect([...toHeaders(['x a', 'b', 'x-c', 'd\n\ne', 'x-f', 'g'])]).toEqual([['x-f', 'g']]);
  });

  it('are made once', () => {
    const response = new WholeResponse(200, ['x-a', 'b'], '');
    expect(response.headers).toBe(response.headers);
    expect(response.headers.get('x-a')).toBe('b');
  });

  it.each<[raw: readonly unknown[] | Record<string, unknown>, encoding: string | undefined]>([
    [[], undefined],
    [['content-length', '5'], undefined],
    [['content-encoding', 'GZIP '], 'gzip'],
    [['x-a', 'content-encoding', 'Content-Encoding', 'br'], 'br'],
    [[Buffer.from('Content-Encoding'), Buffer.from('br')], 'br'],
    [['content-security', 'x', 'content-encoding', 'br'], 'br'],
    [['content-encodinx', 'x'], undefined],
    [['access-control-a', 'x'], undefined],
    [[7, 'x'], undefined],
    [{ 'content-encoding': ' Br' }, 'br'],
    [{ 'x-a': 'br' }, undefined],
    [{}, undefined],
  ])('of %j have the encoding %s', (raw, encoding) => {
    expect(contentEncodingOf(raw)).toBe(encoding);
  });
});

describe('a dispatcher', () => {
  it.each([
    [{ dispatch: () => true }, true],
    [{ dispatch: 7 }, false],
    [{}, false],
    [null, false],
    ['dispatch', false],
    [undefined, false],
    [Object.assign(() => 1, { dispatch: () => true }), false],
  ])('%j is one: %s', (value, expected) => {
    expect(isDispatcher(value)).toBe(expected);
  });

  it('is looked up where the fetch of the process keeps it', () => {
    const symbol = Symbol('slot');
    expect(dispatcherIn({ symbol, modern: true })).toBeUndefined();
    const dispatcher = { dispatch: () => true };
    Reflect.set(globalThis, symbol, dispatcher);
    expect(dispatcherIn({ symbol, modern: true })).toBe(dispatcher);
    Reflect.set(globalThis, symbol, {});
    expect(dispatcherIn({ symbol, modern: true })).toBeUndefined();
    Reflect.deleteProperty(globalThis, symbol);
    const { Headers } = globalThis;
    Object.defineProperty(globalThis, 'Headers', {
      configurable: true,
      get: () => {
        Reflect.set(globalThis, symbol, dispatcher);
        return Headers;
      },
    });
    expect(dispatcherIn({ symbol, modern: true })).toBe(dispatcher);
    Reflect.deleteProperty(globalThis, symbol);
    Object.defineProperty(globalThis, 'Headers', { configurable: true, value: undefined, writable: true });
    expect(dispatcherIn({ symbol, modern: true })).toBeUndefined();
    Object.defineProperty(globalThis, 'Headers', { configurable: true, value: Headers, writable: true });
  });

  it('has a slot that goes by the version of undici', () => {
    const older = { symbol: Symbol.for('undici.globalDispatcher.1'), modern: false };
    const newer = { symbol: Symbol.for('undici.globalDispatcher.2'), modern: true };
    expect(['6.1.0', '7.99.0', '8.0.0', '10.0.0'].map(slotOf)).toEqual([older, older, newer, newer]);
  });

  it('gets the older form of handler where it takes that', () => {
    const seen: object[] = [];
    const dispatcher = { dispatch: (_options: object, handler: object) => seen.push(handler) > 0 };
    void dispatch(dispatcher, false, requestOf());
    void dispatch(dispatcher, true, requestOf());
    expect(seen.map((handler) => handler instanceof ModernExchange)).toEqual([false, true]);
  });

  it.each<[string, Partial<WireRequest>, unknown]>([
    ['text', {}, Buffer.from('{}')],
    ['bytes', { body: new Uint8Array([1, 2]) }, Buffer.from([1, 2])],
    ['nothing', { body: undefined }, Buffer.from('')],
  ])('gets a body that can be sent but once: %s', (_what, part, expected) => {
    const body = bodySentOnce(requestOf(part), { dispatch: () => true });
    expect(body).toEqual(expected);
    expect(Reflect.get(body as object, Symbol.for('nodejs.stream.disturbed'))).toBe(true);
  });

  it('gets the body as it is where it changes nothing, or is a mock', () => {
    const dispatcher = { dispatch: () => true };
    expect(bodySentOnce(requestOf(), { ...dispatcher, isMockActive: true } as never)).toBe('{}');
    for (const method of ['GET', 'HEAD']) {
      expect(isRead(method)).toBe(true);
      expect(bodySentOnce(requestOf({ method, body: undefined }), dispatcher)).toBeUndefined();
    }
    for (const method of ['POST', 'DELETE', 'get']) expect(isRead(method)).toBe(false);
  });
});

describe('a call after a pause', () => {
  /** What was sent by the time that promises alone could have sent it. */
  async function sentAtOnce(pause: number, clock?: () => number): Promise<boolean> {
    let now = 5_000;
    const send = vi.fn(async () => new Response('{}'));
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const paused = afterIdle(send, clock === undefined ? undefined : () => now);
    void paused(requestOf());
    expect(send).toHaveBeenCalledTimes(1);
    now += pause;
    const second = paused(requestOf());
    const third = paused(requestOf());
    for (let turn = 0; turn < 20; turn += 1) await undefined;
    const calls = send.mock.calls.length;
    await Promise.all([second, third]);
    expect(send).toHaveBeenCalledTimes(3);
    void paused(requestOf());
    expect(send).toHaveBeenCalledTimes(4);
    vi.restoreAllMocks();
    return calls === 3;
  }

  it('waits for the event loop to turn, and so does the one behind it', async () => {
    for (const clock of [undefined, () => 0]) {
      expect(await sentAtOnce(1_000, clock)).toBe(true);
      expect(await sentAtOnce(1_001, clock)).toBe(false);
    }
  });
});

describe('the next turn of the event loop', () => {
  it('comes after two messages, and leaves nothing open', async () => {
    const order: string[] = [];
    const { MessageChannel } = process.getBuiltinModule('node:worker_threads');
    const close = vi.spyOn(MessagePort.prototype, 'close');
    const post = vi.spyOn(MessagePort.prototype, 'postMessage');
    const turn = nextTurn().then(() => order.push('turn'));
    await Promise.resolve();
    order.push('promises');
    await turn;
    expect(order).toEqual(['promises', 'turn']);
    expect([post.mock.calls.length, close.mock.calls.length]).toEqual([2, 1]);
    vi.restoreAllMocks();
    expect(MessageChannel).toBeDefined();
  });
});
