import { describe, expect, it } from 'vitest';
import { readDelivery } from '../../../src/command/doctor/checks/webhook-delivery.ts';

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
