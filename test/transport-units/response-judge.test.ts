import { describe, expect, it, vi } from 'vitest';
import { refusalNames } from '../../src/evidence/refusal.ts';
import type { RetrySafety } from '../../src/index.ts';
import { ResponseJudge } from '../../src/transport/judge.ts';
import type { CheckedResponse, Operation } from '../../src/transport/types.ts';

const unchecked = (value: unknown): CheckedResponse<unknown> => ({ value, fatal: [], minor: [] });
const wrong = { path: 'status', code: 'invalid_type' };
const refused = (value: unknown): CheckedResponse<unknown> => ({ value, fatal: [wrong], minor: [] });

const judgeOf = (operation: Partial<Operation<unknown>>, mode: 'tolerant' | 'strict' | 'off' = 'tolerant') =>
  new ResponseJudge(
    { name: 'x', method: 'POST', path: '/x', retrySafety: 'keyed', response: unchecked, ...operation },
    { path: { userId: 'u1' }, requestId: undefined },
    mode,
    refusalNames(),
  );

/** Why a response does not show that the call was carried out. */
async function whyUnusable(body: unknown, ...judge: Parameters<typeof judgeOf>) {
  const { unusable } = await judgeOf(...judge).judge(typeof body === 'string' ? body : JSON.stringify(body));
  return unusable?.code;
}

const moves: readonly RetrySafety[] = ['keyed', 'refresh', 'once'];
const identity = { echoes: { userId: ['userId'] }, contradictions: { status: ['REJECTED'] } };
const record = { record: ['id'] };

describe('a response of another request', () => {
  it('is noticed where responses of the operation name their request', () => {
    expect(judgeOf({}).isForeign).toBeUndefined();
    expect(judgeOf({ identity: record }).isForeign).toBeUndefined();
    const { isForeign } = judgeOf({ identity });
    expect(isForeign?.('{"userId":"u2"}')).toBe(true);
    expect(isForeign?.('{"userId":"u1"}')).toBe(false);
    expect(isForeign?.('{"userId":"u2"')).toBe(false);
    expect(isForeign?.('')).toBe(false);
  });

  it('is not checked, and told by where it differs', () => {
    const response = vi.fn(unchecked);
    const text = '{"userId":"u2"}';
    expect(judgeOf({ identity, response }).judge(text)).toEqual({
      body: text,
      value: undefined,
      fatal: [],
      minor: [],
      mismatch: 'userId',
      unusable: undefined,
    });
    expect(response).not.toHaveBeenCalled();
  });

  it('is forgotten with the next text', () => {
    const judge = judgeOf({ identity });
    expect(judge.isForeign?.('{"userId":"u2"}')).toBe(true);
    expect(judge.judge('{"userId":"u1","id":1}')).toMatchObject({
      mismatch: undefined,
      unusable: undefined,
      value: { id: 1 },
    });
    expect(judge.isForeign?.('no JSON')).toBe(false);
  });

  it('is read once, however often it is asked about', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const judge = judgeOf({ identity });
    judge.isForeign?.('{"userId":"u1"}');
    judge.judge('{"userId":"u1"}');
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });
});

it('a check of the caller’s gets the value and how strict it should be', async () => {
  const response = vi.fn(unchecked);
  expect(await judgeOf({ response }, 'strict').judge('{"a":1}')).toMatchObject({
    value: { a: 1 },
    fatal: [],
  });
  expect(response.mock.calls).toEqual([[{ a: 1 }, 'strict']]);
});

describe('a response', () => {
  it.each([
    ['<html>', 'invalid_json'],
    ['['.repeat(501), 'invalid_json'],
    ['['.repeat(501) + ']'.repeat(501), 'too_deep'],
  ])('that is no JSON, or too deep, shows nothing (%#)', (text, code) => {
    expect(judgeOf({}).judge(text)).toEqual({
      body: text,
      value: undefined,
      fatal: [{ path: '', code }],
      minor: [],
      mismatch: undefined,
      unusable: { path: '', code },
    });
  });

  it('is its JSON, where nothing is wrong with it', () => {
    expect(judgeOf({}).judge('{"id":7}')).toEqual({
      body: { id: 7 },
      value: { id: 7 },
      fatal: [],
      minor: [],
      mismatch: undefined,
      unusable: undefined,
    });
  });

  it('is given as it was received, with what departs from its schema', async () => {
    const minor = [{ path: 'a', code: 'x' }];
    const checked = { value: { id: 1 }, fatal: [wrong], minor };
    const expected = {
      body: { id: 7 },
      value: { id: 1 },
      fatal: [wrong],
      minor,
      mismatch: undefined,
      unusable: wrong,
    };
    expect(judgeOf({ response: () => checked }).judge('{"id":7}')).toEqual(expected);
    expect(await judgeOf({ response: async () => checked }).judge('{"id":7}')).toEqual(expected);
    expect(judgeOf({ response: () => checked, identity: record }).judge('{"id":7}')).toEqual({
      ...expected,
      unusable: undefined,
    });
  });

  it('that shows nothing is told by that, unless its schema says more', async () => {
    const error = { path: '', code: 'error_shape' };
    expect(judgeOf({}).judge('{"errors":["x"]}')).toMatchObject({ fatal: [error], unusable: error });
    expect(judgeOf({ response: refused }).judge('{"errors":["x"]}')).toMatchObject({
      fatal: [wrong],
      unusable: error,
    });
  });

  it('is checked as strictly as the client says', () => {
    const response = vi.fn(unchecked);
    judgeOf({ response }, 'strict').judge('{"a":1}');
    expect(response).toHaveBeenCalledWith({ a: 1 }, 'strict');
  });
});

