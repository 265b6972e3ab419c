import { createContext, runInContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { InvalidRequestError, type RequestOptions } from '../../src/index.ts';
import { batch, bridge, clientOf, failure, json, scripted } from '../client/support.ts';
import { bridgeTransfer } from '../fixtures/index.ts';

const record = { ...bridgeTransfer, transferDetails: { ...bridgeTransfer.transferDetails } };

// Written once: some tests pollute what JSON.stringify reads.
const responseText = JSON.stringify(record);

/** Sends a bridge with one more field, or a body of the test's own, and gives the body on the wire. */
async function sent(params: unknown, options?: RequestOptions): Promise<string> {
  const fetch = scripted(() => new Response(responseText));
  await clientOf(fetch).bridges.create(params as never, options);
  return fetch.seen[0]?.body ?? '';
}

async function refused(params: unknown, field: string, words: string): Promise<void> {
  const fetch = scripted(json(record));
  const call = clientOf(fetch).bridges.create(params as never);
  const error = await failure(call);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ field, outcome: 'not-sent', attempts: 0 });
  expect(error.message).toContain(`\`${field}\` ${words}`);
  expect(fetch.seen).toHaveLength(0);
}

const throwing = (name: string) =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });

describe('what JSON would drop or change is refused with its path', () => {
  class Decimal {
    readonly digits = [1, 2];
    toJSON(): string {
      return '12.00';
    }
  }
  class Payment {
    readonly #requireApproval = true;
    get requireApproval(): boolean {
      return this.#requireApproval;
    }
  }
  class Model {
    static readonly table = 'payments';
    amount = 1;
  }
  Object.defineProperty(Model.prototype, 'requireApproval', { value: true, enumerable: true });
  class Lines extends Array<unknown> {
    toJSON(): string {
      return 'lines';
    }
  }
  const cycle: Record<string, unknown> = { list: [] };
  (cycle.list as unknown[]).push({ back: cycle });
  const hidden = Object.defineProperty({ a: 1 }, 'toJSON', { value: () => 'x' });
  const bad: readonly [what: string, value: unknown, field: string, words: string][] = [
    ['a class with toJSON', { y: new Decimal() }, 'x.y', 'is an object with a `toJSON` method'],
    ['a hidden toJSON', hidden, 'x', 'is an object with a `toJSON` method'],
    ['a toJSON of its own', { toJSON: () => 'y' }, 'x.toJSON', 'is a function'],
    ['a list with toJSON', Lines.from([1]), 'x', 'is an object with a `toJSON` method'],
    ['a URL', new URL('https://a.example'), 'x', 'is an URL'],
    ['a class with accessors', [new Payment()], 'x[0]', 'inherits `requireApproval`, which would be lost'],
    ['data on a prototype', new Model(), 'x', 'inherits `requireApproval`, which would be lost'],
    ['data of a parent object', Object.create({ amount: 1 }), 'x', 'inherits `amount`, which would be lost'],
    ['a Map', new Map([['a', 1]]), 'x', 'is a Map, which JSON cannot carry'],
    ['a Set', { y: new Set([1]) }, 'x.y', 'is a Set, which JSON cannot carry'],
    ['a promise', Promise.resolve(1), 'x', 'is a Promise'],
    ['an error', new Error('x'), 'x', 'is an Error'],
    ['bytes', new Uint8Array(2), 'x', 'is an Uint8Array'],
    ['a boxed number', Object(5), 'x', 'is a Number'],
    ['a function', { y: [() => 1] }, 'x.y[0]', 'is a function, which JSON cannot carry'],
    ['a symbol', Symbol('s'), 'x', 'is a symbol, which JSON cannot carry'],
    ['a symbol as a key', { [Symbol('s')]: 1 }, 'x', 'has a symbol as a key'],
    ['a BigInt', { y: 1n }, 'x.y', 'is a BigInt, which JSON cannot carry'],
    ['a sparse list', Array(3), 'x[0]', 'is missing, which JSON cannot carry'],
    ['an undefined item', [1, undefined], 'x[1]', 'is missing, which JSON cannot carry'],
    ['a list with fields', Object.assign([1], { total: 1 }), 'x', 'is a list with fields of its own'],
    ['a cycle', cycle, 'x.list[0].back', 'refers to itself'],
    ['an invalid date', new Date(Number.NaN), 'x', 'is an invalid date'],
    ['a getter that throws', { y: throwing('z') }, 'x.y.z', 'cannot be read'],
    ['a revoked proxy', revoked(), 'x', 'cannot be read'],
    ['an instance of another realm', runInContext('new Map()', createContext()), 'x', 'is a Map'],
  ];

  it.each(bad)('%s', async (_what, value, field, words) => {
    await refused({ ...bridge, x: value }, field, words);
  });

  it('also at the root', async () => {
    await refused(Object.assign(new Map(), bridge), 'params', 'is a Map');
    await refused(throwing('amount'), 'amount', 'cannot be read');
    await refused(revoked(), 'params', 'cannot be read');
  });

  it('in the parameters of every kind of call, as a rejected promise', async () => {
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const params = throwing('limit') as never;
    const calls: (() => PromiseLike<unknown>)[] = [
      () => client.onramps.create(params),
      () => client.transfers.create(params),
      () => client.transfers.createBatch(params),
      () => client.offramps.create(params),
      () => client.accounts.create('u1', params),
      () => client.accounts.list('u1', params),
      () => client.externalWallets.list('u1', params),
      () => client.approvals.list(params),
      () => client.approvals.approve('a1', params),
      () => client.approvals.reject('a1', params),
      () => client.bridges.create(bridge, { extraBody: params }),
      () => client.request({ method: 'POST', path: '/v2/x', body: params }),
    ];
    for (const call of calls) {
      const error = await failure(call());
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error.message).toContain('limit');
    }
    expect(fetch.seen).toHaveLength(0);
  });

  it('refuses what unfolds without end', { timeout: 60_000 }, async () => {
    let shared: unknown = { leaf: 1 };
    for (let level = 0; level < 40; level += 1) shared = { left: shared, right: shared };
    const error = await failure(
      clientOf(scripted(json(record))).bridges.create({ ...bridge, shared } as never),
    );
    expect(error.message).toContain('has more than 1000000 objects');
    // A million is not too many. The list counts, too.
    const fetch = scripted(json({}));
    await clientOf(fetch).request({ method: 'POST', path: '/v2/x', body: Array(999_999).fill({}) });
    expect(fetch.seen[0]?.body).toHaveLength(3 * 999_999 + 1);
  });
});

