import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { FetchLike } from '../../../src/client/index.ts';
import { bridge, clientOf, failure } from '../support.ts';

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

interface Served {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text: string;
}

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer;

/** The Responses of libraries, as far as the client reads them. */
const libraries: Readonly<Record<string, (response: Served) => object>> = {
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
  const clientFor = (response: Served) =>
    clientOf((async () => responseOf(response)) as unknown as FetchLike, { retries: 0 });

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

describe('a Response that cannot be read', () => {
  const base = { status: 200, headers: new Headers(), url: '' };
  const stream = (chunk: unknown) =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(chunk);
        controller.close();
      },
    });
  const unreadable: Readonly<Record<string, () => object | Promise<object>>> = {
    'whose text a logging fetch has read': async () => {
      const response = Response.json({ deleted: false });
      await response.text();
      return response;
    },
    'whose stream somebody reads': () => {
      const response = Response.json({ deleted: false });
      response.body?.getReader();
      return response;
    },
    'of a library, which was read': () => ({ ...base, bodyUsed: true, arrayBuffer: async () => bytesOf('') }),
    'with a stream of texts': () => ({ ...base, body: stream('{"deleted":false}') }),
    'whose buffer is a text': () => ({ ...base, arrayBuffer: async () => '{"deleted":false}' }),
    'whose buffer is missing': () => ({ ...base, arrayBuffer: async () => undefined }),
    'whose `arrayBuffer` is no function': () => ({ ...base, arrayBuffer: bytesOf('') }),
    'with `text()` alone': () => ({ ...base, text: async () => '' }),
  };

  it.each(Object.entries(unreadable))(
    '%s proves nothing, and names the option',
    async (_what, responseOf) => {
      const payments = clientOf((async () => responseOf()) as unknown as FetchLike);
      for (const call of [payments.bridges.create(bridge), payments.accounts.delete('u1', 'a1')])
        expect(await failure(call)).toMatchObject({
          code: 'unreadable_response',
          outcome: 'unknown',
          attempts: 1,
          message: expect.stringContaining('`fetch` option'),
        });
    },
  );

  // Row 2: "(but for 401)".
  it('is a refused token all the same', async () => {
    const payments = clientOf((async () => {
      const response = Response.json({}, { status: 401 });
      await response.text();
      return response;
    }) as FetchLike);
    expect(await failure(payments.bridges.create(bridge))).toMatchObject({
      name: 'AuthenticationError',
      outcome: 'rejected',
    });
  });

  it.each<[what: string, responseOf: () => Promise<Response> | Response, code: string]>([
    [
      'that somebody has read',
      async () => {
        const response = Response.json({}, { status: 403 });
        await response.text();
        return response;
      },
      'unreadable_response',
    ],
    [
      'of another address',
      () => Object.defineProperty(Response.json({}, { status: 401 }), 'redirected', { value: true }),
      'redirect_followed',
    ],
  ])('is no refusal: %s', async (_what, responseOf, code) => {
    const payments = clientOf((async () => responseOf()) as FetchLike, { retries: 0 });
    expect(await failure(payments.bridges.create(bridge))).toMatchObject({ code, outcome: 'unknown' });
  });

  it('is not one whose buffer is a view, or of another realm', async () => {
    const text = '{"userId":"u1","kycInfo":{}}';
    const buffers = [
      Buffer.from(text),
      new DataView(bytesOf(text)),
      runInNewContext('Uint8Array.from(bytes).buffer', { bytes: Buffer.from(text) }),
    ];
    for (const buffer of buffers) {
      const payments = clientOf((async () => ({
        ...base,
        arrayBuffer: async () => buffer,
      })) as unknown as FetchLike);
      expect(await payments.kyc.retrieve('u1')).toEqual(JSON.parse(text));
    }
  });
});

it('a status of 0 is no refusal where the body breaks off', async () => {
  const broken = {
    status: 0,
    headers: new Headers(),
    url: '',
    arrayBuffer: () => Promise.reject(new Error('premature close')),
  };
  const payments = clientOf((async () => broken) as unknown as FetchLike, { retries: 0 });
  expect(await failure(payments.bridges.create(bridge))).toMatchObject({
    name: 'ConnectionError',
    outcome: 'unknown',
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
