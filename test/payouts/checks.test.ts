import { expect, it } from 'vitest';
import { checkedInput } from '../../src/payouts/rules/checks.ts';
import { strictObject } from '../../src/shared/schema/schema.ts';

it('the sentence about a bad input ends with what became of it, if its words say so', () => {
  const check = (end: object) => () => checkedInput(strictObject({}), 7, { subject: 'The filter', ...end });
  expect(check({})).toThrow(/^The filter must be an object, but is a number\.$/);
  expect(check({ end: ' Nothing was changed.' })).toThrow(/ but is a number\. Nothing was changed\.$/);
});
