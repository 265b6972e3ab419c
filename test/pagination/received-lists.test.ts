import { describe, expect, it } from 'vitest';
import { listResponse } from '../../src/pagination/list-response.ts';
import * as z from '../../src/schemas/zod.ts';
import { shape } from '../../src/schemas/zod.ts';
import type { ResponseCheck } from '../../src/transport/types.ts';

const item = shape(() => z.looseObject({ id: z.string(), note: z.optional(z.string()) }), ['id']);
/** A check that is done at once. */
const atOnce =
  <T>(check: ResponseCheck<T>) =>
  (body: unknown, mode: 'tolerant' | 'strict' | 'off') => {
    const checked = check(body, mode);
    if (checked instanceof Promise) throw new Error('The check is not done at once.');
    return checked;
  };
const bare = atOnce(listResponse({ key: 'accounts', item }));
const wrapped = atOnce(
  listResponse({
    key: 'accounts',
    item,
    envelope: () => z.looseObject({ accounts: z.array(z.unknown()), count: z.number() }),
  }),
);
const good = { id: 'a' };

describe('the response of a list', () => {
  it('gives its items and its body as they are', () => {
    const body = { accounts: [good, { id: 'b', more: 1 }] };
    const { value, fatal, minor } = bare(body, 'strict');
    expect(value).toEqual({ items: [good, { id: 'b', more: 1 }], body, nextCursor: undefined });
    expect(value.body).toBe(body);
    expect([fatal, minor]).toEqual([[], []]);
  });

  it.each(['off', 'tolerant', 'strict'] as const)('fails without a list in the mode %s', (mode) => {
    const body = { message: 'x', nextCursor: 'c' };
    const { value, fatal, minor } = bare(body, mode);
    expect(value).toEqual({ items: [], body, nextCursor: undefined });
    expect([fatal, minor]).toEqual([[{ path: 'accounts', code: 'list_not_found' }], []]);
  });

  it('names the item and the field that departs, and whether that is essential', () => {
    const accounts = [good, { id: 7 }, { id: 'c', note: 7 }, 'x'];
    const tolerant = bare({ accounts }, 'tolerant');
    expect(tolerant.fatal).toEqual([
      { path: 'accounts.1.id', code: 'invalid_type' },
      { path: 'accounts.3', code: 'invalid_type' },
    ]);
    expect(tolerant.minor).toEqual([{ path: 'accounts.2.note', code: 'invalid_type' }]);
    expect(tolerant.value.items).toEqual(accounts);
    const strict = bare({ accounts }, 'strict');
    expect(strict.fatal.map(({ path }) => path)).toEqual(['accounts.1.id', 'accounts.2.note', 'accounts.3']);
    expect(strict.minor).toEqual([]);
    expect(bare({ accounts }, 'off')).toMatchObject({ fatal: [], minor: [] });
  });

  it('names each field of an item that departs', () => {
    const { fatal, minor } = bare({ accounts: [{ id: 7, note: 7 }] }, 'tolerant');
    expect([...fatal, ...minor].map(({ path }) => path)).toEqual(['accounts.0.id', 'accounts.0.note']);
    expect('nextCursor' in bare({ accounts: [] }, 'off').value).toBe(true);
  });

  it('names the place of the list, without what may be a value', () => {
    expect(bare([{ id: 7 }], 'strict').fatal).toEqual([{ path: '0.id', code: 'invalid_type' }]);
    expect(bare({ data: { accounts: [{ id: 7 }] } }, 'strict').fatal[0]?.path).toBe('data.accounts.0.id');
    expect(bare({ '123456789': { accounts: [{ id: 7 }] } }, 'strict').fatal[0]?.path).toBe('*.accounts.0.id');
  });

  it('is held to its envelope where that is known', () => {
    expect(wrapped({ accounts: [good], count: 1 }, 'strict')).toMatchObject({ fatal: [], minor: [] });
    const departure = { path: 'count', code: 'invalid_type' };
    expect(wrapped({ accounts: [good] }, 'strict')).toMatchObject({ fatal: [departure], minor: [] });
    expect(wrapped({ accounts: [good] }, 'tolerant')).toMatchObject({
      fatal: [],
      minor: [departure],
    });
    expect(wrapped({ accounts: [good] }, 'off')).toMatchObject({ fatal: [], minor: [] });
    expect(bare({ accounts: [good] }, 'strict').fatal).toEqual([]);
  });

  it('says that the list has another name', () => {
    const renamed = { path: 'accounts', code: 'renamed_list' };
    const body = { data: [good], count: 1 };
    expect(wrapped(body, 'strict').fatal).toContainEqual(renamed);
    expect(wrapped(body, 'tolerant').minor).toContainEqual(renamed);
    expect(wrapped(body, 'off')).toMatchObject({ fatal: [], minor: [] });
    expect(wrapped({ accounts: [good], count: 1 }, 'strict').fatal).not.toContainEqual(renamed);
  });
});

describe('the cursor of a page', () => {
  const cursorOf = (body: object) => {
    const { nextCursor, cursorFault } = bare({ accounts: [], ...body }, 'off').value;
    return [nextCursor, cursorFault];
  };

  it.each<[object, string | undefined, string | undefined]>([
    [{ nextCursor: 'c' }, 'c', undefined],
    [{ nextCursor: 7 }, '7', undefined],
    [{ nextCursor: 0 }, '0', undefined],
    [{ nextCursor: '' }, undefined, undefined],
    [{ nextCursor: null }, undefined, undefined],
    [{}, undefined, undefined],
    [{ nextCursor: {} }, undefined, 'an object'],
    [{ nextCursor: true }, undefined, 'a boolean'],
    [{ pagination: { nextCursor: 'c' } }, 'c', undefined],
    [{ meta: { page: { nextCursor: 'c' } } }, 'c', undefined],
    [{ a: { b: { c: { nextCursor: 'c' } } } }, undefined, undefined],
    [{ nextCursor: '', pagination: { nextCursor: 'c' } }, 'c', undefined],
    [{ nextCursor: null, meta: { page: { nextCursor: 'c' } } }, 'c', undefined],
    [{ nextCursor: 'top', pagination: { nextCursor: 'c' } }, 'top', undefined],
    [{ list: [{ nextCursor: 'c' }] }, undefined, undefined],
    [{ meta: { x: null, y: 'text' } }, undefined, undefined],
    [{ pagination: Object.create({ nextCursor: 'c' }) }, undefined, undefined],
  ])('in %j is %j', (body, cursor, fault) => {
    expect(cursorOf(body)).toEqual([cursor, fault]);
  });

  it('is none beside a list that is the whole response', () => {
    expect(bare([good], 'off').value.nextCursor).toBeUndefined();
  });
});
