import { afterEach, describe, expect, it } from 'vitest';
import { InvalidRequestError, type PaymentsClient } from '../../src/index.ts';
import * as wire from '../fixtures/index.ts';
import {
  africaParams,
  batchParams,
  bridgeParams,
  offrampParams,
  onrampParams,
  operations,
  transferParams,
  usParams,
} from './operations.ts';
import { bridge, clientOf, failure, json, scripted } from './support.ts';

type Json = Record<string, unknown>;

/** A copy of parameters with one dotted path set; undefined removes it. */
function withValue(params: object, path: string, value: unknown): never {
  const copy = structuredClone(params) as Json;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<Json>((current, key) => current[key] as Json, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy as never;
}

const calls: Readonly<Record<string, (client: PaymentsClient, params: never) => PromiseLike<unknown>>> = {
  onramp: (client, params) => client.onramps.create(params),
  account: (client, params) => client.accounts.create('u1', params),
  accounts: (client, params) => client.accounts.list('u1', params),
  transfer: (client, params) => client.transfers.create(params),
  batch: (client, params) => client.transfers.createBatch(params),
  bridge: (client, params) => client.bridges.create(params),
  offramp: (client, params) => client.offramps.create(params),
  approvals: (client, params) => client.approvals.list(params),
  approve: (client, params) => client.approvals.approve('a1', params),
  reject: (client, params) => client.approvals.reject('a1', params),
  wallets: (client, params) => client.externalWallets.list('u1', params),
};

const valid: Readonly<Record<string, object>> = {
  onramp: onrampParams,
  account: usParams,
  africa: africaParams,
  transfer: transferParams,
  batch: batchParams,
  bridge: bridgeParams,
  offramp: offrampParams,
};

async function refuse(call: string, params: unknown, field: string, words: string): Promise<void> {
  const fetch = scripted(json({}));
  const action = calls[call];
  if (action === undefined) throw new Error(call);
  const error = await failure(action(clientOf(fetch), params as never));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ field, outcome: 'not-sent', attempts: 0 });
  expect(error.message).toContain(words);
  expect(error.message).toContain(error.operation);
  expect(fetch.seen).toHaveLength(0);
}

describe('required fields', () => {
  const required: readonly [call: string, params: string, paths: string][] = [
    [
      'onramp',
      'onramp',
      'source.userId source.currency destination.userId destination.currency destination.chain',
    ],
    ['transfer', 'transfer', 'source.userId destination.userId currency chain'],
    [
      'account',
      'account',
      'accountHolder.name accountHolder.address.addressLine1 accountHolder.address.city accountHolder.address.stateProvinceRegion accountHolder.address.postalCode accountHolder.address.country us.accountNumber us.routingNumber us.bankName',
    ],
    ['account', 'africa', 'africa.financialInstitute africa.currency africa.country'],
  ];
  const cases = required.flatMap(([call, params, paths]) =>
    paths.split(' ').map((path): [string, string, string] => [call, params, path]),
  );

  it.each(cases)('%s (%s) without %s is not sent', async (call, params, path) => {
    const base = valid[params] ?? {};
    await refuse(call, withValue(base, path, undefined), path, 'but is missing');
    await refuse(call, withValue(base, path, ''), path, 'but is empty');
    await refuse(call, withValue(base, path, '  '), path, 'but is empty');
    await refuse(call, withValue(base, path, null), path, 'but is null');
    await refuse(call, withValue(base, path, 7), path, 'but is a number');
    await refuse(call, withValue(base, path, ['x']), path, 'but is an array');
  });

  it('cover the objects that hold them', async () => {
    await refuse('onramp', withValue(onrampParams, 'source', 'x'), 'source.userId', 'but is missing');
    await refuse(
      'account',
      withValue(usParams, 'accountHolder', 7),
      'accountHolder',
      'must be an object, but is a number',
    );
    await refuse(
      'account',
      withValue(usParams, 'accountHolder.address', undefined),
      'accountHolder.address',
      'must be an object, but is missing',
    );
    await refuse('account', withValue(usParams, 'us', undefined), 'us', 'must be an object, but is missing');
    await refuse(
      'account',
      withValue(africaParams, 'africa', []),
      'africa',
      'must be an object, but is an array',
    );
  });

  it.each([undefined, null, 7, 'text', [], true, 1n, () => 1])(
    'need parameters that are an object: %s',
    async (params) => {
      for (const call of ['onramp', 'account', 'transfer', 'batch', 'bridge', 'offramp']) {
        await refuse(call, params, 'params', 'the parameters must be an object, but are');
      }
      if (params === undefined) return;
      for (const call of ['accounts', 'approvals', 'approve', 'reject', 'wallets']) {
        await refuse(call, params, 'params', 'the parameters must be an object, but are');
      }
    },
  );
});

