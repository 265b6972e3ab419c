import { createContext, runInContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { bridge, clientOf, failure, json, scripted } from '../client/support.ts';
import { bridgeTransfer } from '../fixtures/index.ts';

const create = (memo: unknown, fetch = scripted(json(bridgeTransfer))) =>
  clientOf(fetch).bridges.create({ ...bridge, requestId: 'r1', memo } as never);

/** The JSON in which a value among the parameters is sent; undefined where it is left out. */
async function sent(value: unknown): Promise<string | undefined> {
  const fetch = scripted(json(bridgeTransfer));
  await create(value, fetch);
  const body = fetch.seen[0]?.body ?? '';
  const start = JSON.stringify({ ...bridge, requestId: 'r1' }).slice(0, -1);
  expect(body.startsWith(start)).toBe(true);
  return body === `${start}}` ? undefined : body.slice(`${start},"memo":`.length, -1);
}

/** The error of a call with such a value among its parameters, which sends nothing. */
async function refused(value: unknown) {
  const fetch = scripted(json(bridgeTransfer));
  const error = await failure(create(value, fetch));
  expect(fetch.seen).toEqual([]);
  expect(error).toMatchObject({ name: 'InvalidRequestError', operation: 'bridges.create' });
  return error;
}
const foreign = (code: string): object => runInContext(code, createContext());

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const throwing = (name: string) =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw new RangeError('planted');
    },
  });

