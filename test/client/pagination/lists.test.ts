import { describe, expect, it } from 'vitest';
import { arraysIn, findItems, identityOf } from '../../../src/client/pagination/page-body.ts';

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
    ['none of errors and warnings', { errors: [record], in: { warnings: [record] } }, none],
    ['under a name that only contains one of theirs', { errorsFound: [record] }, 'errorsFound'],
    ['under a name that only ends like one of theirs', { apierrors: [record] }, 'apierrors'],
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

describe('the arrays of a response', () => {
  it.each<[body: unknown, arrays: readonly unknown[]]>([
    [[1], [[1]]],
    [{ a: [1], b: [2], c: { d: [3] } }, [[1], [2]]],
    [{ a: null, b: 'text', c: { d: [3] }, e: { f: [4] } }, [[3], [4]]],
    [{ a: { b: { c: [1] } } }, []],
    ['text', []],
    [null, []],
    [undefined, []],
  ])('of %j are %j', (body, arrays) => {
    expect(arraysIn(body)).toEqual(arrays);
  });
});

describe('the identity of an item', () => {
  it.each<[unknown, string | undefined]>([
    [{ id: 'a', accountId: 'b', approvalId: 'c', address: 'd' }, 'id a'],
    [{ id: 7 }, 'id 7'],
    [{ id: '', accountId: 'b', createdAt: 't' }, 'b  t'],
    [{ approvalId: 'c', createdAt: 't' }, 'c  t'],
    [{ createdAt: 't' }, undefined],
    [{ transferDetails: { id: 'a' } }, 'id a'],
    [{ accountId: 'b', approvalId: 'c' }, undefined],
    [{ accountId: 'b', createdAt: '2026-01-01' }, 'b  2026-01-01'],
    [{ address: '0x1', chain: 'base' }, undefined],
    [{ address: '0x1', chain: 'base', createdAt: 't' }, '0x1 base t'],
    [{ owner: { id: 'a', createdAt: 't' } }, undefined],
    [{ id: null, name: 'x' }, undefined],
    [{ id: true }, undefined],
    [{ id: 2 ** 60, name: 'x' }, undefined],
    ['text', undefined],
    [undefined, undefined],
    [null, undefined],
  ])('of %j is %s', (item, identity) => {
    expect(identityOf(item)).toBe(identity);
  });

  it('is not what an object inherits', () => {
    expect(identityOf(Object.create({ id: 'a' }))).toBeUndefined();
  });
});