describe('fixed values', () => {
  const fixed: readonly [params: object, path: string, words: string][] = [
    [usParams, 'accountHolder.type', "must be 'individual' or 'business', but is another string"],
    [usParams, 'us.transferType', "must be 'ach' or 'wire' or 'swift', but is another string"],
    [usParams, 'us.accountType', "must be 'checking' or 'savings', but is another string"],
    [africaParams, 'africa.accountType', "must be 'momo' or 'bank', but is another string"],
  ];

  it.each(fixed)('%# an account with another %s is not sent', async (params, path, words) => {
    await refuse('account', withValue(params, path, 'other'), path, words);
    await refuse('account', withValue(params, path, undefined), path, 'but is missing');
    await refuse('account', withValue(params, path, 7), path, 'but is a number');
  });

  it('the currency of an account in the US may be left out, and is no other', async () => {
    await refuse('account', withValue(usParams, 'us.currency', 'eur'), 'us.currency', "must be 'usd'");
    const fetch = scripted(json({ id: 'a1', status: 'ACTIVE', invalidFields: [], message: '' }));
    await clientOf(fetch).accounts.create('u1', withValue(usParams, 'us.currency', undefined) as never);
    expect(fetch.seen).toHaveLength(1);
  });

  it('an account has the details of its own region alone', async () => {
    await refuse(
      'account',
      { ...usParams, africa: africaParams.africa },
      'africa',
      "does not go with `type: 'us'`",
    );
    await refuse('account', { ...africaParams, us: usParams.us }, 'us', "does not go with `type: 'africa'`");
  });

  it('the second address line may be missing, null or empty, and nothing else but text', async () => {
    const path = 'accountHolder.address.addressLine2';
    for (const value of [undefined, null, '', 'Flat 2']) {
      const fetch = scripted(json(wire.createdAccount));
      await clientOf(fetch).accounts.create('u1', withValue(usParams, path, value));
      expect(fetch.seen).toHaveLength(1);
    }
    await refuse('account', withValue(usParams, path, 7), path, 'but is a number');
  });

  it('both regions are sent as they are', async () => {
    const fetch = scripted(json(wire.createdAccount));
    await clientOf(fetch).accounts.create('u1', africaParams);
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toEqual(africaParams);
  });
});

describe('amounts', () => {
  const amounts: readonly [value: unknown, words: string][] = [
    [0, 'must be above 0'],
    [-0.01, 'must be above 0'],
    [Number.NaN, 'but is NaN'],
    [Number.POSITIVE_INFINITY, 'but is infinite'],
    [undefined, 'but is missing'],
    ['100', 'but is a string'],
    [10n, 'but is a BigInt'],
  ];

  it.each(amounts)('%s is refused', async (value, words) => {
    await refuse('onramp', withValue(onrampParams, 'source.amount', value), 'source.amount', words);
    await refuse('transfer', withValue(transferParams, 'amount', value), 'amount', words);
  });

  it('are held to the rule wherever they stand in a body that the spec does not show', async () => {
    await refuse(
      'batch',
      { destination: { batch: [{ amount: 1 }, { amount: -1 }] } },
      'destination.batch[1].amount',
      'must be above 0',
    );
    await refuse('bridge', { amount: 0 }, 'amount', 'must be above 0');
    await refuse('offramp', { source: { amount: Number.NaN } }, 'source.amount', 'but is NaN');
  });

  it('may be text there, for the spec does not say that they are numbers', async () => {
    const fetch = scripted(json(wire.bridgeTransfer));
    await clientOf(fetch).bridges.create({ ...bridge, amount: '12.50' } as never);
    expect(fetch.seen).toHaveLength(1);
  });
});

const nest = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : { in: nest(levels - 1, inner) };

