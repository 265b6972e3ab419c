import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  createWebhookReceiver,
  isKnownEvent,
  signWebhook,
  standardWebhooks,
  type WebhookReceiverOptions,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { codeOf, moment, now, rejected, secret } from './support.ts';

const webhooks = createWebhookReceiver({ verifier: standardWebhooks({ secret }), now });
const signed = (event: object | string) =>
  signWebhook(event, { standardWebhooks: { secret, timestamp: moment } });
const trusting = (options: Partial<WebhookReceiverOptions> = {}) =>
  createWebhookReceiver({ verifier: async () => true, ...options });

describe('unwrap', () => {
  it('returns the event as it was received, unknown fields and all', async () => {
    const { body, headers } = await signed(rejected);
    const event = await webhooks.unwrap(body, headers);
    expect(event).toEqual(rejected);
    if (event.eventType !== 'TRANSFER.APPROVAL.REJECTED') throw new Error('not narrowed');
    expect(event.data.comment satisfies string | null | undefined).toBe('not this month');
    expect(event.data.transferId satisfies string).toBe('tr_1');
  });

  it('takes text, bytes, a Buffer view and an ArrayBuffer', async () => {
    const { body, headers } = await signed(rejected);
    const bytes = new TextEncoder().encode(body);
    const window = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
    for (const raw of [body, bytes, Buffer.from(body), window, bytes.buffer]) {
      expect(await webhooks.unwrap(raw, headers)).toEqual(rejected);
    }
  });

  it("takes Headers, Node's headers in any case, lists and numbers", async () => {
    const { body, headers } = await signed(rejected);
    const id = headers['webhook-id'] ?? '';
    const signature = headers['webhook-signature'] ?? '';
    for (const same of [
      new Headers(headers),
      { 'Webhook-Id': id, 'WEBHOOK-TIMESTAMP': moment, 'webhook-signature': [signature] },
      { ...headers, ':method': 'POST', other: undefined, 'not a name': 'x', another: null },
    ]) {
      expect(await webhooks.unwrap(body, same)).toEqual(rejected);
    }
  });

  it('refuses missing headers of every kind', async () => {
    const { body } = await signed(rejected);
    for (const none of [
      undefined,
      null,
      {},
      new Headers(),
      [],
      'webhook-id: 1',
      { 'webhook-id': undefined },
    ]) {
      expect(await codeOf(webhooks.unwrap(body, none as never))).toBe('webhook_missing_header');
    }
  });

  it('explains raw bodies where the body was parsed already', async () => {
    const { headers } = await signed(rejected);
    await expect(webhooks.unwrap(rejected as never, headers)).rejects.toMatchObject({
      code: 'webhook_body_already_parsed',
      message: expect.stringMatching(/Express.*Fastify.*Hono/s),
    });
    expect(await codeOf(webhooks.unwrap(undefined as never, headers))).toBe('webhook_missing_body');
    expect(await codeOf(webhooks.unwrap(null as never, headers))).toBe('webhook_missing_body');
    expect(await codeOf(webhooks.unwrap(7 as never, headers))).toBe('webhook_body_already_parsed');
  });

  it('refuses an altered body, an empty one and one that is too large', async () => {
    const { body, headers } = await signed(rejected);
    expect(await codeOf(webhooks.unwrap(body.replace('250.5', '950.5'), headers))).toBe(
      'webhook_bad_signature',
    );
    expect(await codeOf(webhooks.unwrap('', headers))).toBe('webhook_missing_body');
    expect(await codeOf(trusting({ maxBodyBytes: 10 }).unwrap(body, headers))).toBe('webhook_body_too_large');
  });

  it('applies the tolerance to its clock', async () => {
    const { body, headers } = await signed(rejected);
    const at = (seconds: number, tolerance?: number) =>
      codeOf(
        createWebhookReceiver({
          verifier: standardWebhooks({ secret }),
          now: () => (moment + seconds) * 1000,
          tolerance,
        }).unwrap(body, headers),
      );
    expect(await at(300)).toBe('nothing was thrown');
    expect(await at(301)).toBe('webhook_timestamp_out_of_tolerance');
    expect(await at(-301)).toBe('webhook_timestamp_out_of_tolerance');
    expect(await at(1, 1000)).toBe('nothing was thrown');
    expect(await at(2, 1000)).toBe('webhook_timestamp_out_of_tolerance');
    expect(await at(1000, 1_000_000)).toBe('nothing was thrown');
  });

  it.each([
    ['not JSON', '{"eventType":', /not JSON/],
    ['an empty text', '""', /not an event/],
    ['null', 'null', /not an event/],
    ['a list', '[]', /not an event/],
    ['no kind', '{"data":{}}', /eventType/],
    ['an empty kind', '{"eventType":"","data":{}}', /eventType/],
    ['a kind that is no text', '{"eventType":7,"data":{}}', /eventType/],
    ['no data', '{"eventType":"NEW.KIND"}', /data/],
    ['a list for data', '{"eventType":"ACCOUNT.ONRAMP.CREATE","data":[]}', /data/],
    [
      'an approval without its transfer',
      '{"eventType":"TRANSFER.APPROVAL.PENDING","data":{}}',
      /data\.transferId/,
    ],
  ])('says clearly that a signed body is malformed: %s', async (_name, text, message) => {
    const { body, headers } = await signed(text);
    const failure = await webhooks.unwrap(body, headers).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WebhookVerificationError);
    expect(failure).toMatchObject({
      code: 'webhook_malformed_body',
      message: expect.stringMatching(message),
    });
  });

  it('refuses bytes that are not UTF-8', async () => {
    expect(await codeOf(trusting().unwrap(Uint8Array.of(0x22, 0xff, 0x22), {}))).toBe(
      'webhook_malformed_body',
    );
  });

  it('passes fields of unexpected types that an integration can live without', async () => {
    const odd = {
      eventId: 17,
      createdAt: 1_700_000_000,
      eventType: 'TRANSFER.APPROVAL.APPROVED',
      data: { transferId: 'tr_1', amount: { value: '1' }, destination: null, initiatorId: 4 },
    };
    expect(await trusting().unwrap(JSON.stringify(odd), {})).toEqual(odd);
  });

  it('shows neither the secret, nor the signature, nor the body in a refusal', async () => {
    const { body, headers } = await signed(rejected);
    const failure: unknown = await webhooks.unwrap(`${body} `, headers).catch((error: unknown) => error);
    const malformed: unknown = await trusting()
      .unwrap('{"account":"000123456789"', {})
      .catch((error: unknown) => error);
    const shown = inspect([failure, malformed], { depth: 9 }) + JSON.stringify([failure, malformed]);
    expect(shown).toContain('webhook_bad_signature');
    for (const part of [
      secret.slice(6),
      headers['webhook-signature']?.slice(3) ?? '',
      'not this month',
      '000123456789',
    ]) {
      expect(shown).not.toContain(part);
    }
  });
});

