import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PaymentsClient } from '../../src/client/index.ts';
import { expectedValue, operations } from './operations.ts';
import { bridge, clientAt } from './support.ts';

const base = 'https://payments.example';
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

interface OnTheWire {
  method: string;
  path: string;
  query: string;
  headers: Headers;
  body: string;
}

function respondWith(response: unknown): OnTheWire[] {
  const seen: OnTheWire[] = [];
  server.use(
    http.all(`${base}/*`, async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      seen.push({
        method: request.method,
        path: pathname,
        query: search,
        headers: request.headers,
        body: await request.text(),
      });
      return HttpResponse.json(response as Record<string, unknown>);
    }),
  );
  return seen;
}

const client = () =>
  new PaymentsClient({
    environment: 'production',
    baseUrls: { production: `${base}/` },
    accessToken: 'token-1',
    responseValidation: 'strict',
  });

describe('every operation', () => {
  it('stands in the table of the tests once', () => {
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  });

  it.each(operations)('$name sends $method $template as the spec says', async (operation) => {
    const seen = respondWith(operation.response);
    const value = await operation.call(client());

    expect(seen).toHaveLength(1);
    const [sent] = seen;
    expect(sent?.method).toBe(operation.method);
    expect(sent?.path).toBe(operation.path);
    expect(sent?.query).toBe(operation.query);
    expect(sent?.headers.get('authorization')).toBe('Bearer token-1');
    expect(sent?.headers.get('accept')).toBe('application/json');
    expect(sent?.body).toBe(operation.body === undefined ? '' : JSON.stringify(operation.body));
    expect(sent?.headers.get('content-type')).toBe(operation.body === undefined ? null : 'application/json');
    expect(value).toEqual(expectedValue(operation));
  });
});

describe('a base address with a path', () => {
  it('stays in front of every path, without doubling slashes', async () => {
    const seen = respondWith({ userId: 'u1', kycInfo: {} });
    await clientAt(`${base}/gateway/pay//`).kyc.retrieve('u1');
    expect(seen[0]?.path).toBe('/gateway/pay/v2/users/u1/kyc');
  });
});

describe('the raw response', () => {
  it('comes with the data, the request id and the number of attempts', async () => {
    respondWith({ transferType: 'X', transferDetails: { id: 't1', status: 'CREATED' } });
    const promise = client().bridges.create(bridge);
    const { data, response, requestId, attempts } = await promise.withResponse();
    expect(data.transferDetails.id).toBe('t1');
    expect(response.status).toBe(200);
    expect(response.url).toBe(`${base}/v2/wallets/bridges`);
    expect(await response.json()).toEqual(data);
    expect(requestId).toBe(promise.requestId);
    expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(attempts).toBe(1);
  });
});
