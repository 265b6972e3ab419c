import { describe, expect, it } from 'vitest';
import {
  isNothingMade,
  join,
  joined,
  type Outcome,
  reportedOutcome,
} from '../../../src/shared/outcome/outcome.ts';

const outcomes: readonly Outcome[] = ['not-sent', 'rejected', 'unknown', 'succeeded'];

/** The join as the design has it, without a list: succeeded > unknown > rejected > not-sent. */
function strongest(...came: readonly Outcome[]): Outcome {
  if (came.includes('succeeded')) return 'succeeded';
  if (came.includes('unknown')) return 'unknown';
  return came.includes('rejected') ? 'rejected' : 'not-sent';
}

describe('the attempts of a call', () => {
  it('come to the strongest of them, in every order of three', () => {
    for (const first of outcomes) {
      expect(join(undefined, first)).toBe(first);
      for (const second of outcomes)
        for (const third of outcomes)
          expect(join(join(first, second), third), `${first} ${second} ${third}`).toBe(
            strongest(first, second, third),
          );
    }
  });

  it('come to the strongest of them, whatever was sent last', () => {
    for (const before of outcomes)
      for (const now of outcomes)
        for (const isSent of [true, false])
          expect(joined(before, now, { isRead: false, isSent })).toBe(strongest(before, now));
  });

  it('of a read come to the last of them that was sent', () => {
    for (const now of outcomes) {
      expect(joined(undefined, now, { isRead: true, isSent: false })).toBe(now);
      for (const before of outcomes) {
        expect(joined(before, now, { isRead: true, isSent: true })).toBe(now);
        expect(joined(before, now, { isRead: true, isSent: false })).toBe(before);
      }
    }
  });

  it('have made nothing only if all of them are not sent or rejected', () => {
    expect(outcomes.filter(isNothingMade)).toEqual(['not-sent', 'rejected']);
  });
});

describe('the outcome that an error tells', () => {
  it('is that of the call where nothing else is known of its key', () => {
    for (const own of outcomes) expect(reportedOutcome(own, false)).toBe(own);
  });

  it('is unknown while another entry stands, but for proof of success', () => {
    expect(outcomes.map((own) => reportedOutcome(own, true))).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'succeeded',
    ]);
  });
});
