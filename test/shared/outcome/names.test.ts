import { describe, expect, it } from 'vitest';
import { knownKeyNames, refusalNames, refusalsOf } from '../../../src/shared/outcome/names.ts';
import { isName, isNameOfKey, namesIn } from '../../../src/shared/outcome/refusal.ts';

describe('the names of refusals', () => {
  it('are the documented ones, and those of the caller', () => {
    expect([...refusalsOf().known]).toEqual(knownKeyNames);
    expect([...refusalsOf().sure]).toEqual(refusalNames);
    expect([...refusalsOf(['SEEN'], ['TOO_SMALL']).known]).toEqual([...knownKeyNames, 'SEEN']);
    expect([...refusalsOf(['SEEN'], ['TOO_SMALL']).sure]).toEqual([...refusalNames, 'TOO_SMALL']);
  });

  it('stand in `error`, in `error.code`, and in `code`', () => {
    expect(namesIn({ error: 'A', code: 'B' })).toEqual(['A', 'B']);
    expect(namesIn({ error: { code: 'A', message: 'x' }, code: 'B' })).toEqual(['A', 'B']);
    expect(namesIn({ error: { code: 7 }, code: 400012, name: 'C' })).toEqual([]);
    for (const body of [undefined, null, 'A', ['A'], [{ code: 'A' }]]) expect(namesIn(body)).toEqual([]);
  });

  it.each([
    ['AMOUNT_TOO_SMALL', true],
    ['amount.too-small', true],
    ['A1', true],
    ['A', false],
    ['1A', false],
    ['Too small', false],
    ['A'.repeat(100), true],
    ['A'.repeat(101), false],
  ])('are no sentences and no numbers: %s', (text, is) => {
    expect(isName(text)).toBe(is);
  });

  it('are in the net where they may be about an earlier request', () => {
    for (const name of ['ORDER_DUPLICATED', 'ALREADY_PAID', 'REQUEST_ID_USED'])
      expect(isNameOfKey(name)).toBe(true);
    expect(isNameOfKey('AMOUNT_TOO_SMALL')).toBe(false);
  });
});
