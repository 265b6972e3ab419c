import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { FetchLike } from '../../src/client/index.ts';
import { bridge, clientOf, failure } from './support.ts';

/** The headers of a library: like the platform's, and not made by its class. */
class LibraryHeaders {
  readonly #inner: Headers;

  constructor(given: Record<string, string>) {
    this.#inner = new Headers(given);
  }

  get(name: string): string | null {
    return this.#inner.get(name);
  }

  forEach(each: (value: string, name: string) => void): void {
    this.#inner.forEach(each);
  }
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text: string;
}

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer;

/** The Responses of libraries, as far as the client reads them. */
const libraries: Readonly<Record<string, (answer: Answer) => object>> = {
  'node-fetch 2 or 3, with a stream of Node': ({ status = 200, headers = {}, text }) => ({
    status,
    headers: new LibraryHeaders(headers),
    redirected: false,
    url: '',
    body: Readable.from([Buffer.from(text)]),
    arrayBuffer: async () => bytesOf(text),
  }),
  'a polyfill without a stream': ({ status = 200, headers = {}, text }) => ({
    status,
    headers: new LibraryHeaders(headers),
    url: '',
    arrayBuffer: async () => bytesOf(text),
  }),
};

describe.each(Object.entries(libraries))('a Response of %s', (_name, responseOf) => {
  const clientFor = (answer: Answer) =>
    clientOf((async () => responseOf(answer)) as unknown as FetchLike, { retries: 0 });

  it('is read', async () => {
    const payments = clientFor({ text: '{"userId":"u1","kycInfo":{"firstName":"Ännchen"}}' });
    expect((await payments.kyc.retrieve('u1')).kycInfo?.firstName).toBe('Ännchen');
  });

  it('is read where it refuses, with its headers', async () => {
    const payments = clientFor({ status: 429, headers: { 'retry-after': '7' }, text: '{"error":"RATE"}' });
    expect(await failure(payments.bridges.create(bridge))).toMatchObject({
      name: 'RateLimitError',
      outcome: 'rejected',
      retryAfter: 7,
      body: { error: 'RATE' },
    });
  });

  it('may be empty', async () => {
    expect(
      await clientFor({ status: 204, text: '' }).request({ method: 'POST', path: '/v2/x' }),
    ).toBeUndefined();
  });

  it('is refused where it is too large', async () => {
    const text = `"${'a'.repeat(10 * 1024 * 1024)}"`;
    expect((await failure(clientFor({ text }).request({ method: 'GET', path: '/v2/x' }))).message).toContain(
      'larger than',
    );
  });

  it('whose body breaks off leaves a payment unknown', async () => {
    const broken = {
      ...responseOf({ text: '' }),
      arrayBuffer: () => Promise.reject(new Error('premature close')),
    };
    const payments = clientOf((async () => broken) as unknown as FetchLike, { retries: 0 });
    expect(await failure(payments.bridges.create(bridge))).toMatchObject({ outcome: 'unknown' });
  });
});

it('a redirect that a browser shows as status 0 is said, and leaves a payment unknown', async () => {
  const opaque = { status: 0, headers: new Headers(), url: '', redirected: false, body: null };
  const payments = clientOf((async () => opaque) as unknown as FetchLike, { retries: 0 });
  expect(await failure(payments.bridges.create(bridge))).toMatchObject({
    outcome: 'unknown',
    message: expect.stringContaining('redirects are never followed'),
  });
});
