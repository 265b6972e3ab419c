import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { bridgeTransfer } from '../../fixtures/index.ts';
import { bridge, clientOf, failure, json, scripted } from '../support.ts';
import { having, payments, refused, sent } from './support.ts';

/** The text in which a body of the caller's own is sent. */
async function written(body: unknown, extraBody?: object): Promise<string | undefined> {
  const fetch = scripted(json({}));
  await clientOf(fetch).request(
    { method: 'POST', path: '/v2/x', body: body as never },
    { ...(extraBody && { extraBody: { ...extraBody } }) },
  );
  return fetch.seen[0]?.body;
}

async function unsendable(body: unknown) {
  const fetch = scripted(json({}));
  const error = await failure(
    clientOf(fetch).request({ method: 'POST', path: '/v2/x', body: body as never }),
  );
  expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
  expect(fetch.seen).toEqual([]);
  return error;
}

const nest = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner: unknown) => ({ in: inner }), 1);
const cycle: Record<string, unknown> = { list: [] };
(cycle.list as unknown[]).push({ back: cycle });

/** What JSON would drop or change in silence. */
const lost: readonly [what: string, value: unknown, path: string, words: string][] = [
  ['NaN', Number.NaN, 'x', 'must be finite, but is NaN'],
  ['infinity', { y: [Number.NEGATIVE_INFINITY] }, 'x.y[0]', 'must be finite, but is infinite'],
  ['a BigInt', { y: 1n }, 'x.y', 'is a BigInt, which JSON cannot carry; convert it to a number or a string'],
  ['a function', [() => 1], 'x[0]', 'is a function, which JSON cannot carry'],
  ['a symbol', Symbol('s'), 'x', 'is a symbol, which JSON cannot carry'],
  ['an undefined item', [1, undefined], 'x[1]', 'is missing, which JSON cannot carry'],
  ['an undefined item further down', { y: [undefined] }, 'x.y[0]', 'is missing, which JSON cannot carry'],
  ['a hole in a list', Array(3), 'x[0]', 'is missing, which JSON cannot carry'],
  ['a Map', new Map([['a', 1]]), 'x', 'is of class Map, which JSON cannot carry'],
  ['a Set', { y: new Set([1]) }, 'x.y', 'is of class Set, which JSON cannot carry'],
  ['bytes', new Uint8Array(2), 'x', 'is of class Uint8Array, which JSON cannot carry'],
  ['a promise', Promise.resolve(1), 'x', 'is of class Promise, which JSON cannot carry'],
  ['a Map of another realm', runInContext('new Map()', createContext()), 'x', 'is of class Map'],
  ['an invalid date', new Date(Number.NaN), 'x', 'is an invalid date'],
  ['a cycle', cycle, 'x.list[0].back', 'refers to itself'],
];

describe('what JSON would drop or change in silence is not sent', () => {
  it.each(lost)('%s', async (_what, value, path, words) => {
    const own = await unsendable({ x: value });
    expect(own.message).toContain(`\`${path}`);
    expect(own.message).toContain(words);
    const extra = await refused('bridge', bridge, { extraBody: { x: value } });
    expect(extra.field).toContain(`extraBody.${path}`);
    expect(extra.message).toContain(words);
    for (const name of ['requireApproval', 'source'])
      expect((await refused('transfer', having(payments.transfer, name, value))).message).toContain(words);
  });

  it('is named by its place in a list, too', async () => {
    expect(await unsendable([{ y: [1n] }])).toMatchObject({ field: '[0].y[0]' });
  });

  it('such as a body with more levels than can be written', async () => {
    expect((await unsendable({ x: nest(100_000) })).message).toContain(
      'cannot be written as JSON. Nothing was sent.',
    );
  });

  it('such as a body that a `toJSON` of the caller refuses to write', async () => {
    const planted = new RangeError('planted');
    const toJSON = () => {
      throw planted;
    };
    expect(await unsendable({ x: { toJSON } })).toMatchObject({ field: 'body', originalError: planted });
    expect((await refused('transfer', { ...payments.transfer, source: { toJSON } })).field).toBe('params');
  });

  it('such as a body that is nothing as JSON', async () => {
    expect(await unsendable({ toJSON: () => undefined })).toMatchObject({
      field: 'body',
      message: 'request: `body` is nothing as JSON: its `toJSON` gives undefined. Nothing was sent.',
    });
  });
});

describe('what is checked is what is sent', () => {
  it('whatever the caller changes after the call', async () => {
    const fetch = scripted(json(bridgeTransfer));
    const params = structuredClone(bridge);
    const call = clientOf(fetch, { accessToken: async () => 'late' }).bridges.create(params);
    Object.assign(params, { amount: 1_000_000 });
    await call;
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toMatchObject({ amount: bridge.amount });
  });

  it('of objects that write themselves', async () => {
    const userId = Object.assign(Object.create({ toJSON: () => 'u9' }), { id: 'other' });
    expect(await sent('transfer', having(payments.transfer, 'source.userId', userId))).toMatchObject({
      source: { userId: 'u9' },
    });
    const source = Object.assign(Object.create({ toJSON: () => ({ userId: 'u9', hold: true }) }));
    expect(await refused('transfer', { ...payments.transfer, source })).toMatchObject({
      field: 'source.hold',
    });
  });

  it('in the order of the caller', async () => {
    const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
    const { requestId, source, destination } = payments.onramp;
    const params = { destination: reversed(destination), fee: null, source: reversed(source), requestId };
    expect(JSON.stringify(await sent('onramp', params))).toBe(JSON.stringify(params));
  });

  it('of parameters that write themselves, but for a key without an entry', async () => {
    const { requestId: _own, ...params } = payments.transfer;
    expect(await refused('transfer', { ...params, toJSON: () => payments.transfer })).toMatchObject({
      field: 'requestId',
      message: expect.stringContaining('`requestId` must be a string among the parameters themselves.'),
    });
    expect((await refused('transfer', { ...params, toJSON: () => undefined })).message).toContain(
      'the parameters must be an object, but are missing.',
    );
  });

  it('of instances, objects of other realms and without a prototype', async () => {
    class Party {
      userId = 'u1';
      describe() {
        return this.userId;
      }
    }
    const foreign = runInContext('({ userId: "u2" })', createContext());
    const bare = Object.assign(Object.create(null), payments.transfer);
    expect(await sent('transfer', { ...bare, source: new Party(), destination: foreign })).toMatchObject({
      source: { userId: 'u1' },
      destination: { userId: 'u2' },
    });
    // *The public surface*: "An unknown own name is refused even where its value is `undefined`".
    class Described extends Party {
      name = undefined;
    }
    const error = await refused('transfer', { ...bare, source: new Described(), destination: foreign });
    expect(error.field).toBe('source.name');
  });

  it('in any body of the caller’s own', async () => {
    const party = { userId: 'u1' };
    const body = {
      a: [party, { party }, party],
      b: undefined,
      c: null,
      d: new Date(0),
      e: '\ud800',
      f: nest(60),
    };
    expect(await written(body)).toBe(JSON.stringify(body));
    for (const list of [[], [1, 'x'], [null]]) expect(await written(list)).toBe(JSON.stringify(list));
  });
});
