import { describe, expect, it } from 'vitest';
import type { PaymentsClient } from '../../src/client/index.ts';
import { operations } from './operations.ts';
import { baseUrl, clientOf, json, scripted } from './support.ts';

/** The functions of an object, taken off it as `const { create } = payments.transfers` does. */
const taken = (from: object): Record<string, unknown> =>
  Object.fromEntries(Object.getOwnPropertyNames(from).map((name) => [name, Reflect.get(from, name)]));

/** The methods of a client and of its namespaces, each without its object. */
function destructured(client: PaymentsClient): PaymentsClient {
  const members = Object.entries(taken(client)).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? taken(value) : value,
  ]);
  return Object.fromEntries(members) as PaymentsClient;
}

describe('a method without its object', () => {
  it.each(operations)('sends the same request: $name', async ({ call, method, path, query, response }) => {
    const fetch = scripted(json(response));
    await call(destructured(clientOf(fetch)));
    expect(fetch.seen.map((seen) => [seen.method, seen.url])).toEqual([
      [method, `${baseUrl}${path}${query}`],
    ]);
  });

  it('waits for an account', async () => {
    const { waitUntilActive } = clientOf(scripted(json({ id: 'a1', status: 'ACTIVE' }))).accounts;
    expect(await waitUntilActive('u1', 'a1')).toMatchObject({ status: 'ACTIVE' });
  });

  it('reaches other operations', async () => {
    const fetch = scripted(json({ items: [] }));
    const { request, api, paginate, withOptions, toJSON } = clientOf(fetch);
    await request({ method: 'GET', path: '/v2/x' });
    await api<{ '/v2/x': { get: object } }>().GET('/v2/x');
    await paginate({ path: '/v2/x', next: () => undefined });
    await withOptions({ headers: { 'x-tenant': '7' } }).request({ method: 'GET', path: '/v2/x' });
    expect(fetch.seen.map(({ url }) => url)).toEqual(Array(4).fill(`${baseUrl}/v2/x`));
    expect(fetch.seen.at(-1)?.headers['x-tenant']).toBe('7');
    expect(toJSON()).toEqual({ baseUrl });
  });

  it('reads through a proxy of the client, too', async () => {
    const fetch = scripted(json({ userId: 'u1', kycInfo: {} }));
    const proxy = new Proxy(clientOf(fetch), {});
    expect((await proxy.kyc.retrieve('u1')).userId).toBe('u1');
    expect((await new Proxy(proxy.kyc, {}).retrieve('u1')).userId).toBe('u1');
    expect(proxy.withOptions({ retries: 0 }).baseUrl).toBe(baseUrl);
  });

  it('is that of a derived class', async () => {
    const { PaymentsClient } = await import('../../src/client/index.ts');
    class Audited extends PaymentsClient {
      override toJSON() {
        return { baseUrl: `${this.baseUrl}, audited` };
      }
    }
    const { toJSON } = new Audited({ baseUrl, accessToken: 'token' });
    expect(toJSON()).toEqual({ baseUrl: `${baseUrl}, audited` });
  });
});
