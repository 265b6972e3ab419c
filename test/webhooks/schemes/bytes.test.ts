import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  concatBytes,
  decodeBytes,
  encodeBytes,
  equalBytes,
  utf8,
} from '../../../src/webhooks/schemes/bytes.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe.each(['with Buffer', 'without Buffer'])('the text of bytes, %s', (platform) => {
  beforeEach(() => {
    if (platform === 'without Buffer') vi.stubGlobal('Buffer', undefined);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('is UTF-8 otherwise', () => {
    expect(utf8('é.')).toEqual(bytes(0xc3, 0xa9, 0x2e));
    expect(utf8('\ud800')).toEqual(bytes(0xef, 0xbf, 0xbd));
    expect(utf8('').constructor).toBe(Uint8Array);
  });

  it.each([
    ['hex', '00090f10ff', bytes(0x00, 0x09, 0x0f, 0x10, 0xff)],
    ['hex', 'abcdef', bytes(0xab, 0xcd, 0xef)],
    ['base64', '+//7AA==', bytes(0xfb, 0xff, 0xfb, 0x00)],
    ['base64', '+/s=', bytes(0xfb, 0xfb)],
    ['base64url', '-__7AA', bytes(0xfb, 0xff, 0xfb, 0x00)],
    ['base64url', '-_s', bytes(0xfb, 0xfb)],
  ] as const)('in %s is %s, both ways', (encoding, text, value) => {
    expect(encodeBytes(value, encoding)).toBe(text);
    expect(decodeBytes(text, encoding)).toEqual(value);
  });

  it.each([
    ['hex', 'ABCDEF0123456789', bytes(0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89)],
    ['base64', '+/s', bytes(0xfb, 0xfb)],
    ['base64', 'AA', bytes(0)],
    ['base64', 'AA=', bytes(0)],
    ['base64', 'AAA==', bytes(0, 0)],
    ['base64url', '-_s=', bytes(0xfb, 0xfb)],
    ['base64url', 'AA==', bytes(0)],
  ] as const)('in %s may be %s', (encoding, text, value) => {
    expect(decodeBytes(text, encoding)).toEqual(value);
  });

  it.each([
    ['hex', ['', 'a', 'abc', 'ag', 'ab ', ' ab', 'xab', 'abx', 'ab\n']],
    ['base64', ['', '=', 'A', 'AAAAA', 'AA===', '-_s=', 'A A', ' AA', 'AA ', '*AA', 'AA*', '=AA']],
    ['base64url', ['', '=', 'A', 'AAAAA', 'AA===', '+/s', ' AA', 'AA ', '*AA', 'AA*', '=AA']],
  ] as const)('in %s is none of these: %j', (encoding, texts) => {
    expect(texts.map((text) => decodeBytes(text, encoding))).toEqual(texts.map(() => undefined));
  });
});

it('bytes are joined in their order', () => {
  expect(concatBytes()).toEqual(bytes());
  expect(concatBytes(bytes(1, 2), bytes(), bytes(3), bytes(4, 5))).toEqual(bytes(1, 2, 3, 4, 5));
  expect(utf8('é.')).toEqual(bytes(0xc3, 0xa9, 0x2e));
});

it('bytes are equal where the length and every byte are', () => {
  expect(equalBytes(bytes(1, 2, 3), bytes(1, 2, 3))).toBe(true);
  expect(equalBytes(bytes(), bytes())).toBe(true);
  for (const other of [bytes(1, 2, 4), bytes(0, 2, 3), bytes(1, 6, 3), bytes(1, 2), bytes(1, 2, 3, 0)]) {
    expect(equalBytes(bytes(1, 2, 3), other)).toBe(false);
    expect(equalBytes(other, bytes(1, 2, 3))).toBe(false);
  }
  // Two differences that a sum or an exclusive or of the bytes would take for none.
  expect(equalBytes(bytes(1, 2), bytes(2, 1))).toBe(false);
});
