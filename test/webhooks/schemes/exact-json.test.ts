import { expect, it } from 'vitest';
import { exactJson } from '../../../src/webhooks/schemes/exact-json.ts';

it('turns numbers into texts of their digits, and nothing within a text', () => {
  expect(
    exactJson(
      String.raw`{"a":1.50,"b":"2 \" 3 \\","c":[-0.0,1e2,90071992547409930,-90071992547409930],"4":"5"}`,
    ),
  ).toEqual({
    a: '#1.5',
    b: '2 " 3 \\',
    c: ['#0', '#100', '#90071992547409930', '#-90071992547409930'],
    '4': '5',
  });
});

it.each(['a', '1', '\\"', '\\u0041'])('reads a text of millions of characters: %s', (part) => {
  const text = `"${part.repeat(3_000_000)}"`;
  expect(exactJson(`{"a":${text},"b":1}`)).toEqual({ a: JSON.parse(text), b: '#1' });
});

it.each(['{"a":\\5}', '"a', '\\"', '1 2', '{"a":"\\x"}'])('refuses what is no JSON: %s', (text) => {
  expect(() => exactJson(text)).toThrow(SyntaxError);
});