describe('what is checked is what is sent', () => {
  it('reads every field once', async () => {
    let reads = 0;
    const params = {
      ...bridge,
      get amount() {
        reads += 1;
        return reads === 1 ? 5 : -5;
      },
    };
    expect(JSON.parse(await sent(params)).amount).toBe(5);
    expect(reads).toBe(1);
  });

  it('is not changed by the caller after the call', async () => {
    const params = structuredClone(batch);
    const fetch = scripted(json(record));
    const call = clientOf(fetch, { accessToken: async () => 'late' }).transfers.createBatch(params);
    Object.assign(params, { requireApproval: false, currency: 'usdt' });
    await call;
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toEqual({ ...batch, requestId: expect.any(String) });
  });

  it('takes objects without a prototype, of other realms, and instances that hold their data themselves', async () => {
    class Party {
      userId = 'u1';
      chain = 'POLYGON';
      currency = 'usdc';
      describe(): string {
        return this.userId;
      }
    }
    const params = {
      requestId: 'r1',
      amount: 1,
      source: new Party(),
      destination: Object.assign(Object.create(null), bridge.destination),
      foreign: runInContext('({ list: [1, { when: new Date(0) }] })', createContext()),
      when: new Date(0),
      gone: undefined,
      none: null,
      half: '\ud800',
    };
    expect(await sent(params)).toBe(
      '{"requestId":"r1","amount":1,"source":{"userId":"u1","chain":"POLYGON","currency":"usdc"},"destination":{"chain":"BASE","currency":"usdc"},"foreign":{"list":[1,{"when":"1970-01-01T00:00:00.000Z"}]},"when":"1970-01-01T00:00:00.000Z","none":null,"half":"\\ud800"}',
    );
  });

  describe('whatever prototypes are polluted with', () => {
    const toJSON = { value: () => ({ amount: 1_000_000 }), configurable: true };
    afterEach(() => {
      for (const prototype of [Object.prototype, Array.prototype, String.prototype, Number.prototype])
        Reflect.deleteProperty(prototype, 'toJSON');
    });

    it.each([
      ['Object', Object.prototype],
      ['Array', Array.prototype],
      ['String', String.prototype],
      ['Number', Number.prototype],
    ])('%s.prototype.toJSON', async (_name, prototype) => {
      const params = { ...bridge, requestId: 'r1', list: [1, [2, { three: 3 }]] };
      const clean = await sent(params);
      Object.defineProperty(prototype, 'toJSON', toJSON);
      // Off again before anything is reported: vitest prints failures by way of toJSON.
      const [dirty, made] = await Promise.all([
        sent(params),
        sent({ ...params, requestId: undefined }),
      ]).finally(() => Reflect.deleteProperty(prototype, 'toJSON'));
      expect(dirty).toBe(clean);
      expect(JSON.parse(made)).toEqual({ ...params, requestId: expect.any(String) });
    });
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
