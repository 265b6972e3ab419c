import { describe, expect, it } from 'vitest';
import {
  ignoresStart,
  isTimeOf,
  otherParam,
  otherStart,
  paramFor,
  startParam,
} from '../../src/pagination/cursor-param.ts';

const time = '2026-03-01T10:00:00.123Z';
const instant = 1_772_359_200_123;

describe('the parameter that a cursor goes under', () => {
  const page = (...items: unknown[]) => ({ items });
  const made = { createdAt: time };

  it('is the configured one', () => {
    expect(paramFor('after', time, page(made), { cursor: 'x' })).toBe('after');
    expect(startParam('after')).toBe('after');
    expect(startParam('auto')).toBe('cursor');
  });

  it.each<[string, string, unknown[], object, string]>([
    ['what brought the page', time, [made], { cursor: 'x' }, 'cursor'],
    ['the time of the last record', time, [{}, {}, made], {}, 'createdBefore'],
    ['not the time of an earlier record', time, [made, {}], {}, 'cursor'],
    ['a text', 'abc', [made], {}, 'cursor'],
    ['no record', time, [], {}, 'cursor'],
    ['a time after one that was sent', time, [{}], { createdBefore: time }, 'createdBefore'],
    ['a text beside a time that was sent', 'abc', [{}], { createdBefore: time }, 'cursor'],
    ['a text after a text that was sent', 'abc', [{}], { createdBefore: 'xyz' }, 'createdBefore'],
    ['a time after a text that was sent', time, [{}], { createdBefore: 'xyz' }, 'createdBefore'],
    ['a time, and none was sent', time, [{}], {}, 'cursor'],
  ])('is guessed from %s', (_what, cursor, items, query, param) => {
    expect(paramFor('auto', cursor, page(...items), query as never)).toBe(param);
  });

  it('has one other where its name is not configured', () => {
    expect(otherParam('auto', 'createdBefore')).toBe('cursor');
    expect(otherParam('auto', 'cursor')).toBe('createdBefore');
    expect(otherParam('after', 'after')).toBeUndefined();
  });

  it('may be exchanged at the start of a walk', () => {
    const query = { cursor: time, limit: 5 };
    expect(otherStart('auto', time, query)).toEqual({ createdBefore: time, limit: 5 });
    expect(otherStart('cursor', time, query)).toBeUndefined();
    expect(otherStart('auto', 'other', query)).toBeUndefined();
  });
});

describe('a page that ignores its start', () => {
  it('holds a record that was created later', () => {
    const later = { createdAt: '2026-03-01T10:00:00.124Z' };
    expect(ignoresStart(time, { items: [{ createdAt: time }, later] })).toBe(true);
    expect(ignoresStart(time, { items: [{ createdAt: time }] })).toBe(false);
    expect(ignoresStart(time, { items: [{}, { createdAt: 'soon' }, 'x', null] })).toBe(false);
    for (const createdAt of [`1${instant}`, '2026/03/02', 'x2026-03-02', 'on-2026-03-02', '12026-03-02']) {
      expect(ignoresStart(time, { items: [{ createdAt }] })).toBe(false);
    }
    expect(ignoresStart('abc', { items: [later] })).toBe(false);
    expect(ignoresStart(time, { items: [] })).toBe(false);
  });
});

describe('the time of a record', () => {
  it.each<[unknown, string, boolean]>([
    [time, time, true],
    [time, String(instant), true],
    [time, '2026-03-01T11:00:00.123+01:00', true],
    [time, '2026-03-01 10:00:00.123Z', true],
    [time, '2026-03-01T10:00:00.123456789Z', true],
    ['2026-03-01T10:00:00.123456Z', time, true],
    [instant, time, true],
    [instant, String(instant), true],
    [1_772_359_200, '2026-03-01T10:00:00Z', true],
    ['1772359200', '2026-03-01T10:00:00Z', true],
    ['2026-03-01', '2026-03-01T00:00:00Z', true],
    ['abc', 'abc', true],
    [time, '2026-03-01T10:00:00.124Z', false],
    [time, 'abc', false],
    ['abc', time, false],
    ['abc', 'abd', false],
    ['', '', false],
    [true, 'true', false],
    [undefined, 'undefined', false],
    [time, `x${instant}`, false],
    [time, `${instant}x`, false],
    [time, `1${instant}`, false],
    ['2026-03-01T10:00:00Z', '17723592001', false],
    ['2026-03-01T10:00:00Z', 'x1772359200', false],
    ['2026-03-01T10:00:00Z', '1772359200x', false],
    [time, `x${time}`, false],
    [time, '2026-03-01T99:00:00Z', false],
    ['2026-03-01T99:00:00Z', '2026-03-01T98:00:00Z', false],
    ['1 March 2026 10:00 UTC', '2026-03-01T10:00:00Z', false],
  ])('%j is %j: %j', (createdAt, cursor, expected) => {
    expect(isTimeOf({ createdAt }, cursor)).toBe(expected);
  });

  it('is none of what is no record, nor of what it inherits', () => {
    for (const item of [undefined, null, 'x', [], Object.create({ createdAt: time })]) {
      expect(isTimeOf(item, time)).toBe(false);
    }
  });
});