describe('isKnownEvent', () => {
  it('knows the five documented kinds and no other', async () => {
    const kindOf = (eventType: string) =>
      trusting().unwrap(JSON.stringify({ eventType, data: { transferId: 'tr_1' } }), {});
    for (const kind of [
      'ACCOUNT.ONRAMP.CREATE',
      'ACCOUNT.ONRAMP.UPDATE',
      'TRANSFER.APPROVAL.PENDING',
      'TRANSFER.APPROVAL.APPROVED',
      'TRANSFER.APPROVAL.REJECTED',
    ]) {
      expect(isKnownEvent(await kindOf(kind))).toBe(true);
    }
    for (const kind of ['TRANSFER.APPROVAL.EXPIRED', 'toString', '__proto__']) {
      const event = await kindOf(kind);
      expect(isKnownEvent(event)).toBe(false);
      expect(event.eventType).toBe(kind);
    }
  });
});

describe('createWebhookReceiver', () => {
  it.each([
    ['no verifier', { verifier: undefined }],
    ['a verifier that is no function', { verifier: {} }],
    ['an endless tolerance', { tolerance: Number.POSITIVE_INFINITY }],
    ['a body limit of 0', { maxBodyBytes: 0 }],
    ['a fractional body limit', { maxBodyBytes: 1.5 }],
  ])('refuses %s', async (_name, options) => {
    expect(await codeOf(() => trusting(options as never))).toBe('configuration');
  });
});

describe('signWebhook', () => {
  it('takes the id of the event, else makes a new one each time', async () => {
    expect((await signed(rejected)).headers['webhook-id']).toBe('evt_1');
    const ids = [await signed('{}'), await signed({ eventId: 4 })].map(
      ({ headers }) => headers['webhook-id'],
    );
    expect(ids[0]).toMatch(/^msg_[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it('signs for the present moment unless it is told another', async () => {
    const { body, headers } = await signWebhook(rejected, { standardWebhooks: { secret } });
    const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret }), tolerance: 5000 });
    expect(await receiver.unwrap(body, headers)).toEqual(rejected);
  });

  it('refuses an unknown scheme, an empty secret and a public key', async () => {
    expect(await codeOf(signWebhook('{}', {} as never))).toBe('configuration');
    expect(await codeOf(signWebhook('{}', { standardWebhooks: { secret: '' } }))).toBe('configuration');
    const publicKey = '-----BEGIN PUBLIC KEY-----';
    expect(await codeOf(signWebhook('{}', { jwtBearer: { privateKey: publicKey } }))).toBe('configuration');
    const bad = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----';
    expect(await codeOf(signWebhook('{}', { jwtBearer: { privateKey: bad } }))).toBe('configuration');
  });
});
