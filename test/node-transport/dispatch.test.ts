import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { token } from '../client/support.ts';
import { serve } from '../servers.ts';
import { bodyOf, clientAt, errorOf, record, respondWithRecord, transfer } from './support.ts';

test('a read carries the token, asks for JSON, and asks for no compression', async () => {
  const seen: IncomingMessage[] = [];
  const { url: baseUrl } = await serve((request, response) => {
    seen.push(request);
    respondWithRecord(request, response);
  });
  expect(await clientAt(baseUrl).kyc.retrieve('u-1')).toEqual(record);
  const [request] = seen;
  expect(request?.method).toBe('GET');
  expect(request?.url).toBe('/v2/users/u-1/kyc');
  expect(request?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    accept: 'application/json',
  });
  expect(request?.headers).not.toHaveProperty('accept-encoding');
  expect(request?.headers).not.toHaveProperty('content-length');
});

test('a create sends its body with its length in bytes', async () => {
  let body = '';
  let headers: IncomingMessage['headers'] = {};
  const { url: baseUrl } = await serve(async (request, response) => {
    headers = request.headers;
    body = await bodyOf(request);
    response.end(
      JSON.stringify({ transferType: 'WALLET.TRANSFER', transferDetails: { id: 't-1', status: 'CREATED' } }),
    );
  });
  await clientAt(baseUrl).transfers.create({ ...transfer, chain: 'Zoë' });
  expect(JSON.parse(body)).toEqual({ ...transfer, chain: 'Zoë' });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  });
});

test('letters that are split between two packets arrive whole, and a byte order mark is dropped', async () => {
  const bytes = Buffer.from(`\uFEFF${JSON.stringify(record)}`);
  const middle = bytes.indexOf(0xc3) + 1;
  const { url: baseUrl } = await serve((_request, response) => {
    response.write(bytes.subarray(0, middle), () => setImmediate(() => response.end(bytes.subarray(middle))));
  });
  expect(await clientAt(baseUrl).kyc.retrieve('u-1')).toEqual(record);
});

test('the raw response has its status, headers and body', async () => {
  const { url: baseUrl } = await serve((_request, response) => {
    response.setHeader('x-trace', 'abc');
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.end(JSON.stringify(record));
  });
  const { response } = await clientAt(baseUrl).kyc.retrieve('u-1').withResponse();
  expect(response.status).toBe(200);
  expect(response.headers.get('x-trace')).toBe('abc');
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.json()).toEqual(record);
});

test('early hints before the response are passed over', async () => {
  const { url: baseUrl } = await serve((request, response) => {
    response.writeEarlyHints({ link: '</x>; rel=preload' });
    respondWithRecord(request, response);
  });
  expect(await clientAt(baseUrl).kyc.retrieve('u-1')).toEqual(record);
});

test('a response without a body is a response', async () => {
  const { url: baseUrl } = await serve((_request, response) => {
    response.statusCode = 204;
    response.end();
  });
  const { response, data } = await clientAt(baseUrl).accounts.delete('u-1', 'a-1').withResponse();
  expect(response.status).toBe(204);
  expect(data).toBeUndefined();
});

test.each([
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip, br', (bytes: Buffer) => brotliCompressSync(gzipSync(bytes))],
  ['identity', (bytes: Buffer) => bytes],
])('a body in %s is read', async (encoding, compress) => {
  const { url: baseUrl } = await serve((_request, response) => {
    response.setHeader('Content-Encoding', encoding);
    response.end(compress(Buffer.from(JSON.stringify(record))));
  });
  expect(await clientAt(baseUrl).kyc.retrieve('u-1')).toEqual(record);
});

test('a compressed body is held to the limit of what it unpacks to', async () => {
  const { url: baseUrl } = await serve((_request, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(Buffer.alloc(11 * 1024 * 1024, ' ')));
  });
  const error = await errorOf(clientAt(baseUrl).kyc.retrieve('u-1'));
  expect(error).toMatchObject({ name: 'ResponseValidationError', issues: [{ code: 'too_large' }] });
});

test('a body that is not in the encoding it claims is a connection that failed', async () => {
  const { url: baseUrl } = await serve((_request, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end('plain');
  });
  const error = await errorOf(clientAt(baseUrl).kyc.retrieve('u-1'));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
});

test('a body over the limit is given up as it arrives', async () => {
  const closed = Promise.withResolvers<void>();
  const { url: baseUrl } = await serve((_request, response) => {
    response.on('close', closed.resolve);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(60_000)));
    };
    response.on('drain', more);
    more();
  });
  const error = await errorOf(clientAt(baseUrl).kyc.retrieve('u-1'));
  expect(error).toMatchObject({ name: 'ResponseValidationError', issues: [{ code: 'too_large' }] });
  await closed.promise;
});

test('a body that is cut short is never taken for a response', async () => {
  const { url: baseUrl } = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"userId":"u-1",', () => response.destroy());
  });
  const error = await errorOf(clientAt(baseUrl).transfers.create(transfer));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
});

test('a refused connection is known not to have sent anything', async () => {
  const { server, url: baseUrl } = await serve(respondWithRecord);
  await new Promise((resolve) => server.close(resolve));
  const error = await errorOf(clientAt(baseUrl).transfers.create(transfer));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent' });
  expect(error.message).toContain('ECONNREFUSED');
});

test('a reset before the response leaves the outcome open', async () => {
  const { url: baseUrl } = await serve((request) => request.socket.resetAndDestroy());
  const error = await errorOf(clientAt(baseUrl).transfers.create(transfer));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
});

test.each(['headers', 'body'])(
  'a stall before the %s ends with the timeout, and the connection with it',
  async (stage) => {
    const closed = Promise.withResolvers<void>();
    const { url: baseUrl } = await serve((_request, response) => {
      response.on('close', closed.resolve);
      if (stage === 'body') response.write('{');
    });
    const error = await errorOf(clientAt(baseUrl, { timeout: 100 }).kyc.retrieve('u-1'));
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
    await closed.promise;
  },
);

test("the caller's signal closes the connection at once", async () => {
  const { server, url: baseUrl } = await serve(() => undefined);
  const controller = new AbortController();
  const call = errorOf(clientAt(baseUrl).kyc.retrieve('u-1', { signal: controller.signal }));
  const arrived = await new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
  const closed = once(arrived.socket, 'close');
  controller.abort(new Error('enough'));
  expect(await call).toMatchObject({ name: 'AbortedError', outcome: 'unknown' });
  await closed;
});

test('a call that is aborted before it has a connection never writes a byte', async () => {
  let requests = 0;
  const { server, url: baseUrl } = await serve((request, response) => {
    requests += 1;
    respondWithRecord(request, response);
  });
  const client = clientAt(baseUrl);
  const controller = new AbortController();
  const connected = once(server, 'connection');
  const call = errorOf(client.transfers.create(transfer, { signal: controller.signal }));
  // Sending starts within the microtasks; the connection needs the event loop.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  controller.abort();
  expect(await call).toMatchObject({ name: 'AbortedError' });
  await connected;
  await client.kyc.retrieve('u-1');
  expect(requests).toBe(1);
});

test('the headers of a response are made only when they are asked for', async () => {
  const { url: baseUrl } = await serve(respondWithRecord);
  const append = vi.spyOn(Headers.prototype, 'append');
  const call = clientAt(baseUrl).kyc.retrieve('u-1');
  await call;
  expect(append).not.toHaveBeenCalled();
  const { headers } = await call.asResponse();
  expect(append).toHaveBeenCalled();
  expect(headers.get('content-type')).toBe('application/json');
});
