import { sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createWebhookReceiver,
  jwtBearer,
  memoryDedupe,
  type OpenWebhookEvent,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.ts';
import { pem, rsa } from './key-pairs.ts';

const part = (text: string) => Buffer.from(text).toString('base64url');

/** A token whose claims are this text of JSON, to the letter. */
function tokenOf(claims: string): string {
  const content = `${part('{"alg":"RS256"}')}.${part(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), rsa.privateKey).toString('base64url')}`;
}

/** A receiver with a store, what it has handled, and a function that delivers a body with a token. */
function receiving(bodyBinding: string, options: Partial<WebhookReceiverOptions> = {}) {
  const handled: { id: string; event: OpenWebhookEvent }[] = [];
  const receive = createWebhookReceiver({
    verifier: jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding, freshness: 'none' }),
    dedupe: memoryDedupe(),
    onError: () => {},
    ...options,
  }).handler({ otherwise: (event, { id }) => void handled.push({ id, event }) });
  const deliver = async (token: string, body: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await receive(new Request('http://r.test/', { method: 'POST', body, headers }))).status;
  };
  return { handled, deliver };
}

const data = '{"amount":25,"zero":0,"ledgerId":9007199254740993,"to":["a",{"b":1}]}';
const names = '"iat":1,"exp":2,"nbf":3,"jti":"j","iss":"i","aud":"a","sub":"s"';
const event = `{"eventType":"NEW.KIND","data":${data}}`;
const claims = `{"eventType":"NEW.KIND",${names},"data":${data}}`;

/** The same event in spellings that the parser of JSON does not tell apart. */
const spellings = [
  event,
  event.replace('25', '25.0000000000000000001'),
  event.replace('25', '25.0000000000000000002'),
  event.replace('25', '2.5e1'),
  event.replace('"zero":0', '"zero":-0'),
  event.replace('"zero":0', '"zero":-0.0e7'),
  event.replace('"zero":0', '"zero":1e-400'),
  event.replace('9007199254740993', '9007199254740992'),
  event.replace('9007199254740993', '9007199254740992.9'),
  `{"data":${data},"eventType":"NEW.KIND"}`,
  event.replace('"to":["a",{"b":1}]', '"to":["\\u0061", {"b": 1}]'),
  event.replace('"zero":0', '"zero":7,"zero":0'),
  `\n ${event} `,
];

// Issue 61: "The id is made of what was proved: the claims, without the registered ones."
describe('one token whose claims are the event', () => {
  it('is one event in every spelling of the body', async () => {
    const { handled, deliver } = receiving('required');
    const token = tokenOf(claims);
    for (const body of spellings) expect([body, await deliver(token, body)]).toEqual([body, 200]);
    expect(handled).toHaveLength(1);
  });

  it('is one event with every choice of the claims that libraries add', async () => {
    const { handled, deliver } = receiving('required');
    const token = tokenOf(claims);
    const added: string[] = names.split(',');
    for (let choice = 0; choice < 2 ** added.length; choice += 1) {
      const chosen = added.filter((_name, index) => choice & (1 << index));
      const body = `{${[...chosen, '"eventType":"NEW.KIND"', `"data":${data}`].join(',')}}`;
      expect(await deliver(token, body)).toBe(200);
    }
    expect(handled).toHaveLength(1);
  });

  it('is one event where an id of its own is beyond what JSON.parse holds', async () => {
    for (const name of ['eventId', 'id']) {
      const { handled, deliver } = receiving('required');
      const body = (id: string) => event.replace('{', `{"${name}":${id},`);
      const token = tokenOf(body('9007199254740993'));
      for (const id of ['9007199254740993', '9007199254740992', '9007199254740993.0', '9.007199254740993e15'])
        expect(await deliver(token, body(id))).toBe(200);
      expect(handled).toHaveLength(1);
      // The next event, whose id JSON.parse takes for the same number.
      expect(await deliver(tokenOf(body('9007199254740992')), body('9007199254740992'))).toBe(200);
      expect(handled).toHaveLength(2);
    }
  });

  it('is one event for an `eventId` function that reads the whole event', async () => {
    const { handled, deliver } = receiving('required', { eventId: (given) => JSON.stringify(given) });
    const token = tokenOf(claims);
    for (const body of spellings) expect(await deliver(token, body)).toBe(200);
    expect(handled).toHaveLength(1);
  });

  it('is the same event in the token of a retry, and keeps an id that is a text', async () => {
    const { handled, deliver } = receiving('required');
    await deliver(tokenOf(claims), event);
    await deliver(tokenOf(claims.replace(names, '"iat":9,"jti":"k"')), event);
    expect(handled).toHaveLength(1);
    const named = event.replace('{', '{"eventId":"evt_1",');
    await deliver(tokenOf(named), named);
    expect(handled.at(-1)?.id).toBe('evt_1');
  });

  it('hands the event over as the body says it', async () => {
    const { handled, deliver } = receiving('required');
    await deliver(tokenOf(claims), event);
    expect(handled[0]?.event).toEqual(JSON.parse(event));
  });
});

describe('one token with a claim that is the event', () => {
  it.each([
    ['an object', event],
    ['text', JSON.stringify(event)],
  ])('is one event in every spelling of the body: as %s', async (_how, claim) => {
    for (const name of ['event', 'https://service.test/event']) {
      const { handled, deliver } = receiving(name);
      const token = tokenOf(`{"iat":1,${JSON.stringify(name)}:${claim}}`);
      for (const body of spellings) expect([body, await deliver(token, body)]).toEqual([body, 200]);
      expect(handled).toHaveLength(1);
    }
  });

  it('is the same event in the token of a retry that spells the text of the claim in another way', async () => {
    const { handled, deliver } = receiving('event');
    for (const spelling of [event, `{ "data":${data.replace('25', '25.0')}, "eventType":"NEW.KIND"}`])
      expect(await deliver(tokenOf(`{"event":${JSON.stringify(spelling)}}`), event)).toBe(200);
    expect(handled).toHaveLength(1);
  });

  it('tells events apart that JSON.parse does not', async () => {
    const { handled, deliver } = receiving('event');
    const other = event.replace('9007199254740993', '9007199254740992');
    await deliver(tokenOf(`{"event":${event}}`), event);
    await deliver(tokenOf(`{"event":${other}}`), other);
    expect(handled).toHaveLength(2);
  });
});
