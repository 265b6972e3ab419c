import { createServer } from 'node:net';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isPaymentsError, PaymentsClient } from '../../src/index.ts';
import { clientOf, failure, json, networkFailure, printedForms, scripted, token } from './support.ts';

const planted = 'planted-4412';

const withGetter = (key: string) =>
  Object.defineProperty(new Error('x'), key, {
    get() {
      throw new Error(planted);
    },
  });

const cyclic = () => {
  const error = new Error(planted);
  error.cause = error;
  return error;
};

const foreign: readonly [what: string, make: () => unknown][] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['a string', () => planted],
  ['a symbol', () => Symbol(planted)],
  ['a bigint', () => 7n],
  ['a function', () => () => planted],
  ['an object without a prototype', () => Object.create(null)],
  ['an error that is its own cause', cyclic],
  ['a symbol for a message', () => Object.assign(new Error(), { message: Symbol(planted) })],
  ['a symbol for a name', () => Object.assign(new Error(), { name: Symbol(planted) })],
  ['a symbol for a code', () => Object.assign(new Error(), { code: Symbol(planted) })],
  ...[
    'message',
    'name',
    'code',
    'cause',
    'stack',
    'syscall',
    'errors',
    Symbol.toStringTag.description ?? '',
  ].map((key): [string, () => unknown] => [`a getter \`${key}\` that throws`, () => withGetter(key)]),
  ['an error of another realm', () => runInNewContext(`new TypeError('${planted}')`)],
  ['an error that ky would take for its own', () => Object.assign(new Error(), { name: 'NetworkError' })],
  ['an error of a payments client within', () => networkFailure('ECONNRESET')],
];

describe('whatever others throw becomes an error of this package', () => {
  it.each(foreign)('%s, thrown by fetch', async (_what, make) => {
    for (const throwing of [
      clientOf(() => Promise.reject(make()), { retries: 0 }),
      clientOf(
        () => {
          throw make();
        },
        { retries: 0 },
      ),
    ]) {
      const error = await failure(throwing.approvals.approve('a1'));
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
      expect(printedForms(error)).not.toContain(planted);
    }
  });

  it.each(foreign)('%s, thrown while the body is read', async (_what, make) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(make()) });
    const error = await failure(
      clientOf(async () => new Response(body), { retries: 0 }).approvals.approve('a1'),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(printedForms(error)).not.toContain(planted);
  });

  it.each(foreign)('%s, thrown by the token function', async (_what, make) => {
    const client = clientOf(scripted(json({})), {
      accessToken: () => {
        throw make();
      },
    });
    const error = await failure(client.approvals.approve('a1'));
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not-sent' });
    expect(printedForms(error)).not.toContain(planted);
  });

  it.each(foreign)('%s, the reason of an abort', async (_what, make) => {
    const controller = new AbortController();
    controller.abort(make());
    const call = clientOf(scripted(json({}))).approvals.approve('a1', {}, { signal: controller.signal });
    const error = await failure(call);
    expect(error).toMatchObject({ name: 'AbortedError', outcome: 'not-sent' });
    expect(printedForms(error)).not.toContain(planted);
  });

  it.each(foreign)('%s, returned by fetch', async (_what, make) => {
    const error = await failure(
      clientOf(async () => make() as Response, { retries: 0 }).approvals.approve('a1'),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
  });

  it.each(foreign)('%s, asked whether it is one', (_what, make) => {
    expect(isPaymentsError(make())).toBe(false);
  });

  it.each(foreign)('%s, thrown by an option or a parameter', async (_what, make) => {
    const throwing = (key: string) =>
      Object.defineProperty({}, key, {
        enumerable: true,
        get() {
          throw make();
        },
      });
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const calls = [
      client.approvals.approve('a1', {}, throwing('timeout')),
      client.approvals.approve('a1', {}, { headers: throwing('x-a') }),
      client.kyc.retrieve('u1', { query: throwing('q') }),
      client.approvals.approve('a1', throwing('comment')),
    ];
    for (const call of calls) {
      const error = await failure(call);
      expect(error).toMatchObject({ outcome: 'not-sent', attempts: 0 });
      expect(printedForms(error)).not.toContain(planted);
    }
    expect(() => new PaymentsClient(throwing('timeout'))).toThrow('The client options cannot be read');
    expect(fetch.seen).toHaveLength(0);
  });

  it('an error of this very package that the caller’s fetch throws says nothing about this call', async () => {
    const inner = await failure(clientOf(scripted(json({}, 400))).kyc.retrieve(''));
    expect(inner.outcome).toBe('not-sent');
    const configuration = await failure(
      clientOf(scripted(json({})), { accessToken: () => '' }).kyc.retrieve('u1'),
    );
    for (const thrown of [inner, configuration]) {
      const error = await failure(
        clientOf(() => Promise.reject(thrown), { retries: 0 }).approvals.approve('a1'),
      );
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
    }
  });
});

