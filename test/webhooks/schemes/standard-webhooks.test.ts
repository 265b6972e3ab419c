import { createHmac } from 'node:crypto';
import { signWebhook, standardWebhooks, type WebhookVerifier } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { codeOf, moment, secret, verification } from '../support.ts';

const body = '{"test": 2432232314}';
const example = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(moment),
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const verify: WebhookVerifier = (given) => standardWebhooks({ secret })(given);
const refusalOf = (headers: object, signedBody = body, overrides = {}) =>
  codeOf(verify(verification(signedBody, { ...example, ...headers }, overrides)));

describe('standardWebhooks', () => {
  it('accepts the example of the specification and vouches for its id', async () => {
    expect(await verify(verification(body, example))).toEqual({ id: example['webhook-id'] });
  });

  it('takes the secret without its prefix, without padding and as bytes', async () => {
    const base64 = secret.slice('whsec_'.length);
    for (const same of [base64, Buffer.from(base64, 'base64')]) {
      expect(await standardWebhooks({ secret: same })(verification(body, example))).toEqual({
        id: example['webhook-id'],
      });
    }
    const short = createHmac('sha256', Buffer.from('1234')).update(`a.${moment}.{}`).digest('base64');
    const headers = {
      'webhook-id': 'a',
      'webhook-timestamp': String(moment),
      'webhook-signature': `v1,${short}`,
    };
    expect(await standardWebhooks({ secret: 'whsec_MTIzNA' })(verification('{}', headers))).toEqual({
      id: 'a',
    });
  });

  it('refuses an altered body, id or timestamp', async () => {
    expect(await refusalOf({}, '{"test": 2432232315}')).toBe('webhook_bad_signature');
    expect(await refusalOf({ 'webhook-id': 'msg_other' })).toBe('webhook_bad_signature');
    expect(await refusalOf({ 'webhook-timestamp': String(moment + 1) })).toBe('webhook_bad_signature');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuses a missing or blank %s',
    async (name) => {
      const { [name as keyof typeof example]: _left, ...rest } = example;
      expect(await codeOf(verify(verification(body, rest)))).toBe('webhook_missing_header');
      expect(await refusalOf({ [name]: '  ' })).toBe('webhook_missing_header');
    },
  );

  it('refuses signatures of other versions, without a version, truncated and in another encoding', async () => {
    const signature = example['webhook-signature'].slice(3);
    for (const wrong of [
      `v1a,${signature}`,
      `v2,${signature}`,
      signature,
      `v1,${signature.slice(0, 20)}`,
      `v1,${Buffer.from(signature, 'base64').toString('hex')}`,
      'v1,',
      'v1,****',
    ]) {
      expect(await refusalOf({ 'webhook-signature': wrong })).toBe('webhook_bad_signature');
    }
  });

  it('accepts one good signature among others, and looks at no more than 32', async () => {
    const among = `v1a,abcd v1,AAAA ${example['webhook-signature']}`;
    expect(await verify(verification(body, { ...example, 'webhook-signature': among }))).toBeTruthy();
    const flood = `${'v1,AAAA '.repeat(32)}${example['webhook-signature']}`;
    expect(await refusalOf({ 'webhook-signature': flood })).toBe('webhook_bad_signature');
  });

  it('accepts the old and the new secret while they rotate, and no third one', async () => {
    const next = 'whsec_bmV4dCBzZWNyZXQgb2YgdGhlIHNlbmRlcg==';
    const rotating = standardWebhooks({ secrets: [next, secret] });
    const byNew = await signWebhook(body, { standardWebhooks: { secret: next, timestamp: moment } });
    const byBoth = await signWebhook(body, {
      standardWebhooks: { secrets: [secret, next], timestamp: moment },
    });
    expect(byBoth.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(await rotating(verification(body, example))).toBeTruthy();
    expect(await rotating(verification(body, byNew.headers))).toBeTruthy();
    expect(await verify(verification(body, byBoth.headers))).toBeTruthy();
    const byThird = await signWebhook(body, {
      standardWebhooks: { secret: 'whsec_dGhpcmQ=', timestamp: moment },
    });
    expect(await codeOf(rotating(verification(body, byThird.headers)))).toBe('webhook_bad_signature');
  });

  it.each(['soon', '-1', '1e9', '1614265330.5', '1614265330000000'])(
    'refuses the timestamp %s',
    async (timestamp) => {
      expect(await refusalOf({ 'webhook-timestamp': timestamp })).toBe('webhook_malformed_header');
    },
  );

  it.each([
    ['an empty list', { secrets: [] }],
    ['text that is not base64', { secret: 'whsec_not base64!' }],
    ['a base64 text of impossible length', { secret: 'AAAAA' }],
    ['the prefix at another place', { secret: 'c2VjcmV0whsec_' }],
  ])('cannot be made with %s', async (_name, options) => {
    expect(await codeOf(() => standardWebhooks(options as never))).toBe('configuration');
  });
});
