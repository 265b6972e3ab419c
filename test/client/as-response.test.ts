import { gzipSync } from 'node:zlib';
import type { ClientOptions, StandardSchema } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { serve } from '../servers.ts';
import { bridge, clientAt, failure } from './support.ts';

const pdf = Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28, 0x0a]);
const csv = new TextEncoder().encode('\uFEFFid,amount\r\nü,1\r\n');
const wholeByte = Uint8Array.from({ length: 256 }, (_item, index) => index);
const large = Uint8Array.from({ length: 300_000 }, (_item, index) => (index * 7919) % 251);

/** A service that responds to everything with one body. */
async function serving(body: Uint8Array, headers: Record<string, string>, options: ClientOptions = {}) {
  const { url, count } = await serve((_request, response) => response.writeHead(200, headers).end(body));
  const client = clientAt(url, { retries: { minDelay: 0 }, ...options });
  return { client, count };
}

const ways: [string, ClientOptions][] = [
  ['Node’s own way', {}],
  ['fetch', { fetch: (input, init) => fetch(input, init) }],
];

describe.each(ways)('asResponse over %s', (_way, options) => {
  it.each([
    ['a PDF', pdf, 'application/pdf'],
    ['a CSV with a byte order mark', csv, 'text/csv'],
    ['bytes of every value', wholeByte, 'application/octet-stream'],
    ['a large file', large, 'application/zip'],
    ['a page', new TextEncoder().encode('<html>é'), 'text/html'],
    ['nothing', new Uint8Array(), 'text/plain'],
    ['a cut JSON', new TextEncoder().encode('{"a":'), 'application/json'],
  ])('gives the bytes of %s untouched, in one request', async (_what, bytes, type) => {
    const { client, count } = await serving(bytes, { 'content-type': type }, options);
    const response = await client.request({ method: 'GET', path: '/v2/files/f-1' }).asResponse();
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.status).toBe(200);
    expect(count()).toBe(1);
  });

  it('gives the bytes of a compressed body as they were before', async () => {
    const headers = { 'content-type': 'application/pdf', 'content-encoding': 'gzip' };
    const { client } = await serving(gzipSync(pdf), headers, options);
    const response = await client.request({ method: 'GET', path: '/v2/files/f-1' }).asResponse();
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(pdf);
  });

  // "`asResponse` hides departures, never rows 8–11": a POST for a file is called a read.
  it('gives the bytes to a request with a schema, and to one with a form that changes nothing', async () => {
    const { client } = await serving(pdf, { 'content-type': 'application/pdf' }, options);
    const schema: StandardSchema<object> = { '~standard': { validate: () => ({ issues: [{}] }) } };
    const form = new FormData();
    form.set('file', new Blob(['x']));
    for (const call of [
      () => client.request({ method: 'GET', path: '/v2/files/f-1', schema }),
      () => client.request({ method: 'POST', path: '/v2/files/convert', body: form, retrySafety: 'read' }),
    ])
      expect(new Uint8Array(await (await call().asResponse()).arrayBuffer())).toEqual(pdf);
    const changing = client.request({ method: 'POST', path: '/v2/files/convert', body: form }).asResponse();
    expect(await failure(changing)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  it('gives the bytes of anything to a documented read, in one request', async () => {
    const { client, count } = await serving(pdf, { 'content-type': 'application/pdf' }, options);
    const response = await client.kyc.retrieve('u1').asResponse();
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(pdf);
    expect(count()).toBe(1);
  });

  // "`asResponse` hides departures, never rows 8–11": where something changes, the schema is the proof.
  it('still asks a schema of the caller’s what a change has come to', async () => {
    const { client } = await serving(new TextEncoder().encode('{}'), {}, options);
    const schema: StandardSchema<object> = { '~standard': { validate: () => ({ issues: [{}] }) } };
    const call = client.request({ method: 'POST', path: '/v2/files', schema }).asResponse();
    expect(await failure(call)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  it('still refuses a page in place of a payment, and retries it under its key', async () => {
    const { client, count } = await serving(pdf, { 'content-type': 'application/pdf' }, options);
    const error = await failure(client.bridges.create(bridge).asResponse());
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'unknown' });
    expect(count()).toBe(3);
    const decision = await failure(client.approvals.approve('a-1').asResponse());
    expect(decision).toMatchObject({ name: 'ResponseValidationError', outcome: 'unknown' });
  });

  // "A read gives whatever came."
  it('gives data of a file as its text', async () => {
    const { client } = await serving(pdf, { 'content-type': 'application/pdf' }, { ...options, retries: 0 });
    const text = new TextDecoder().decode(pdf);
    const both = client.request({ method: 'GET', path: '/v2/files/f-1' });
    expect((await both.asResponse()).status).toBe(200);
    expect(await both).toBe(text);
  });

  it('says that it came too late, where the response was read as JSON before', async () => {
    const { client } = await serving(pdf, { 'content-type': 'application/pdf' }, { ...options, retries: 0 });
    const call = client.kyc.retrieve('u1');
    const before = await failure(call);
    const late = await failure(call.asResponse());
    expect(late).toMatchObject({ name: 'InvalidRequestError', outcome: 'unknown', attempts: 1 });
    expect(late.message).toContain('`asResponse()` was called after the response had been read as JSON');
    expect(late.message).toContain('Call it at once');
    expect(late.message).toContain(before.message);
  });

  it('tells of a body that is too large by its size, also where it came in time', async () => {
    const huge = new Uint8Array(10 * 1024 ** 2 + 1);
    const { client } = await serving(huge, { 'content-type': 'application/zip' }, { ...options, retries: 0 });
    expect(await failure(client.kyc.retrieve('u1').asResponse())).toMatchObject({
      name: 'ResponseValidationError',
      issues: [{ code: 'too_large' }],
    });
  });

  it('works a moment after the call, too, where the response can be read', async () => {
    const written = '{ "userId": "u1", "kycInfo": {} }';
    const bytes = new TextEncoder().encode(written);
    const { client } = await serving(bytes, { 'content-type': 'application/json' }, options);
    const call = client.kyc.retrieve('u1');
    await call;
    expect(await (await call.asResponse()).text()).toBe(written);
  });

  it('leaves a payment with its own error, whenever it comes', async () => {
    const { client } = await serving(pdf, { 'content-type': 'application/pdf' }, { ...options, retries: 0 });
    for (const call of [
      client.bridges.create(bridge),
      client.request({ method: 'POST', path: '/v2/files', body: {} }),
    ]) {
      const before = await failure(call);
      expect(await failure(call.asResponse())).toBe(before);
    }
  });

  it('gives a JSON body as it was written, and the data of it, too', async () => {
    const written = '{ "userId": "u1",\n  "kycInfo": {"firstName": "Zo\\u00eb"} }';
    const bytes = new TextEncoder().encode(written);
    const { client } = await serving(bytes, { 'content-type': 'application/json' }, options);
    const call = client.kyc.retrieve('u1');
    expect(await (await call.asResponse()).text()).toBe(written);
    expect((await call).kycInfo.firstName).toBe('Zoë');
  });

  it('keeps a record of another user from the caller', async () => {
    const bytes = new TextEncoder().encode('{"userId":"u2","kycInfo":{}}');
    const { client } = await serving(bytes, { 'content-type': 'application/json' }, options);
    expect(await failure(client.kyc.retrieve('u1').asResponse())).toMatchObject({
      name: 'ResponseMismatchError',
    });
  });
});
