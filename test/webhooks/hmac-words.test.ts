import { createHmac } from 'node:crypto';
import {
  createWebhookReceiver,
  hmacSha256,
  jwtBearer,
  standardWebhooks,
  verified,
} from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { moment, refusalOf, rejected, secret, verification } from './support.ts';

const body = '{"amount":"1.00"}';
const key = 'a key for tests';
const mac = (content: string) => createHmac('sha256', key).update(content).digest('hex');
const refusals = (verify: ReturnType<typeof hmacSha256>, headers: Record<string, string>, seconds = moment) =>
  refusalOf(verify(verification(body, headers, { now: seconds * 1000 })));

describe('the words of a refused HMAC', () => {
  it('name the header that is missing, blank or does not match', async () => {
    const plain = hmacSha256({ secret: key, header: 'X-Signature' });
    expect(await refusals(plain, {})).toEqual([
      'webhook_missing_header',
      'The header "X-Signature" is missing or empty.',
    ]);
    expect(await refusals(plain, { 'x-signature': '  ' })).toEqual([
      'webhook_missing_header',
      'The header "X-Signature" is missing or empty.',
    ]);
    expect(await refusals(plain, { 'x-signature': mac('other') })).toEqual([
      'webhook_bad_signature',
      expect.stringContaining('No signature in the header "X-Signature" matches the body.'),
    ]);
  });

  it('name the header whose timestamp is unreadable or doubled', async () => {
    const pairs = hmacSha256({ secret: key, header: 'x-signature', format: 't=,v1=' });
    const doubled = 'The header "x-signature" must contain exactly one "t=<unix seconds>": check `format`.';
    for (const value of ['v1=00', `t=${moment},t=${moment},v1=00`]) {
      expect(await refusals(pairs, { 'x-signature': value })).toEqual(['webhook_malformed_header', doubled]);
    }
    const unreadable = 'The timestamp in the header "x-signature" is not a number of Unix seconds.';
    for (const time of ['', 'soon', '1614265330x', 'x1614265330', '1614265330000']) {
      expect(await refusals(pairs, { 'x-signature': `t=${time},v1=00` })).toEqual([
        'webhook_malformed_header',
        unreadable,
      ]);
    }
    const separate = hmacSha256({ secret: key, header: 'x-signature', timestampHeader: 'X-Time' });
    expect(await refusals(separate, { 'x-signature': '00', 'x-time': 'soon' })).toEqual([
      'webhook_malformed_header',
      'The timestamp in the header "X-Time" is not a number of Unix seconds.',
    ]);
    expect(await refusals(separate, { 'x-signature': '00' })).toEqual([
      'webhook_missing_header',
      'The header "X-Time" is missing or empty. The delivery has "x-signature": check the settings of the verifier.',
    ]);
  });

  it('give the age, its direction and the tolerance of a timestamp that is not fresh', async () => {
    const headers = { 'x-signature': mac(`${moment}.${body}`), 'x-time': String(moment) };
    const separate = hmacSha256({ secret: key, header: 'x-signature', timestampHeader: 'X-Time' });
    expect(await refusals(separate, headers, moment + 301)).toEqual([
      'webhook_timestamp_out_of_tolerance',
      'The timestamp in the header "X-Time" is 301 s in the past; the tolerance is 300 s. ' +
        'The signature is good: check the clock of this machine.',
    ]);
    const pairs = hmacSha256({ secret: key, header: 'x-signature', format: 't=,v1=' });
    const paired = { 'x-signature': `t=${moment},v1=${headers['x-signature']}` };
    expect(await refusals(pairs, paired, moment - 400)).toEqual([
      'webhook_timestamp_out_of_tolerance',
      'The timestamp in the header "x-signature" is 400 s in the future; the tolerance is 300 s. ' +
        'The signature is good: check the clock of this machine.',
    ]);
  });

  it('say of Standard Webhooks which header does not match or is not fresh', async () => {
    const verify = standardWebhooks({ secret });
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': String(moment),
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const refusal = (text: string, seconds: number) =>
      refusalOf(verify(verification(text, headers, { now: seconds * 1000 })));
    expect(await refusal('{}', moment)).toEqual([
      'webhook_bad_signature',
      expect.stringContaining('No signature in the header "webhook-signature" matches the body.'),
    ]);
    expect(await refusal('{"test": 2432232314}', moment + 301)).toEqual([
      'webhook_timestamp_out_of_tolerance',
      'The timestamp in the header "webhook-timestamp" is 301 s in the past; the tolerance is 300 s. ' +
        'The signature is good: check the clock of this machine.',
    ]);
  });
});

