import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../src/index.ts';
import {
  buildUrl,
  checkFreePath,
  fillPath,
  hasControlCharacter,
  publicTemplate,
  segmentFault,
} from '../../src/transport/request/url.ts';

/** The error that an action throws. */
function thrownBy(action: () => unknown): InvalidRequestError {
  try {
    action();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const build = (query?: object, extra?: object, base = 'https://pay.example', path = '/v2/x') =>
  buildUrl(base, path, query as never, extra as never, 'kyc.retrieve');

describe('an address', () => {
  it.each([
    ['https://pay.example', '/v2/x', 'https://pay.example/v2/x'],
    ['https://pay.example/base', '/v2/x', 'https://pay.example/base/v2/x'],
    ['https://pay.example/v2', '/v2/x', 'https://pay.example/v2/x'],
    ['https://pay.example/base/v2', '/v2/x', 'https://pay.example/base/v2/x'],
    ['https://pay.example/v2', '/v1/x', 'https://pay.example/v2/v1/x'],
    ['https://pay.example/v2', '/v2x', 'https://pay.example/v2/v2x'],
    ['https://pay.example/v2', '/x/v2/', 'https://pay.example/v2/x/v2/'],
    ['https://v2', '/x', 'https://v2/x'],
    ['https://pay.example/v2/x', '/v2/y', 'https://pay.example/v2/x/v2/y'],
    ['https://pay.example/xv2', '/v2/y', 'https://pay.example/xv2/v2/y'],
  ])('%s and %s', (base, path, url) => {
    expect(build(undefined, undefined, base, path)).toBe(url);
    expect(build({ a: 1 }, undefined, base, path)).toBe(`${url}?a=1`);
  });

  it.each<[object | undefined, object | undefined, string]>([
    [undefined, undefined, ''],
    [{}, undefined, ''],
    [undefined, {}, ''],
    [{ a: undefined }, { b: undefined }, ''],
    [{ a: [] }, undefined, ''],
    [{ a: 'x y', b: 7, c: true, d: '' }, undefined, '?a=x+y&b=7&c=true&d='],
    [{ a: ['1', 2, false] }, undefined, '?a=1&a=2&a=false'],
    [undefined, { a: 1 }, '?a=1'],
    [{ a: 1 }, { a: 2, b: 3 }, '?b=3&a=1'],
    [{ a: undefined }, { a: 2 }, '?a=2'],
    [{ a: [1, 2] }, { a: [3, 4] }, '?a=1&a=2'],
  ])('with the query %j and %j', (query, extra, text) => {
    expect(build(query, extra)).toBe(`https://pay.example/v2/x${text}`);
  });

  it.each<[unknown, string]>([
    [null, 'is null'],
    [Number.NaN, 'is NaN'],
    [Number.POSITIVE_INFINITY, 'is infinite'],
    [{ x: 1 }, 'is an object'],
    [7n, 'is a BigInt'],
    [() => 7, 'is a function'],
    [[1, null], 'holds null'],
    [[Number.NaN, 1], 'holds NaN'],
    [[[1]], 'holds an array'],
    [['a', undefined], 'holds missing'],
  ])('has no query parameter that is %s', (value, what) => {
    const message = `kyc.retrieve: the query parameter \`a\` must be a string, a finite number, a boolean or a list of these, but ${what}.`;
    for (const action of [() => build({ a: value }), () => build(undefined, { a: value })]) {
      expect(thrownBy(action)).toMatchObject({ operation: 'kyc.retrieve', field: 'a', message });
    }
  });
});

describe('a path with placeholders', () => {
  it.each([
    ['/v2/x', {}, '/v2/x'],
    ['/v2/{a}', { a: 'b' }, '/v2/b'],
    ['/v2/{a}/x', { a: 'b' }, '/v2/b/x'],
    ['{a}', { a: 'b' }, 'b'],
    ['/{a}/{b}/x/{c}', { a: '1', b: '2', c: '3' }, '/1/2/x/3'],
    ['/{a}{b}', { a: '1', b: '2' }, '/12'],
    ['/{a', { a: '1' }, '/{a'],
    ['/a}', {}, '/a}'],
    ['/a}/{b}', { b: '1' }, '/a}/1'],
    ['/x/{a}', { a: 'Ab-9_' }, '/x/Ab-9_'],
    ['/x/{a}', { a: 'a b' }, '/x/a%20b'],
    ['/x/{a}', { a: '100%' }, '/x/100%25'],
    ['/x/{a}', { a: 'a?b#c' }, '/x/a%3Fb%23c'],
    ['/x/{a}', { a: 'ü@' }, '/x/%C3%BC%40'],
    ['/x/{a}', { a: '...' }, '/x/...'],
  ])('%s filled with %j is %s', (template, values, path) => {
    expect(fillPath(template, values, 'x.y')).toBe(path);
  });

  it.each([
    [undefined, 'a'],
    [{}, 'a'],
    [{ a: '' }, 'a'],
    [{ a: 7 }, 'a'],
    [{ a: '..' }, 'a'],
    [{ a: 'b', c: '/' }, 'c'],
  ])('is not filled with %j', (values, field) => {
    const error = thrownBy(() => fillPath('/x/{a}/{c}', values as never, 'x.y'));
    expect(error).toMatchObject({ operation: 'x.y', field });
  });

  it('tells what is wrong with a value', () => {
    expect(thrownBy(() => fillPath('/x/{a}', undefined, 'x.y')).message).toBe(
      'x.y: `a` must be a non-empty string, but is missing.',
    );
  });
});

describe('a segment of a path', () => {
  const slash = 'contains a slash or a backslash, which would reach another resource';
  const relative = 'is a relative path segment (`.` or `..`), which would reach another resource';
  const control = 'contains a control character';
  const deep = 'is percent-encoded more than three times over';
  it.each<[unknown, string | undefined]>([
    ['a', undefined],
    ['a b', undefined],
    ['.a', undefined],
    ['...', undefined],
    ['a..', undefined],
    ['50%', undefined],
    ['50%41', undefined],
    ['%zz%41', undefined],
    [undefined, 'must be a non-empty string, but is missing'],
    [7, 'must be a non-empty string, but is a number'],
    ['', 'must be a non-empty string, but is empty'],
    [' \t', 'must be a non-empty string, but is empty'],
    ['a\uD83D', 'holds half of a surrogate pair, which no URL can carry'],
    ['.', relative],
    ['..', relative],
    ['%2e', relative],
    ['%2E.', relative],
    ['%252e%252e', relative],
    ['a/b', slash],
    ['a\\b', slash],
    ['a%2fb', slash],
    ['a%5Cb', slash],
    ['a%255Cb', slash],
    ['%zz%2fb', slash],
    ['%zz%5Cb', slash],
    ['%zz%00', control],
    ['%zz%0d', control],
    ['%zz%0A', control],
    ['a\nb', control],
    ['a%0ab', control],
    ['a%25252fb', slash],
    ['a%2525252fb', deep],
    ['a%2525253fb', deep],
    ['a%25253fb', undefined],
  ])('%j: %s', (value, fault) => {
    expect(segmentFault(value)).toBe(fault);
  });

  it('of encoded dots is none where another part of it cannot be decoded', () => {
    expect(segmentFault('%2e%2e')).toBe(relative);
    expect(segmentFault('%zz')).toBeUndefined();
  });
});

describe('control characters', () => {
  it.each(['\u0000', '\u001f', '\u007f', '\u009f', '\u2028', '\u2029'])('are found: %j', (character) => {
    expect(hasControlCharacter(`a${character}b`)).toBe(true);
  });
  it.each([' ', '~', '\u00a0', 'é', '', '\u2027', '\u202a'])('are none: %j', (character) => {
    expect(hasControlCharacter(`a${character}b`)).toBe(false);
  });
});

describe('a path for messages', () => {
  it.each([
    ['/v2/users/u1/kyc', '/v2/users/{…}/kyc'],
    ['/V2/Users', '/V2/Users'],
    ['/v123/x', '/v123/x'],
    ['/v1234/x', '/{…}/x'],
    ['/v/x', '/v/x'],
    ['/xv2/v2x/', '/{…}/{…}/'],
    ['/transfer-rules/-rules', '/transfer-rules/{…}'],
    [`/a${'b'.repeat(40)}`, `/a${'b'.repeat(40)}`],
    [`/a${'b'.repeat(41)}`, '/{…}'],
    ['/a%20b', '/{…}'],
    ['/', '/'],
  ])('%s is %s', (path, shown) => {
    expect(publicTemplate(path)).toBe(shown);
  });
});

describe('a path of the caller’s', () => {
  it.each([
    ['/', undefined],
    ['/v2/x', '/v2/x'],
    ['/v2/a b', '/v2/a%20b'],
    ['/v2/a%20b', '/v2/a%20b'],
    ['/v2/{a}', '/v2/%7Ba%7D'],
    ['/v2/50%', '/v2/50%'],
    ['/v2/ü', '/v2/%C3%BC'],
  ])('%s may be sent as %s', (path, sent) => {
    if (sent === undefined) expect(() => checkFreePath(path)).toThrow('is empty');
    else expect(checkFreePath(path)).toBe(sent);
  });

  it.each<[unknown, string]>([
    [undefined, 'must be a string such as `/v2/…`, but is missing'],
    [7, 'must be a string such as `/v2/…`, but is a number'],
    ['', 'must start with a single `/`'],
    ['v2/x', 'must start with a single `/`'],
    ['//x', 'must start with a single `/`'],
    ['/v2/x?a', 'must not hold a query or a fragment; use `query`'],
    ['/v2/x#a', 'must not hold a query or a fragment; use `query`'],
    ['/v2//x', 'has a segment that must be a non-empty string, but is empty'],
    [
      '/v2/..',
      'has a segment that is a relative path segment (`.` or `..`), which would reach another resource',
    ],
    ['/v2/a%252fb', 'has a segment that contains a slash or a backslash, which would reach another resource'],
    ['/v2/a\tb', 'has a segment that contains a control character'],
  ])('%j may not', (path, why) => {
    expect(thrownBy(() => checkFreePath(path))).toMatchObject({
      operation: 'request',
      field: 'path',
      message: `request: \`path\` ${why}.`,
    });
    expect(thrownBy(() => checkFreePath(path, 'rules.list'))).toMatchObject({
      operation: 'rules.list',
      message: `rules.list: \`path\` ${why}.`,
    });
  });
});
