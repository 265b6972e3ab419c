import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../servers.ts';
import { clientOf, json, networkFailure, scripted } from './support.ts';

const record = { userId: 'u1', kycInfo: {} };

/** Runs a program on the sources, with ky as published. Returns the JSON that it prints. */
function run(program: string): unknown {
  const printed = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });
  return JSON.parse(printed);
}

describe('ky on small classes', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('makes no Request, no Headers and no AbortController of the platform’s for a call', async () => {
    const client = clientOf(async () => Response.json(record));
    const made: string[] = [];
    const noting = (name: 'Request' | 'Headers' | 'AbortController') =>
      vi.stubGlobal(
        name,
        new Proxy(globalThis[name], {
          construct: (target, given) => {
            made.push(name);
            return Reflect.construct(target, given);
          },
        }),
      );
    noting('Request');
    noting('Headers');
    noting('AbortController');
    expect(new AbortController()).toBeInstanceOf(AbortController);
    expect(await client.kyc.retrieve('u1')).toEqual(record);
    // The one of this test, and the one whose signal the given fetch gets.
    expect(made).toEqual(['AbortController', 'AbortController']);
  });

  it('still lets the client name what failed on the network', async () => {
    const fetch = scripted(networkFailure('ECONNREFUSED'), json(record));
    const { attempts } = await clientOf(fetch).kyc.retrieve('u1').withResponse();
    expect(attempts).toBe(2);
  });
});

describe('what ky carries', () => {
  it('is the whole request: address, method, headers, body, cache and signal', () => {
    const seen = run(`
      const { PaymentsClient } = await import('./src/index.ts');
      const made = [];
      globalThis.Request = class extends Request {
        constructor(input, init) {
          super(input, init);
          const { url, method, cache } = this;
          made.push({ url, method, headers: Object.fromEntries(this.headers), cache });
        }
      };
      const fetch = async (url, init) => {
        made.push({ ...init, url, signal: init.signal instanceof AbortSignal });
        return Response.json({ success: true, approvalId: 'a1', status: 'APPROVED' });
      };
      const payments = new PaymentsClient({ baseUrl: 'http://127.0.0.1:4010', accessToken: 'example', fetch });
      await payments.approvals.approve('a1', { comment: 'ok' });
      console.log(JSON.stringify(made.slice(-2)));`);
    const request = {
      url: 'http://127.0.0.1:4010/v2/transfer-approvals/a1/approve',
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: 'Bearer example',
        'content-type': 'application/json',
        'user-agent': expect.stringContaining('stablecoin-payments/'),
      },
      cache: 'no-store',
    };
    // The request that ky made, and what its `fetch` sent.
    const sent = { ...request, body: '{"comment":"ok"}', signal: true, redirect: 'manual' };
    expect(seen).toEqual([request, sent]);
  });

  it('reaches the network only through ky: without its Request, nothing is sent', () => {
    const seen = run(`
      const { PaymentsClient } = await import('./src/index.ts');
      globalThis.Request = class { constructor() { throw new Error('no Request'); } };
      let sent = 0;
      const fetch = async () => { sent += 1; return Response.json({}); };
      const payments = new PaymentsClient({ baseUrl: 'http://127.0.0.1:4010', accessToken: 'example', fetch, retries: 0 });
      const failed = await payments.kyc.retrieve('u1').catch((error) => error.name);
      console.log(JSON.stringify([failed, sent]));`);
    expect(seen).toEqual(['ConnectionError', 0]);
  });

  it('says `cache: no-store` to a fetch of the caller’s, for reads and payments', async () => {
    const seen: unknown[] = [];
    const client = clientOf(async (_url, init) => {
      seen.push(init.cache);
      return Response.json(record);
    });
    await client.kyc.retrieve('u1');
    await client.request({ method: 'POST', path: '/v2/x', body: {} });
    expect(seen).toEqual(['no-store', 'no-store']);
  });

  it('leaves the word out where the platform’s Request does not know it', () => {
    const seen = run(`
      globalThis.Request = class extends Request {};
      Object.defineProperty(Request, 'prototype', { value: Request.prototype });
      delete Object.getPrototypeOf(Request.prototype).cache;
      const { PaymentsClient } = await import('./src/index.ts');
      const fetch = async (url, init) => Response.json({ userId: 'u1', kycInfo: { type: String('cache' in init) } });
      const payments = new PaymentsClient({ baseUrl: 'http://127.0.0.1:4010', accessToken: 'example', fetch });
      console.log(JSON.stringify((await payments.kyc.retrieve('u1')).kycInfo.type));`);
    expect(seen).toBe('false');
  });
});

describe('an interceptor', () => {
  it('that listens before the package is imported is never gone around', async () => {
    const reached: (string | undefined)[] = [];
    const { url: baseUrl } = await serve(({ url }, response) => {
      reached.push(url);
      response.end('{}');
    });
    const seen = run(`
      import { http, HttpResponse } from 'msw';
      import { setupServer } from 'msw/node';
      const server = setupServer(http.get('*/v2/users/:userId/kyc', ({ params }) => HttpResponse.json({ userId: params.userId, kycInfo: { type: 'mocked' } })));
      server.listen({ onUnhandledRequest: 'error' });
      const { PaymentsClient } = await import('./src/index.ts');
      const payments = new PaymentsClient({ baseUrl: '${baseUrl}', accessToken: 'example', retries: 0 });
      const { kycInfo } = await payments.kyc.retrieve('u1');
      server.close();
      console.log(JSON.stringify(kycInfo.type));`);
    expect(seen).toBe('mocked');
    expect(reached).toEqual([]);
  });
});