describe('limits', () => {
  it.each([0, 101, -1, 1.5, Number.NaN])('a limit of %d is not sent', async (limit) => {
    await refuse('approvals', { limit }, 'limit', 'must be a whole number from 1 to 100');
  });
  it.each(['20', null, [], 20n])('a limit that is no number is not sent: %s', async (limit) => {
    await refuse('approvals', { limit }, 'limit', 'must be a whole number from 1 to 100, but is');
  });
  it.each([-1, 0.5, Number.POSITIVE_INFINITY])('an offset of %d is not sent', async (offset) => {
    await refuse('approvals', { offset }, 'offset', 'must be a whole number from 0 on');
  });
  it('their ends are allowed', async () => {
    const fetch = scripted(json({ approvals: [] }));
    const client = clientOf(fetch);
    await client.approvals.list({ limit: 1, offset: 0 });
    await client.approvals.list({ limit: 100, offset: 12_345 });
    await client.approvals.list();
    await client.approvals.list({});
    expect(fetch.seen.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=1&offset=0',
      '?limit=100&offset=12345',
      '',
      '',
    ]);
  });
  it('a page of wallets has no upper limit in the spec', async () => {
    await refuse('wallets', { limit: 0 }, 'limit', 'must be a whole number from 1 on');
    await refuse('wallets', { cursor: '' }, 'cursor', 'but is empty');
    await refuse('accounts', { rail: 7 }, 'rail', 'but is a number');
  });

  it('a comment has at most 1000 characters, a pair of surrogates being one', async () => {
    for (const call of ['approve', 'reject']) {
      await refuse(
        call,
        { comment: 'x'.repeat(1001) },
        'comment',
        'must be a string of at most 1000 characters, but has 1001',
      );
      await refuse(
        call,
        { comment: 7 },
        'comment',
        'must be a string of at most 1000 characters, but is a number',
      );
      await refuse(call, { comment: null }, 'comment', 'but is null');
    }
    const fetch = scripted(json(wire.approved));
    await clientOf(fetch).approvals.approve('a1', { comment: '😀'.repeat(1000) });
    await clientOf(fetch).approvals.approve('a1', { comment: '' });
    expect(fetch.seen).toHaveLength(2);
  });

  const lists = [
    'recipients',
    'batch',
    'destination',
    'destination.batch',
    'destination.recipients',
    'transfers',
    'items',
  ];
  it.each(lists)('a batch has at most 50 recipients under %s', async (path) => {
    const place = (recipients: unknown) =>
      path
        .split('.')
        .reverse()
        .reduce<unknown>((inner, key) => ({ [key]: inner }), recipients);
    const recipients = (count: number) => Array.from({ length: count }, () => ({ userId: 'u', amount: 1 }));
    await refuse('batch', place(recipients(51)), path, 'must have from 1 to 50 recipients, but has 51');
    const fetch = scripted(json(wire.batchTransfer));
    await clientOf(fetch).transfers.createBatch(place(recipients(50)) as never);
    expect(fetch.seen).toHaveLength(1);
  });

  it('a batch whose list is not recognised passes', async () => {
    const fetch = scripted(json(wire.batchTransfer));
    await clientOf(fetch).transfers.createBatch({ people: Array.from({ length: 51 }, () => ({})) } as never);
    expect(fetch.seen).toHaveLength(1);
  });
});

describe('flags and currencies', () => {
  it.each(['transfer', 'batch', 'bridge', 'offramp'])(
    'requireApproval of a %s is a boolean',
    async (call) => {
      const params = { ...valid[call], requireApproval: 'true' };
      await refuse(call, params, 'requireApproval', 'must be true or false, but is a string');
    },
  );

  it.each(['ugx', 'KES', 'ngn', 'zar'])('%s needs a registered account', async (currency) => {
    const params = withValue(onrampParams, 'source.currency', currency);
    await refuse('onramp', params, 'source.accountId', 'African currencies need an active account');
    const fetch = scripted(json(wire.openQuote));
    await clientOf(fetch).onramps.create(withValue(params, 'source.accountId', 'a1'));
    expect(fetch.seen).toHaveLength(1);
  });

  it('a USD onramp may go without, and optional text is text', async () => {
    await refuse(
      'onramp',
      withValue(onrampParams, 'source.accountId', null),
      'source.accountId',
      'but is null',
    );
    await refuse(
      'onramp',
      withValue(onrampParams, 'source.transferType', ''),
      'source.transferType',
      'is empty',
    );
  });
});