describe('the words for a setting that cannot work', () => {
  const hmac = (options: object) =>
    refusalOf(() => hmacSha256({ secret: key, header: 'x-signature', ...options } as never));
  const standard = (options: object) => refusalOf(() => standardWebhooks(options as never));

  it.each([
    [{ header: '' }, 'header must be the name of a header.'],
    [{ header: 'x signature' }, 'header must be the name of a header.'],
    [{ header: ' x-signature' }, 'header must be the name of a header.'],
    [{ header: 'x-signature ' }, 'header must be the name of a header.'],
    [{ header: 7 }, 'header must be the name of a header.'],
    [{ timestampHeader: '' }, 'timestampHeader must be the name of a header.'],
    [{ encoding: 'utf8' }, 'encoding must be "hex", "base64" or "base64url".'],
    [{ format: 'other' }, 'format must be "plain" or "t=,v1=".'],
    [
      { format: 't=,v1=', timestampHeader: 'x-time' },
      'timestampHeader goes with the format "plain": "t=,v1=" has its own timestamp.',
    ],
    [{ secret: undefined }, 'The webhook secret is missing: pass it as a string or a Uint8Array.'],
    [{ secret: undefined, secrets: [] }, 'secrets is empty: pass at least one webhook secret.'],
    [{ secret: ' ' }, 'The webhook secret is empty or blank. Check that its environment variable is set.'],
    [
      { secret: ' None ' },
      'The webhook secret is the placeholder "none". Check that its environment variable is set.',
    ],
    [
      { secret: new Uint8Array(8) },
      'The webhook secret repeats one byte. Check that its environment variable is set.',
    ],
  ])('of hmacSha256: %o', async (options, words) => {
    expect(await hmac(options)).toEqual(['configuration', words]);
  });

  it.each([
    [{ secret, headerPrefix: 'x' }, 'headerPrefix must be "webhook" or "svix".'],
    [
      { secret: 'not base64!' },
      'The webhook secret is not base64. Standard Webhooks secrets are base64, with or without the prefix ' +
        '"whsec_"; pass a secret of any other kind as a Uint8Array.',
    ],
    [
      { secret: 'whsec_' },
      'The webhook secret is empty or blank. Check that its environment variable is set.',
    ],
  ])('of standardWebhooks: %o', async (options, words) => {
    expect(await standard(options)).toEqual(['configuration', words]);
  });

  it('of verified()', async () => {
    for (const id of [' ', 7]) {
      expect(await refusalOf(() => verified({ id: id as never }))).toEqual([
        'configuration',
        'verified({ id }) needs an id that is a string and not blank.',
      ]);
    }
  });
});

describe('what verified() makes', () => {
  /** The code of the refusal by a receiver whose verifier resolves with this. */
  const refusalAfter = async (result: unknown) => {
    const receiver = createWebhookReceiver({ verifier: async () => result as never, onError: () => {} });
    return (await refusalOf(() => receiver.unwrap(JSON.stringify(rejected), {})))[0];
  };

  it('is an acceptance, with the id where there is one', async () => {
    expect(verified().id).toBeUndefined();
    expect(verified({ id: 'd1' }).id).toBe('d1');
    for (const made of [verified(), verified({ id: 'd1' })])
      expect(await refusalAfter(made)).toBe('nothing was thrown');
  });

  it('cannot be made otherwise', async () => {
    for (const other of [null, undefined, 'verified', {}, { id: 'd1' }, { ...verified({ id: 'd1' }) }])
      expect(await refusalAfter(other)).toBe('webhook_bad_signature');
  });
});