/** Lists within lists. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const toJSON =
  'is an object with a `toJSON` method, so that its fields are not what would be sent; convert it to plain data first';
const lost = (name: string) => `inherits \`${name}\`, which would be lost; convert it to plain data first`;

describe('a copy', () => {
  it.each([
    ['text', '"text"'],
    [7, '7'],
    [true, 'true'],
    [null, 'null'],
    [undefined, undefined],
  ])('of %j is itself', async (value, text) => {
    expect(await sent(value)).toBe(text);
  });

  it('holds what JSON can carry', async () => {
    const value = {
      a: [1, { b: 'x' }],
      c: undefined,
      d: null,
      e: new Date(0),
      f: foreign('new Date(5)'),
      g: false,
    };
    expect(await sent(value)).toBe(
      '{"a":[1,{"b":"x"}],"d":null,"e":"1970-01-01T00:00:00.000Z","f":"1970-01-01T00:00:00.005Z","g":false}',
    );
  });

  it('may hold one object twice, side by side', async () => {
    const party = { userId: 'u1' };
    expect(await sent([party, { party }, party])).toBe(JSON.stringify([party, { party }, party]));
  });

  it('is 64 levels deep at most', async () => {
    expect(await sent(nested(63))).toBe(JSON.stringify(nested(63)));
    expect((await refused(nested(64))).message).toContain(
      `\`memo${'[0]'.repeat(63)}\` is nested deeper than 64 levels. Nothing was sent.`,
    );
  });

  it.each<[string, unknown, string | undefined]>([
    ['a NaN', { a: { b: Number.NaN } }, '`memo.a.b` must be finite, but is NaN'],
    ['an infinity', [Number.NEGATIVE_INFINITY], '`memo[0]` must be finite, but is infinite'],
    ['a BigInt', { a: 7n }, '`memo.a` is a BigInt, which JSON cannot carry'],
    ['the first of two', { a: Number.NaN, b: 7n, c: Number.NaN }, '`memo.a` must be finite, but is NaN'],
    ['the first of two', { a: 7n, b: Number.NaN, c: 7n }, '`memo.a` is a BigInt, which JSON cannot carry'],
    ['the value itself', 7n, '`memo` is a BigInt, which JSON cannot carry'],
  ])('is not sent with %s', async (_what, value, message) => {
    expect((await refused(value)).message).toBe(`bridges.create: ${message}. Nothing was sent.`);
  });
});

describe('what cannot be copied', () => {
  const cycle: Record<string, unknown> = {};
  cycle.a = [cycle];
  it.each<[string, unknown, string, string]>([
    ['a function', { a: () => 1 }, 'memo.a', 'is a function, which JSON cannot carry'],
    ['a symbol', [Symbol('x')], 'memo[0]', 'is a symbol, which JSON cannot carry'],
    ['a function itself', () => 1, 'memo', 'is a function, which JSON cannot carry'],
    ['a cycle', cycle, 'memo.a[0]', 'refers to itself'],
    ['a Map', { a: { b: new Map() } }, 'memo.a.b', 'is a Map, which JSON cannot carry'],
    ['an invalid date', new Date(Number.NaN), 'memo', 'is an invalid date'],
    [
      'a key of a prototype',
      JSON.parse('{"a":{"__proto__":{"x":1}}}'),
      'memo.a.__proto__',
      'is a key that could pollute a prototype; remove it',
    ],
    [
      'a hole',
      { a: Object.assign(Array(3), { 0: 1, 2: 3 }) },
      'memo.a[1]',
      'is missing, which JSON cannot carry',
    ],
    ['an undefined item', [undefined], 'memo[0]', 'is missing, which JSON cannot carry'],
    [
      'a list with a field',
      { a: Object.assign([1], { b: 2 }) },
      'memo.a',
      'is a list with fields of its own, which JSON cannot carry',
    ],
    ['a getter that throws', { a: throwing('b') }, 'memo.a.b', 'cannot be read'],
    ['a revoked proxy', [revoked()], 'memo[0]', 'cannot be read'],
  ])('is refused with its path: %s', async (_what, value, field, why) => {
    const message = `bridges.create: \`${field}\` ${why}. Nothing was sent.`;
    expect(await refused(value)).toMatchObject({ field, message });
  });

  it('keeps what a getter threw, and has no cause where nothing was thrown', async () => {
    expect((await refused(throwing('a'))).originalError).toEqual(new RangeError('planted'));
    expect((await refused(new Map())).originalError).toBeUndefined();
  });

  it('names the field after fields that were fine', async () => {
    const { message } = await refused({ a: { b: [1, { c: 1 }] }, d: [[1], new Set()] });
    expect(message).toContain('`memo.d[1]` is a Set');
  });
});

describe('a polluted prototype', () => {
  afterEach(() => {
    Reflect.deleteProperty(Array.prototype, 'toJSON');
  });

  it('does not rewrite a list', async () => {
    Object.defineProperty(Array.prototype, 'toJSON', { value: () => 'planted', configurable: true });
    const text = await sent([1, [2]]);
    Reflect.deleteProperty(Array.prototype, 'toJSON');
    expect(text).toBe('[1,[2]]');
  });
});

describe('an instance of a class', () => {
  class Plain {
    own = 1;
    #secret = 2;
    describe(): number {
      return this.#secret;
    }
  }
  class Derived extends Plain {
    more = 1;
  }
  class Getter {
    get amount(): number {
      return 1;
    }
  }
  class Setter {
    set amount(_value: number) {
      throw new Error('read only');
    }
  }
  class Odd extends Getter {
    override isPrototypeOf(): boolean {
      return false;
    }
  }
  class DerivedGetter extends Getter {}
  class Converts {
    toJSON(): string {
      return 'x';
    }
  }
  class Lines extends Array<unknown> {}
  class Counted extends Array<unknown> {
    get total(): number {
      return 1;
    }
  }
  const own = (value: unknown, enumerable: boolean) =>
    Object.defineProperty({ a: 1 }, 'toJSON', { value, enumerable });

  it.each<[string, object]>([
    ['a plain object', {}],
    ['a list', []],
    ['no prototype', Object.create(null)],
    ['own fields and methods', new Plain()],
    ['two classes of them', new Derived()],
    ['a list of its own class', Lines.from([1])],
    ['an object of another realm', foreign('({ a: 1 })')],
    ['a list of another realm', foreign('[1]')],
    ['an instance of another realm', foreign('new (class A { b = 1; c() {} })()')],
    ['a hidden symbol', Object.defineProperty({}, Symbol('x'), { value: 1, enumerable: false })],
  ])('loses nothing: %s', async (_what, value) => {
    expect(await sent(value)).toBe(JSON.stringify(value));
  });

  it('a toJSON that would be copied as a field, or left out, is refused there', async () => {
    expect((await refused(own(7, false))).message).toContain('`memo.toJSON` is not enumerable');
    expect((await refused(own(() => 'x', true))).message).toContain(
      '`memo.toJSON` is a function, which JSON cannot carry',
    );
  });

  it.each<[string, object, string]>([
    ['a Map', new Map(), 'is a Map, which JSON cannot carry'],
    ['an error', new Error('x'), 'is an Error, which JSON cannot carry'],
    ['a URL', new URL('https://a.example'), 'is an URL, which JSON cannot carry'],
    ['bytes', new Uint8Array(1), 'is an Uint8Array, which JSON cannot carry'],
    ['an integer list', new Int8Array(1), 'is an Int8Array, which JSON cannot carry'],
    [
      'a tag with a vowel within',
      { [Symbol.toStringTag]: 'BagOfTags' },
      'is a BagOfTags, which JSON cannot carry',
    ],
    ['a symbol as a key', { [Symbol('x')]: 1 }, 'has a symbol as a key, which JSON cannot carry'],
    [
      'a symbol as a key of a list',
      Object.assign([1], { [Symbol('x')]: 1 }),
      'has a symbol as a key, which JSON cannot carry',
    ],
    [
      'one of two symbols',
      Object.defineProperty({ [Symbol('x')]: 1 }, Symbol('y'), { value: 1 }),
      'has a symbol as a key, which JSON cannot carry',
    ],
    ['a hidden toJSON', own(() => 'x', false), toJSON],
    ['a toJSON of its class', new Converts(), toJSON],
    ['a getter', new Getter(), lost('amount')],
    ['a setter', new Setter(), lost('amount')],
    ['a getter of the class above', new DerivedGetter(), lost('amount')],
    ['data of a parent', Object.create({ amount: 1 }), lost('amount')],
    ['data of a parent’s parent', Object.create(Object.create({ amount: 1 })), lost('amount')],
    [
      'data of a parent without a prototype',
      Object.create(Object.assign(Object.create(null), { a: 1 })),
      lost('a'),
    ],
    ['data of a list', Object.setPrototypeOf([1], [2]), lost('0')],
    ['a getter of a class that looks like Object', new Odd(), lost('amount')],
    ['a constructor that is data', Object.create({ constructor: 'x' }), lost('constructor')],
    ['a getter of a list', Counted.from([1]), lost('total')],
  ])('loses something: %s', async (_what, value, fault) => {
    expect((await refused(value)).message).toBe(`bridges.create: \`memo\` ${fault}. Nothing was sent.`);
  });
});
