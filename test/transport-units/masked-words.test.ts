import { describe, expect, it } from 'vitest';
import { maskWords } from '../../src/transport/failure/mask-words.ts';

/** The words of a service, as they are shown to somebody who sent these strings. */
const shown = (words: string, ...strings: readonly string[]) =>
  maskWords(words, { strings: new Set(strings), keys: new Set(), unreadable: false });

describe('what a service says', () => {
  it('is shown as it is where nothing in it was sent', () => {
    expect(shown('The wallet balance is too low.', 'user-7781')).toBe('The wallet balance is too low.');
  });

  it('is not shown where it is longer than anyone reads', () => {
    const rest = 'word '.repeat(199);
    expect(shown(`${rest}12345`)).toBe(`${'word '.repeat(59)}word…`);
    expect(shown(`${rest}123456`)).toBeUndefined();
  });

  it('is cut after 300 characters', () => {
    expect(shown('a'.repeat(300))).toBe('a'.repeat(300));
    expect(shown('a'.repeat(301))).toBe(`${'a'.repeat(299)}…`);
  });

  it('is not shown where what was sent could not be read, or is too much to look for', () => {
    const strings = (count: number) => new Set(Array.from({ length: count }, (_item, index) => `n${index}`));
    expect(
      maskWords('It is frozen.', { strings: new Set(), keys: new Set(), unreadable: true }),
    ).toBeUndefined();
    expect(maskWords('It is frozen.', { strings: strings(2_000), keys: new Set(), unreadable: false })).toBe(
      'It is frozen.',
    );
    expect(
      maskWords('It is frozen.', { strings: strings(2_001), keys: new Set(), unreadable: false }),
    ).toBeUndefined();
  });

  it.each([
    ['', 'user-7781'],
    [' . ', 'user-7781'],
    ['user-7781', 'user-7781'],
    ['(user-7781): [user-7781]!', 'user-7781'],
  ])('is nothing where no word is left: %j', (words, sent) => {
    expect(shown(words, sent)).toBeUndefined();
  });

  it.each([
    ['user-7781 é', '[redacted] é'],
    ['user-7781 4', '[redacted] 4'],
  ])('is shown where one letter or digit is left: %j', (words, text) => {
    expect(shown(words, 'user-7781')).toBe(text);
  });

  it.each([
    ['  It\r\n\t is\u2028 late\u2029\u00A0now  ', 'It is late now'],
    ['It\u0007 is\u202E late\u200B now\uE000\u0378', 'It is late now'],
    ['It is \uFF4C\uFF41\uFF54\uFF45', 'It is late'],
    ['It is late \uD83D', 'It is late \uFFFD'],
  ])('is one line of plain characters: %j', (words, text) => {
    expect(shown(words)).toBe(text);
  });
});

describe('words that look secret are masked, whatever was sent', () => {
  it.each([
    ['Header Bearer a.b-c seen', 'Header [redacted] seen'],
    ['Header basic QTpi seen', 'Header [redacted] seen'],
    ['The forbearer abc seen', 'The forbearer abc seen'],
    ['Bearer seen', '[redacted]'],
    ['See https://a.example/u?x=1 now', 'See [redacted] now'],
    ['See web+pay.x-1://a now', 'See [redacted] now'],
    ['See HTTP://A now', 'See [redacted] now'],
    ['See x://y now', 'See [redacted] now'],
    ['See x:/y now', 'See x:/y now'],
    ['See x:// now', 'See x:// now'],
    ['Ask <ada+pay@a.example>, please', 'Ask <[redacted]>, please'],
    ['Ask "ada@b"; then (c@d), \'e@f\'', 'Ask "[redacted]"; then ([redacted]), \'[redacted]\''],
    ['Ask ada @ home', 'Ask ada @ home'],
    ['Ask ada@ home', 'Ask ada@ home'],
    ['Ask @home', 'Ask @home'],
    ['Wallet 0xabcdefABCDEFabcd0 is bad', 'Wallet 0xabcdefABCDEFabcd0 is bad'],
    ['Wallet 0xabcdefABCDEFabcde0 is bad', 'Wallet [redacted] is bad'],
    ['Key abc+d/e=f.g~h-i_jklmno1 is bad', 'Key [redacted] is bad'],
    ['Key a1-b2-c3-d4-e5-f6-g7 is bad', 'Key [redacted] is bad'],
    ['Key ABCDEFGHIJKLMNOPQRST1 is bad', 'Key [redacted] is bad'],
    ['Word abcdefghijklmnopqrstuvwxyz is long', 'Word abcdefghijklmnopqrstuvwxyz is long'],
    ['Line ----------------------1 is long', 'Line ----------------------1 is long'],
    ['Number 1234 is short', 'Number 1234 is short'],
    ['Number 12345 is long', 'Number [redacted] is long'],
    ['Number 1.2-3_4/5 is long', 'Number [redacted] is long'],
    ['Number 1 2–3 4 5 is long', 'Number [redacted] is long'],
    ['Number 1, 2, 3, 4, 5 is a list', 'Number 1, 2, 3, 4, 5 is a list'],
    ['Number 1  2--3 45 6 is in parts', 'Number 1 2--3 45 6 is in parts'],
    ['Number ٠١٢٣٤ is long', 'Number [redacted] is long'],
  ])('%j', (words, text) => {
    expect(shown(words) ?? '[redacted]').toBe(text);
  });

  it('with one mask for what stands together', () => {
    const sent = ['Quill', 'Tarn', 'Marrow'];
    expect(shown('No Quill Tarn, Marrow; Quill:Tarn.Marrow-Quill_Tarn/Marrow here', ...sent)).toBe(
      'No [redacted] here',
    );
    expect(shown('No Quill, of Tarn! Marrow', ...sent)).toBe('No [redacted], of [redacted]! [redacted]');
  });
});

