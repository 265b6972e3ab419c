import { PassThrough, Readable, Writable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { FormData as FormDataOfUndici } from 'undici';
import { FormData as FormDataOfUndici6 } from 'undici6';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientOf, failure, json, scripted } from '../support.ts';

/** What the package form-data has: a stream of the older kind, with its own content type. */
class StreamedForm {
  readonly _streams: string[] = [];
  append(name: string, value: string): void {
    this._streams.push(name, value);
  }
  getBoundary(): string {
    return 'x';
  }
  getHeaders(): Record<string, string> {
    return { 'content-type': 'multipart/form-data; boundary=x' };
  }
  pipe(target: unknown): unknown {
    return target;
  }
}

/** What polyfills have: the interface of the platform in a class of their own. */
const polyfill = (name: string, members: object) => ({ ...members, [Symbol.toStringTag]: name });

const filled = <Form extends { append(name: string, value: string): void }>(form: Form): Form => {
  form.append('name', 'planted');
  return form;
};

const bodies: readonly [name: string, body: unknown, why: string][] = [
  ['the FormData of form-data', filled(new StreamedForm()), "use the platform's `FormData`"],
  ['the FormData of undici 8', filled(new FormDataOfUndici()), "use the platform's `FormData`"],
  ['the FormData of undici 6', filled(new FormDataOfUndici6()), "use the platform's `FormData`"],
  [
    'the FormData of a polyfill',
    polyfill('FormData', { append: () => undefined }),
    "use the platform's `FormData`",
  ],
  [
    'the Blob of a polyfill',
    polyfill('Blob', { arrayBuffer: async () => new ArrayBuffer(1) }),
    "use the platform's `Blob`",
  ],
  [
    'the File of a polyfill',
    polyfill('File', { arrayBuffer: async () => new ArrayBuffer(1) }),
    "use the platform's `File`",
  ],
  [
    'the URLSearchParams of a polyfill',
    polyfill('URLSearchParams', {}),
    "use the platform's `URLSearchParams`",
  ],
  ['a readable stream of Node', Readable.from(['planted']), 'is a stream'],
  ['a duplex stream of Node', new PassThrough(), 'is a stream'],
  ['a writable stream of Node', new Writable(), 'is a stream'],
  ['a web stream', new Blob(['planted']).stream(), 'is a stream'],
  ['an asynchronous generator', (async function* () {})(), 'is a stream'],
  ['a promise', Promise.resolve({ a: 1 }), 'await it'],
  ['a Map', new Map([['a', 1]]), 'but is a Map'],
  ['a Set', new Set([1]), 'but is a Set'],
  ['a generator', (function* () {})(), 'but is a Generator'],
  ['shared memory', new SharedArrayBuffer(2), 'but is a SharedArrayBuffer'],
  ['a Response', new Response('planted'), 'but is a Response'],
  ['a text', 'planted', 'but is a string'],
];

describe('a body that JSON would empty, or that the platform cannot write', () => {
  it.each(bodies)('is refused before anything is sent, with the remedy: %s', async (_name, body, why) => {
    const fetch = scripted(json({ id: 'f1' }));
    const payments = clientOf(fetch);
    const api = payments.api<{
      '/v2/files': {
        post: { requestBody: { content: { 'multipart/form-data': unknown } }; responses: { 200: never } };
      };
    }>();
    const calls = [
      payments.request({ method: 'POST', path: '/v2/files', body: body as FormData }),
      api.POST('/v2/files', { body: body as FormData }),
    ];
    for (const call of calls) {
      const error = await failure(call);
      expect(error).toMatchObject({ name: 'InvalidRequestError', field: 'body', outcome: 'not-sent' });
      expect(error.message).toContain('`body`');
      expect(error.message).toContain(why);
      expect(error.message).not.toContain('planted');
    }
    expect(fetch.seen).toEqual([]);
  });

  it.each(['FormData', 'Blob'])(
    'is refused where a test environment has put its own %s in place of the platform’s',
    async (name) => {
      class OfEnvironment {
        *[Symbol.iterator](): Generator<never> {}
      }
      vi.stubGlobal(name, OfEnvironment);
      onTestFinished(() => void vi.unstubAllGlobals());
      const fetch = scripted(json({}));
      const call = clientOf(fetch).request({
        method: 'POST',
        path: '/v2/files',
        body: new OfEnvironment() as object as Blob,
      });
      const error = await failure(call);
      expect(error).toMatchObject({ name: 'InvalidRequestError', field: 'body', outcome: 'not-sent' });
      expect(error.message).toContain('cannot be written by `Response`');
      expect(fetch.seen).toEqual([]);
    },
  );
});

describe('a body of bytes', () => {
  it.each<[string, ArrayBuffer | ArrayBufferView, number[]]>([
    ['a Buffer', Buffer.from([1, 2]), [1, 2]],
    ['a subclass of Buffer’s class', new (class Bytes extends Uint8Array {})([1, 2]), [1, 2]],
    ['numbers of two bytes', new Uint16Array([0x0101]), [1, 1]],
    ['big integers', new BigInt64Array([0n]), [0, 0, 0, 0, 0, 0, 0, 0]],
    ['a view of another realm', runInNewContext('new Uint8Array([1, 2])'), [1, 2]],
    ['a buffer of another realm', runInNewContext('new Uint8Array([1, 2]).buffer'), [1, 2]],
  ])('is sent as it is: %s', async (_name, body, expected) => {
    let sent: unknown;
    const payments = clientOf(async (_url, init) => {
      sent = init.body;
      return Response.json({});
    });
    await payments.request({ method: 'POST', path: '/v2/files', body });
    expect(sent instanceof Uint8Array && [...sent]).toEqual(expected);
  });
});

describe('a body of data', () => {
  it('may be an instance of a class', async () => {
    class Order {
      readonly id = 'o1';
    }
    class Money {
      toJSON(): object {
        return { amount: '5' };
      }
      get [Symbol.toStringTag](): string {
        return 'Money';
      }
    }
    const fetch = scripted(json({}));
    const payments = clientOf(fetch);
    await payments.request({
      method: 'POST',
      path: '/v2/x',
      body: new Order() as object as Record<string, unknown>,
    });
    await payments.request({
      method: 'POST',
      path: '/v2/x',
      body: new Money() as object as Record<string, unknown>,
    });
    expect(fetch.seen.map(({ body }) => body)).toEqual(['{"id":"o1"}', '{"amount":"5"}']);
  });
});
