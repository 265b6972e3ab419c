import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import * as sdk from '../../src/client/index.ts';
import { APIError } from '../../src/client/index.ts';
import { listening, serve } from '../servers.ts';
import { bridge, clientOf, cutBody, failure, type Step, scripted, text, token } from './support.ts';

const failing = (...steps: Step[]) =>
  failure(clientOf(scripted(...steps), { retries: 0 }).kyc.retrieve('u1'));

describe('a status that is no success', () => {
  const statuses: readonly [status: number, name: string, code: string, outcome: string][] = [
    [300, 'APIError', 'api', 'unknown'],
    [304, 'APIError', 'api', 'unknown'],
    [400, 'BadRequestError', 'bad_request', 'rejected'],
    [401, 'AuthenticationError', 'authentication', 'rejected'],
    [402, 'APIError', 'api', 'rejected'],
    [403, 'PermissionDeniedError', 'permission_denied', 'rejected'],
    [404, 'NotFoundError', 'not_found', 'rejected'],
    [408, 'APIError', 'api', 'rejected'],
    [409, 'ConflictError', 'conflict', 'rejected'],
    [418, 'APIError', 'api', 'rejected'],
    [422, 'UnprocessableEntityError', 'unprocessable_entity', 'rejected'],
    [429, 'RateLimitError', 'rate_limit', 'rejected'],
    [500, 'InternalServerError', 'internal_server', 'unknown'],
    [501, 'InternalServerError', 'internal_server', 'rejected'],
    [502, 'InternalServerError', 'internal_server', 'unknown'],
    [503, 'InternalServerError', 'internal_server', 'unknown'],
    [504, 'InternalServerError', 'internal_server', 'unknown'],
    [520, 'InternalServerError', 'internal_server', 'unknown'],
    [599, 'InternalServerError', 'internal_server', 'unknown'],
  ];

  it.each(statuses)('%i is a %s', async (status, name, code, outcome) => {
    const error = await failing(text(null, status, { 'x-trace': 'trace-1' }));
    expect(error).toBeInstanceOf(Reflect.get(sdk, name));
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ name, code, outcome, status, operation: 'kyc.retrieve', attempts: 1 });
    expect(error.message).toContain(`kyc.retrieve failed (HTTP ${status}).`);
    expect((error as APIError).headers.get('x-trace')).toBe('trace-1');
    expect((error as APIError).body).toBe('');
    expect(error.requestId).toBeUndefined();
  });
});

it('a redirect that a browser hides is an error', async () => {
  expect(await failing(() => Response.error())).toMatchObject({
    name: 'APIError',
    status: 0,
    message: expect.stringContaining('redirects are never followed'),
  });
});

describe('the body of an error', () => {
  const unreadable: readonly [what: string, body: string][] = [
    ['HTML', '<html><body>502 Bad Gateway</body></html>'],
    ['half of an object', '{"code":500,"err'],
  ];

  it.each(unreadable)('%s is kept as text', async (_what, body) => {
    const error = await failing(text(body, 502));
    expect(error).toMatchObject({ status: 502, body, outcome: 'unknown' });
    expect(error).toMatchObject({ service: {} });
  });

  it('may be cut, or larger than the limit: the status counts', async () => {
    expect(await failing(cutBody(404))).toMatchObject({ name: 'NotFoundError', body: '' });
    const client = clientOf(scripted(text('x'.repeat(11 * 1024 * 1024), 503)), { retries: 0 });
    expect(await failure(client.kyc.retrieve('u1'))).toMatchObject({ status: 503, body: '' });
  });
});

describe('over a real socket', () => {
  it('a chunked body cut short leaves the outcome open', async () => {
    const { url } = await serve((_request, response) => {
      response.write('{"approvalId":"a1","status":"APPROVED"}', () => response.destroy());
    });
    const client = new sdk.PaymentsClient({ baseUrl: url, accessToken: token });
    expect(await failure(client.approvals.approve('a1'))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
  });

  it('what is no HTTP at all leaves the outcome open', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end('220 mail.example ESMTP\r\n'));
    });
    const { url } = await listening(server);
    const client = new sdk.PaymentsClient({ baseUrl: url, accessToken: token });
    expect(await failure(client.approvals.approve('a1'))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
    });
  });

  it.each([301, 302, 303, 307, 308])('a redirect (%i) is an error and never followed', async (status) => {
    const elsewhere = await serve((_request, response) => response.end('{}'));
    const { url, count } = await serve((_request, response) => {
      response.writeHead(status, { location: `${elsewhere.url}/v2/wallets/transfers` }).end();
    });
    const client = new sdk.PaymentsClient({ baseUrl: url, accessToken: token });
    const error = await failure(client.bridges.create(bridge));
    // A server may redirect after it has done the work: no status of a redirect proves that it did nothing.
    expect(error).toMatchObject({ name: 'APIError', status, outcome: 'unknown', attempts: 1 });
    expect(error.message).toContain('redirects are never followed');
    expect(count()).toBe(1);
    expect(elsewhere.count()).toBe(0);
  });
});
