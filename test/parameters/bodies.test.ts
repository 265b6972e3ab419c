import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../src/index.ts';
import { addExtraBody, isPlainRecord, prepareBody, RawBody } from '../../src/transport/request/body.ts';
import type { Operation, OperationInput } from '../../src/transport/types.ts';

const transfer: Operation<unknown> = {
  name: 'transfers.create',
  method: 'POST',
  path: '/x',
  retrySafety: 'keyed',
  response: (value) => ({ value, fatal: [], minor: [] }),
  check: () => undefined,
};
const free: Operation<unknown> = { ...transfer, name: 'request', retrySafety: 'once' };
const { check: _none, ...unchecked } = free;

const refusal = (operation: string, field: string, why: string) =>
  expect.objectContaining({
    name: 'InvalidRequestError',
    operation,
    field,
    message: `${operation}: ${why}. Nothing was sent.`,
  });

const json = (content: string | undefined, requestId: string | undefined) => ({
  content,
  contentType: 'application/json',
  likeness: content === undefined ? undefined : JSON.parse(content),
  requestId,
});

describe('the body of a create', () => {
  it('is JSON with its idempotency key', () => {
    const body = { requestId: 'r1', amount: 1 };
    expect(prepareBody(transfer, { body }, undefined)).toEqual(json('{"requestId":"r1","amount":1}', 'r1'));
  });

  it('gets a key where it has none', () => {
    for (const body of [{ amount: 1 }, { amount: 1, requestId: undefined }]) {
      const { content, requestId } = prepareBody(transfer, { body }, undefined);
      expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      expect(JSON.parse(String(content))).toEqual({ amount: 1, requestId });
    }
  });

  it('keeps out of it a key that goes elsewhere', () => {
    expect(prepareBody(transfer, { body: { amount: 1 }, requestId: 'r1' }, undefined)).toEqual(
      json('{"amount":1}', 'r1'),
    );
  });

  it.each<[unknown, string]>([
    [undefined, 'missing'],
    [null, 'null'],
    ['text', 'a string'],
    [[1], 'an array'],
    [() => 1, 'a function'],
    [new Date(0), 'a string'],
  ])('may not be %j', (body, what) => {
    expect(() => prepareBody(transfer, { body }, undefined)).toThrow(
      refusal('transfers.create', 'params', `the parameters must be an object, but are ${what}`),
    );
  });

  it('may not be raw', () => {
    const body = new RawBody('a=1', 'text/plain', 'a=1');
    expect(() => prepareBody(transfer, { body }, undefined)).toThrow('`params` is an object with a `toJSON`');
  });

  it('is called `params` where it cannot be copied, and otherwise `body`', () => {
    const body = new Map();
    const why = 'is a Map, which JSON cannot carry';
    expect(() => prepareBody(transfer, { body }, undefined)).toThrow(
      refusal('transfers.create', 'params', `\`params\` ${why}`),
    );
    expect(() => prepareBody(unchecked, { body: () => 1 }, undefined)).toThrow(
      refusal('request', 'body', '`body` is a function, which JSON cannot carry'),
    );
    expect(() => prepareBody(unchecked, { body }, undefined)).toThrow(
      refusal('request', 'body', `\`body\` ${why}`),
    );
    expect(() => prepareBody(transfer, { body: { a: body } }, undefined)).toThrow(
      refusal('transfers.create', 'a', `\`a\` ${why}`),
    );
  });

  it('is checked as a whole, before what JSON cannot carry', () => {
    const problem = new InvalidRequestError('mine', { operation: 'transfers.create', field: 'amount' });
    const seen: unknown[] = [];
    const check = (body: Readonly<Record<string, unknown>>) => {
      seen.push({ ...body });
      return body.amount === 1 ? undefined : problem;
    };
    const checked = { ...transfer, check };
    const prepare = (amount: unknown, extra?: object) =>
      prepareBody(checked, { body: { requestId: 'r1', amount } }, extra);
    expect(prepare(1, { memo: 'x' }).content).toBe('{"requestId":"r1","amount":1,"memo":"x"}');
    expect(seen).toEqual([{ requestId: 'r1', amount: 1, memo: 'x' }]);
    expect(() => prepare(2)).toThrow(problem);
    expect(() => prepare(Number.NaN)).toThrow(problem);
    expect(() => prepareBody(transfer, { body: { amount: Number.NaN } }, undefined)).toThrow(
      refusal('transfers.create', 'amount', '`amount` must be finite, but is NaN'),
    );
  });
});

