import { describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  ConfigurationError,
  InvalidRequestError,
  PaymentsClient,
} from '../../src/client/index.ts';
import { transferParams } from './operations.ts';
import { baseUrl, clientOf, failure, json, scripted, token } from './support.ts';

describe('an option of a call that does not exist', () => {
  it.each<[given: string, meant: string]>([
    ['idempotencyKey', '`requestId` in the parameters'],
    ['idempotency_key', '`requestId` in the parameters'],
    ['Idempotency-Key', '`requestId` in the parameters'],
    ['idempotencyId', '`requestId` in the parameters'],
    ['userAgent', 'Possible names: `signal`'],
    ['requestId', '`requestId` in the parameters'],
    ['request_id', '`requestId` in the parameters'],
    ['requestID', '`requestId` in the parameters'],
    ['maxRetries', 'Did you mean `retries`?'],
    ['maxNetworkRetries', 'Did you mean `retries`?'],
    ['retires', 'Did you mean `retries`?'],
    ['timeOut', 'Did you mean `timeout`?'],
    ['timeoutMs', 'Did you mean `timeout`?'],
    ['dead_line', 'Did you mean `deadline`?'],
    ['abortSignal', 'Did you mean `signal`?'],
    ['header', 'Did you mean `headers`?'],
    ['extra_body', 'Did you mean `extraBody`?'],
    ['extraQuery', 'Did you mean `query`?'],
    ['token', '`accessToken`'],
    ['apiKey', '`accessToken`'],
    ['prefetch', 'Possible names: `signal`'],
    ['lookup', 'Possible names: `signal`'],
  ])('%s is refused with what is probably meant', async (given, meant) => {
    const fetch = scripted(json({}));
    const options: object = { [given]: 'b1946ac9' };
    const error = await failure(clientOf(fetch).transfers.create(transferParams, options));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field: 'options', outcome: 'not-sent', operation: 'transfers.create' });
    expect(error.message).toContain(meant);
    expect(error.message).toContain('Nothing was sent.');
    expect(error.message).not.toContain('b1946ac9');
    expect(fetch.seen).toHaveLength(0);
  });

  it('is refused although its value is undefined', async () => {
    const options: object = { idempotencyKey: undefined };
    const error = await failure(clientOf(scripted(json({}))).kyc.retrieve('u1', options));
    expect(error.message).toContain('`idempotencyKey` is not an option');
  });

  it('is not shown when it is no word', async () => {
    const options: object = { [token]: true };
    const error = await failure(clientOf(scripted(json({}))).kyc.retrieve('u1', options));
    expect(error.message).toContain('A name that was given is not an option');
    expect(error.message).not.toContain(token);
  });

  it.each<[string, (client: PaymentsClient, options: object) => PromiseLike<unknown>]>([
    ['approvals.list', (client, options) => client.approvals.list({}, options)],
    ['accounts.list', (client, options) => client.accounts.list('u1', {}, options)],
    ['externalWallets.list', (client, options) => client.externalWallets.list('u1', {}, options)],
    ['accounts.waitUntilActive', (client, options) => client.accounts.waitUntilActive('u1', 'a1', options)],
    ['request', (client, options) => client.request({ method: 'GET', path: '/v2/x' }, options)],
    ['paginate', (client, options) => client.paginate({ path: '/v2/x', next: () => undefined }, options)],
  ])('is refused by %s', async (_name, call) => {
    const fetch = scripted(json({}));
    const error = await failure(call(clientOf(fetch), { maxRetries: 1 }));
    expect(error.message).toContain('Did you mean `retries`?');
    expect(fetch.seen).toHaveLength(0);
  });
});

