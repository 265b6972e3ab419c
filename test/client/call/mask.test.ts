import { describe, expect, it } from 'vitest';
import { maskOf, traceIdOf } from '../../../src/client/call/mask.ts';

type SentCall = Parameters<typeof maskOf>[0];

const request = (body: unknown, given: Partial<SentCall> = {}): SentCall => ({
  url: 'https://pay.example/v2/users/u1/accounts',
  template: '/v2/users/u1/accounts',
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...given,
});

const masked = (words: string, sent: unknown = {}, tokens: readonly string[] = ['test-token']) =>
  maskOf(request(sent), tokens).words(words);

describe('the words of a service', () => {
  it.each([
    'The token is not valid',
    'The bearer token has expired',
    'Bearer authentication is required. Bearer token.',
    'The user has no active `africa` rail',
    'The limit of 1000 per day is reached',
    'Annual limit of Anna reached',
    'Valid until 2026-11-05',
    'Valid until 2026-11-05T10:00:00Z, not 2026-11-05T10:00:00.123456+00:00',
    'Try again after Thu, 05 Nov 2026 10:00:00 GMT',
    'Closed on 24.12.2026 and 12/25/2026',
    'See https://docs.example.com/errors/limits for it',
  ])('stay readable: %s', (words) => {
    expect(masked(words, { chain: 'POLYGON', currency: 'usdc', name: 'Ann' })).toBe(words);
  });

  it('have no dictionary: a word that was sent is masked, whatever it means', () => {
    expect(masked('No route on POLYGON for usdc', { name: 'POLYGON', note: 'usdc' })).toBe(
      'No route on [redacted] for [redacted]',
    );
    // design.md, *Errors*: "words of closed lists (currency, chain, rail, type) … are not masked".
    expect(masked('No route on POLYGON for usdc', { chain: 'POLYGON', currency: 'usdc' })).toBe(
      'No route on POLYGON for usdc',
    );
  });

  it.each<[sent: string, words: string, shown: string]>([
    ['user-7781', 'No user user-7781 here', 'No user [redacted] here'],
    ['user-7781', 'No user USER-7781 here', 'No user [redacted] here'],
    ['user-7781', 'No user us\u200Ber-77\u200B81 here', 'No user [redacted] here'],
    ['Ada Lovelace', 'user=Ada%20Lovelace', 'user=[redacted]'],
    ['Ada Lovelace', 'Ada  Lovelace is frozen', '[redacted] is frozen'],
    ['Zoë & Co <"O\'Brien">', 'Zoë &amp; Co &lt;&quot;O&#39;Brien&quot;&gt; is', '[redacted] is'],
    ['Marrow', 'The Marrow is frozen', 'The [redacted] is frozen'],
    ['Marrow', 'The Marrows are frozen', 'The Marrows are frozen'],
    ['$(.*)[x]', '$(.*)[x] is frozen', '[redacted] is frozen'],
    ['Ng', 'Ng is frozen', 'Ng is frozen'],
    ['usd', 'Cannot pay in usd', 'Cannot pay in usd'],
    ['polygon', 'chain: must be POLYGON or BASE', 'chain: must be [redacted] or BASE'],
    ['2026-11-05', 'Born on 2026-11-05', 'Born on [redacted]'],
    ['INVALID_QUOTE', 'INVALID_QUOTE', 'nothing'],
  ])('lose what was sent: %j in %j', (sent, words, shown) => {
    expect(masked(words, { values: [{ deep: sent }] }) ?? 'nothing').toBe(shown);
  });

  it.each([
    ['test-token expired', '[redacted] expired'],
    ['Invalid key: test-tok…', 'Invalid key: [redacted]…'],
    ['Invalid key: ***EST-TOKEN', 'Invalid key: ***[redacted]'],
    ['Header Bearer abc1 was refused', 'Header [redacted] was refused'],
    ['Header bearer aVeryLongSecretToken was refused', 'Header [redacted] was refused'],
    ['Header Basic YWRh was refused', 'Header [redacted] was refused'],
    ['Credential eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired', 'Credential [redacted] expired'],
    ['Ask ada.lovelace+pay@example.com about it', 'Ask [redacted] about it'],
    ['See https://example.com/u?email=ada for it', 'See [redacted] for it'],
    ['https://ada:pw@example.com/x failed', '[redacted] failed'],
    ['Number 12345 was refused', 'Number [redacted] was refused'],
    ['Card 4111-2026-11-05 was refused', 'Card [redacted] was refused'],
    ['Number 20261105 was refused', 'Number [redacted] was refused'],
    ['Number 1234 was refused', 'Number 1234 was refused'],
    ['Number 0001-2345 6789 was refused', 'Number [redacted] was refused'],
    ['Number ٠١٢٣٤ was refused', 'Number [redacted] was refused'],
    ['Number １２３４５ was refused', 'Number [redacted] was refused'],
  ])('lose what may be secret: %j', (words, shown) => {
    expect(masked(words)).toBe(shown);
  });

  it('lose values of the path, the query, headers, text and forms', () => {
    const sent = request('owner=Quillon', {
      url: 'https://pay.example/base/v2/users/mar%20row?q=Quill',
      template: '/v2/users/{userId}',
      headers: {
        'x-team': 'Tarn',
        accept: 'application/json',
        'content-type': 'text/csv',
        'user-agent': 'x/1.0',
      },
    });
    const form = request('', { body: new TextEncoder().encode('name="owner"\r\n\r\nQuillon\r\n') });
    const words = 'mar row, mar%20row, Quill, Tarn, users, application/json, text/csv, x/1.0';
    expect(maskOf(sent, []).words(words)).toBe(
      '[redacted], [redacted], [redacted], [redacted], users, application/json, text/csv, x/1.0',
    );
    expect(maskOf(form, []).words('No Quillon')).toBe('No [redacted]');
  });

  it('lose a value of the path that cannot be decoded', () => {
    const sent = request({}, { url: 'https://pay.example/v2/x/abc50%', template: '/v2/x/{…}' });
    expect(maskOf(sent, []).words('No abc50% here')).toBe('No [redacted] here');
  });

  it('are one line of limited length, or nothing', () => {
    expect(masked('One\r\nTwo\t\u0007\u202Ethree\u2028end')).toBe('One Two three end');
    expect(masked('word '.repeat(150))).toHaveLength(300);
    expect(masked('word '.repeat(200))).toHaveLength(300);
    expect(masked(`${'word '.repeat(200)}.`)).toBeUndefined();
    const token = 't'.repeat(600);
    expect(masked(`Not ${token}, nor ${token}`, {}, [token])).toBeUndefined();
    for (const nothing of ['', ' .', 'Marrow', 'Marrow, Marrow.'])
      expect(masked(nothing, ['Marrow'])).toBeUndefined();
  });

  it('never cost the error, however much was sent', () => {
    const many = Array.from({ length: 5_000 }, (_item, index) => `name ${index} of Marrow`);
    expect(masked('No such thing', many)).toBe('No such thing');
    expect(masked('No such thing', ['x'.repeat(2_000_000), '\uD800 lone'])).toBe('No such thing');
  });
});

describe('a trace id', () => {
  const idOf = (id: string, body: unknown = {}) =>
    traceIdOf(new Headers({ 'x-request-id': id }), request(body), ['test-token']);

  it('is shown unless it contains what was sent', () => {
    expect(idOf('8f1c-77.ab')).toBe('8f1c-77.ab');
    for (const [id, body] of [
      ['req-user-7781', { id: 'user-7781' }],
      ['6FA459EA-ee8a', { requestId: '6fa459ea-ee8a' }],
      ['id-test-token', {}],
    ] as const)
      expect(idOf(id, body)).toBeUndefined();
  });

  it('is a short text without spaces', () => {
    for (const id of ['', 'a b', 'a'.repeat(129)]) expect(idOf(id)).toBeUndefined();
  });
});
