import { describe, expect, it } from 'vitest';
import { identityOf } from '../../src/pagination/identity.ts';
import { findItems } from '../../src/pagination/read-list.ts';
import { RepeatGuard } from '../../src/pagination/repeat-guard.ts';

const record = { id: 'a' };

describe('the list in a response', () => {
  const none = undefined;
  it.each<[string, unknown, string | undefined]>([
    ['the response itself', [record], ''],
    ['an empty response', [], ''],
    ['under the documented key', { accounts: [record], data: [record] }, 'accounts'],
    ['under the documented key, empty', { accounts: [], data: [record] }, 'accounts'],
    ['under the documented key, one level down', { data: { accounts: [], data: [record] } }, 'data.accounts'],
    [
      'under the documented key, twice one level down',
      { a: { accounts: [] }, b: { accounts: [] } },
      'a.accounts',
    ],
    ['under a usual name before others', { others: [record], data: [7] }, 'data'],
    ['under a usual name: data', { x: [], data: [] }, 'data'],
    ['under a usual name: items', { x: [], items: [] }, 'items'],
    ['under a usual name: results', { x: [], results: [] }, 'results'],
    ['under a usual name: records', { x: [], records: [] }, 'records'],
    ['under a usual name: list', { x: [], list: [] }, 'list'],
    ['under the first of usual names', { list: [record], data: [record] }, 'data'],
    ['under a usual name, one level down', { x: [], y: { items: [] } }, 'y.items'],
    ['under a usual name at the top before one below', { y: { data: [] }, list: [] }, 'list'],
    ['the only list of records', { x: [1], y: [record], z: [] }, 'y'],
    ['the only list of records, one level down', { x: [1], in: { y: [record], z: [2] } }, 'in.y'],
    ['a list of records at the top before one below', { y: [record], in: { z: [record] } }, 'y'],
    ['the only list', { x: [1] }, 'x'],
    ['the only list, one level down', { in: { x: [1] } }, 'in.x'],
    ['the first of several empty lists', { x: [], y: [] }, 'x'],
    ['none of two lists of records', { x: [record], y: [record] }, none],
    ['none of two lists of records one level down', { in: { x: [record], y: [record] } }, none],
    ['none of two lists of other things', { x: [1], y: [2] }, none],
    ['none of a list and an empty one', { x: [1], y: [] }, none],
    [
      'under the documented key at the top before one below',
      { accounts: [record], in: { accounts: [record] } },
      'accounts',
    ],
    [
      'none of two documented ones one level down',
      { a: { accounts: [record] }, b: { accounts: [record] } },
      none,
    ],
    ['beside null, text and lists of lists', { a: null, b: 'text', c: [[record]] }, 'c'],
    ['beside a list that is empty, of records within', { c: [[record]], d: [record] }, 'd'],
    ['under the documented key at the top, empty', { accounts: [], in: { accounts: [record] } }, 'accounts'],
    ['none where there is no list', { x: 1, y: {} }, none],
    ['none two levels down', { a: { b: { accounts: [record] } } }, none],
    ['none of text', 'accounts', none],
    ['none of null', null, none],
  ])('is %s', (_what, body, path) => {
    expect(findItems(body, 'accounts')?.path).toBe(path);
  });

  it('is not what an object inherits', () => {
    expect(findItems(Object.create({ accounts: [record] }), 'accounts')).toBeUndefined();
  });

  it('is given with its items', () => {
    expect(findItems({ in: { x: [record] } }, 'accounts')?.items).toEqual([record]);
  });
});