describe('an option of the client that does not exist', () => {
  it.each<[given: object, meant: string]>([
    [{ retires: 5 }, 'Did you mean `retries`?'],
    [{ maxRetries: 5 }, 'Did you mean `retries`?'],
    [{ base_url: 'https://a.example' }, 'Did you mean `baseUrl`?'],
    [{ baseURL: 'https://a.example' }, 'Did you mean `baseUrl`?'],
    [{ hooks: { drfit: () => undefined } }, 'Did you mean `drift`?'],
    [{ timeOut: 5 }, 'Did you mean `timeout`?'],
    [{ apiKey: 'secret-7Q2' }, 'Possible names: `environment`'],
    [{ env: 'sandbox' }, 'Possible names: `environment`'],
    [{ log: console }, 'Possible names: `environment`'],
    [{ userAgent: 'shop/1' }, 'Possible names: `environment`'],
    [{ user_agent: 'shop/1' }, 'Possible names: `environment`'],
    [{ idempotencyKey: 'k' }, '`requestId` in the parameters'],
    [{ hooks: { onRequest: () => undefined } }, 'Did you mean `request`?'],
    [{ hooks: [{ respons: () => undefined }] }, 'Did you mean `response`?'],
    [{ baseUrls: { prod: 'https://a.example' } }, 'Did you mean `production`?'],
    [{ retries: { limits: 1 } }, 'Did you mean `limit`?'],
  ])('%o is refused with what is probably meant', async (given, meant) => {
    const options: ClientOptions = { baseUrl, accessToken: token, ...given };
    const error = await failure(() => new PaymentsClient(options));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(meant);
    expect(error.message).not.toContain('secret-7Q2');
    const client = clientOf(scripted(json({})));
    expect((await failure(() => client.withOptions({ ...given }))).message).toContain(meant);
  });

  it('is no error in an instance of a class that watches', () => {
    class Counter {
      count = 0;
      request() {
        this.count += 1;
      }
    }
    expect(() => clientOf(scripted(json({})), { hooks: new Counter() })).not.toThrow();
  });
});

describe('a parameter of a list that does not exist', () => {
  it.each<[string, (client: PaymentsClient, params: object) => PromiseLike<unknown>, string, string]>([
    ['approvals.list', (client, params) => client.approvals.list(params), 'ofset', '`offset`'],
    ['accounts.list', (client, params) => client.accounts.list('u1', params), 'rails', '`rail`'],
    [
      'accounts.list',
      (client, params) => client.accounts.list('u1', params),
      'created_before',
      '`createdBefore`',
    ],
    [
      'externalWallets.list',
      (client, params) => client.externalWallets.list('u1', params),
      'limits',
      '`limit`',
    ],
    ['approvals.list', (client, params) => client.approvals.list(params), 'cursor', '`query`'],
  ])('%s refuses it: %#', async (operation, list, name, meant) => {
    const fetch = scripted(json({}));
    const error = await failure(list(clientOf(fetch), { [name]: 1 }));
    expect(error).toMatchObject({ name: 'InvalidRequestError', operation, field: name });
    expect(error.message).toContain(`\`${name}\` is not a parameter.`);
    expect(error.message).toContain(meant);
    expect(fetch.seen).toHaveLength(0);
  });
});

describe('what describes an operation', () => {
  it('is closed for paginate, too', async () => {
    const list: object = { path: '/v2/x', next: () => undefined, item: () => [] };
    const error = await failure(clientOf(scripted(json({}))).paginate(list as never));
    expect(error.message).toContain('Did you mean `items`?');
  });

  it.each<[given: object, words: string]>([
    [{ retrySafety: 'Once' }, '`retrySafety` must be'],
    [{ retrySafty: 'once' }, 'Did you mean `retrySafety`?'],
    [{ schema: {} }, '`schema` must be a Standard Schema'],
    [
      { idempotencyKey: 'requestId' },
      '`idempotencyKey` is not an option. Did you mean an idempotency header',
    ],
    [{ essential: 'id' }, '`essential` must be'],
    [{ identity: {} }, '`identity` is not an option'],
  ])('is closed for request: %o', async (given, words) => {
    const fetch = scripted(json({}));
    const error = await failure(clientOf(fetch).request({ method: 'POST', path: '/v2/quotes', ...given }));
    expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
    expect(error.message).toContain(words);
    expect(fetch.seen).toEqual([]);
  });
});