describe('the body of another call', () => {
  it.each<[OperationInput, string | undefined, string | undefined]>([
    [{}, undefined, undefined],
    [{ body: 'text' }, '"text"', undefined],
    [{ body: null }, 'null', undefined],
    [{ body: [1] }, '[1]', undefined],
    [{ body: { a: 1 } }, '{"a":1}', undefined],
    [{ body: { requestId: 'r1' } }, '{"requestId":"r1"}', 'r1'],
    [{ body: { requestId: 'r1' }, requestId: 'r2' }, '{"requestId":"r1"}', 'r2'],
  ])('%j', (input, content, requestId) => {
    expect(prepareBody(unchecked, input, undefined)).toEqual(json(content, requestId));
  });

  it('that has a key gets one, also where it has no fields', () => {
    const keyed = { ...unchecked, retrySafety: 'keyed' } as const;
    const { content, requestId } = prepareBody(keyed, {}, undefined);
    expect(content).toBe(`{"requestId":"${requestId}"}`);
    expect(prepareBody(keyed, { requestId: 'r1' }, undefined)).toEqual(json(undefined, 'r1'));
  });

  it('is checked by nobody where it is no object', () => {
    const check = () => new InvalidRequestError('mine', { operation: 'request', field: 'a' });
    expect(() => prepareBody({ ...free, check }, { body: {} }, undefined)).toThrow('mine');
    expect(() => prepareBody(unchecked, { body: Number.NaN }, undefined)).toThrow('must be finite');
  });

  it('may be raw, and is then sent as it is', () => {
    const bytes = new Uint8Array([1]);
    const body = new RawBody(bytes, 'text/csv', 'one');
    expect(prepareBody(unchecked, { body, requestId: 'r1' }, undefined)).toEqual({
      content: bytes,
      contentType: 'text/csv',
      likeness: 'one',
      requestId: 'r1',
    });
    expect(() => prepareBody(unchecked, { body }, { a: 1 })).toThrow(
      refusal('request', 'extraBody', '`extraBody` needs a body that is an object'),
    );
    expect(JSON.stringify({ body })).toBe('{"body":"[text/csv]"}');
  });
});

describe('extraBody', () => {
  it('is added to the body, or is the body', () => {
    expect(prepareBody(unchecked, { body: { a: 1 } }, { b: 2 })).toEqual(json('{"a":1,"b":2}', undefined));
    expect(prepareBody(unchecked, {}, { b: 2 })).toEqual(json('{"b":2}', undefined));
    expect(prepareBody(transfer, { body: { a: 1 } }, { requestId: 'r1' })).toEqual(
      json('{"a":1,"requestId":"r1"}', 'r1'),
    );
  });

  it.each(['text', null, [1]])('needs a body that is an object, and not %j', (body) => {
    expect(() => prepareBody(unchecked, { body }, { b: 2 })).toThrow(
      refusal('request', 'extraBody', '`extraBody` needs a body that is an object'),
    );
  });

  it.each(['GET', 'HEAD', 'DELETE'])('does not go with %s', (method) => {
    const operation = { ...unchecked, method };
    expect(() => prepareBody(operation, {}, { b: 2 })).toThrow(
      refusal('request', 'extraBody', '`extraBody` does not go with a request that has no body; use `query`'),
    );
    expect(prepareBody(operation, {}, undefined)).toEqual(json(undefined, undefined));
  });

  const add = (body: object, extra: unknown) => addExtraBody({ ...body } as never, extra, 'x.y');

  it.each<[object, object, object]>([
    [{}, {}, {}],
    [{ a: 1 }, { b: { c: 2 } }, { a: 1, b: { c: 2 } }],
    [{ a: { b: 1, d: { e: 2 } } }, { a: { c: 3, d: { f: 4 } } }, { a: { b: 1, c: 3, d: { e: 2, f: 4 } } }],
    [{ a: undefined }, { a: 1 }, { a: 1 }],
    [{}, { toString: 1 }, { toString: 1 }],
  ])('%j and %j are %j', (body, extra, sum) => {
    expect({ ...add(body, extra) }).toEqual(sum);
  });

  it.each<[object, object, string]>([
    [{ a: 1 }, { a: 2 }, 'a'],
    [{ a: 1 }, { a: { b: 1 } }, 'a'],
    [{ a: { b: 1 } }, { a: 1 }, 'a'],
    [{ a: { b: 1 } }, { a: null }, 'a'],
    [{ a: null }, { a: 1 }, 'a'],
    [{ a: [1] }, { a: [2] }, 'a'],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, 'a.b.c'],
  ])('does not replace: %j by %j', (body, extra, path) => {
    expect(() => add(body, extra)).toThrow(
      expect.objectContaining({
        name: 'InvalidRequestError',
        operation: 'x.y',
        field: `extraBody.${path}`,
        message: `x.y: \`extraBody.${path}\` would replace \`${path}\` of the parameters. Nothing was sent. Give the field once.`,
      }),
    );
  });

  it.each<[unknown, string, string]>([
    [7, 'extraBody', '`extraBody` must be an object, but is a number'],
    [[1], 'extraBody', '`extraBody` must be an object, but is an array'],
    [null, 'extraBody', '`extraBody` must be an object, but is null'],
    [new Map(), 'extraBody', '`extraBody` is a Map, which JSON cannot carry'],
    [{ a: { b: Number.NaN } }, 'extraBody.a.b', '`extraBody.a.b` must be finite, but is NaN'],
  ])('may not be %j', (extra, field, why) => {
    expect(() => add({}, extra)).toThrow(refusal('x.y', field, why));
  });
});

describe('plain data', () => {
  it.each([
    [{}, true],
    [null, false],
    [[], false],
    ['x', false],
    [undefined, false],
  ])('%j is an object: %s', (value, expected) => {
    expect(isPlainRecord(value)).toBe(expected);
  });
});