describe('a refusal to connect', () => {
  const refusal = (syscall = 'connect') => ({ code: 'ECONNREFUSED', syscall });

  it('is known across realms', async () => {
    const error = runInNewContext(
      `Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }) })`,
    );
    expect(error).not.toBeInstanceOf(Error);
    const failed = await failure(
      clientOf(() => Promise.reject(error), { retries: 0 }).approvals.approve('a1'),
    );
    expect(failed).toMatchObject({ outcome: 'not-sent' });
    expect(failed.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is known across realms where several addresses were tried', async () => {
    const error = runInNewContext(
      `Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new AggregateError([
        Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }),
        Object.assign(new Error(), { code: 'ENETUNREACH', syscall: 'connect' }) ]), { code: 'ECONNREFUSED' }) })`,
    );
    const failed = await failure(
      clientOf(() => Promise.reject(error), { retries: 0 }).approvals.approve('a1'),
    );
    expect(failed).toMatchObject({ outcome: 'not-sent' });
  });

  it('of several addresses counts only where every one of them was refused', async () => {
    const last: readonly [cause: object, outcome: string][] = [
      [refusal(), 'not-sent'],
      [{ code: 'ETIMEDOUT', syscall: 'connect' }, 'not-sent'],
      [{ code: 'CERT_HAS_EXPIRED' }, 'not-sent'],
      [{ code: 'ECONNRESET', syscall: 'read' }, 'unknown'],
      [{ code: 'UND_ERR_SOCKET' }, 'unknown'],
      [{}, 'unknown'],
    ];
    for (const [cause, outcome] of last) {
      const tried = [refusal(), cause].map((details) => Object.assign(new Error(), details));
      const thrown = Object.assign(new AggregateError(tried), { code: 'ECONNREFUSED' });
      const failed = await failure(
        clientOf(() => Promise.reject(thrown), { retries: 0 }).approvals.approve('a1'),
      );
      expect(failed, JSON.stringify(cause)).toMatchObject({ outcome });
    }
  });

  it('that is only quoted in words counts for nothing', async () => {
    for (const words of [
      'tcp connect error: Connection refused (os error 111)',
      'dns error: failed to lookup address information',
      'connect ECONNREFUSED 127.0.0.1:6379',
      'getaddrinfo ENOTFOUND metrics.internal',
      'bad port',
      'certificate has expired',
    ]) {
      const seen: string[] = [];
      const client = clientOf(async (url) => {
        seen.push(url);
        throw new TypeError(words, { cause: new Error(words) });
      });
      expect(await failure(client.approvals.approve('a1'))).toMatchObject({ outcome: 'unknown' });
      expect(seen).toHaveLength(1);
    }
  });

  it('after a dispatcher has begun to write is no proof', async () => {
    const { port, close } = await freePort();
    close();
    const dispatcher = {
      dispatch(_options: object, handler: object) {
        const { onRequestStart, onResponseError } = handler as Record<string, (...given: unknown[]) => void>;
        const controller = { abort: () => undefined };
        onRequestStart?.call(handler, controller, {});
        onResponseError?.call(handler, controller, Object.assign(new Error(), refusal()));
        return true;
      },
    };
    const client = new PaymentsClient({
      baseUrl: `http://127.0.0.1:${port}`,
      accessToken: token,
      dispatcher,
      retries: 2,
    });
    expect(await failure(client.approvals.approve('a1'))).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });
});

async function freePort(): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => server.close(),
  };
}
