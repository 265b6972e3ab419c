import { expect, test, vi } from 'vitest';
import { createKyWire } from '../../src/transport/ky-adapter.ts';
import {
  afterIdle,
  type Dispatcher,
  dispatch,
  dispatcherIn,
  fetchIsNodesOwn,
  isDispatcher,
  nodesDispatcherSlot,
  slotOf,
} from '../../src/transport/fetch.ts';
import { Cancellation, TimeLimits } from '../../src/transport/limits.ts';
import { type Send, toHeaders, type WireRequest } from '../../src/transport/wire.ts';

const requestOf = (cancellation = new Cancellation()): WireRequest => ({
  url: 'https://payments.test/v2/x?y=1',
  origin: 'https://payments.test',
  method: 'POST',
  headers: { accept: 'application/json' },
  body: '{}',
  cancellation,
  maxResponseBytes: 1_000,
});

interface ModernHandler {
  onRequestStart(controller: { abort: (reason: Error) => void }): void;
  onResponseStart(controller: object, status: number, headers: Record<string, unknown>): void;
  onResponseData(controller: object, chunk: Uint8Array): void;
  onResponseEnd(controller: object): void;
  onResponseError(controller: object, error: Error): void;
}

interface OlderHandler {
  onConnect(abort: () => void): void;
  onHeaders(status: number, headers: readonly unknown[]): boolean;
  onData(chunk: Uint8Array): boolean;
  onComplete(): void;
  onError(error: Error): void;
}

/** A dispatcher that hands its handler to the test. */
function captured<Handler>(): { dispatcher: Dispatcher; seen: { options: object; handler: Handler }[] } {
  const seen: { options: object; handler: Handler }[] = [];
  const dispatch = (options: object, handler: object) => {
    seen.push({ options, handler: handler as Handler });
    return true;
  };
  return { dispatcher: { dispatch }, seen };
}

const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('nothing was dispatched');
  return one;
};

test('a handler of undici 7 and 8 reports the answer', async () => {
  const { dispatcher, seen } = captured<ModernHandler>();
  const answer = dispatch(dispatcher, true, requestOf());
  const { options, handler } = first(seen);
  expect(options).toEqual({
    origin: 'https://payments.test',
    path: '/v2/x?y=1',
    method: 'POST',
    headers: { accept: 'application/json' },
    body: Buffer.from('{}'),
    headersTimeout: 0,
    bodyTimeout: 0,
    maxRedirections: 0,
    retryOptions: { maxRetries: 0 },
  });
  const controller = { abort: vi.fn() };
  handler.onRequestStart(controller);
  handler.onResponseStart(controller, 103, {});
  handler.onResponseStart(controller, 201, { 'x-a': 'b', 'set-cookie': ['a=1', 'b=2'] });
  handler.onResponseData(controller, Buffer.from('{"a":'));
  handler.onResponseData(controller, Buffer.from('1}'));
  handler.onResponseEnd(controller);
  const { status, text, headers, ok } = await answer;
  expect({ status, text, ok, cookies: headers.getSetCookie() }).toEqual({
    status: 201,
    text: '{"a":1}',
    ok: true,
    cookies: ['a=1', 'b=2'],
  });
});

test('an end that the limits call for goes to the controller of undici 7 and 8', () => {
  const { dispatcher, seen } = captured<ModernHandler>();
  const cancellation = new Cancellation();
  dispatch(dispatcher, true, requestOf(cancellation));
  const controller = { abort: vi.fn() };
  first(seen).handler.onRequestStart(controller);
  expect(controller.abort).not.toHaveBeenCalled();
  cancellation.cancel();
  cancellation.cancel();
  expect(controller.abort).toHaveBeenCalledOnce();
});

test('an error of undici 7 and 8 keeps its code; after the status it is a body that was cut', async () => {
  const error = Object.assign(new Error('gone'), { code: 'UND_ERR_SOCKET' });
  const early = captured<ModernHandler>();
  const refused = dispatch(early.dispatcher, true, requestOf());
  first(early.seen).handler.onResponseError({}, error);
  await expect(refused).rejects.toBe(error);
  const late = captured<ModernHandler>();
  const cut = dispatch(late.dispatcher, true, requestOf());
  first(late.seen).handler.onResponseStart({}, 200, {});
  first(late.seen).handler.onResponseError({}, error);
  await expect(cut).rejects.toMatchObject({ reason: 'cut', status: 200, caught: error });
});

test('an attempt that has ended before it is dispatched is aborted as it gets its connection', () => {
  const { dispatcher, seen } = captured<OlderHandler>();
  const cancellation = new Cancellation();
  cancellation.cancel();
  dispatch(dispatcher, false, requestOf(cancellation));
  const abort = vi.fn();
  first(seen).handler.onConnect(abort);
  expect(abort).toHaveBeenCalledOnce();
});