describe('what JSON would change in silence is not sent', () => {
  const bad: readonly [what: string, value: unknown, field: string, words: string][] = [
    ['NaN', Number.NaN, 'x', 'must be finite, but is NaN'],
    ['infinity', { y: [Number.NEGATIVE_INFINITY] }, 'x.y[0]', 'must be finite, but is infinite'],
    ['a BigInt', 1n, 'x', 'is a BigInt, which JSON cannot carry'],
    ['a function', [() => 1], 'x[0]', 'is a function, which JSON cannot carry'],
    ['a symbol', Symbol('s'), 'x', 'is a symbol, which JSON cannot carry'],
    ['a hole in a list', [1, undefined, 3], 'x[1]', 'is missing, which JSON cannot carry'],
    ['a Map', new Map([['a', 1]]), 'x', 'is a Map, which JSON cannot carry'],
    ['a Set', { y: new Set([1]) }, 'x.y', 'is a Set, which JSON cannot carry'],
    ['an invalid date', new Date(Number.NaN), 'x', 'is an invalid date'],
    [
      'a key that pollutes',
      JSON.parse('{"__proto__": {"admin": true}}'),
      'x.__proto__',
      'could pollute a prototype',
    ],
    ['65 levels', nest(65, 1), `x${'.in'.repeat(63)}`, 'is nested deeper than 64 levels'],
  ];

  it.each(bad)('%s', async (_what, value, field, words) => {
    await refuse('bridge', { x: value }, field, words);
  });
});

describe('idempotency ids', () => {
  it.each(operations.filter(({ repeats }) => repeats === 'keyed'))(
    '$name sends the id it is given',
    async ({ call }) => {
      const fetch = scripted(json({ ...wire.heldTransfer }));
      await call(clientOf(fetch, { responseValidation: 'off' }));
      expect(JSON.parse(fetch.seen[0]?.body ?? '').requestId).toBe('6fa459ea-ee8a-4ca4-894e-db77e160355e');
    },
  );

  it('are made, one per call, and known before the call ends', async () => {
    const fetch = scripted(json(wire.bridgeTransfer));
    const client = clientOf(fetch);
    const calls = [client.bridges.create(bridge), client.bridges.create(bridge)];
    const ids = calls.map(({ requestId }) => requestId);
    await Promise.all(calls);
    expect(fetch.seen.map(({ body }) => JSON.parse(body ?? '').requestId)).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
  });

  it.each(['', null, 7, {}])('are non-empty strings: %j', async (requestId) => {
    await refuse('bridge', { requestId }, 'requestId', 'must be a UUID string, but is');
  });

  it.each(['onramp', 'transfer', 'batch', 'bridge', 'offramp'])(
    'of a %s are not the text of a missing value, which other payments would share',
    async (call) => {
      const params = {
        bridge,
        onramp: onrampParams,
        transfer: transferParams,
        batch: batchParams,
        offramp: offrampParams,
      };
      for (const key of [
        `${undefined}`,
        `${null}`,
        `${Number.NaN}`,
        `${{}}`,
        `${Promise.resolve()}`,
        ' undefined\n',
      ]) {
        const given = { ...Reflect.get(params, call), requestId: key };
        await refuse(call, given, 'requestId', `must be a UUID string, but is ${JSON.stringify(key.trim())}`);
      }
    },
  );

  it('are not that text in `extraBody` either', async () => {
    const fetch = scripted(json({}));
    const error = await failure(
      clientOf(fetch).bridges.create(bridge, { extraBody: { requestId: 'undefined' } }),
    );
    expect(error).toMatchObject({ field: 'requestId', outcome: 'not-sent' });
    expect(fetch.seen).toHaveLength(0);
  });

  it('may contain such a word', async () => {
    const fetch = scripted(json(wire.bridgeTransfer));
    await clientOf(fetch, { responseValidation: 'off' }).bridges.create({
      ...bridge,
      requestId: 'null-island-7',
    });
    expect(JSON.parse(fetch.seen[0]?.body ?? '').requestId).toBe('null-island-7');
  });

  it('of one payload may be used again, of another not', async () => {
    const fetch = scripted(json(wire.heldTransfer));
    const client = clientOf(fetch);
    await client.transfers.create(transferParams);
    await client.withOptions({ retries: 0 }).transfers.create({ ...transferParams });
    expect(fetch.seen).toHaveLength(2);
    const error = await failure(client.transfers.create({ ...transferParams, amount: 26 }));
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      code: 'request_id_reused',
      outcome: 'unknown',
      requestId: transferParams.requestId,
      field: 'requestId',
    });
    expect(
      (await failure(client.bridges.create({ ...bridge, requestId: transferParams.requestId }))).code,
    ).toBe('request_id_reused');
    expect(fetch.seen).toHaveLength(2);
  });

  it('are free again when nothing was sent', async () => {
    const fetch = scripted(json(wire.heldTransfer));
    const client = clientOf(fetch);
    const signal = AbortSignal.abort();
    expect((await failure(client.transfers.create(transferParams, { signal }))).outcome).toBe('not-sent');
    const headers = { authorization: 'x' };
    expect((await failure(client.transfers.create(transferParams, { headers }))).outcome).toBe('not-sent');
    await client.transfers.create({ ...transferParams, amount: 26 });
    expect(fetch.seen).toHaveLength(1);
  });

  it('stay taken when an earlier call with the same payload was sent', async () => {
    const client = clientOf(scripted(json(wire.heldTransfer)));
    await client.transfers.create(transferParams);
    const signal = AbortSignal.abort();
    expect((await failure(client.transfers.create(transferParams, { signal }))).outcome).toBe('succeeded');
    expect((await failure(client.transfers.create({ ...transferParams, amount: 26 }))).code).toBe(
      'request_id_reused',
    );
  });
});

