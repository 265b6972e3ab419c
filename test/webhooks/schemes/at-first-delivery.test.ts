import { ConfigurationError } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { atFirstDelivery } from '../../../src/webhooks/schemes/at-first-delivery.ts';
import { refusalOf } from '../support.ts';

/** Reads texts alone. */
function upper(value: unknown): string {
  if (typeof value === 'string') return value.toUpperCase();
  throw new ConfigurationError('is no text');
}

describe('the values of an option', () => {
  it('are read at once, so that a wrong one throws where it is passed', () => {
    expect(atFirstDelivery('secret', ['a', 'b'], upper)()).toEqual(['A', 'B']);
    expect(() => atFirstDelivery('secret', ['a', 7], upper)).toThrow('is no text');
  });

  it('may stand beside functions, and are then read with them', async () => {
    const asked: string[] = [];
    const read = atFirstDelivery('secrets', ['a', () => 'b', async () => 'c'], (value) => {
      asked.push(String(value));
      return upper(value);
    });
    expect(asked).toEqual([]);
    for (let delivery = 0; delivery < 2; delivery += 1) expect(await read()).toEqual(['A', 'B', 'C']);
    expect(asked.sort()).toEqual(['a', 'b', 'c']);
  });

  it.each([undefined, null])('are asked for again while a function returns %s', async (missing) => {
    let value: string | null | undefined = missing;
    const read = atFirstDelivery('secret', [() => value], upper);
    expect(await refusalOf(async () => read())).toEqual([
      'configuration',
      `The function of \`secret\` returned ${missing}: is the variable set?`,
    ]);
    value = 'a';
    expect(await read()).toEqual(['A']);
  });

  it('are asked for again after a function threw, and its error is the cause', async () => {
    const cause = new Error('the vault is closed');
    const thrown = atFirstDelivery('secret', [() => Promise.reject(cause)], upper);
    await expect(thrown()).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: 'The function of `secret` threw an error.',
      originalError: cause,
    });
  });
});
