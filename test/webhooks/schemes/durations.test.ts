import { describe, expect, it } from 'vitest';
import { jwtBearer, memoryDedupe } from '../../../src/webhooks/index.ts';
import { pem, rsa } from '../key-pairs.ts';

describe('a duration in seconds', () => {
  it.each<[() => unknown, string]>([
    [
      () => memoryDedupe({ ttl: 60 }),
      '`ttl` must be a number of milliseconds of 3600000 (an hour) or more, but is 60.',
    ],
    [() => memoryDedupe({ ttl: 86_400 }), 'For 86400 seconds, write 86400000.'],
    [() => memoryDedupe({ claimTtl: 60 }), 'For 60 seconds, write 60000.'],
    [
      () => memoryDedupe({ claimTtl: 0.5 }),
      'must be a number of milliseconds from 1000 (a second) to 2147483647, but is 0.5.',
    ],
    [
      () => jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'none', freshness: { maxAge: 30 } }),
      '`freshness.maxAge` must be a number of milliseconds of 60000 (a minute) or more, but is 30.',
    ],
  ])('%s is refused with a remedy that works', (make, message) => {
    expect(make).toThrow(message);
  });

  it('has a remedy that is accepted', () => {
    for (const name of ['ttl', 'claimTtl'] as const) {
      for (const value of [-1, 0.5, 1, 60, 999, 3599, 86_400]) {
        let message = '';
        try {
          memoryDedupe({ [name]: value });
        } catch (error) {
          message = String(error);
        }
        const remedy = (/write (\d+)/.exec(message) ?? /milliseconds (?:of|from) (\d+)/.exec(message))?.[1];
        if (message !== '') expect(() => memoryDedupe({ [name]: Number(remedy) }), message).not.toThrow();
      }
    }
  });
});
