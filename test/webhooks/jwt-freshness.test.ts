import { sign } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { WebhookVerificationError } from 'stablecoin-payments';
import { type JwtFreshness, jwtBearer } from 'stablecoin-payments/webhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { otherRsa, pem, rsa } from './key-pairs.ts';
import { moment, rejected, verification } from './support.ts';

const body = JSON.stringify(rejected);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function token(claims: object, header: object = {}, key = rsa.privateKey): string {
  const content = `${part({ alg: 'RS256', ...header })}.${part(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}
const delivery = (jwt: string, seconds = moment) =>
  verification(body, { authorization: `Bearer ${jwt}` }, { now: seconds * 1000 });
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
      jwtBearer({
        publicKey: pem(rsa.publicKey),
        bodyBinding: 'none',
        ...(freshness === undefined ? {} : { freshness }),
      })(delivery(token(claims), moment + seconds)),
    );
  const first = { iat: moment, exp: moment + 300 };
  const day: JwtFreshness = { maxAgeSeconds: 86_400 };

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
    const verify = jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'none', freshness: 'none' });
    expect(await outcome(verify(delivery(token({}, {}, otherRsa.privateKey))))).toBe(
      '401 webhook_bad_signature',
    );
  });

  it('refuses another issuer or audience with 500, because the setting may be wrong', async () => {
    const verify = jwtBearer({
      publicKey: pem(rsa.publicKey),
      bodyBinding: 'none',
      audience: 'us',
      issuer: 'them',
    });
    expect(await outcome(verify(delivery(token({ ...first, iss: 'them', aud: 'others' }))))).toBe(
      '500 webhook_claim_refused',
    );
    expect(await outcome(verify(delivery(token({ ...first, iss: 'them', aud: ['us'] }))))).toBe(true);
  });

  it('refuses a token with extensions that it does not understand', async () => {
    const verify = jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'none' });
    expect(await outcome(verify(delivery(token(first, { crit: ['b64'], b64: true }))))).toBe(
      '401 webhook_bad_signature',
    );
  });
});

describe('jwtBearer with a key set at an address', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  async function serve(listener: RequestListener) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    return `http://127.0.0.1:${address.port}/keys`;
  }
  const claims = { iat: moment, exp: moment + 86_400 };
  const jwk = (kid: string, pair = rsa) => ({
    ...pair.publicKey.export({ format: 'jwk' }),
    kid,
    alg: 'RS256',
  });

  it('asks once while it is down, however many deliveries arrive, and again after the cooldown', async () => {
    let requests = 0;
    let down = true;
    const jwks = await serve((_request, response) => {
      requests += 1;
      if (down) response.writeHead(500).end();
      else response.end(JSON.stringify({ keys: [jwk('a')] }));
    });
    const verify = jwtBearer({ jwks, bodyBinding: 'none', jwksCooldownSeconds: 30 });
    const good = token(claims, { kid: 'a' });
    const forged = token(claims, { kid: 'a' }, otherRsa.privateKey);
    for (const jwt of [forged, good, forged, good]) {
      expect(await outcome(verify(delivery(jwt)))).toBe('503 webhook_keys_unavailable');
    }
    expect(await outcome(verify(delivery(good, moment + 29)))).toBe('503 webhook_keys_unavailable');
    expect(requests).toBe(1);
    down = false;
    expect(await outcome(verify(delivery(good, moment + 30)))).toBe(true);
    expect(requests).toBe(2);
  });

  it('lets all deliveries of a moment wait for one fetch', async () => {
    let requests = 0;
    const gate = Promise.withResolvers<void>();
    const jwks = await serve(async (_request, response) => {
      requests += 1;
      await gate.promise;
      response.end(JSON.stringify({ keys: [jwk('a')] }));
    });
    const verify = jwtBearer({ jwks, bodyBinding: 'none' });
    const waiting = Array.from({ length: 20 }, () => outcome(verify(delivery(token(claims, { kid: 'a' })))));
    gate.resolve();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
    expect(requests).toBe(1);
  });

  it('gives up a fetch after its timeout', async () => {
    const jwks = await serve(() => {});
    const verify = jwtBearer({ jwks, bodyBinding: 'none', jwksTimeoutSeconds: 0.05 });
    expect(await outcome(verify(delivery(token(claims, { kid: 'a' }))))).toBe('503 webhook_keys_unavailable');
  });

  it('fetches the set again for a key that is newer, at most once per cooldown, and asks to retry meanwhile', async () => {
    let requests = 0;
    let keys = [jwk('old')];
    const jwks = await serve((_request, response) => {
      requests += 1;
      response.end(JSON.stringify({ keys }));
    });
    const verify = jwtBearer({ jwks, bodyBinding: 'none' });
    const next = token(claims, { kid: 'new' }, otherRsa.privateKey);
    expect(await outcome(verify(delivery(token(claims, { kid: 'old' }))))).toBe(true);
    keys = [jwk('old'), jwk('new', otherRsa)];
    expect(await outcome(verify(delivery(next, moment + 10)))).toBe('503 webhook_keys_unavailable');
    expect(requests).toBe(1);
    expect(await outcome(verify(delivery(next, moment + 31)))).toBe(true);
    expect(requests).toBe(2);
    const unknown = token(claims, { kid: 'invented' }, otherRsa.privateKey);
    for (const seconds of [40, 50, 60]) await outcome(verify(delivery(unknown, moment + seconds)));
    expect(requests).toBe(2);
    const forged = token(claims, { kid: 'old' }, otherRsa.privateKey);
    expect(await outcome(verify(delivery(forged, moment + 100)))).toBe('401 webhook_bad_signature');
    for (const seconds of [101, 110, 129]) {
      expect(await outcome(verify(delivery(forged, moment + seconds)))).toBe('503 webhook_keys_unavailable');
    }
    expect(requests).toBe(3);
  });

  it('fetches a set again that is older than jwksMaxAgeSeconds', async () => {
    let requests = 0;
    const jwks = await serve((_request, response) => {
      requests += 1;
      response.end(JSON.stringify({ keys: [jwk('a')] }));
    });
    const verify = jwtBearer({ jwks, bodyBinding: 'none', jwksMaxAgeSeconds: 100 });
    const good = token(claims, { kid: 'a' });
    for (const seconds of [0, 99, 100])
      expect(await outcome(verify(delivery(good, moment + seconds)))).toBe(true);
    expect(requests).toBe(2);
  });

  it.each([
    ['is no JSON', 'keys'],
    ['is no key set', '{"keys":7}'],
    ['holds a weak key', JSON.stringify({ keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'a' }] })],
  ])('asks to retry where the set %s', async (_name, text) => {
    const jwks = await serve((_request, response) => response.end(text));
    const verify = jwtBearer({ jwks, bodyBinding: 'none' });
    expect(await outcome(verify(delivery(token(claims, { kid: 'a' }))))).toBe('503 webhook_keys_unavailable');
  });
});
