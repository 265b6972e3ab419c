import { describe, expect, it } from 'vitest';
import { type SentRequest, sentValuesOf } from '../../src/transport/failure/sent-values.ts';

const request: SentRequest = {
  url: 'https://pay.example/v2/kyc',
  template: '/v2/kyc',
  headers: {},
  body: undefined,
  secrets: [],
};

const sent = (part: Partial<SentRequest>) => sentValuesOf({ ...request, ...part });
const strings = (part: Partial<SentRequest>) => [...sent(part).strings];

describe('what a request held', () => {
  it('is nothing where it held nothing', () => {
    expect(sent({})).toEqual({ strings: new Set(), keys: new Set(), unreadable: false });
  });

  it('its tokens', () => {
    expect(strings({ secrets: ['old', 'new'] })).toEqual(['old', 'new']);
  });

  it('its headers, without those that the client makes itself', () => {
    expect(
      strings({
        headers: { accept: 'a/b', 'content-type': 'c/d', 'user-agent': 'e', 'x-team': 'Tarn', host: 'f' },
      }),
    ).toEqual(['Tarn', 'f']);
  });

  it('the values of its query', () => {
    expect(strings({ url: 'https://pay.example/v2/kyc?q=Quill+Marrow&q=%41da&n=7' })).toEqual([
      'Quill Marrow',
      'Ada',
      '7',
    ]);
  });

  it.each([
    ['https://pay.example/v2/users/Tarn/kyc', '/v2/users/{userId}/kyc', ['Tarn']],
    ['https://pay.example/base/of/v2/users/Tarn/kyc', '/v2/users/{userId}/kyc', ['Tarn']],
    [
      'https://pay.example/v2/users/Ada%20L/accounts/x',
      '/v2/users/{u}/accounts/{a}',
      ['Ada%20L', 'Ada L', 'x'],
    ],
    ['https://pay.example/v2/users/%E9/kyc', '/v2/users/{userId}/kyc', ['%E9']],
    ['https://pay.example/x/Tarn.json', '/x/{id}.json', ['Tarn.json']],
    ['https://pay.example/Tarn', '/a/long/one/with/{id}', ['Tarn']],
    ['https://pay.example/Tarn', '/{a}/long/one/with/{id}', ['Tarn']],
  ])('the ids in its path: %s of %s', (url, template, expected) => {
    expect(strings({ url, template })).toEqual(expected);
  });

  it('every string of its body, and every name of a field', () => {
    const body = { a: 'one', b: [{ c: 'two', d: [['three'], 7, null, true] }], e: { f: {} }, g: '' };
    expect(sent({ body: JSON.stringify(body) })).toEqual({
      strings: new Set(['one', 'two', 'three', '']),
      keys: new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g']),
      unreadable: false,
    });
  });

  it('its whole body, where that is text and no JSON', () => {
    expect(sent({ body: 'owner=Tarn' })).toEqual({
      strings: new Set(['owner=Tarn']),
      keys: new Set(),
      unreadable: false,
    });
  });

  it('the lines of a form, without its boundaries and the headers of its parts', () => {
    const form = [
      '--boundary',
      'Content-Disposition: form-data; name="owner"',
      'content-type: text/plain',
      'Tarn content-type: x',
      'x--boundary',
      '--boundary--',
    ].join('\r\n');
    expect(sent({ body: new TextEncoder().encode(`${form}\n\n\rQuill`) })).toEqual({
      strings: new Set(['Tarn content-type: x', 'x--boundary', 'Quill']),
      keys: new Set(),
      unreadable: false,
    });
  });

  it('is not read where it is a large upload, or no text', () => {
    const upload = (length: number) => sent({ body: new Uint8Array(length).fill(97) });
    expect(upload(100_000)).toMatchObject({ unreadable: false, strings: new Set(['a'.repeat(100_000)]) });
    expect(upload(100_001)).toMatchObject({ unreadable: true, strings: new Set() });
    expect(sent({ body: new ReadableStream() })).toMatchObject({ unreadable: true, strings: new Set() });
  });
});
