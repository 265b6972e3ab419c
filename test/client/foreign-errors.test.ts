import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { clientOf, failure, json, networkFailure, printedForms, scripted } from './support.ts';

const planted = 'planted-4412';

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
  ['an error of another realm', () => runInNewContext(`new TypeError('${planted}')`)],
  ['an error that ky would take for its own', () => Object.assign(new Error(), { name: 'NetworkError' })],
  ['an error that looks like a cut body', () => Object.assign(new Error(), { kind: 'cut', status: 500 })],
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
});
