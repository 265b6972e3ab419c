import { transform } from 'esbuild';
import { expect, it } from 'vitest';
import { markPure } from '../../tools/pure-modules.ts';

/** What esbuild keeps of a module of which nobody uses anything. */
const kept = async (code: string) =>
  (await transform(`${markPure(code)}\nexport {};`, { treeShaking: true, minify: true, format: 'esm' })).code;

it.each([
  ['a set of what another object holds', 'const a = { b: 1 }; var c = new Set([a.b]);'],
  ['the same, marked in the source', 'const a = { b: 1 }; var c = /* @__PURE__ */ new Set([a.b]);'],
  ['a call with a call in it', 'function f(x) { return x; } var c = f(f(1));'],
  ['an object with a call in it', 'function f(x) { return x; } var c = { d: f(1) };'],
  ['a class with a static block', 'var C = class { static { C.d = 1; } };'],
])('a bundler drops %s', async (_what, code) => {
  expect(await kept(code)).toBe('');
});

it('marks no class that runs nothing as it is made: Parcel drops it as it is, and reads no mark', () => {
  const code = 'var C = class { d() {} };';
  expect(markPure(code).toString()).toBe(code);
});
