import { expect, test } from 'vitest';
import { compacted } from '../../tools/pure-modules.ts';

test('leaves out indentation and comments, but no text and no mark for bundlers', () => {
  const code = [
    'function f(a) {',
    '  // why',
    '  /** What it is.',
    '   * More. */',
    '  const text = `one // no comment',
    '    // text, too',
    '  two`;',
    '  return /* @__PURE__ */ g(text);',
    '}',
    '// @__NO_SIDE_EFFECTS__',
    'function g() {}',
    '',
  ].join('\n');
  expect(compacted(code).toString().replaceAll(/\n+/g, '\n')).toBe(
    [
      'function f(a) {',
      'const text = `one // no comment',
      '    // text, too',
      '  two`;',
      'return /* @__PURE__ */ g(text);',
      '}',
      '// @__NO_SIDE_EFFECTS__',
      'function g() {}',
      '',
    ].join('\n'),
  );
});
