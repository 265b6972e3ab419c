import { describe, expect, it } from 'vitest';
import { APIError, type ServiceError } from '../../src/index.ts';
import { clientOf, failure, networkFailure, type Step, scripted } from '../client/support.ts';

const refusal =
  (body: unknown, status: number): Step =>
  () =>
    body === undefined ? new Response('', { status }) : Response.json(body, { status });

/** What the error of a call shows of a body. */
async function serviceOf(body: unknown): Promise<ServiceError> {
  const error = await failure(clientOf(scripted(refusal(body, 400))).kyc.retrieve('u1'));
  if (error instanceof APIError) return error.service;
  throw error;
}

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
      { code: 'NO_FUNDS', error: 'Broke' },
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
  ])('%j', async (body, service) => {
    expect(await serviceOf(body)).toStrictEqual(service);
  });

  it.each([
    ['A1', 'A1'],
    ['A', undefined],
    ['AB_1', 'AB_1'],
    ['1A', undefined],
    ['_A', undefined],
    ['aB', undefined],
    ['Ab', undefined],
    ['A B', undefined],
    ['A'.repeat(60), 'A'.repeat(60)],
    ['A'.repeat(61), undefined],
  ])('the code %j is a name: %j', async (code, error) => {
    expect((await serviceOf({ code })).error).toBe(error);
  });

  it('the first explanation that is a text', async () => {
    const body: Record<string, unknown> = {
      errorDetails: 'four',
      message: 'five',
      details: 'six',
      error: { message: 'one', errorDetails: 'two', details: 'three' },
    };
    const inner = body.error as Record<string, unknown>;
    const read = async () => (await serviceOf(body)).details;
    expect(await read()).toBe('one');
    inner.message = 7;
    expect(await read()).toBe('two');
    inner.errorDetails = { a: 'no text' };
    expect(await read()).toBe('three');
    inner.details = undefined;
    expect(await read()).toBe('four');
    body.errorDetails = null;
    expect(await read()).toBe('five');
    body.message = [];
    expect(await read()).toBe('six');
    body.details = true;
    expect(await read()).toBeUndefined();
  });
});

describe('the fields that a service names', () => {
  const fields = async (body: unknown) => (await serviceOf(body)).fields;

  it('are looked for in four places, and the first with any is taken', async () => {
    const body: Record<string, unknown> = {
      details: ['two'],
      errors: ['four'],
      error: { details: ['one'], errors: ['three'] },
    };
    const inner = body.error as Record<string, unknown>;
    const read = async () => (await fields(body))?.map(({ field }) => field);
    expect(await read()).toEqual(['one']);
    inner.details = [];
    expect(await read()).toEqual(['two']);
    body.details = 'words';
    expect(await read()).toEqual(['three']);
    inner.errors = {};
    expect(await read()).toEqual(['four']);
    body.errors = null;
    expect(await read()).toBeUndefined();
    expect(await serviceOf(body)).not.toHaveProperty('fields');
  });

  it('have words of every kind', async () => {
    const details = {
      a: 'one',
      b: ['two', '', 7, null, ['three']],
      c: { message: 'four', reason: 'five' },
      d: { x: 'six', y: ['seven'], z: 7 },
      e: 7,
      f: null,
      g: { message: null, x: 'eight' },
    };
    expect(await fields({ details })).toEqual([
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
  ])('as an entry of a list: %j', async (entry, read) => {
    expect(await fields({ errors: [entry] })).toEqual(read);
  });

  it('are a hundred at most', async () => {
    const names = Array.from({ length: 101 }, (_item, index) => `f${index}`);
    expect(await fields({ details: names })).toHaveLength(100);
    expect(await fields({ details: Object.fromEntries(names.map((name) => [name, ''])) })).toHaveLength(100);
  });
});

describe('a 404 that says that there is no such record', () => {
  it.each<[body: unknown, matches: boolean]>([
    [{ status: 'error', error: { code: 'TRANSFER_NOT_FOUND', message: 'No such transfer' } }, true],
    [{ status: 'error', error: { code: '', message: '' }, more: 1 }, true],
    [{ code: 100020, error: 'ACCOUNT_NOT_FOUND' }, true],
    [{ error: 'ROUTE_NOT_FOUND' }, false],
    [{ error: 'FORBIDDEN' }, false],
    [{ status: 'ok', error: { code: 'X', message: 'y' } }, false],
    [{ error: { code: 'X', message: 'y' } }, false],
    [{ status: 'error', error: 'X' }, false],
    [{ status: 'error' }, false],
    [{ status: 'error', error: { code: 404, message: 'y' } }, false],
    [{ status: 'error', error: { code: 'X' } }, false],
    [{ status: 'error', error: { message: 'y' } }, false],
    [null, false],
    [[], false],
    ['Not Found', false],
  ])('proves a deletion that was lost, and nothing else does. %j: %s', async (body, matches) => {
    const fetch = scripted(networkFailure('ECONNRESET'), refusal(body, 404));
    const call = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } }).accounts.delete('u1', 'a1');
    if (matches) expect(await call).toBeUndefined();
    else expect(await failure(call)).toMatchObject({ status: 404, outcome: 'unknown' });
  });
});