describe('names of people that were never sent are masked', () => {
  it.each([
    ['User Jane Roe is frozen', 'User [redacted] is frozen'],
    ['Jane Roe is frozen', '[redacted] is frozen'],
    ['User JANE ROE is frozen', 'User [redacted] is frozen'],
    ['User Jane is frozen', 'User [redacted] is frozen'],
    ['Amina was not found', '[redacted] was not found'],
    ["The holder is Maeve O'Brien-Kelly.", 'The holder is [redacted].'],
    ['The holder is d’Arc', 'The holder is [redacted]'],
    ['The holder is J. Roe', 'The holder is [redacted]'],
    ['Roe, Jane: frozen', '[redacted]: frozen'],
    ['Contact ROE/JANE/MARY please', 'Contact [redacted] please'],
    ['The holder is Ludwig van der Roe', 'The holder is [redacted] van der [redacted]'],
    ['The holder is JaneRoe', 'The holder is [redacted]'],
    ['The holder is Jane_Roe', 'The holder is [redacted]'],
    ['The holder is Иван Петров', 'The holder is [redacted]'],
    ['The holder is иван', 'The holder is [redacted]'],
    ['The holder is 王小明', 'The holder is [redacted]'],
    ['The holder is أمينة', 'The holder is [redacted]'],
    ['The holder is Juergen Muller', 'The holder is [redacted]'],
    ['The holder is &#74;ane', 'The holder is [redacted]'],
    ['The holder is &#x6a;&#x61;ne r&ouml;e', 'The holder is [redacted]'],
    ['The holder is %4Aane', 'The holder is [redacted]'],
    ['The holder is \\u004aane', 'The holder is [redacted]'],
    ['Ann Ford, Ines and Don', '[redacted] and [redacted]'],
    ['Ask Tod, Wes or Wen Ton', 'Ask [redacted] or [redacted]'],
    ['Passport X1234567 is expired', 'Passport [redacted] is expired'],
    ['Passport c01x00t47 is expired', 'Passport [redacted] is expired'],
    ['Passport AB 123456 is expired', 'Passport [redacted] is expired'],
    ['Passport ab-12-34 is expired', 'Passport [redacted] is expired'],
  ])('%j', (words, text) => {
    expect(shown(words)).toBe(text);
  });

  it.each([
    'The wallet balance is too low.',
    'Insufficient Balance',
    'Invalid Transaction Route: POLYGON to ETHEREUM is not supported',
    'USER_COMPLIANCE_VERIFICATION_FAILED: The user has not passed KYC',
    'Request ID already exists. Please try a different request id',
    'Field `accountHolder.address` is required; Amount must be a Number',
    'Too Many Requests',
    'Internal Server Error',
    'Unprocessable Entity',
    'The USD rail is not active for this User',
    'Missing required parameter: source.userId',
    'Fees & charges exceed the amount (25.50 USDC)',
    'Transfers on BASE need an Approval at most 1 week old',
    'Version v2 of this endpoint was removed in 2024',
    'The IDs of African banks are Being Taken; Using and Doing is Noted; Does it? Addresses, Fees, Processes',
  ])('and the words of a service are not: %s', (words) => {
    expect(shown(words)).toBe(words);
  });

  it('in the message of an error', () => {
    expect(shown('User Jane Roe (passport X1234567) is frozen', 'u1')).toBe(
      'User [redacted] (passport [redacted]) is frozen',
    );
  });
});