it.each([
  [0, true],
  [0.5, true],
  [-1, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
  ['5', false],
  [null, false],
])('%j for a number of seconds: %j', async (seconds, accepted) => {
  const options = { jwks: new URL('https://keys.example'), jwksTimeoutSeconds: seconds as never };
  const refusal = await refusalOf(() => jwtBearer({ ...options, bodyBinding: 'none', freshness: 'none' }));
  expect(refusal).toEqual(
    accepted
      ? ['nothing was thrown', '']
      : ['configuration', 'jwksTimeoutSeconds must be a number of seconds, 0 or more.'],
  );
});

describe('what an HMAC accepts', () => {
  const plain = hmacSha256({ secret: key, header: 'x-signature' });

  it('a header with any name that HTTP allows, and a secret with one byte that is not zero', async () => {
    const verify = hmacSha256({ secret: Uint8Array.of(0, 0, 0, 107), header: "!#$%&'*+.^_`|~-Az9" });
    expect(verify).toBeTypeOf('function');
  });

  it('a secret of text with the prefix of Standard Webhooks, and with white space around it', async () => {
    for (const given of ['whsec_abc', ' \ufeffmy key\r\n']) {
      const signature = createHmac('sha256', given.trim()).update(body).digest('hex');
      const verify = hmacSha256({ secret: given, header: 'x-signature' });
      expect(await verify(verification(body, { 'x-signature': signature }))).toBe(true);
    }
  });

  it('spaces around a Standard Webhooks secret that has its prefix', async () => {
    const verify = standardWebhooks({ secret: ` ${secret}\n` });
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': String(moment),
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    expect(await verify(verification('{"test": 2432232314}', headers))).toEqual({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    });
  });

  it('the prefix sha256= at the start of the header only', async () => {
    const refused = [
      'webhook_bad_signature',
      'The header "x-signature" contains no HMAC-SHA256 in hex: check `encoding` and `format`.',
    ];
    expect(await plain(verification(body, { 'x-signature': `SHA256=${mac(body)}` }))).toBe(true);
    expect(await refusals(plain, { 'x-signature': `${mac(body)}sha256=` })).toEqual(refused);
    expect(await refusals(plain, { 'x-signature': `x${mac(body)}` })).toEqual(refused);
    expect(await refusals(plain, { 'x-signature': `${mac(body)}x` })).toEqual(refused);
    expect(await refusals(plain, { 'x-signature': `${mac(body)}00` })).toEqual(refused);
  });

  it('a Standard Webhooks secret with every digit of base64, and any space between signatures', async () => {
    const v1 = createHmac('sha256', Buffer.from('+/+/AAAA', 'base64'))
      .update(`a.${moment}.{}`)
      .digest('base64');
    const headers = {
      'webhook-id': 'a',
      'webhook-timestamp': String(moment),
      'webhook-signature': `v1,AAAA${' '.repeat(40)}v1,${v1}`,
    };
    const verify = standardWebhooks({ secret: 'whsec_+/+/AAAA' });
    expect(await verify(verification('{}', headers))).toEqual({ id: 'a' });
    expect(await refusalOf(() => standardWebhooks({ secret: '-_-_AAAA' }))).toEqual([
      'configuration',
      expect.stringContaining('not base64'),
    ]);
  });

  it('no more than 32 parts of a header t=,v1=', async () => {
    const pairs = hmacSha256({ secret: key, header: 'x-signature', format: 't=,v1=' });
    const v1 = mac(`${moment}.${body}`);
    const longHeader = (fillers: number) => `t=${moment},${'v0=00,'.repeat(fillers)}v1=${v1}`;
    expect(await pairs(verification(body, { 'x-signature': longHeader(30) }))).toBe(true);
    expect((await refusals(pairs, { 'x-signature': longHeader(31) }))[0]).toBe('webhook_bad_signature');
  });
});
