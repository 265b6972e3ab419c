import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  Accounts,
  Approvals,
  type ClientOptions,
  ConfigurationError,
  createClient,
  Kyc,
  type Namespaces,
} from '../../src/index.ts';
import { baseUrl, failure, json, scripted, token } from './support.ts';

const answer = { userId: 'u1', kycInfo: {}, accounts: [], approvals: [] };

const optionsOf = (options: ClientOptions = {}) => {
  const fetch = scripted(json(answer));
  return { fetch, options: { baseUrl, accessToken: token, fetch, ...options } };
};

describe('createClient', () => {
  it('has the namespaces that it was given, under the names that they were given, and no others', async () => {
    const { fetch, options } = optionsOf();
    const payments = createClient({ identity: Kyc, accounts: Accounts }, options);
    expect(await payments.identity.retrieve('u1')).toEqual(answer);
    await payments.accounts.list('u1');
    expect(fetch.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [`${baseUrl}/v2/users/u1/kyc`, `Bearer ${token}`],
      [`${baseUrl}/v2/users/u1/accounts`, `Bearer ${token}`],
    ]);
    expect(Object.keys(payments)).toEqual(['identity', 'accounts']);
  });

  it('derives a client of the same namespaces, with the same token and connections', async () => {
    const { fetch, options } = optionsOf();
    let asked = 0;
    const accessToken = () => {
      asked += 1;
      return `token-${asked}`;
    };
    const payments = createClient({ approvals: Approvals }, { ...options, accessToken });
    const derived = payments.withOptions({ headers: { 'x-tenant': '7' } });
    await payments.approvals.list();
    await derived.approvals.list();
    await derived.withOptions({ headers: { 'x-tenant': '8' } }).approvals.list();
    expect(fetch.seen.map(({ headers }) => [headers['x-tenant'], headers.authorization])).toEqual([
      [undefined, 'Bearer token-1'],
      ['7', 'Bearer token-1'],
      ['8', 'Bearer token-1'],
    ]);
  });

  it('reaches any operation, also without a namespace', async () => {
    const { fetch, options } = optionsOf();
    await createClient({}, options).request({ method: 'GET', path: '/v2/transfer-rules' });
    expect(fetch.seen[0]?.url).toBe(`${baseUrl}/v2/transfer-rules`);
  });

  it('shows its address and nothing else', () => {
    const payments = createClient({ kyc: Kyc }, optionsOf().options);
    expect(payments.baseUrl).toBe(baseUrl);
    expect(JSON.stringify(payments)).toBe(`{"baseUrl":"${baseUrl}"}`);
    expect(inspect(payments)).toBe(`Client { baseUrl: '${baseUrl}' }`);
  });

  it('holds options to the same rules', async () => {
    const error = await failure(() => createClient({ kyc: Kyc }, { baseUrl }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain('accessToken');
  });

  it('is of the namespaces that it was made of, whatever becomes of the object', async () => {
    const { options } = optionsOf();
    const namespaces: { kyc?: typeof Kyc } = { kyc: Kyc };
    const payments = createClient(namespaces, options);
    delete namespaces.kyc;
    expect(await payments.withOptions({ retries: 0 }).kyc?.retrieve('u1')).toEqual(answer);
  });

  // As a caller without types may do.
  const untyped = (namespaces: unknown) => () => createClient(namespaces as Namespaces, optionsOf().options);

  const notAnObject = 'createClient: the namespaces must be an object such as `{ kyc: Kyc }`, but are ';
  const notANamespace = 'createClient: `kyc` must be a namespace such as `Kyc`, but is ';
  const isTaken = (name: string) => `createClient: the name \`${name}\` is taken; choose another one.`;

  it.each([
    [undefined, `${notAnObject}missing.`],
    [[Kyc], `${notAnObject}an array.`],
    [new Map([['kyc', Kyc]]), `${notAnObject}an iterable.`],
    [{ kyc: 'Kyc' }, `${notANamespace}a string.`],
    [{ kyc: undefined }, `${notANamespace}missing.`],
    [{ kyc: EventEmitter }, `${notANamespace}a function.`],
    [{ request: Kyc }, isTaken('request')],
    // biome-ignore lint/suspicious/noThenProperty: a client that can be awaited would call it.
    [{ then: Kyc }, isTaken('then')],
    [{ toString: Kyc }, isTaken('toString')],
    [JSON.parse('{ "__proto__": 1 }'), isTaken('__proto__')],
  ])('refuses %o', async (namespaces, message) => {
    const error = await failure(untyped(namespaces));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe(message);
  });
});
