import type { RequestListener } from 'node:http';
import * as undici8 from 'undici';
import * as undici6 from 'undici6';
import * as undici7 from 'undici7';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../servers.ts';
import { bodyOf, clientAt, errorOf, record, transfer, useGlobally } from './support.ts';

type Closable = { close(): Promise<unknown> };

const redirect6 = { maxRedirections: 5 };

/** Every documented way to make a dispatcher of a version follow redirects, or retry. */
const following: readonly [what: string, make: (origin: string) => Closable][] = [
  ['undici 6 Agent with maxRedirections', () => new undici6.Agent(redirect6)],
  ['undici 6 Client with maxRedirections', (origin) => new undici6.Client(origin, redirect6)],
  ['undici 6 Pool with maxRedirections', (origin) => new undici6.Pool(origin, redirect6)],
  [
    'undici 6 with the redirect interceptor',
    () => new undici6.Agent().compose(undici6.interceptors.redirect(redirect6)),
  ],
  [
    'undici 7 with the redirect interceptor',
    () => new undici7.Agent().compose(undici7.interceptors.redirect(redirect6)),
  ],
  [
    'undici 8 with the redirect interceptor',
    () => new undici8.Agent().compose(undici8.interceptors.redirect(redirect6)),
  ],
];

const retryOptions = {
  maxRetries: 3,
  minTimeout: 1,
  maxTimeout: 1,
  methods: ['GET' as const, 'POST' as const, 'DELETE' as const],
  statusCodes: [500, 502, 503, 429],
};

const retrying: readonly [what: string, make: () => Closable][] = [
  ['undici 7 RetryAgent', () => new undici7.RetryAgent(new undici7.Agent(), retryOptions)],
  ['undici 8 RetryAgent', () => new undici8.RetryAgent(new undici8.Agent(), retryOptions)],
  [
    'undici 6 with the retry interceptor',
    () => new undici6.Agent().compose(undici6.interceptors.retry(retryOptions)),
  ],
  [
    'undici 7 with the retry interceptor',
    () => new undici7.Agent().compose(undici7.interceptors.retry(retryOptions)),
  ],
  [
    'undici 8 with the retry interceptor',
    () => new undici8.Agent().compose(undici8.interceptors.retry(retryOptions)),
  ],
];

/** Two hosts: the service, which redirects, and another one that must never be reached. */
async function twoHosts(status: number) {
  const bodies: string[] = [];
  const elsewhere: string[] = [];
  const other = await serve(async (request, response) => {
    elsewhere.push(await bodyOf(request));
    response.end(JSON.stringify({ ...record, success: true }));
  });
  const { url: baseUrl } = await serve(async (request, response) => {
    bodies.push(await bodyOf(request));
    response.writeHead(status, { location: `${other.url}${request.url}` }).end();
  });
  return { baseUrl, bodies, elsewhere };
}

function use(make: (origin: string) => Closable, baseUrl: string) {
  const dispatcher = make(baseUrl);
  onTestFinished(() => void dispatcher.close());
  // Each version writes the slot that it knows, in the form that is taken there.
  const version = [undici6, undici7, undici8].find(({ Dispatcher }) => dispatcher instanceof Dispatcher);
  useGlobally(dispatcher, version ?? expect.unreachable());
  return clientAt(baseUrl);
}

describe('a redirect', () => {
  test.each(following)('%s: is never followed', async (_what, make) => {
    const { baseUrl, bodies, elsewhere } = await twoHosts(307);
    const client = use(make, baseUrl);
    const errors = [
      await errorOf(client.transfers.create(transfer)),
      await errorOf(client.approvals.approve('a-1')),
      await errorOf(client.accounts.delete('u-1', 'a-1')),
      await errorOf(client.kyc.retrieve('u-1')),
    ];
    for (const error of errors) expect(error).toMatchObject({ name: 'APIError', status: 307, attempts: 1 });
    expect(bodies).toHaveLength(4);
    expect(elsewhere).toEqual([]);
  });
});

