import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Agent, fetch } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ClientOptions, CustomRequest } from '../../../src/client/index.ts';
import { serve } from '../../servers.ts';
import { clientAt, clientOf, failure } from '../support.ts';

interface Received {
  type: string | undefined;
  length: string | undefined;
  body: Buffer;
  key: string | undefined;
}

/** A real server that responds with 500 to the first request and 200 to the others. */
async function serviceOf(failures = 0, options: ClientOptions = {}) {
  const received: Received[] = [];
  const { url } = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers } = request;
    const key = headers['idempotency-key'];
    received.push({
      type: headers['content-type'],
      length: headers['content-length'],
      body: Buffer.concat(chunks),
      key: typeof key === 'string' ? key : undefined,
    });
    response.writeHead(received.length <= failures ? 500 : 200, {
      'content-type': 'application/json',
      'retry-after': '0',
    });
    response.end('{"id":"f1"}');
  });
  const payments = clientAt(url, { retries: { minDelay: 0 }, ...options });
  return { payments, received };
}

const agent = new Agent();
const paths: [string, ClientOptions][] = [
  ['the dispatcher of Node', {}],
  ["undici's fetch", { fetch: (url, init) => fetch(url, { ...init, dispatcher: agent }) }],
  ['fetch', { fetch: (url, init) => globalThis.fetch(url, init) }],
];
const bytes = new Uint8Array([0, 1, 2, 253, 254, 255]);

const bodies: [string, () => NonNullable<CustomRequest<unknown>['body']>, string, Buffer][] = [
  ['a list', () => [{ a: 1 }, { a: 2 }], 'application/json', Buffer.from('[{"a":1},{"a":2}]')],
  ['typed array', () => bytes, 'application/octet-stream', Buffer.from(bytes)],
  [
    'part of a buffer',
    () => new Uint8Array(bytes.buffer, 1, 3),
    'application/octet-stream',
    Buffer.from([1, 2, 253]),
  ],
  ['DataView', () => new DataView(bytes.buffer, 4), 'application/octet-stream', Buffer.from([254, 255])],
  ['ArrayBuffer', () => bytes.buffer, 'application/octet-stream', Buffer.from(bytes)],
  ['Blob', () => new Blob([bytes], { type: 'application/pdf' }), 'application/pdf', Buffer.from(bytes)],
  ['Blob without a type', () => new Blob([bytes]), 'application/octet-stream', Buffer.from(bytes)],
  [
    'URLSearchParams',
    () => new URLSearchParams({ a: '1 2' }),
    'application/x-www-form-urlencoded;charset=UTF-8',
    Buffer.from('a=1+2'),
  ],
];

