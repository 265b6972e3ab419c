import { describe, expect, it } from 'vitest';
import { digestOf, KeyMemory, keyMemoryOf } from '../../src/evidence/key-memory.ts';
import { type Finding, InvalidRequestError, type PaymentsError } from '../../src/index.ts';
import { canonicalText, requestIdIn, withRequestId } from '../../src/transport/request/body.ts';

/** The error that an action throws. */
function thrownBy(action: () => unknown): PaymentsError {
  try {
    action();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const one = '{"amount":1}';
const two = '{"amount":2}';
const begin = (memory: KeyMemory, payload = one, id = 'id-1', operation = 'transfers.create') =>
  memory.begin(id, operation, digestOf(payload));

/** Makes a call that ends with a finding. */
function end(memory: KeyMemory, finding: Finding, payload = one, id = 'id-1'): void {
  const call = begin(memory, payload, id);
  call.note(finding);
  call.settle();
}

describe('what is known of a key', () => {
  it('is nothing before the first call', () => {
    expect(new KeyMemory().recall('id-1')).toBeUndefined();
  });

  it('is open while a call is under way, unless the payment was made', () => {
    const memory = new KeyMemory();
    const first = begin(memory);
    expect(memory.recall('id-1')).toBe('open');
    first.note('refused');
    first.settle();
    expect(memory.recall('id-1')).toBe('refused');
    const second = begin(memory);
    begin(memory);
    expect(memory.recall('id-1')).toBe('open');
    second.note('made');
    second.settle();
    expect(memory.recall('id-1')).toBe('made');
  });

  it.each<[Finding, Finding, Finding]>([
    ['not-reached', 'refused', 'refused'],
    ['refused', 'not-reached', 'refused'],
    ['refused', 'open', 'open'],
    ['open', 'refused', 'open'],
    ['open', 'not-reached', 'open'],
    ['open', 'known', 'known'],
    ['known', 'open', 'known'],
    ['known', 'made', 'made'],
    ['made', 'known', 'made'],
    ['made', 'refused', 'made'],
  ])('is the strongest finding: %s, then %s, is %s', (first, second, strongest) => {
    const memory = new KeyMemory();
    end(memory, first);
    end(memory, second);
    expect(memory.recall('id-1')).toBe(strongest);
  });

  it('is open after a call that ended without a finding', () => {
    const memory = new KeyMemory();
    begin(memory).settle();
    expect(memory.recall('id-1')).toBe('open');
  });

  it('is, for a call, what all other calls came to', () => {
    const memory = new KeyMemory();
    const first = begin(memory);
    expect(first.earlier()).toBeUndefined();
    const second = begin(memory);
    expect(first.earlier()).toBe('open');
    second.note('refused');
    second.settle();
    expect(first.earlier()).toBe('refused');
    first.note('open');
    expect(first.earlier()).toBe('refused');
  });

  it('is, for a call, what all calls came to, and a retry of it is another call', () => {
    const memory = new KeyMemory();
    const call = begin(memory);
    expect(call.recall()).toBe('open');
    call.settle('refused');
    expect(call.recall()).toBe('refused');
    const again = call.again();
    expect(memory.recall('id-1')).toBe('open');
    again.settle('made');
    expect(call.recall()).toBe('made');
  });

  it('compares keys without case, and without the hyphens, braces, prefix and spaces of a UUID', () => {
    const memory = new KeyMemory();
    end(memory, 'made', one, '6fa459ea-ee8a-4ca4-894e-db77e160355e');
    for (const same of [
      '6FA459EAEE8A4CA4894EDB77E160355E',
      '{6fa459ea-ee8a-4ca4-894e-db77e160355e}',
      'urn:uuid:6fa459ea-ee8a-4ca4-894e-db77e160355e',
      ' 6fa459ea-ee8a-4ca4-894e-db77e160355e ',
    ])
      expect(memory.recall(same)).toBe('made');
    end(memory, 'made', one, 'My-Key');
    expect(memory.recall(' my-key')).toBe('made');
    expect(memory.recall('mykey')).toBeUndefined();
    // Longer than a UUID: no UUID, whatever its digits.
    end(memory, 'made', one, `a-${'1'.repeat(39)}`);
    expect(memory.recall(`a${'1'.repeat(39)}`)).toBeUndefined();
  });

  it('is shared by all clients of an origin, and of a fetch of the caller’s', () => {
    const origin = `https://${crypto.randomUUID()}.example`;
    const fetch = () => undefined;
    end(keyMemoryOf(origin, undefined), 'open');
    // Where the other copies of this package look for it, in the form that they read.
    const shared = Reflect.get(globalThis, Symbol.for('stablecoin-payments.keys.2'));
    expect(shared.byOrigin.get(origin)).toMatchObject({ keys: expect.any(Map), forgotten: [], inLast: 0 });
    expect(keyMemoryOf(origin, undefined).recall('id-1')).toBe('open');
    expect(keyMemoryOf(`${origin}:81`, undefined).recall('id-1')).toBeUndefined();
    expect(keyMemoryOf(origin, fetch).recall('id-1')).toBeUndefined();
    end(keyMemoryOf(origin, fetch), 'made');
    expect(keyMemoryOf(origin, fetch).recall('id-1')).toBe('open');
    expect(begin(keyMemoryOf(origin, fetch)).earlier()).toBe('made');
    expect(keyMemoryOf(origin, undefined).recall('id-1')).toBe('open');
  });
});

describe('a key that two clients use for a payload each', () => {
  const clients = () => {
    const fetch = () => undefined;
    return [
      keyMemoryOf('https://payments.test', fetch),
      keyMemoryOf('https://payments.test', fetch),
    ] as const;
  };

  it.each<[Finding, Finding]>([
    ['made', 'open'],
    ['known', 'open'],
    ['open', 'open'],
    ['refused', 'refused'],
    ['not-reached', 'not-reached'],
  ])('that the first one ended as %s is %s for the other one', (finding, told) => {
    const [first, second] = clients();
    end(first, finding);
    const call = begin(second, two);
    expect(call.earlier()).toBe(told);
    call.settle('not-reached');
    expect(first.recall('id-1')).toBe(finding);
  });

  it('is refused to each of them for another payload than its own', () => {
    const [first, second] = clients();
    end(first, 'made');
    end(second, 'made', two);
    expect(thrownBy(() => begin(first, two))).toMatchObject({ code: 'request_id_reused' });
    expect(thrownBy(() => begin(second, one))).toMatchObject({ code: 'request_id_reused' });
    expect([begin(first).earlier(), begin(second, two).earlier()]).toEqual(['made', 'made']);
  });

  it('is open while the other one has a call under way, and is not forgotten meanwhile', () => {
    const [first, second] = clients();
    const running = begin(first);
    end(second, 'refused', two);
    for (let index = 0; index < 20_000; index += 1) end(second, 'refused', one, `other-${index}`);
    expect(second.recall('id-1')).toBe('open');
    running.settle('made');
    expect(first.recall('id-1')).toBe('made');
  });
});

describe('another payload under a key', () => {
  it.each([
    ['made', 'unknown', 'succeeded', 'made its payment'],
    ['known', 'unknown', 'unknown', 'may have made its payment'],
    ['open', 'unknown', 'unknown', 'may have made its payment'],
    ['refused', 'not-sent', 'rejected', 'was refused'],
  ] as const)('is refused after a call that ended as %s', (finding, outcome, told, words) => {
    const memory = new KeyMemory();
    end(memory, finding);
    const error = thrownBy(() => begin(memory, two, 'ID-1', 'bridges.create'));
    expect(error).toMatchObject({
      code: 'request_id_reused',
      outcome,
      operation: 'bridges.create',
      requestId: 'ID-1',
      field: 'requestId',
      earlier: { operation: 'transfers.create', outcome: told },
      message: `bridges.create: an earlier transfers.create call used this \`requestId\` with another payload, and it ${words}. This payload was not sent. Give a new payment a \`requestId\` of its own; to retry the earlier one, send the same payload.`,
    });
  });

  it('is refused while the earlier call is under way, also after one that reached nobody', () => {
    const memory = new KeyMemory();
    begin(memory);
    const words = 'and it is still under way and may make its payment.';
    expect(thrownBy(() => begin(memory, two))).toMatchObject({
      outcome: 'unknown',
      earlier: { outcome: 'pending' },
    });
    end(memory, 'not-reached');
    const error = thrownBy(() => begin(memory, two));
    expect(error).toMatchObject({ earlier: { outcome: 'pending' } });
    expect(error.message).toContain(words);
  });

  it.each([
    ['made', 'succeeded'],
    ['open', 'unknown'],
    ['known', 'pending'],
    ['refused', 'pending'],
  ] as const)('is told of a call that ended as %s while another is under way: %s', (finding, outcome) => {
    const memory = new KeyMemory();
    const [first] = [begin(memory), begin(memory)];
    first.settle(finding);
    expect(thrownBy(() => begin(memory, two))).toMatchObject({ earlier: { outcome } });
  });

  it('may be sent once nothing of the earlier calls reached the service', () => {
    const memory = new KeyMemory();
    end(memory, 'not-reached');
    expect(() => end(memory, 'not-reached', two)).not.toThrow();
    const [first, second] = [begin(memory), begin(memory)];
    first.note('not-reached');
    first.settle();
    expect(() => begin(memory, two)).toThrow('used this `requestId`');
    second.note('not-reached');
    second.settle();
    expect(() => begin(memory, two)).not.toThrow();
  });

  it('stays refused if one of two calls was sent, and a later one was not', () => {
    const memory = new KeyMemory();
    end(memory, 'open');
    end(memory, 'not-reached');
    expect(() => begin(memory, two)).toThrow('may have made its payment');
  });
});

describe('how many keys are remembered', () => {
  const others = (memory: KeyMemory, finding: Finding, count = 10_000) => {
    for (let index = 0; index < count; index += 1) end(memory, finding, one, `other-${index}`);
  };

  it.each<Finding>(['made', 'known', 'open'])('a key that was %s is open when it is forgotten', (finding) => {
    const memory = new KeyMemory();
    end(memory, finding);
    others(memory, 'refused');
    expect(memory.recall('id-1')).toBe('open');
    expect(begin(memory).earlier()).toBe('open');
  });

  it.each<Finding>(['refused', 'not-reached'])('a key that was %s is as good as new', (finding) => {
    const memory = new KeyMemory();
    end(memory, finding);
    others(memory, 'made');
    expect(memory.recall('id-1')).toBeUndefined();
    expect(() => begin(memory, two)).not.toThrow();
  });

  it('a key that one client paid with and another did not is open', () => {
    const [origin, fetch] = [`https://${crypto.randomUUID()}.example`, () => undefined];
    const [first, second] = [keyMemoryOf(origin, fetch, {}), keyMemoryOf(origin, fetch, {})];
    end(first, 'made');
    end(second, 'refused', two);
    others(first, 'refused');
    expect(second.recall('id-1')).toBe('open');
  });

  it('a key takes one record for each client, and eight bits of a filter when it is forgotten', () => {
    const keys = new Map();
    const shared = { keys, oldest: keys.entries(), forgotten: [new Uint32Array(2 ** 19)], inLast: 0 };
    const [first, second] = [new KeyMemory(shared), new KeyMemory(shared)];
    for (const memory of [first, first, second, first]) end(memory, 'open');
    end(first, 'open', one, 'id-2');
    expect([...keys.values()].map(({ length }) => length)).toEqual([2, 1]);
    others(first, 'refused');
    const words = shared.forgotten.flatMap((filter) => [...filter.filter((word) => word !== 0)]);
    expect(words.map((word) => word.toString(2).replaceAll('0', '')).join('')).toHaveLength(16);
  });

  it('10,000 with their payload; the one that was used longest ago is forgotten first', () => {
    const memory = new KeyMemory();
    end(memory, 'made', one, 'first');
    end(memory, 'made', one, 'second');
    others(memory, 'made', 9_998);
    expect([memory.recall('first'), memory.recall('second')]).toEqual(['made', 'made']);
    end(memory, 'made', one, 'first');
    end(memory, 'made', one, 'last');
    expect(memory.recall('first')).toBe('made');
    expect(memory.recall('second')).toBe('open');
    expect(() => begin(memory, two, 'first')).toThrow('used this `requestId`');
    expect(() => begin(memory, two, 'second')).not.toThrow();
  });

  it('a call under way is never forgotten', () => {
    const memory = new KeyMemory();
    const running = begin(memory);
    others(memory, 'refused', 20_000);
    expect(() => begin(memory, two)).toThrow('is still under way');
    running.note('made');
    running.settle();
    expect(memory.recall('id-1')).toBe('made');
  });

  it('a filter of forgotten keys that is full is followed by another', () => {
    const keys = new Map();
    const shared = {
      keys,
      oldest: keys.entries(),
      forgotten: [new Uint32Array(2 ** 19)],
      inLast: 2 ** 20 - 1,
    };
    const memory = new KeyMemory(shared);
    others(memory, 'made', 10_002);
    expect([shared.forgotten.length, shared.inLast]).toEqual([2, 1]);
    expect([memory.recall('other-0'), memory.recall('other-1')]).toEqual(['open', 'open']);
  });

  it('a forgotten key is found again, and another is mistaken for it in less than one of a thousand lookups', () => {
    const memory = new KeyMemory();
    others(memory, 'made', 60_000);
    const forgotten = Array.from({ length: 1_000 }, (_none, index) => memory.recall(`other-${index}`));
    expect(new Set(forgotten)).toEqual(new Set(['open']));
    const mistaken = Array.from({ length: 20_000 }, (_none, index) => memory.recall(`never-${index}`));
    expect(mistaken.filter((finding) => finding !== undefined).length).toBeLessThan(20);
  });
});

describe('two payloads are the same', () => {
  const same = (one: string, other: string) => canonicalText(one) === canonicalText(other);
  it.each([
    ['{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}'],
    ['{"requestId":"x","a":1}', '{"requestId":"y","a":1}'],
    ['{"amount":"25"}', '{"amount":25}'],
    ['{"amount":"25.00"}', '{"amount":25}'],
    ['{"amount":".5"}', '{"amount":0.5}'],
    ['{"amount":"025.50"}', '{"amount":25.5}'],
    ['{"amount":"25."}', '{"amount":25}'],
    ['{"amount":"0"}', '{"amount":0}'],
    ['{"amount":"00"}', '{"amount":0}'],
    ['{"sourceAmount":"1.0"}', '{"sourceAmount":1}'],
    ['{"AMOUNT":"1.0"}', '{"AMOUNT":1}'],
    ['{"amount":["1.0"]}', '{"amount":[1]}'],
    ['{"a":[{"amount":"1.0"}]}', '{"a":[{"amount":1}]}'],
    ['[{"amount":"1.0"}]', '[{"amount":1}]'],
    ['{"amount":"0.10000000000000000001"}', '{"amount":"0.1000000000000000000100"}'],
  ])('%s and %s', (first, second) => {
    expect(same(first, second)).toBe(true);
  });

  it.each([
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"b":1}'],
    ['{"a":{"requestId":"x"}}', '{"a":{"requestId":"y"}}'],
    ['[{"requestId":"x"}]', '[{"requestId":"y"}]'],
    ['{"note":"1.0"}', '{"note":1}'],
    ['{"amounts":"1.0"}', '{"amounts":1}'],
    ['{"amount":"10"}', '{"amount":1}'],
    ['{"amount":"1.05"}', '{"amount":1.5}'],
    ['{"amount":"x1"}', '{"amount":1}'],
    ['{"amount":"1x"}', '{"amount":1}'],
    ['{"amount":"1,0"}', '{"amount":1}'],
    ['{"amount":"1e1"}', '{"amount":10}'],
    ['{"amount":"-1"}', '{"amount":-1}'],
    ['{"amount":""}', '{"amount":0}'],
    ['{"amount":"."}', '{"amount":0}'],
    ['{"amount":null}', '{"amount":0}'],
    ['{"amount":"0.1000000000000000055"}', '{"amount":0.1}'],
    ['["1.0"]', '[1]'],
    ['"1.0"', '1'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":[]}', '{"a":{}}'],
    ['{"a":[["b",1]]}', '{"a":{"b":1}}'],
    ['{"a":1,"b":2}', '{"a":1}'],
    ['["a,1:b"]', '["a","b"]'],
    ['{"a":"b,1:c=1:d"}', '{"a":"b","c":"d"}'],
    ['{"a":{},"b":1}', '{"a":{"b":1}}'],
    ['{"a":"null"}', '{"a":null}'],
    ['{"a":"1"}', '{"a":1}'],
    // Longer than any amount: compared as text.
    [`{"amount":"${'0'.repeat(100)}1"}`, '{"amount":1}'],
  ])('not: %s and %s', (first, second) => {
    expect(same(first, second)).toBe(false);
  });

  it('text that is no JSON stays as it is', () => {
    expect(canonicalText('a=1&requestId=x')).toBe('a=1&requestId=x');
  });
});

describe('the digest of a payload', () => {
  it('is another one for texts that differ in one place, and a whole number of at most 53 bits', () => {
    const texts = ['', ' ', 'a', 'b', 'ab', 'ba', 'aa', 'aaa', 'á', one, two, `${one} `, ` ${one}`];
    for (let index = 0; index < 2_000; index += 1) texts.push(`transfers.create {"amount":${index}}`);
    const digests = texts.map(digestOf);
    expect(new Set(digests).size).toBe(texts.length);
    expect(digests.every((digest) => Number.isSafeInteger(digest) && digest >= 0)).toBe(true);
    // Both halves are used: whole numbers above 32 bits, and low halves that differ.
    expect(digests.some((digest) => digest > 2 ** 52)).toBe(true);
    expect(new Set(digests.map((digest) => digest % 2 ** 32)).size).toBe(texts.length);
    expect(new Set(digests.map((digest) => Math.floor(digest / 2 ** 32))).size).toBeGreaterThan(2_000);
    // Other copies of this package read the digests, and make the same ones.
    expect(digestOf('transfers.create {"amount":1}')).toBe(6024623870654216);
  });
});

describe('the request id of a body', () => {
  it('is the one that is given', () => {
    const body = { requestId: 'mine', a: 1 };
    expect(withRequestId(body, 'x.create')).toEqual({ requestId: 'mine', isNew: false, body });
    expect(requestIdIn(body)).toBe('mine');
  });

  it('is a new UUID where there is none, in a body that no prototype can rewrite', () => {
    for (const given of [{ a: 1 }, { a: 1, requestId: undefined }, Object.create({ requestId: 'theirs' })]) {
      const { requestId, body } = withRequestId(given, 'x.create');
      expect(requestId).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(body).toEqual(Object.assign(Object.create(null), given, { requestId }));
      expect(Object.getPrototypeOf(body)).toBeNull();
    }
  });

  it.each([
    ['', 'empty'],
    [7, 'a number'],
    [null, 'null'],
  ])('%j is refused', (requestId, what) => {
    const error = thrownBy(() => withRequestId({ requestId }, 'x.create'));
    expect(error).toMatchObject({ operation: 'x.create', field: 'requestId' });
    expect(error.message).toBe(`x.create: \`requestId\` must be a UUID string, but is ${what}.`);
  });

  it('is not taken from what is no body, no text, or a prototype', () => {
    const others = [undefined, null, 'text', 7, [], {}, { requestId: '' }, { requestId: 7 }];
    for (const body of [...others, Object.create({ requestId: 'theirs' })]) {
      expect(requestIdIn(body)).toBeUndefined();
    }
  });
});
