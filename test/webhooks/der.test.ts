import { describe, expect, it } from 'vitest';
import { derElement } from '../../src/webhooks/schemes/keys.ts';
import { ecdsaFromDer, ecdsaToDer } from '../../src/webhooks/schemes/public-key-signature.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('an element of DER', () => {
  it('begins after its tag and length, and ends after its content', () => {
    expect(derElement(bytes(0x30, 0x03, 1, 2, 3), 0)).toEqual({ tag: 0x30, start: 2, end: 5 });
    expect(derElement(bytes(9, 9, 0x02, 0x7f), 2)).toEqual({ tag: 0x02, start: 4, end: 131 });
  });

  it('may write its length in further bytes', () => {
    expect(derElement(bytes(0x30, 0x81, 0x80), 0)).toEqual({ tag: 0x30, start: 3, end: 131 });
    expect(derElement(bytes(0x30, 0x82, 0x01, 0x02, 0x05), 0)).toEqual({ tag: 0x30, start: 4, end: 262 });
    expect(derElement(bytes(9, 0x04, 0x83, 1, 0, 2), 1)).toEqual({ tag: 0x04, start: 6, end: 65_544 });
  });

  it('is empty past the end', () => {
    expect(derElement(bytes(0x30), 7)).toEqual({ tag: 0, start: 9, end: 9 });
  });
});

describe('an ECDSA signature as DER', () => {
  it('has its two numbers without needless zeros, and with one where the first bit is set', () => {
    expect(ecdsaToDer(bytes(0, 0, 1, 0, 0x80, 0))).toEqual(bytes(0x30, 8, 2, 1, 1, 2, 3, 0, 0x80, 0));
    expect(ecdsaToDer(bytes(0x7f, 1, 0x81, 2))).toEqual(bytes(0x30, 9, 2, 2, 0x7f, 1, 2, 3, 0, 0x81, 2));
    expect(ecdsaToDer(bytes(0, 0, 0, 0))).toEqual(bytes(0x30, 6, 2, 1, 0, 2, 1, 0));
  });

  it.each([
    [bytes(0x30, 6, 2, 1, 1, 2, 1, 2), bytes(0, 0, 1, 0, 0, 2)],
    [bytes(0x30, 6, 2, 1, 0x7f, 2, 1, 0), bytes(0, 0, 0x7f, 0, 0, 0)],
    [bytes(0x30, 8, 2, 2, 0, 0x80, 2, 2, 0, 0xff), bytes(0, 0, 0x80, 0, 0, 0xff)],
    [bytes(0x30, 12, 2, 4, 0, 0x80, 1, 2, 2, 4, 0, 0xff, 3, 4), bytes(0x80, 1, 2, 0xff, 3, 4)],
    [bytes(0x30, 10, 2, 3, 1, 2, 3, 2, 3, 4, 5, 6), bytes(1, 2, 3, 4, 5, 6)],
  ])('%j is read as two numbers of 3 bytes', (der, signature) => {
    expect(ecdsaFromDer(der, 3)).toEqual(signature);
  });

  it.each([
    ['no bytes', bytes()],
    ['another tag', bytes(0x31, 6, 2, 1, 1, 2, 1, 2)],
    ['a length that is too short', bytes(0x30, 5, 2, 1, 1, 2, 1, 2)],
    ['a length that is too long', bytes(0x30, 7, 2, 1, 1, 2, 1, 2)],
    ['no numbers', bytes(0x30, 0)],
    ['one number', bytes(0x30, 3, 2, 1, 1)],
    ['another tag for the first number', bytes(0x30, 6, 3, 1, 1, 2, 1, 2)],
    ['another tag for the second number', bytes(0x30, 6, 2, 1, 1, 3, 1, 2)],
    ['an empty first number', bytes(0x30, 5, 2, 0, 2, 1, 2)],
    ['an empty second number', bytes(0x30, 5, 2, 1, 1, 2, 0)],
    ['a first number without its length', bytes(0x30, 1, 2)],
    ['a second number without its length', bytes(0x30, 4, 2, 1, 1, 2)],
    ['a first number past the end', bytes(0x30, 3, 2, 2, 1)],
    ['a second number past the end', bytes(0x30, 6, 2, 1, 1, 2, 2, 2)],
    ['a number that is negative', bytes(0x30, 6, 2, 1, 0x80, 2, 1, 2)],
    ['a zero that is not needed', bytes(0x30, 7, 2, 2, 0, 0x7f, 2, 1, 2)],
    ['two zeros', bytes(0x30, 8, 2, 3, 0, 0, 0x80, 2, 1, 2)],
    ['a number of 4 bytes', bytes(0x30, 9, 2, 4, 1, 2, 3, 4, 2, 1, 2)],
    ['something after the numbers', bytes(0x30, 8, 2, 1, 1, 2, 1, 2, 5, 0)],
  ])('is not read where it has %s', (_what, der) => {
    expect(ecdsaFromDer(der, 3)).toBeUndefined();
  });
});
