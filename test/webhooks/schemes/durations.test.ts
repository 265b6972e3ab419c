import { describe, expect, it } from 'vitest';
import { jwtBearer, memoryDedupe } from '../../../src/webhooks/index.ts';
import { pem, rsa } from '../key-pairs.ts';

describe('a duration in seconds', () => {
  it.each<[() => unknown, string]>([
    [
      () => memoryDedupe({ ttl: 60 }),
      'ttl is in milliseconds and must be at least 3600000 (an hour). Pass 3600000 or more.',
    ],
    [() => memoryDedupe({ ttl: 86_400 }), 'For 86400 seconds pass 86400000.'],
    [() => memoryDedupe({ claimTtl: 60 }), 'For 60 seconds pass 60000.'],
    [
      () => memoryDedupe({ claimTtl: 0.5 }),
      'must be at least 1000 (a second) and at most 2147483647. Pass 1000 or more.',
    ],
    [
      () => jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'none', freshness: { maxAge: 30 } }),
      'freshness.maxAge is in milliseconds and must be at least 60000 (a minute). Pass 60000 or more.',
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
        const remedy = /pass (\d+)/i.exec(message)?.[1];
        if (message !== '') expect(() => memoryDedupe({ [name]: Number(remedy) }), message).not.toThrow();
      }
    }
  });
});
