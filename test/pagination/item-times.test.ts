import { describe, expect, it } from 'vitest';
import { createdAtOf, isTimeOf, stampOf } from '../../src/pagination/item-times.ts';

const time = '2026-03-01T10:00:00.123Z';
const instant = 1_772_359_200_123;

describe('a time, moved by one unit of its own precision, at least a millisecond', () => {
  it.each<[string, string, string]>([
    [time, '2026-03-01T10:00:00.124Z', '2026-03-01T10:00:00.122Z'],
    ['2026-03-01T10:00:00.999Z', '2026-03-01T10:00:01.000Z', '2026-03-01T10:00:00.998Z'],
    ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.001Z', '2026-03-01T09:59:59.999Z'],
    [
      '2026-12-31T23:59:59.999999+00:00',
      '2027-01-01T00:00:00.000999+00:00',
      '2026-12-31T23:59:59.998999+00:00',
    ],
    ['2026-03-01T10:00:00.123+02:00', '2026-03-01T10:00:00.124+02:00', '2026-03-01T10:00:00.122+02:00'],
    ['2026-03-01T23:59:59-0500', '2026-03-02T00:00:00-0500', '2026-03-01T23:59:58-0500'],
    ['2026-03-01T10:00:00.123456789Z', '2026-03-01T10:00:00.124456789Z', '2026-03-01T10:00:00.122456789Z'],
    ['2026-03-01 10:00:00', '2026-03-01 10:00:01', '2026-03-01 09:59:59'],
    ['2026-03-01T10:00Z', '2026-03-01T10:01Z', '2026-03-01T09:59Z'],
    ['2026-02-28', '2026-03-01', '2026-02-27'],
    ['1772359200', '1772359201', '1772359199'],
    ['1772359200123', '1772359200124', '1772359200122'],
  ])('%s', (text, later, earlier) => {
    const stamp = stampOf(text);
    expect([stamp?.moved(1), stamp?.moved(-1)]).toEqual([later, earlier]);
    const step = (stampOf(later)?.at ?? 0) - (stamp?.at ?? 0);
    expect(Math.abs(step - (stamp?.unit ?? 0))).toBeLessThanOrEqual(1);
  });

  it.each([
    'abc',
    '',
    `1${instant}`,
    `x${instant}`,
    '2026/03/02',
    'x2026-03-02',
    '2026-03-01T99:00:00Z',
    '2026-99-99T00:00:00Z',
    '1 March 2026 10:00 UTC',
    undefined,
  ])('%s is none', (text) => {
    expect(stampOf(text)).toBeUndefined();
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
    // The cursor is a day only, or seconds only.
    [time, '2026-03-01', true],
    ['2026-03-01T00:30:00.000+02:00', '2026-03-01', true],
    [time, '2026-03-01T10:00:00Z', true],
    ['abc', 'abc', true],
    [time, '2026-03-02', false],
    [time, '2026-03-01T10:00:00.124Z', false],
    [time, 'abc', false],
    ['abc', time, false],
    ['abc', 'abd', false],
    ['', '', false],
    [true, 'true', false],
    [undefined, 'undefined', false],
    ['2026-03-01T99:00:00Z', '2026-03-01T98:00:00Z', false],
  ])('%j is %j: %j', (createdAt, cursor, expected) => {
    expect(isTimeOf({ createdAt }, cursor)).toBe(expected);
  });

  it('is found one level down, in the only record that has an id and a time', () => {
    const inner = { id: 't1', createdAt: time };
    expect(createdAtOf({ transferType: 'ONRAMP', transferDetails: inner })).toBe(time);
    expect(createdAtOf({ createdAt: 'top', transferDetails: inner })).toBe('top');
    expect(createdAtOf({ source: inner, destination: inner })).toBeUndefined();
    expect(createdAtOf({ user: { id: 'u1' }, transferDetails: inner })).toBe(time);
    expect(createdAtOf({ details: { created_at: time, id: 1 } })).toBe(time);
  });

  it('is none of what is no record, nor of what it inherits', () => {
    for (const item of [undefined, null, 'x', [], Object.create({ createdAt: time })]) {
      expect(isTimeOf(item, time)).toBe(false);
    }
  });
});