describe('path segments', () => {
  const bad: readonly [value: unknown, words: string][] = [
    ['', 'must be a non-empty string, but is empty'],
    [' \t', 'is empty'],
    [undefined, 'but is missing'],
    [null, 'but is null'],
    [7, 'but is a number'],
    [{}, 'but is an object'],
    ['.', 'is `.` or `..`'],
    ['..', 'is `.` or `..`'],
    ['%2e', 'is `.` or `..`'],
    ['%2E%2e', 'is `.` or `..`'],
    ['%252e%252e', 'is `.` or `..`'],
    ['.%25252e', 'is `.` or `..`'],
    ['a/b', 'slash'],
    ['..\\x', 'slash'],
    ['a%2Fb', 'slash'],
    ['a%255cb', 'slash'],
    ['50%/..', 'slash'],
    ['50%%2f', 'slash'],
    ['a\nb', 'control character'],
    ['a%00b', 'control character'],
    ['a%0d%0aHost: x', 'control character'],
    ['a\u2028b', 'control character'],
    ['a\u0085b', 'control character'],
    ['\ud800', 'half of a surrogate pair'],
    ['%25252525252e', 'percent-encoded more than three times'],
  ];

  it.each(bad)('%j is not sent', async (value, words) => {
    const id = value as string;
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const attempts: [string, PromiseLike<unknown>][] = [
      ['transferId', client.onramps.refreshQuote(id)],
      ['userId', client.accounts.create(id, usParams)],
      ['userId', client.accounts.list(id)],
      ['userId', client.accounts.retrieve(id, 'a1')],
      ['accountId', client.accounts.retrieve('u1', id)],
      ['accountId', client.accounts.delete('u1', id)],
      ['accountId', client.accounts.waitUntilActive('u1', id)],
      ['approvalId', client.approvals.approve(id)],
      ['approvalId', client.approvals.reject(id)],
      ['id', client.reporting.retrieveResults(id)],
      ['userId', client.kyc.retrieve(id)],
      ['userId', client.externalWallets.list(id)],
    ];
    for (const [field, attempt] of attempts) {
      const error = await failure(attempt);
      expect(error).toMatchObject({ name: 'InvalidRequestError', field, outcome: 'not-sent' });
      expect(error.message).toContain(words);
    }
    expect(fetch.seen).toHaveLength(0);
  });

  it.each(['a.b', '...', '50%', 'a%b', '100%25', 'é', '😀', 'a b', "o'neill", 'a;b,c', '{id}'])(
    '%j reaches the service as one segment',
    async (id) => {
      const fetch = scripted(json({ userId: id, kycInfo: {} }));
      await clientOf(fetch).kyc.retrieve(id);
      const { pathname } = new URL(fetch.seen[0]?.url ?? '');
      expect(decodeURIComponent(pathname)).toBe(`/v2/users/${id}/kyc`);
      expect(pathname.split('/')).toHaveLength(5);
    },
  );
});

