import { nearestName } from '../../shared/option-names.ts';

/** How the service responds to a `requestId` that it knows: with the first response again, or with a refusal. */
export const MODES = ['replay', 'refuse'] as const;
export type Mode = (typeof MODES)[number];

/** What can happen at each kind of point. */
export const FAILURES = {
  request: [
    'crash',
    'reset-before',
    'reset-after',
    '503',
    '429',
    '401',
    'no-id',
    'odd-field',
    'slow',
    'late',
    'write-lost',
    'other',
  ],
  read: ['crash', '503', 'other'],
  write: ['crash', 'other'],
  // Another process that runs after the program has its result comes later.
  end: ['crash', 'write-lost'],
  event: ['twice', 'early', 'last'],
} as const;

export type PointKind = keyof typeof FAILURES;
export type Failure = (typeof FAILURES)[PointKind][number];

/** One failure at one point of a run. Points are counted from 1. */
interface Step {
  readonly point: number;
  readonly failure: Failure;
}

/** The failures of one run, by their points. */
export interface Schedule {
  readonly mode: Mode;
  readonly steps: readonly Step[];
}

/** A schedule as text, such as `replay 2:reset-after 5:429`. */
export const lineOf = ({ mode, steps }: Schedule): string =>
  [mode, ...steps.map(({ point, failure }) => `${point}:${failure}`)].join(' ');

const names: readonly Failure[] = [...new Set(Object.values(FAILURES).flat())];

/** Reads a schedule. Throws a RangeError whose message is the end of a sentence about the option. */
export function scheduleIn(line: string): Schedule {
  const [first = '', ...rest] = line.trim().split(/\s+/);
  const mode = MODES.find((one) => one === first);
  if (mode === undefined)
    throw new RangeError(`must begin with 'replay' or 'refuse', such as 'replay 2:crash'`);
  const steps = rest.map(stepIn);
  const isSorted = steps.every(({ point }, place) => point > (steps[place - 1]?.point ?? 0));
  if (!isSorted) throw new RangeError('must name its points in ascending order, from 1');
  return { mode, steps };
}

function stepIn(text: string): Step {
  const [, point, name = ''] = /^([1-9]\d{0,5}):(\S+)$/.exec(text) ?? [];
  const failure = names.find((one) => one === name);
  if (point !== undefined && failure !== undefined) return { point: Number(point), failure };
  const meant = nearestName(name, names);
  const end = meant === undefined ? `. Failures: ${names.join(', ')}` : `. Did you mean '${meant}'?`;
  throw new RangeError(`must name failures by their points, such as '2:crash'${end}`);
}

const hasOneOf = ({ steps }: Schedule, failures: readonly Failure[]): boolean =>
  steps.some(({ failure }) => failures.includes(failure));

/** Returns true for a schedule in which a client waits for its timeout. */
export const waits = (schedule: Schedule): boolean => hasOneOf(schedule, ['slow', 'late']);

/**
 * The timeout of the clients, in milliseconds: the least one, unless a request may wait while another process runs. A
 * request that nothing is run in has its response before any timer.
 */
export const timeoutIn = (schedule: Schedule): number =>
  waits(schedule) && !hasOneOf(schedule, ['other', 'early']) ? 100 : 1_000;
