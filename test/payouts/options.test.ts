import { describe, expect, it } from 'vitest';
import { lookupFromList, payoutSteps } from '../../src/payouts/index.ts';

describe('the options of payouts', () => {
  const payments = { transfers: { create: async () => ({}), createBatch: async () => ({}) } };

  it.each<[object, string]>([
    [{ quite: 120_000 }, '`quite` is not an option. Did you mean `quiet`?'],
    [{ pause: { frist: 1_000 } }, '`pause`: `frist` is not an option. Did you mean `first`?'],
    [{ keyLifetime: 86_400 }, 'or more, but is 86400. For 86400 seconds, write 86400000.'],
    [{ pause: { most: 0 } }, '`pause.most` must be a number of milliseconds from 100 to 86400000, but is 0.'],
    [{ maxRefusals: 0 }, '`maxRefusals` must be a whole number from 1 on, but is 0.'],
    [{ once: 'yes' }, '`once` must be true or false, but is a string.'],
    [{ lookup: {} }, '`lookup` must be a function, but is an object.'],
    [{ payments: {} }, '`payments` must be a PaymentsClient.'],
  ])('are refused by name, with what was given: %j', (more, words) => {
    expect(() => payoutSteps({ payments, ...more } as never)).toThrow(words);
    expect(() => payoutSteps({ payments, ...more } as never)).toThrow(RangeError);
  });

  it('must be an object', () => {
    expect(() => payoutSteps(null as never)).toThrow('payoutSteps needs an object with its options.');
    expect(() => lookupFromList('list' as never)).toThrow('lookupFromList needs an object with its options.');
  });
});