describe('whether a response shows that the call was carried out', () => {
  it.each(moves)('an error does not, for what moves something: %s', async (retrySafety) => {
    expect(await whyUnusable({ errors: ['x'] }, { retrySafety })).toBe('error_shape');
    expect(await whyUnusable({ errors: ['x'] }, { retrySafety, identity: record })).toBe('error_shape');
    expect(await whyUnusable({ errors: ['x'], id: 'a' }, { retrySafety, identity: record })).toBe(
      'error_shape',
    );
  });

  it.each(['read', 'delete'] as const)('an error does, for a %s of the caller’s', async (retrySafety) => {
    expect(await whyUnusable({ errors: ['x'] }, { retrySafety })).toBeUndefined();
    expect(await whyUnusable({ errors: ['x'] }, { retrySafety, identity: {} })).toBe('error_shape');
  });

  it('one that contradicts the call does not', async () => {
    const body = { userId: 'u1', status: 'REJECTED' };
    expect(judgeOf({ identity }).judge(JSON.stringify(body))).toMatchObject({
      unusable: { path: 'status', code: 'contradicts_call' },
    });
    expect(await whyUnusable(body, { identity, retrySafety: 'read' })).toBe('contradicts_call');
  });

  it('one that names the call does, whatever its schema says', async () => {
    expect(await whyUnusable({ userId: 'u1' }, { identity, response: refused })).toBeUndefined();
  });

  it.each(moves)('one without the id of the record does not: %s', async (retrySafety) => {
    const operation = { retrySafety, identity: record };
    expect(await whyUnusable({ status: 'OK' }, operation)).toBe('no_identity');
    expect(await whyUnusable({ status: 'OK' }, { ...operation, response: refused })).toBe('invalid_type');
    expect(await whyUnusable({ id: 'a' }, operation)).toBeUndefined();
  });

  it.each(moves)(
    'one of an operation without a record does, where its schema takes it: %s',
    async (retrySafety) => {
      for (const operation of [{ retrySafety }, { retrySafety, identity: {} }]) {
        expect(await whyUnusable({ status: 'OK' }, operation)).toBeUndefined();
        expect(await whyUnusable('', operation)).toBeUndefined();
        expect(await whyUnusable({ status: 'OK' }, { ...operation, response: refused })).toBe('invalid_type');
      }
    },
  );

  it.each(['read', 'delete'] as const)('one that says something does, for a %s', async (retrySafety) => {
    for (const body of [{ status: 'OK' }, [], [1]]) {
      expect(await whyUnusable(body, { retrySafety, response: refused, identity: record })).toBeUndefined();
    }
  });

  it.each<[text: string]>([[''], ['null'], ['7'], ['"OK"'], ['true'], ['{}']])(
    'one that says nothing does not, for a read of the service: %j',
    async (text) => {
      const read = { retrySafety: 'read', identity: {} } as const;
      expect(await whyUnusable(text, read)).toBe('empty');
      expect(await whyUnusable(text, read, 'strict')).toBe('empty');
      expect(await whyUnusable(text, read, 'off')).toBeUndefined();
      expect(await whyUnusable(text, { ...read, response: refused })).toBe('invalid_type');
      expect(await whyUnusable(text, { retrySafety: 'read' })).toBeUndefined();
      expect(await whyUnusable(text, { retrySafety: 'read', response: refused })).toBe('invalid_type');
      expect(await whyUnusable(text, { ...read, retrySafety: 'delete' })).toBeUndefined();
      expect(await whyUnusable(text, { retrySafety: 'delete', response: refused })).toBe('invalid_type');
    },
  );

  it('tells where an empty response is wrong', () => {
    expect(judgeOf({ retrySafety: 'read', identity: {} }).judge('')).toMatchObject({
      fatal: [{ path: '', code: 'empty' }],
      unusable: { path: '', code: 'empty' },
    });
    expect(judgeOf({ identity: record }).judge('{"a":1}')).toMatchObject({
      unusable: { path: '', code: 'no_identity' },
    });
  });
});