describe('a retry below the client', () => {
  test.each(retrying)('%s: no payment is carried out twice', async (_what, make) => {
    const seen: string[] = [];
    const commitThenFail: RequestListener = async (request, response) => {
      await bodyOf(request);
      seen.push(`${request.method} ${request.url}`);
      if (seen.length % 2 === 0) request.socket.resetAndDestroy();
      else response.writeHead(500).end();
    };
    const { url: baseUrl } = await serve(commitThenFail);
    const client = use(make, baseUrl);
    for (const call of [
      () => client.transfers.create(transfer),
      () => client.approvals.approve('a-1'),
      () => client.onramps.refreshQuote('t-1'),
      () => client.accounts.delete('u-1', 'a-1'),
    ]) {
      const before = seen.length;
      expect(await errorOf(call())).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(seen.length - before).toBe(1);
    }
  });
});

test('a dispatcher that sends again by means of its own is stopped, and the outcome is open', async () => {
  const seen: string[] = [];
  const { url: baseUrl } = await serve((request, response) => {
    request.resume();
    seen.push(`${request.method}`);
    if (request.method === 'GET' && seen.filter((method) => method === 'GET').length > 1)
      response.end(JSON.stringify(record));
    else request.socket.resetAndDestroy();
  });
  const stubborn: undici8.Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
    const again = {
      ...forwarding(handler),
      onResponseError: () => dispatch(options, handler),
    };
    return dispatch(options, again as undici8.Dispatcher.DispatchHandler);
  };
  const dispatcher = new undici8.Agent().compose(stubborn);
  onTestFinished(() => void dispatcher.close());
  useGlobally(dispatcher, undici8);
  const client = clientAt(baseUrl);
  const error = await errorOf(client.approvals.approve('a-1'));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
  expect(error.message).toContain('REPEATED_BY_DISPATCHER');
  expect(seen).toEqual(['POST']);
  // A read does no harm.
  expect(await client.kyc.retrieve('u-1')).toEqual(record);
});

/** A handler that passes everything on, as interceptors write it. */
function forwarding(handler: undici8.Dispatcher.DispatchHandler): undici8.Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
  };
}

test('a MockAgent still compares bodies as text', async () => {
  const mock = new undici8.MockAgent();
  mock.disableNetConnect();
  mock
    .get('https://payments.test')
    .intercept({ path: '/v2/wallets/transfers', method: 'POST', body: JSON.stringify(transfer) })
    .reply(403, {});
  useGlobally(mock, undici8);
  const client = clientAt('https://payments.test');
  expect(await errorOf(client.transfers.create(transfer))).toMatchObject({ status: 403 });
});

describe('a fetch of the caller’s', () => {
  test('that follows a redirect all the same leaves the outcome open, and is not called again', async () => {
    const { baseUrl, bodies, elsewhere } = await twoHosts(307);
    const client = clientAt(baseUrl, {
      fetch: (url, init) => fetch(url, { ...init, redirect: 'follow' }),
      retries: 2,
    });
    for (const call of [() => client.transfers.create(transfer), () => client.approvals.approve('a-1')]) {
      bodies.length = 0;
      elsewhere.length = 0;
      const error = await errorOf(call());
      expect(error).toMatchObject({
        name: 'ConnectionError',
        code: 'redirect_followed',
        outcome: 'unknown',
        attempts: 1,
      });
      expect(error.message).toContain('followed a redirect');
      expect([bodies.length, elsewhere.length]).toEqual([1, 1]);
    }
  });

  test('that tells only where its response came from is caught, too', async () => {
    const client = clientAt('https://payments.test', {
      fetch: async () => {
        const response = Response.json(record);
        return new Proxy(response, {
          get: (target, key) => {
            if (key === 'url') return 'https://elsewhere.test/v2/users/u-1/kyc';
            if (key === 'redirected') return undefined;
            const value = Reflect.get(target, key, target);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
      },
    });
    expect(await errorOf(client.kyc.retrieve('u-1'))).toMatchObject({ code: 'redirect_followed' });
  });

  test('that reaches the service by another address is no redirect', async () => {
    const { url: baseUrl } = await serve((_request, response) => response.end(JSON.stringify(record)));
    const client = clientAt('https://payments.test', {
      fetch: (url, init) => fetch(url.replace('https://payments.test', baseUrl), init),
    });
    expect(await client.kyc.retrieve('u-1')).toEqual(record);
  });
});
