import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { dispatch } from '../../../src/client/wire/dispatcher.ts';
import {
  Cancellation,
  maxResponseBytes,
  type RawHeaders,
  toHeaders,
  WireFailure,
} from '../../../src/client/wire/wire.ts';

/** The methods that undici 6 calls on a handler. */
interface Handler {
  onConnect(abort: () => void): void;
  onHeaders(status: number, headers: RawHeaders): boolean;
  onData(chunk: Uint8Array): boolean;
  onComplete(): void;
  onError(error: unknown): void;
}

/** One exchange over a dispatcher that does what the test says. */
function exchange(method = 'POST', cancellation = new Cancellation()) {
  const seen: { options?: object; handler?: Handler } = {};
  const dispatcher = {
    dispatch: (options: object, handler: object) => {
      seen.options = options;
      seen.handler = handler as Handler;
      return true;
    },
  };
  const url = 'https://payments.test/v2/x?a=1';
  const result = dispatch(dispatcher, false, { url, method, headers: {}, body: 'text', cancellation });
  const { handler, options } = seen;
  if (handler === undefined) throw new Error('nothing was dispatched');
  return { cancellation, result, handler, options };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const failureOf = async (result: Promise<unknown>) => {
  const thrown = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return thrown instanceof WireFailure ? thrown : { kind: 'none', caught: thrown, status: 0 };
};

describe('a response from a dispatcher', () => {
  it.each([
    ['gzip', gzipSync('plain')],
    ['x-gzip', gzipSync('plain')],
    ['br', brotliCompressSync('plain')],
    ['deflate', deflateSync('plain')],
    ['gzip, br', brotliCompressSync(gzipSync('plain'))],
    ['identity', bytes('plain')],
    ['unknown, gzip', gzipSync('plain')],
  ])('in %s is unpacked', async (encoding, body) => {
    const { handler, result } = exchange();
    handler.onConnect(() => undefined);
    handler.onHeaders(200, ['Content-Encoding', encoding]);
    handler.onData(body);
    handler.onComplete();
    expect((await result).text).toBe('plain');
  });

  it('may be too large, packed or not, and may not be what it claims to be', async () => {
    const cases: [RawHeaders, Uint8Array, string][] = [
      [{}, bytes('x'.repeat(maxResponseBytes + 1)), 'too-large'],
      [{ 'content-encoding': 'gzip' }, gzipSync('x'.repeat(maxResponseBytes + 1)), 'too-large'],
      [{ 'content-encoding': 'gzip' }, bytes('no gzip'), 'cut'],
    ];
    for (const [headers, body, kind] of cases) {
      const { handler, result } = exchange();
      handler.onConnect(() => undefined);
      handler.onHeaders(200, headers);
      handler.onData(kind === 'cut' ? body.subarray(0, 6) : body);
      handler.onComplete();
      expect(await failureOf(result)).toMatchObject({ kind, status: 200 });
    }
  });
});

describe('an exchange that fails', () => {
  it('is lost once it was connected, cut once a status came, and else what was thrown', async () => {
    const error = new Error('reset');
    const before = exchange();
    before.handler.onError(error);
    expect(await failureOf(before.result)).toMatchObject({ kind: 'none', caught: error });
    const connected = exchange();
    connected.handler.onConnect(() => undefined);
    connected.handler.onHeaders(100, []);
    connected.handler.onError(error);
    expect(await failureOf(connected.result)).toMatchObject({ kind: 'lost', caught: error });
    const refused = exchange();
    refused.handler.onConnect(() => undefined);
    refused.handler.onHeaders(400, ['x-a', '1']);
    refused.handler.onError(error);
    expect(await failureOf(refused.result)).toMatchObject({ kind: 'cut', status: 400, caught: error });
  });

  it('is unsent only where the dispatcher tells of sending', async () => {
    const { handler, result, cancellation } = exchange();
    expect(cancellation.isToldOfSending).toBe(false);
    cancellation.isToldOfSending = true;
    handler.onError(new Error('closed'));
    expect(await failureOf(result)).toMatchObject({ kind: 'unsent' });
  });

  it('ends with its attempt, before anything is written where it still waits for a connection', () => {
    const ended = new Cancellation();
    ended.cancel();
    const waiting = exchange();
    waiting.cancellation.cancel();
    for (const { handler, cancellation } of [waiting, exchange('POST', ended)]) {
      const abort = vi.fn();
      handler.onConnect(abort);
      expect(abort).toHaveBeenCalledTimes(1);
      expect(cancellation.mayHaveSent).toBe(false);
    }
  });

  it('ends with its attempt, once, where it has a connection', () => {
    const { handler, cancellation } = exchange();
    const abort = vi.fn();
    handler.onConnect(abort);
    expect([abort.mock.calls.length, cancellation.mayHaveSent]).toEqual([0, true]);
    cancellation.cancel();
    cancellation.cancel();
    expect(abort).toHaveBeenCalledTimes(1);
  });
});

it('headers that the platform refuses are left out', () => {
  const headers = toHeaders(['a', ['1', '2'], 'bad name', 'x', bytes('B'), new Uint8Array([0xe9])]);
  expect([...headers]).toEqual([
    ['a', '1, 2'],
    ['b', 'é'],
  ]);
});