describe.each(paths)('over %s', (_name, options) => {
  it.each(bodies)(
    'sends %s with its content type, and the same bytes again',
    async (_kind, make, type, expected) => {
      const { payments, received } = await serviceOf(2, options);
      await payments.request({ method: 'POST', path: '/v2/files', body: make(), retrySafety: 'refresh' });
      expect(received).toHaveLength(3);
      for (const { type: sent, body } of received) {
        expect(sent).toBe(type);
        expect(body.equals(expected)).toBe(true);
      }
    },
  );

  it('sends a form as multipart, and the same bytes again', async () => {
    const { payments, received } = await serviceOf(1, options);
    const form = new FormData();
    form.append('purpose', 'kyc');
    form.append('requestId', 'form-1');
    form.append('file', new File([bytes], 'id.png', { type: 'image/png' }));
    await payments.request({
      method: 'POST',
      path: '/v2/files',
      body: form,
      retrySafety: 'keyed',
    });
    const [first, second] = received;
    expect(first?.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(second?.type).toBe(first?.type);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    const parsed = await new Response(new Uint8Array(first?.body ?? []), {
      headers: { 'content-type': first?.type ?? '' },
    }).formData();
    expect(parsed.get('purpose')).toBe('kyc');
    expect(parsed.get('requestId')).toBe('form-1');
    const file = parsed.get('file');
    expect(file instanceof File && [file.name, file.type]).toEqual(['id.png', 'image/png']);
    expect(file instanceof File && Buffer.from(await file.arrayBuffer()).equals(Buffer.from(bytes))).toBe(
      true,
    );
  });
});

describe('a body that is not JSON', () => {
  it('is taken when the call is made', async () => {
    const { payments, received } = await serviceOf();
    const mutable = new Uint8Array([1, 2, 3]);
    const form = new FormData();
    form.append('a', '1');
    const calls = [
      payments.request({ method: 'POST', path: '/v2/files', body: mutable }),
      payments.request({ method: 'POST', path: '/v2/files', body: form }),
    ];
    mutable.fill(9);
    form.set('a', '2');
    await Promise.all(calls);
    expect(received.map(({ body }) => body.toString('latin1')).join()).toContain('\u0001\u0002\u0003');
    expect(received.map(({ body }) => body.toString('latin1')).join()).toContain('\r\n1\r\n');
  });

  it('is in no error, log or hook', async () => {
    const lines: unknown[] = [];
    const write = (...line: unknown[]) => void lines.push(line);
    const logger = { debug: write, info: write, warn: write, error: write };
    const { payments } = await serviceOf(9, {
      logger,
      logLevel: 'debug',
      retries: { limit: 1, minDelay: 0 },
      hooks: { request: (event) => void lines.push(event), error: (event) => void lines.push(event) },
    });
    const form = new FormData();
    form.append('taxId', 'planted-secret');
    const error = await failure(
      payments.request({ method: 'POST', path: '/v2/files', body: form, retrySafety: 'refresh' }),
    );
    const shown = [
      inspect(error, { depth: 20, showHidden: true }),
      JSON.stringify(error),
      inspect(lines, { depth: 20 }),
    ];
    expect(shown.join('\n')).not.toContain('planted-secret');
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 2 });
  });

  it('that cannot be read is an error before anything is sent', async () => {
    const { payments, received } = await serviceOf();
    const directory = await mkdtemp(join(tmpdir(), 'body-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const path = join(directory, 'passport.pdf');
    await writeFile(path, 'planted');
    const body = await openAsBlob(path);
    // A file that has changed since can no longer be read.
    await writeFile(path, 'planted-secret');
    const error = await failure(payments.request({ method: 'POST', path: '/v2/files', body }));
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      operation: 'request',
      field: 'body',
      outcome: 'not-sent',
      message: 'request: `body` cannot be read. Nothing was sent.',
    });
    expect(received).toHaveLength(0);
  });
});

describe('an idempotency key', () => {
  const headers = { 'Idempotency-Key': 'invoice-7' };

  it('is the value of an idempotency header, with any body; every attempt has the same one', async () => {
    const { payments, received } = await serviceOf(1);
    const call = payments.request({ method: 'POST', path: '/v2/payouts', body: bytes }, { headers });
    expect(call.requestId).toBe('invoice-7');
    await call;
    expect(received.map(({ key }) => key)).toEqual(['invoice-7', 'invoice-7']);
  });

  it('has its entry before the bytes of a form are read', async () => {
    const { payments } = await serviceOf(9, { retries: 0 });
    const form = () => {
      const body = new FormData();
      body.append('file', new File(['x'], 'a.txt'));
      return failure(payments.request({ method: 'POST', path: '/v2/files', body }, { headers }));
    };
    const first = form();
    const request = { method: 'POST', path: '/v2//files' } as const;
    expect(await failure(payments.request(request, { headers }))).toMatchObject({ outcome: 'unknown' });
    expect(await first).toMatchObject({ outcome: 'unknown', requestId: 'invoice-7' });
  });

  it('makes a refusal of a known id a conflict whose outcome is unknown', async () => {
    const payments = clientOf(async () =>
      Response.json(
        { code: 400123, error: 'TRANSACTION_REQUEST_ALREADY_EXISTS', errorDetails: 'x' },
        { status: 400 },
      ),
    );
    const error = await failure(
      payments.request({ method: 'POST', path: '/v2/payouts', body: {} }, { headers }),
    );
    expect(error).toMatchObject({ name: 'ConflictError', outcome: 'unknown' });
  });
});