describe('the identity of an item', () => {
  it.each<[unknown, string, boolean]>([
    [{ id: 'a', accountId: 'b', approvalId: 'c', address: 'd' }, 'id:a', true],
    [{ accountId: 'b', approvalId: 'c' }, 'accountId:b  ', true],
    [{ approvalId: 'c', address: 'd' }, 'approvalId:c  ', true],
    [{ id: 7 }, 'id:7', true],
    [{ id: '', accountId: 0 }, 'accountId:0  ', true],
    [{ address: '0x1', chain: 'base' }, 'address:0x1 base ', true],
    [{ address: '0x1' }, 'address:0x1  ', true],
    [{ id: null, name: 'x' }, '{"id":null,"name":"x"}', false],
    [{ id: true }, '{"id":true}', false],
    [{ id: 2 ** 60, name: 'x' }, '{"id":1152921504606847000,"name":"x"}', false],
    [{ accountId: 'b', createdAt: '2026-01-01' }, 'accountId:b  2026-01-01', true],
    [{ chain: 'base' }, '{"chain":"base"}', false],
    ['text', '"text"', false],
    [undefined, '', false],
    [null, 'null', false],
  ])('of %j is %s', (item, key, certain) => {
    expect(identityOf(item)).toEqual({ key, certain });
  });

  it('is not what an object inherits', () => {
    expect(identityOf(Object.create({ id: 'a' }))).toEqual({ key: '{}', certain: false });
  });
});

describe('pages that come again', () => {
  const page = (...keys: string[]) => keys.map((key) => ({ key, certain: true }));
  const items = (...numbers: number[]) => page(...numbers.map((number) => `item ${number}`));
  const guardOf = (...pages: ReturnType<typeof page>[]) => {
    const guard = new RepeatGuard();
    for (const each of pages) expect(guard.comesAgain(each)).toBe(false);
    return guard;
  };

  it('hold nothing but items of any page before', () => {
    const guard = guardOf(page('a', 'b'), page(), page('b', 'c'), page('d', 'e'), page('e', 'f'));
    expect(guard.comesAgain(page('c'))).toBe(true);
    expect(guard.comesAgain(page('a', 'e', 'e'))).toBe(true);
    expect(guard.comesAgain(page())).toBe(false);
  });

  it('do not come again where one of their items is new', () => {
    const guard = guardOf(page('a'));
    for (let index = 0; index < 20; index += 1) {
      expect(guard.comesAgain(page('a', `new ${index}`))).toBe(false);
    }
  });

  /** Of the items, 5, 10, 18, 19 and 20 are still in the sample; 0 to 4 are not. */
  const guarded = () => guardOf(page('a'), items(...Array.from({ length: 20_000 }, (_item, index) => index)));

  it('come again among more items than are remembered, where three of them in a row are known', () => {
    const guard = guarded();
    expect(guard.comesAgain(page('first 0'))).toBe(false);
    expect(guard.comesAgain(items(5, 10, 0))).toBe(false);
    expect(guard.comesAgain(items(18, 1))).toBe(true);
    expect(guard.comesAgain(items(2, 3))).toBe(false);
  });

  it('do not where a new item is between them', () => {
    const guard = guarded();
    expect(guard.comesAgain(page('first 0'))).toBe(false);
    expect(guard.comesAgain(items(5, 10, 0))).toBe(false);
    expect(guard.comesAgain(page('first 1'))).toBe(false);
    expect(guard.comesAgain(items(18, 1))).toBe(false);
  });

  it('are told from new ones by a sample of any number of items', () => {
    const guard = new RepeatGuard();
    const note = (_item: unknown, index: number) => guard.note(`item ${index}`);
    const sightings = Array.from({ length: 20_000 }, note);
    expect(sightings).not.toContain(true);
    expect(sightings).toContain(undefined);
    for (let index = 0; index < 50; index += 1) {
      guard.note(`latest ${index}`);
      expect(guard.note(`latest ${index}`)).toBe(true);
    }
    const again = Array.from({ length: 20_000 }, note);
    expect(again).not.toContain(false);
    // The item of the lowest digest in each of 4,096 slots, nearly all of which are in use.
    expect(again.filter((sighting) => sighting === true).length).toBeGreaterThan(4_000);
  });
});