describe('options of a call', () => {
  const bad: readonly [what: string, options: unknown, words: string][] = [
    ['no object', 7, 'the request options must be an object, but are a number'],
    ['null', null, 'but are null'],
    ['a list', [], 'but are an array'],
    ['timeout 0', { timeout: 0 }, '`timeout` must be a number of milliseconds from 100'],
    ['timeout NaN', { timeout: Number.NaN }, 'but is NaN'],
    ['timeout of text', { timeout: '30' }, 'but is a string'],
    ['an endless deadline', { deadline: Number.POSITIVE_INFINITY }, '`deadline` must be'],
    ['retries -1', { retries: -1 }, '`retries` must be a whole number from 0 to 100'],
    ['retries 1.5', { retries: 1.5 }, 'but is 1.5'],
    ['retries 101', { retries: 101 }, 'but is 101'],
    ['retries null', { retries: null }, 'but is null'],
    ['a signal that is none', { signal: {} }, '`signal` must be an AbortSignal, but is an object'],
    ['a signal that is null', { signal: null }, '`signal` must be an AbortSignal, but is null'],
    ['a query that is none', { query: 'a=1' }, '`query` must be an object, but is a string'],
    ['a query of objects', { query: { a: {} } }, 'the query parameter `a` must be a string'],
    ['a query of NaN', { query: { a: Number.NaN } }, 'but is NaN'],
    ['a query of null', { query: { a: null } }, 'but is null'],
  ];

  it.each(bad)('%s is refused', async (_what, options, words) => {
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const attempts = [
      ...operations.map(({ call }) => call(client, options as never)),
      client.accounts.waitUntilActive('u1', 'a1', options as never),
      client.request({ method: 'GET', path: '/v2/x' }, options as never),
    ];
    for (const attempt of attempts) {
      const error = await failure(attempt);
      expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
      expect(error.message).toContain(words);
    }
    expect(fetch.seen).toHaveLength(0);
  });

  it.each([{ interval: 0 }, { interval: '1' }])('%j is no interval to wait', async (options) => {
    const client = clientOf(scripted(json({})));
    const error = await failure(client.accounts.waitUntilActive('u1', 'a1', options as never));
    expect(error).toMatchObject({ name: 'InvalidRequestError', operation: 'accounts.waitUntilActive' });
    expect(error.message).toContain('`interval` must be a number above 0');
  });

  it('query adds to what the method sends, and never drops or replaces it', async () => {
    const fetch = scripted(json({ approvals: [] }));
    const client = clientOf(fetch);
    await client.approvals.list({}, { query: { limit: 7, status: 'PENDING', flag: true, gone: undefined } });
    await client.approvals.list({ limit: 3 }, { query: { limit: 7 } });
    await client.kyc.retrieve('u1', { query: { gone: undefined } }).asResponse();
    expect(fetch.seen.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=7&status=PENDING&flag=true',
      '?limit=3',
      '',
    ]);
  });

  it('headers are added, undefined ones left out, and replace the client’s own', async () => {
    const fetch = scripted(json({ userId: 'u1', kycInfo: {} }));
    const client = clientOf(fetch, { headers: { 'X-Tenant': 'one', 'User-Agent': 'mine/1' } });
    await client.kyc.retrieve('u1', {
      headers: { 'x-tenant': 'two', Accept: 'text/json', 'x-gone': undefined },
    });
    await client.kyc.retrieve('u1', { headers: new Headers({ 'x-a': 'ÿ' }) as never });
    expect(fetch.seen[0]?.headers).toEqual({
      accept: 'text/json',
      authorization: expect.stringMatching(/^Bearer /),
      'user-agent': 'mine/1',
      'x-tenant': 'two',
    });
    expect(fetch.seen[1]?.headers['x-a']).toBe('ÿ');
  });

  const headers: readonly [headers: unknown, words: string][] = [
    ['x-a: 1', '`headers` must be an object, but is a string'],
    [{ authorization: 'x' }, 'the header `authorization` is set by the client. Use `accessToken`.'],
    [{ 'Content-Length': '3' }, 'the header `content-length` is set by the client'],
    [{ HOST: 'x' }, 'the header `host` is set by the client'],
    [{ cookie: 'a=1' }, 'the header `cookie` is set by the client'],
    [{ 'Transfer-Encoding': 'chunked' }, '`transfer-encoding`'],
    [{ 'content-type': 'text/plain' }, '`content-type`'],
    [{ 'x a': '1' }, 'a name that HTTP does not allow'],
    [{ '': '1' }, 'a name that HTTP does not allow'],
    [{ 'x-a\r\n': '1' }, 'a name that HTTP does not allow'],
    [{ 'x-a': 7 }, 'the header `x-a` must be a string, but is a number'],
    [{ 'x-a': null }, 'but is null'],
    [{ 'x-a': '1\r\nx-b: 2' }, 'contains a character that HTTP does not allow'],
    [{ 'x-a': '1\n' }, 'contains a character that HTTP does not allow'],
    [{ 'x-a': '\u0000' }, 'a character that HTTP does not allow'],
    [{ 'x-a': '€' }, 'a character that HTTP does not allow'],
  ];

  it.each(headers)('%j are refused', async (given, words) => {
    const fetch = scripted(json({}));
    const error = await failure(clientOf(fetch).kyc.retrieve('u1', { headers: given as never }));
    expect(error).toMatchObject({ outcome: 'not-sent', operation: 'kyc.retrieve', attempts: 0 });
    expect(error.message).toContain(words);
    await expect(async () => clientOf(fetch, { headers: given as never })).rejects.toThrow(words);
    expect(fetch.seen).toHaveLength(0);
  });
});

