import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/evidence/key-memory.ts';
import { canonicalText } from '../../src/transport/body.ts';

describe('two payloads are the same', () => {
  const same = (one: string, other: string) =>
    canonicalText(JSON.parse(one)) === canonicalText(JSON.parse(other));
  it.each([
    ['{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}'],
    ['{"requestId":"x","a":1}', '{"requestId":"y","a":1}'],
  ])('%s and %s', (first, second) => {
    expect(same(first, second)).toBe(true);
  });

  it.each([
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"b":1}'],
    ['{"a":{"requestId":"x"}}', '{"a":{"requestId":"y"}}'],
    ['[{"requestId":"x"}]', '[{"requestId":"y"}]'],
    ['{"note":"1.0"}', '{"note":1}'],
    ['{"amount":"25.00"}', '{"amount":25}'],
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
  ])('not: %s and %s', (first, second) => {
    expect(same(first, second)).toBe(false);
  });

  it('text that is no JSON stays as it is', () => {
    expect(canonicalText('a=1&requestId=x')).toBe('a=1&requestId=x');
  });
});

describe('the digest of a payload', () => {
  it('is another one for texts that differ in one place, and a whole number of at most 53 bits', () => {
    const texts = ['', ' ', 'a', 'b', 'ab', 'ba', 'aa', 'aaa', 'á', '{"a":1}', '{"a":1} '];
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
