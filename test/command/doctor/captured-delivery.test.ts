import { describe, expect, it } from 'vitest';
import { readDelivery, refusalOf } from '../../../src/command/doctor/checks/webhook-delivery.ts';

describe('a captured delivery', () => {
  it.each([
    ['a request as text', 'POST / HTTP/1.1\r\nx-one: 1\r\n\r\n{}\n', ['{}\n', '{}']],
    ['a head alone', 'POST / HTTP/1.1\nx-one: 1', ['']],
    ['JSON with a text', JSON.stringify({ headers: { 'x-one': '1' }, body: '{} ' }), ['{} ', '{}']],
    ['JSON with an object', JSON.stringify({ headers: { 'x-one': ['1'] }, body: { a: 1 } }), ['{"a":1}']],
    ['JSON without a body', JSON.stringify({ headers: { 'x-one': '1', 'x-two': 2, 'bad name': '' } }), ['']],
  ])('is read from %s', (_form, text, bodies) => {
    const read = readDelivery(text);
    expect(read?.bodies).toEqual(bodies);
    expect([...(read?.headers ?? [])]).toEqual([['x-one', '1']]);
  });

  it.each(['no headers here', '[]', '{"body":"{}"}', '{"headers":"x-one: 1"}'])(
    'is not found in %s',
    (text) => {
      expect(readDelivery(text)).toBeUndefined();
    },
  );
});

describe('the refusal of a delivery', () => {
  it.each<[string, () => Promise<boolean>, string, string | undefined]>([
    ['is verified', async () => true, '{"eventId":"e-1","eventType":"A.B","data":{}}', undefined],
    ['is verified, and holds no event', async () => true, 'no event', undefined],
    ['is not verified', async () => false, '{}', 'webhook_bad_signature'],
  ])('of one that %s', async (_what, verifier, body, code) => {
    const refused = await refusalOf(verifier, { headers: new Headers(), bodies: [body] }, 0);
    expect(refused?.code).toBe(code);
  });
});
