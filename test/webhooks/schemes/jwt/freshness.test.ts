import { WebhookVerificationError } from 'stablecoin-payments';
import { type JwtBearerOptions, type JwtFreshness, jwtBearer } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { moment } from '../../support.ts';
import { delivery, first as firstKey, pem, second, token } from './support.ts';

/** A verifier of tokens of the first key. */
const verifierOf = (options: Partial<JwtBearerOptions> = {}) =>
  jwtBearer({
    publicKey: pem(firstKey.publicKey),
    algorithms: ['ES256'],
    bodyBinding: 'none',
    ...options,
  } as JwtBearerOptions);
async function outcome(action: Promise<unknown>): Promise<unknown> {
  try {
    return await action;
  } catch (error) {
    return error instanceof WebhookVerificationError ? `${error.status} ${error.code}` : error;
  }
}

describe('jwtBearer freshness', () => {
  const aged = (claims: object, seconds: number, freshness?: JwtFreshness) =>
    outcome(
      verifierOf(freshness === undefined ? {} : { freshness })(delivery(token(claims), moment + seconds)),
    );
  const first = { iat: moment, exp: moment + 300 };
  const day: JwtFreshness = { maxAge: 86_400_000 };

  it('suits a sender that retries for 24 hours with its first token by default', async () => {
    for (const claims of [first, { iat: moment }]) {
      expect(await aged(claims, 24 * 3600 + 60)).toBe(true);
      expect(await aged(claims, 25 * 3600 + 1)).toBe('503 webhook_timestamp_out_of_tolerance');
    }
    expect(await aged({ iat: moment + 301 }, 0)).toBe('503 webhook_timestamp_out_of_tolerance');
    expect(await aged({}, 0)).toBe('500 webhook_claim_refused');
  });

  it('may be strict, and responds with 503 so that nothing is lost to a wrong setting', async () => {
    expect(await aged(first, 299, 'strict')).toBe(true);
    expect(await aged(first, 7200, 'strict')).toBe('503 webhook_token_expired');
    expect(await aged({ iat: moment }, 301, 'strict')).toBe('503 webhook_timestamp_out_of_tolerance');
    expect(await aged({ iat: moment + 301, exp: moment + 900 }, 0, 'strict')).toBe(
      '503 webhook_timestamp_out_of_tolerance',
    );
    expect(await aged({ ...first, nbf: moment + 60 }, 0, 'strict')).toBe('500 webhook_claim_refused');
    expect(await aged({}, 0, 'strict')).toBe('500 webhook_claim_refused');
  });

  it('suits a sender that retries for a day with its first token', async () => {
    expect(await aged(first, 86_400, day)).toBe(true);
    expect(await aged(first, 86_401, day)).toBe('503 webhook_timestamp_out_of_tolerance');
    expect(await aged({ iat: moment }, 86_400, day)).toBe(true);
    expect(await aged({ exp: moment + 300 }, 86_000, day)).toBe(true);
    expect(await aged({ exp: moment + 300 }, 86_701, day)).toBe('503 webhook_token_expired');
    expect(await aged({}, 0, day)).toBe('500 webhook_claim_refused');
    expect(await aged({ iat: moment + 301 }, 0, day)).toBe('503 webhook_timestamp_out_of_tolerance');
  });

  it('accepts a token of any age where none is asked for, and still no altered one', async () => {
    expect(await aged({}, 9_000_000, 'none')).toBe(true);
    expect(await aged(first, 9_000_000, 'none')).toBe(true);
    const verify = verifierOf({ freshness: 'none' });
    expect(await outcome(verify(delivery(token({}, {}, second.privateKey))))).toBe(
      '401 webhook_bad_signature',
    );
  });

  it('refuses another issuer or audience with 500, because the setting may be wrong', async () => {
    const verify = verifierOf({ audience: 'us', issuer: 'them' });
    expect(await outcome(verify(delivery(token({ ...first, iss: 'them', aud: 'others' }))))).toBe(
      '500 webhook_claim_refused',
    );
    expect(await outcome(verify(delivery(token({ ...first, iss: 'them', aud: ['us'] }))))).toBe(true);
  });

  it('takes an audience alone, and any where none is asked for', async () => {
    const claims = { ...first, aud: 'us' };
    expect(await outcome(verifierOf({ audience: 'us' })(delivery(token(claims))))).toBe(true);
    expect(await outcome(verifierOf()(delivery(token(claims))))).toBe(true);
  });

  it('refuses a token with extensions that it does not understand', async () => {
    const verify = verifierOf();
    expect(await outcome(verify(delivery(token(first, { crit: ['b64'], b64: true }))))).toBe(
      '401 webhook_bad_signature',
    );
  });
});