describe('what was sent is masked', () => {
  it.each([
    // As it is, in other cases, in groups, without its separators.
    ['Quill', 'No QUILL here', 'No [redacted] here'],
    ['Quill', 'No Quillon here', 'No [redacted]on here'],
    ['  Quill ', 'No Quill here', 'No [redacted] here'],
    ['Qu\u200Bill', 'No Quill here', 'No [redacted] here'],
    ['Marrow', 'No M-a.r_r o\u00A0w here', 'No [redacted] here'],
    ['Mar-row', 'No marrow here', 'No [redacted] here'],
    ['Ab - Cd - Ef', 'No AB - CD - EF or ab - cd - ef here', 'No [redacted] or [redacted] here'],
    ['abcdefgh'.repeat(20), `No a.${'bcdefgha'.repeat(20).slice(0, -1)} here`, 'No [redacted] here'],
    ['Marrow', 'No m--arrow here', 'No m--arrow here'],
    ['Quill', 'No q-uill here', 'No q-uill here'],
    ['a-b.c_d', 'No a-b.c_d here', 'No [redacted] here'],
    ['Zo\u00EB-Kvarr', 'No Zoe\u0308-kvarr here', 'No [redacted] here'],
    // Short texts are words.
    ['ng', 'No ng of ngata here', 'No [redacted] of ngata here'],
    ['Ng', 'No 4Ng or eNg here', 'No 4Ng or eNg here'],
    ['usd', 'No USD or usdc or xusd here', 'No [redacted] or usdc or xusd here'],
    ['x', 'No x here', 'No x here'],
    ['-', 'No - here', 'No - here'],
    ['a-', 'No a- here', 'No a- here'],
    ['', 'No one here', 'No one here'],
    // Four and five characters are looked for in other words, too.
    ['Tarn', 'No tarnished one', 'No [redacted]ished one'],
    // Patterns take every character as it is.
    ['$(.*)[x]', 'No $(.*)[x] here', 'No [redacted] here'],
    ['a\\b^c{d}', 'No a\\b^c{d} here', 'No [redacted] here'],
    ['a.c?e|f', 'No abc?e|f here', 'No abc?e|f here'],
    ['?+*', 'No ?+* here', 'No [redacted] here'],
    ['^$', 'No ^$ here', 'No [redacted] here'],
  ])('%j in %j', (sent, words, text) => {
    expect(shown(words, sent)).toBe(text);
  });

  it.each([
    // As a URL, JSON, HTML and base64 have it.
    ['a/b c', 'No a%2Fb%20c here', 'No [redacted] here'],
    ['a/b c', 'No a%2Fb+c here', 'No [redacted] here'],
    ['a/b c d', 'No a%2Fb+c+d here', 'No [redacted] here'],
    ['q"x"y', 'No q\\"x\\"y here', 'No [redacted] here'],
    [
      'q&x&<y>"<z>"\'\'',
      'No q&amp;x&amp;&lt;y&gt;&quot;&lt;z&gt;&quot;&#39;&#39; here',
      'No [redacted] here',
    ],
    ['abc', 'No YWJj here', 'No [redacted] here'],
    ['Quill', 'No UXVpbGw here', 'No [redacted] here'],
    ['Quill', 'No UXVpbGw= here', 'No [redacted]= here'],
    ['a???b>>>', 'No YT8/P2I+Pj4 here', 'No [redacted] here'],
    ['a???b>>>', 'No YT8_P2I-Pj4 here', 'No [redacted] here'],
    ['???', 'No Pz8_ here', 'No [redacted] here'],
    ['??>', 'No Pz8- here', 'No [redacted] here'],
    ['ab', 'No yWI here', 'No yWI here'],
    ['ü>', 'No %C3%BC%3E here', 'No [redacted] here'],
  ])('%j as others write it: %j', (sent, words, text) => {
    expect(shown(words, sent)).toBe(text);
  });

  it('in its parts, which are words of more than two letters that may be secret', () => {
    const sent = 'Quill van Tarn the Marrow-Bank AG 77 for Q1x payment';
    expect(shown('The bank of QUILL, tarnish, marrow, van, ag, 77, q1x for the payment', sent)).toBe(
      'The bank of [redacted], tarnish, [redacted], ag, 77, [redacted] for the payment',
    );
  });

  it('in one word as a whole alone', () => {
    expect(shown('No quill here', 'quills')).toBe('No quill here');
    expect(shown('No Quill here', '(Quill)')).toBe('No [redacted] here');
    expect(shown('No Quill here', '!Quill!')).toBe('No [redacted] here');
  });

  it('the longest first, so that a part does not break up the whole', () => {
    const names = ['Tarn', 'Tarnquill', 'Tarnquillmarrow'];
    for (const order of [names, names.toReversed()]) {
      expect(shown('No Tarnquillmarrow and Tarnquill and Tarn', ...order)).toBe(
        'No [redacted] and [redacted] and [redacted]',
      );
    }
    expect(shown('No O-Brien-Tarn here', 'x Brien y', 'x O-Brien y', 'O-Brien-Tarn')).toBe(
      'No [redacted] here',
    );
  });

  it('as a whole up to a length that nobody reads', () => {
    const text = `${'ab '.repeat(333)}a`;
    expect(shown(text, text)).toBeUndefined();
    expect(shown('No such thing.', 'x'.repeat(2_000_000))).toBe('No such thing.');
  });

  it('or the words are not shown, where that fails', () => {
    const broken = Object.defineProperty(new Set<string>(), 'size', {
      get: () => {
        throw new Error('broken');
      },
    });
    expect(
      maskWords('It is frozen.', { strings: broken, keys: new Set(), unreadable: false }),
    ).toBeUndefined();
  });

  it('where a long text holds it, by its words alone', () => {
    const filler = 'x'.repeat(990);
    expect(shown('No Quill here', `Quill ${filler}`)).toBe('No [redacted] here');
    expect(shown('No Quill here', 'y '.repeat(600), 'Quill')).toBe('No [redacted] here');
  });
});
