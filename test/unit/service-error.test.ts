import { describe, expect, it } from 'vitest';
import { readServiceError as serviceOf } from '../../src/evidence/service-error.ts';

describe('the words of a service', () => {
  it.each<[body: unknown, service: object]>([
    [undefined, {}],
    [null, {}],
    ['INSUFFICIENT_BALANCE', {}],
    [['INSUFFICIENT_BALANCE'], {}],
    [{}, {}],
    // The documented shapes.
    [
      { code: 400012, error: 'INSUFFICIENT_BALANCE', errorDetails: 'Too low.' },
      { code: 400012, error: 'INSUFFICIENT_BALANCE', details: 'Too low.' },
    ],
    [
      { status: 'error', error: { code: 'QUOTE_NOT_READY', message: 'Wait.' } },
      { code: 'QUOTE_NOT_READY', error: 'QUOTE_NOT_READY', details: 'Wait.' },
    ],
    [{ error: 'Not authorized' }, { error: 'Not authorized' }],
    // Shapes like them.
    [
      { code: 7, message: 'Wait.' },
      { code: 7, details: 'Wait.' },
    ],
    [{ code: 0 }, { code: 0 }],
    [{ code: 'NO_FUNDS' }, { code: 'NO_FUNDS', error: 'NO_FUNDS' }],
    [
      { code: 'NO_FUNDS', error: 'Broke' },
      { code: 'NO_FUNDS', error: 'NO_FUNDS' },
    ],
    [{ error: { error: 'NO_FUNDS', code: 7 } }, { code: 7, error: 'NO_FUNDS' }],
    [
      { code: 'OUTER', error: { code: 'INNER' } },
      { code: 'INNER', error: 'INNER' },
    ],
    [
      { code: 'OUTER', error: {} },
      { code: 'OUTER', error: 'OUTER' },
    ],
    [{ code: ['NO_FUNDS'], error: ['NO_FUNDS'] }, {}],
    [{ code: null, error: null, message: null }, {}],
    [{ code: true, error: 7, message: 7 }, {}],
  ])('%j', (body, service) => {
    expect(serviceOf(body)).toStrictEqual(service);
  });

  it.each([
    ['A1', 'A1'],
    ['A', undefined],
    ['AB_1', 'AB_1'],
    ['1A', undefined],
    ['_A', undefined],
    ['aB', 'aB'],
    ['a.b-c', 'a.b-c'],
    ['A B', undefined],
    ['A'.repeat(100), 'A'.repeat(100)],
    ['A'.repeat(101), undefined],
  ])('the code %j is a name: %j', (code, error) => {
    expect(serviceOf({ code }).error).toBe(error);
  });

  it.each(['insufficientFUNDS', 'INSUFFICIENTfunds'])('a name in capitals is told before %s', (error) => {
    expect(serviceOf({ error, code: 'INSUFFICIENT_BALANCE' }).error).toBe('INSUFFICIENT_BALANCE');
  });

  it('the first explanation that is a text', () => {
    const body: Record<string, unknown> = {
      errorDetails: 'four',
      message: 'five',
      details: 'six',
      error: { message: 'one', errorDetails: 'two', details: 'three' },
    };
    const inner = body.error as Record<string, unknown>;
    const read = () => serviceOf(body).details;
    expect(read()).toBe('one');
    inner.message = 7;
    expect(read()).toBe('two');
    inner.errorDetails = { a: 'no text' };
    expect(read()).toBe('three');
    inner.details = undefined;
    expect(read()).toBe('four');
    body.errorDetails = null;
    expect(read()).toBe('five');
    body.message = [];
    expect(read()).toBe('six');
    body.details = true;
    expect(read()).toBeUndefined();
  });
});

describe('the fields that a service names', () => {
  const fields = (body: unknown) => serviceOf(body).fields;

  it('are looked for in four places, and the first with any is taken', () => {
    const body: Record<string, unknown> = {
      details: ['two'],
      errors: ['four'],
      error: { details: ['one'], errors: ['three'] },
    };
    const inner = body.error as Record<string, unknown>;
    const read = () => fields(body)?.map(({ field }) => field);
    expect(read()).toEqual(['one']);
    inner.details = [];
    expect(read()).toEqual(['two']);
    body.details = 'words';
    expect(read()).toEqual(['three']);
    inner.errors = {};
    expect(read()).toEqual(['four']);
    body.errors = null;
    expect(read()).toBeUndefined();
    expect(serviceOf(body)).not.toHaveProperty('fields');
  });

  it('have words of every kind', () => {
    const details = {
      a: 'one',
      b: ['two', '', 7, null, ['three']],
      c: { message: 'four', reason: 'five' },
      d: { x: 'six', y: ['seven'], z: 7 },
      e: 7,
      f: null,
      g: { message: null, x: 'eight' },
    };
    expect(fields({ details })).toEqual([
      { field: 'a', message: 'one' },
      { field: 'b', message: 'two; three' },
      { field: 'c', message: 'four' },
      { field: 'd', message: 'six; seven' },
      { field: 'e', message: '' },
      { field: 'f', message: '' },
      { field: 'g', message: 'eight' },
    ]);
  });

  it.each<[entry: unknown, read: object[] | undefined]>([
    ['amount', [{ field: 'amount', message: '' }]],
    [{ field: 'a', path: 'b', message: 'one' }, [{ field: 'a', message: 'one' }]],
    [{ path: 'b', property: 'c', msg: 'two' }, [{ field: 'b', message: 'two' }]],
    [{ property: 'c', param: 'd', error: 'three' }, [{ field: 'c', message: 'three' }]],
    [{ param: 'd', name: 'e', reason: 'four' }, [{ field: 'd', message: 'four' }]],
    [{ name: 'e', constraints: { x: 'five' } }, [{ field: 'e', message: 'five' }]],
    [{ path: ['batch', 3, 'amount'] }, [{ field: 'batch.3.amount', message: '' }]],
    [
      { field: 'a', message: 'one', msg: 'two', error: 'three', reason: 'four', constraints: 'five' },
      [{ field: 'a', message: 'one' }],
    ],
    [
      { field: 'a', msg: 'two', error: 'three', reason: 'four', constraints: 'five' },
      [{ field: 'a', message: 'two' }],
    ],
    [{ field: 'a', error: 'three', reason: 'four' }, [{ field: 'a', message: 'three' }]],
    [{ field: 'a', reason: 'four', constraints: 'five' }, [{ field: 'a', message: 'four' }]],
    [{ field: 7 }, undefined],
    [{}, undefined],
    [null, undefined],
    [7, undefined],
    [['amount'], undefined],
  ])('as an entry of a list: %j', (entry, read) => {
    expect(fields({ errors: [entry] })).toEqual(read);
  });

  it('are a hundred at most', () => {
    const names = Array.from({ length: 101 }, (_item, index) => `f${index}`);
    expect(fields({ details: names })).toHaveLength(100);
    expect(fields({ details: Object.fromEntries(names.map((name) => [name, ''])) })).toHaveLength(100);
  });
});