describe('own properties only', () => {
  const polluted = [
    'requestId',
    'query',
    'problem',
    'idempotent',
    'schema',
    'method',
    'path',
    'limit',
    'offset',
    'cursor',
  ];
  const more = [
    'rail',
    'comment',
    'headers',
    'accessToken',
    'retries',
    'timeout',
    'deadline',
    'interval',
    'nextCursor',
    // What ky reads of its options and requests.
    'body',
    'json',
    'hooks',
    'parseJson',
    'prefix',
    'searchParams',
    'signal',
  ];
  const prototype = Object.prototype as Record<string, unknown>;
  afterEach(() => {
    for (const name of [...polluted, ...more]) delete prototype[name];
  });

  const values: Readonly<Record<string, unknown>> = {
    requestId: 'polluted',
    query: { polluted: '1' },
    idempotent: true,
    limit: 999,
    offset: 5,
    headers: { polluted: '1' },
    accessToken: 'polluted',
    retries: 9,
    nextCursor: 'polluted',
  };

  it.each([...polluted, ...more])('Object.prototype.%s changes nothing of what is sent', async (name) => {
    const fetch = scripted(
      json({ ...(wire.bridgeTransfer as Json), approvals: [], accounts: [], userId: 'u', kycInfo: {} }),
    );
    const run = async () => {
      const client = clientOf(fetch);
      await client.bridges.create({ ...bridge, requestId: 'r1' });
      await client.approvals.list();
      await client.accounts.list('u1');
      await client.kyc.retrieve('u1');
      await client.request({ method: 'POST', path: '/v2/x' });
      const { requestId } = await client.bridges.create(bridge).withResponse();
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      const sent = fetch.seen
        .splice(0)
        .map(({ url, method, headers, body }) => ({ url, method, headers, body }));
      expect(JSON.parse(sent.pop()?.body ?? '').requestId).toBe(requestId);
      return sent;
    };
    const clean = await run();
    Object.defineProperty(prototype, name, {
      value: values[name] ?? 'polluted',
      configurable: true,
      enumerable: true,
      writable: true,
    });
    const dirty = await run();
    delete prototype[name];
    expect(dirty).toEqual(clean);
  });

  it('a __proto__ in an answer pollutes nothing and is kept as it came', async () => {
    const text =
      '{"userId":"u1","kycInfo":{"__proto__":{"admin":true}},"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
    for (const responseValidation of ['tolerant', 'strict', 'off'] as const) {
      const client = clientOf(
        scripted(() => new Response(text)),
        { responseValidation },
      );
      const record = await client.kyc.retrieve('u1');
      expect(JSON.stringify(record)).toBe(text);
      expect('admin' in {}).toBe(false);
      expect('admin' in record).toBe(false);
    }
    const failing = clientOf(
      scripted(
        () => new Response('{"__proto__":{"code":1},"error":{"__proto__":{"code":"X"}}}', { status: 400 }),
      ),
    );
    expect((await failure(failing.kyc.retrieve('u1'))).message).toContain('failed (HTTP 400)');
  });
});
