import { describe, expect, it, vi } from 'vitest';
import {
  backoff,
  classifyStatus,
  mayRepeat,
  parseRetryAfter,
  waitBeforeRetry,
} from '../../src/transport/failure/retry-policy.ts';
import { read } from '../docs/documents.ts';

const settings = { limit: 2, minDelay: 500, maxDelay: 8_000 };

describe('what a status says about the request', () => {
  it.each([
    [425, false, 'deferred'],
    [429, false, 'deferred'],
    [429, true, 'deferred'],
    [503, true, 'deferred'],
    [503, false, 'ambiguous'],
    [500, false, 'ambiguous'],
    [500, true, 'ambiguous'],
    [502, true, 'ambiguous'],
    [504, true, 'ambiguous'],
    [501, false, 'final'],
    [400, true, 'final'],
    [408, true, 'final'],
    [302, false, 'final'],
  ])('%i, asks to wait: %s, is %s', (status, asksToWait, failure) => {
    expect(classifyStatus(status, asksToWait)).toBe(failure);
  });

  it('is final for every status that the guide does not list', () => {
    const all = Array.from({ length: 300 }, (_, place) => 300 + place);
    const repeated = (asksToWait: boolean) =>
      all.filter((status) => classifyStatus(status, asksToWait) !== 'final');
    // The rows of the table "What the client retries", below the column's name.
    const guide = read('docs/guides/retries-and-idempotency.md');
    const listed = ['has not processed', 'may have processed'].flatMap((column) => {
      const row = guide.split('\n').find((line) => line.startsWith(`| ${column} |`)) ?? '';
      return (row.match(/\b\d{3}\b/g) ?? []).map(Number);
    });
    const statuses = [...new Set(listed)].sort((one, other) => one - other);
    expect(statuses).toEqual([425, 429, 500, 502, 503, 504]);
    expect(repeated(false), 'the statuses of docs/guides/retries-and-idempotency.md').toEqual(statuses);
    expect(repeated(true)).toEqual(repeated(false));
  });
});

describe('whether the client may retry', () => {
  const safeties = ['read', 'delete', 'keyed', 'refresh', 'once'] as const;
  it('never after a decision of the service, always after what reached nobody', () => {
    for (const safety of safeties) {
      expect(mayRepeat(safety, 'final')).toBe(false);
      expect(mayRepeat(safety, 'unreached')).toBe(true);
      expect(mayRepeat(safety, 'deferred')).toBe(true);
      expect(mayRepeat(safety, 'ambiguous')).toBe(safety !== 'once');
    }
  });
});

describe('the backoff', () => {
  it('doubles up to the longest', () => {
    const full = (retry: number) => backoff(retry, () => 0, settings);
    expect([0, 1, 2, 3, 4, 5, 30].map(full)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('is less by up to a quarter', () => {
    expect(backoff(0, () => 0.5, settings)).toBe(437.5);
    expect(backoff(0, () => 1, settings)).toBe(375);
  });

  it('has usual limits and chance of its own', () => {
    for (let count = 0; count < 50; count += 1) {
      const wait = backoff(0);
      expect(wait).toBeGreaterThan(374);
      expect(wait).toBeLessThanOrEqual(500);
    }
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  it.each([
    [null, undefined],
    ['', undefined],
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['120', 120_000],
    ['1.5', 1_500],
    ['1.25', 1_250],
    ['-1', undefined],
    ['x7', undefined],
    ['7x', undefined],
    ['7 s', undefined],
    ['1.', undefined],
    ['.5', undefined],
    ['1e3', undefined],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Friday, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Wednesday, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri Nov 20 10:00:30 2026 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:59:30 GMT', 0],
    ['Fri, no date', undefined],
    ['2026-11-20T10:00:30Z', undefined],
    ['20 Nov 2026 10:00:30 GMT', undefined],
    ['Fri,20 Nov 2026 10:00:30 GMT', undefined],
    ['Fr, 20 Nov 2026 10:00:30 GMT', undefined],
    ['1 Fri, 20 Nov 2026 10:00:30 GMT', undefined],
    ['soon', undefined],
  ])('%j is %j', (header, wait) => {
    expect(parseRetryAfter(header, now)).toBe(wait);
  });
});

describe('the wait before the next attempt', () => {
  it('is the backoff where the service asks for none', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(waitBeforeRetry(1, undefined, settings)).toBe(1_000);
    vi.restoreAllMocks();
  });

  it('is what the service asks for and up to a quarter more, and never less than the backoff', () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(waitBeforeRetry(0, 7_000, settings)).toBe(7_000);
    expect(waitBeforeRetry(0, 0, settings)).toBe(500);
    expect(waitBeforeRetry(0, 100, settings)).toBe(500);
    random.mockReturnValue(1);
    expect(waitBeforeRetry(0, 8_000, settings)).toBe(10_000);
    vi.restoreAllMocks();
  });

  it('is none where the service asks for more than a minute', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(waitBeforeRetry(0, 60_000, settings)).toBe(60_000);
    expect(waitBeforeRetry(0, 60_001, settings)).toBeUndefined();
    vi.restoreAllMocks();
  });
});
