import type { Finding, Outcome } from '../errors/index.ts';

/** Returns true if a finding proves that nothing was carried out. */
export const isClosed = (finding: Finding | undefined): boolean =>
  finding === 'refused' || finding === 'not-reached';

const weights: Readonly<Record<Finding, number>> = {
  'not-reached': 0,
  refused: 1,
  open: 2,
  known: 3,
  made: 4,
};

/** Joins what is known with something new. What may have been carried out stays so; proof of it wins. */
export const strongerOf = (known: Finding | undefined, found: Finding): Finding =>
  known !== undefined && weights[known] > weights[found] ? known : found;

const outcomes: Readonly<Record<Finding, Outcome>> = {
  made: 'succeeded',
  known: 'unknown',
  refused: 'rejected',
  'not-reached': 'not-sent',
  open: 'unknown',
};

/** Returns the outcome that tells a finding. */
export const outcomeOf = (finding: Finding): Outcome => outcomes[finding];