test('a dispatcher that throws fails the attempt', async () => {
  const broken: Dispatcher = {
    dispatch: () => {
      throw new TypeError('closed');
    },
  };
  await expect(dispatch(broken, false, requestOf())).rejects.toThrow('closed');
});

test('header bytes are Latin-1, lists are kept, and what the platform refuses is left out', () => {
  const headers = toHeaders([
    Buffer.from('x-a'),
    Buffer.from([0xe9]),
    'x-b',
    ['1', Buffer.from('2')],
    'x c',
    'no such name',
  ]);
  expect([...headers]).toEqual([
    ['x-a', 'é'],
    ['x-b', '1, 2'],
  ]);
});

test('a signal is made for a fetch that asks for one, whenever it asks', () => {
  const early = new Cancellation();
  const { signal } = early;
  expect(signal.aborted).toBe(false);
  early.cancel();
  expect(signal.aborted).toBe(true);
  expect(early.signal).toBe(signal);
  const late = new Cancellation();
  late.cancel();
  expect(late.signal.aborted).toBe(true);
});

test('after a pause calls wait for the event loop to turn, all of them', async () => {
  let now = 0;
  const order: string[] = [];
  const send: Send = async () => {
    order.push('sent');
    return new Response('{}');
  };
  const paused = afterIdle(send, () => now);
  paused(requestOf());
  expect(order).toEqual(['sent']);
  now += 900;
  paused(requestOf());
  expect(order).toEqual(['sent', 'sent']);
  now += 1_001;
  const calls = [paused(requestOf()), paused(requestOf())];
  // Promises alone do not turn it.
  for (let turn = 0; turn < 100; turn += 1) await undefined;
  expect(order).toHaveLength(2);
  await Promise.all(calls);
  expect(order).toHaveLength(4);
  paused(requestOf());
  expect(order).toHaveLength(5);
});

test("the slot is the one that this Node's fetch reads", () => {
  expect(slotOf('6.28.0')).toEqual({ symbol: Symbol.for('undici.globalDispatcher.1'), modern: false });
  expect(slotOf('7.29.1')).toEqual({ symbol: Symbol.for('undici.globalDispatcher.1'), modern: false });
  expect(slotOf('8.10.2')).toEqual({ symbol: Symbol.for('undici.globalDispatcher.2'), modern: true });
  const slot = nodesDispatcherSlot();
  expect(slot).toEqual(slotOf(process.versions.undici ?? ''));
  expect(slot && isDispatcher(dispatcherIn(slot))).toBe(true);
  expect(dispatcherIn({ symbol: Symbol('empty'), modern: false })).toBeUndefined();
});

test.each([
  ['Bun', { node: '24.0.0', bun: '1.4.5', undici: '7.0.0' }],
  ['a platform without versions', undefined],
  ['a worker that names Node but has no undici', { node: '22.19.0' }],
])('%s has no slot', (_name, versions) => {
  vi.stubGlobal('process', { versions });
  expect(nodesDispatcherSlot()).toBeUndefined();
  vi.unstubAllGlobals();
});

test('a platform without `process` has no slot', () => {
  vi.stubGlobal('process', undefined);
  const slot = nodesDispatcherSlot();
  vi.unstubAllGlobals();
  expect(slot).toBeUndefined();
});

test('Deno has no slot', () => {
  vi.stubGlobal('Deno', {});
  expect(nodesDispatcherSlot()).toBeUndefined();
  vi.unstubAllGlobals();
});

test("a replaced fetch is not Node's own, and Node's own is known again", () => {
  expect(fetchIsNodesOwn()).toBe(true);
  vi.stubGlobal('fetch', async () => new Response('{}'));
  expect(fetchIsNodesOwn()).toBe(false);
  vi.stubGlobal('fetch', undefined);
  expect(fetchIsNodesOwn()).toBe(false);
  vi.unstubAllGlobals();
  expect(fetchIsNodesOwn()).toBe(true);
});

test('what is thrown below ky comes out as it was', async () => {
  const plain = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  await expect(createKyWire(() => Promise.reject(plain))(requestOf())).rejects.toBe(plain);
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const wrapped = new TypeError('fetch failed', { cause });
  await expect(createKyWire(() => Promise.reject(wrapped))(requestOf())).rejects.toBe(wrapped);
});

test('an attempt that ends after its timeout leaves the timeout of the next one alone', async () => {
  const limits = new TimeLimits(undefined, undefined);
  const late = Promise.withResolvers<string>();
  await expect(limits.attempt(1, () => late.promise)).rejects.toMatchObject({ by: 'attempt' });
  const next = limits.attempt(20, () => new Promise<string>(() => undefined));
  late.resolve('too late');
  await expect(next).rejects.toMatchObject({ by: 'attempt' });
  limits.dispose();
});
