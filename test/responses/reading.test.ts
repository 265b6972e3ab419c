import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { readBody } from '../../src/transport/attempt/ky-adapter.ts';
import { BodyFailure } from '../../src/transport/attempt/wire.ts';
import { checkShape, isEssential, parseJson, publicSegment } from '../../src/transport/response/judge.ts';

const ok = (value: unknown) => ({ ok: true, value });
const tooDeep = { ok: false, code: 'too_deep' };
const invalid = { ok: false, code: 'invalid_json' };

describe('the JSON of a body', () => {
  it('is read; an empty body is undefined', () => {
    expect(parseJson('{"a":[1]}')).toEqual(ok({ a: [1] }));
    expect(parseJson('null')).toEqual(ok(null));
    for (const text of ['', ' ', '\r\n\t']) expect(parseJson(text)).toEqual(ok(undefined));
    for (const text of ['{', 'x', '<html>', '1 2']) expect(parseJson(text)).toEqual(invalid);
  });

  const nested = (depth: number, open = '[', close = ']', inner = '') =>
    `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
  const records = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it('may be 500 deep', () => {
    for (const text of [nested(500), records(500)]) expect(parseJson(text).ok).toBe(true);
    for (const text of [nested(501), records(501), nested(250, '[{"a":', '}]', '[1]')]) {
      expect(parseJson(text)).toEqual(tooDeep);
    }
    expect(parseJson(nested(250, '[{"a":', '}]', '1')).ok).toBe(true);
    expect(parseJson(nested(100_000))).toEqual(tooDeep);
  });

  it('may be wide, and may hold brackets in its texts', () => {
    expect(parseJson(`[${Array.from({ length: 600 }, () => '{}').join(',')}]`).ok).toBe(true);
    expect(parseJson(`[${Array.from({ length: 600 }, () => '[]').join(',')}]`).ok).toBe(true);
    expect(parseJson(JSON.stringify('['.repeat(600))).ok).toBe(true);
    expect(parseJson(JSON.stringify('{'.repeat(600))).ok).toBe(true);
    expect(parseJson(JSON.stringify([`"${'['.repeat(600)}`, `\\"${'{'.repeat(600)}`])).ok).toBe(true);
    expect(parseJson(JSON.stringify([`\\`, ']'.repeat(700), '['.repeat(600)])).ok).toBe(true);
    // Brackets in a text neither open nor close anything.
    const hidden = `["${']'.repeat(300)}",${nested(500)}]`;
    expect(parseJson(hidden)).toEqual(tooDeep);
    expect(parseJson(`["${'}'.repeat(300)}",${records(500)}]`)).toEqual(tooDeep);
    expect(parseJson(`["a\\"${']'.repeat(9)}",${nested(500)}]`)).toEqual(tooDeep);
    expect(parseJson(`["a\\\\",${nested(499)}]`).ok).toBe(true);
    expect(parseJson(`["a\\\\",${nested(500)}]`)).toEqual(tooDeep);
  });
});

describe('departures from a shape', () => {
  const shape = {
    schema: () =>
      z.looseObject({ id: z.string(), source: z.looseObject({ amount: z.number() }), n: z.string() }),
    essential: ['id', 'source.amount'],
  };
  it('are sorted by what they cost', () => {
    const good = { id: 'a', source: { amount: 1 }, n: 'x' };
    expect(checkShape(good, shape, 'tolerant')).toEqual({ value: good, fatal: [], minor: [] });
    const value = { id: 1, source: {}, n: 7 };
    const { fatal, minor, value: received } = checkShape<unknown>(value, shape, 'tolerant');
    expect(received).toBe(value);
    expect(fatal.map(({ path }) => path)).toEqual(['id', 'source.amount']);
    expect(minor.map(({ path }) => path)).toEqual(['n']);
    const strict = checkShape<unknown>(value, shape, 'strict');
    expect(strict.fatal.map(({ path }) => path)).toEqual(['id', 'source.amount', 'n']);
    expect(strict.minor).toEqual([]);
    expect(checkShape<unknown>(value, shape, 'off')).toEqual({ value, fatal: [], minor: [] });
  });

  it.each([
    [[], [], true],
    [['id'], ['id'], true],
    [['source'], ['source.amount'], true],
    [['source', 'amount'], ['id', 'source.amount'], true],
    [['source', 'amount', 'x'], ['source.amount'], false],
    [['source', 'other'], ['source.amount'], false],
    [['amount'], ['source.amount'], false],
    [['id'], [], false],
  ])('%j among %j is essential: %s', (path, essential, expected) => {
    expect(isEssential(path, essential)).toBe(expected);
  });

  it.each([
    ['id', true],
    ['_id', true],
    ['field-name', true],
    ['a1', true],
    ['0', true],
    ['1234', true],
    ['12345', false],
    ['a12345', false],
    ['a1234', true],
    ['1a', false],
    ['-a', false],
    ['', false],
    ['a b', false],
    ['é', false],
    ['a@b', false],
    [' id', false],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
  ])('the segment %j may be shown: %s', (segment, shown) => {
    expect(publicSegment(segment)).toBe(shown ? segment : '*');
  });
});

describe('a body that is read', () => {
  const streamed = (...chunks: readonly Uint8Array[]) => {
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks[count++];
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel,
    });
    let count = 0;
    return { response: new Response(body, { status: 207, headers: { 'x-a': 'b' } }), cancel };
  };

  it('is its text, also where a character is cut in two', async () => {
    const bytes = new TextEncoder().encode('aéb');
    const { response } = streamed(bytes.slice(0, 2), bytes.slice(2));
    expect((await readBody(response, 100)).text).toBe('aéb');
    expect((await readBody(new Response(null), 100)).text).toBe('');
    expect((await readBody(streamed(bytes.slice(0, 2)).response, 100)).text).toBe('a�');
  });

  it('may be as long as the limit, and no longer', async () => {
    const ten = new Uint8Array(10).fill(97);
    expect((await readBody(streamed(ten, ten).response, 20)).text).toHaveLength(20);
    const { response, cancel } = streamed(ten, ten, ten);
    const failure = await readBody(response, 19).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BodyFailure);
    expect(failure).toMatchObject({ reason: 'too-large', status: 207 });
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('that breaks off says how, with its status', async () => {
    const broken = new Error('reset');
    const body = new ReadableStream({ pull: (controller) => controller.error(broken) });
    const failure = await readBody(new Response(body, { status: 201, headers: { 'x-a': 'b' } }), 9).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ reason: 'cut', status: 201, caught: broken });
    expect(Reflect.get(Object(failure), 'headers').get('x-a')).toBe('b');
  });

  it('must be that of a Response', async () => {
    const others = [{ headers: new Headers() }, { status: 200 }, { status: '200', headers: new Headers() }];
    for (const response of [...others, { status: 200, headers: {} }]) {
      await expect(readBody(response as Response, 9)).rejects.toThrow('fetch did not give a Response');
    }
    const bodyless = { status: 204, headers: new Headers(), body: undefined };
    expect((await readBody(bodyless as unknown as Response, 9)).text).toBe('');
  });
});
