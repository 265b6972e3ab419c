import { applyShown } from './apply-record.ts';
import { keyOfHalf, keyOfRound } from './body.ts';
import { plainId } from './evidence.ts';
import { halvesOf } from './halves.ts';
import { endsByAbsence, REASONS } from './reasons.ts';
import type { TransferRecord } from './record.ts';
import type { Rules } from './rules.ts';
import type { PayoutNotice, PayoutPart, PayoutSituation } from './situation.ts';
import { move, noticeOf, scheduled, type Transition, toUndecided } from './transition.ts';

/** A command that says that the database went back. Its times are milliseconds since 1970. */
export interface WentBack {
  /** 1 for the first, and one more each time. */
  readonly number: number;
  readonly at: number;
  /** What the database says is certain up to here. */
  readonly since: number;
}

/** An hour, for clocks that differ. */
const SKEW = 3_600_000;

/**
 * Returns the time from which records count: never later than the newest call that the database has stored, less an hour. A
 * second command adds: the earliest one counts.
 *
 * @param newest - The time of the newest call; 0 where there is none.
 * @param given - The time that a person gives.
 * @param earlier - That of the command before.
 */
export function sinceWhen(newest: number, given?: number, earlier?: number): number {
  const own = Math.max(0, Math.min(newest, given ?? newest) - SKEW);
  return Math.min(own, earlier ?? own);
}

/** Returns a situation as it is since the last command, which its row may not know. */
export const sinceCommand = (
  situation: PayoutSituation,
  known: number,
  command: WentBack | null,
): PayoutSituation =>
  command === null || known >= command.number ? situation : markWentBack(situation, command);

/**
 * Puts every payment in question that may be called, or that a person decides about: what was known of it since the backup is
 * lost. What was in a call is queued.
 */
export const markWentBack = (situation: PayoutSituation, { at, since }: WentBack): PayoutSituation => ({
  ...situation,
  parts: situation.parts.map((part) =>
    part.state === 'queued' || part.state === 'undecided'
      ? {
          ...part,
          phase: part.state === 'queued' ? 'begin' : 'look',
          due: part.state === 'queued' && part.phase === 'begin' ? part.due : at,
          token: null,
          doubtSince: Math.min(part.doubtSince ?? since, since),
          wentBack: at,
        }
      : part,
  ),
});

/** What the records of a payer say of a payment before its call. */
export type Told =
  /** Its own record, or several under its key. */
  | { readonly kind: 'record'; readonly records: readonly TransferRecord[] }
  /** A record of one of its halves: the batch was split. */
  | { readonly kind: 'half' }
  /** A record of a later round of its payout. */
  | { readonly kind: 'later'; readonly requestId: string }
  /** There is none, in a walk that had them all. */
  | { readonly kind: 'absent' }
  /** Nothing tells. */
  | { readonly kind: 'unknown' };

/** The keys whose records say something of a payment. */
export interface KeysOfPayment {
  readonly own: string;
  readonly halves: readonly string[];
  readonly later: readonly string[];
}

/** So many later rounds are asked for: each one was ordered by a person. */
const LATER_ROUNDS = 10;

/** The most recipients of a batch: a round that corrects an order may have as many. */
const MOST_RECIPIENTS = 50;

/** The halves of a batch, and theirs: their keys follow from its own. */
function halvesUnder(requestId: string, recipients: number): string[] {
  if (recipients < 2) return [];
  const middle = Math.ceil(recipients / 2);
  const [first, second] = [keyOfHalf(requestId, 1), keyOfHalf(requestId, 2)];
  return [first, second, ...halvesUnder(first, middle), ...halvesUnder(second, recipients - middle)];
}

/**
 * Returns the keys whose records say something of a payment.
 *
 * @param recipients - The most recipients of a later round.
 */
export function keysOfPayment(
  { order, round }: Pick<PayoutSituation, 'order' | 'round'>,
  { requestId, places }: Pick<PayoutPart, 'requestId' | 'places'>,
  recipients = MOST_RECIPIENTS,
): KeysOfPayment {
  const rounds = Array.from({ length: LATER_ROUNDS }, (_none, place) =>
    keyOfRound(order.payer, order.id, round + 1 + place),
  );
  return {
    own: requestId,
    halves: halvesUnder(requestId, places.length),
    later: rounds.flatMap((key) => [key, ...halvesUnder(key, recipients)]),
  };
}

/** Returns the keys, after its own, that may have been paid in place of a payment. */
export function keysFollowing(situation: PayoutSituation, part: PayoutPart): string[] {
  const { halves, later } = keysOfPayment(situation, part, situation.order.recipients.length);
  return [...halves, ...later];
}

/** Returns true if a payment is in question, and a key is one of those that follow from it. */
export function isFollowedBy(
  situation: PayoutSituation,
  part: PayoutPart,
  requestId: string | undefined,
): boolean {
  if (part.wentBack === undefined || requestId === undefined) return false;
  const { halves, later } = keysOfPayment(situation, part);
  return [...halves, ...later].some((key) => plainId(key) === plainId(requestId));
}

/**
 * Returns what the kept records say of a payment.
 *
 * @param kept - The records by their keys, plain.
 * @param isWhole - True if the walk showed every transfer, each with its key: only then an absence is one.
 */
export function readKept(
  { own, halves, later }: KeysOfPayment,
  kept: ReadonlyMap<string, readonly TransferRecord[]>,
  isWhole: boolean,
): Told {
  const recordsOf = (key: string) => kept.get(plainId(key)) ?? [];
  const records = recordsOf(own);
  if (records.length > 0) return { kind: 'record', records };
  if (halves.some((key) => recordsOf(key).length > 0)) return { kind: 'half' };
  const requestId = later.find((key) => recordsOf(key).length > 0);
  if (requestId !== undefined) return { kind: 'later', requestId };
  return { kind: isWhole ? 'absent' : 'unknown' };
}

/** What the records mean for a payment in question. */
export function applyTold(
  order: PayoutSituation['order'],
  part: PayoutPart,
  told: Told,
  now: number,
  rules: Rules,
): Transition {
  if (told.kind === 'record') return applyOwnRecords(part, told.records, now, rules);
  // A person decides about what the service contradicts.
  if (part.state === 'undecided' && !endsByAbsence(part.reason))
    return { parts: [scheduled(part, now, rules)] };
  switch (told.kind) {
    case 'half': {
      const { wentBack, doubtSince } = part;
      const halves = halvesOf(order, part, now)?.map((half) => ({ ...half, wentBack, doubtSince }));
      return { parts: halves ?? [leftToPerson(part, now, rules)] };
    }
    case 'later': {
      const notices = [noticeOf(part, REASONS.wentBack, told.requestId, now)];
      return { parts: [leftToPerson(part, now, rules)], notices };
    }
    case 'absent':
      return { parts: [withoutTransfer(part, now, rules)] };
    case 'unknown':
      return { parts: [leftToPerson(part, now, rules)] };
  }
}

function applyOwnRecords(
  before: PayoutPart,
  records: readonly TransferRecord[],
  now: number,
  rules: Rules,
): Transition {
  let part = before;
  const notices: PayoutNotice[] = [];
  for (const record of records) {
    const transition = applyShown(part, record, 'lookup', now, rules);
    part = transition?.parts[0] ?? part;
    notices.push(...(transition?.notices ?? []));
  }
  // A record that says nothing is none: it must not be paid beside it.
  const told = part.state === 'queued' ? leftToPerson(part, now, rules) : part;
  return { parts: [told.state === 'undecided' ? told : decided(told)], notices };
}

/** What a person said of a cancelled payment stays its reason. */
const leftToPerson = (part: PayoutPart, now: number, rules: Rules): PayoutPart =>
  part.reason === REASONS.cancelledInDoubt && part.state === 'undecided'
    ? scheduled(part, now, rules)
    : toUndecided(part, REASONS.wentBack, now, rules);

/** A queued payment goes on. One that was undecided ends: it never returns to the queue. */
function withoutTransfer(part: PayoutPart, now: number, rules: Rules): PayoutPart {
  const certain = decided({ ...part, doubtSince: null });
  if (part.state === 'queued') return { ...certain, due: now };
  return part.reason === REASONS.cancelledInDoubt
    ? move(certain, 'cancelled', REASONS.cancelled, 'lookup', now, rules)
    : move(certain, 'rejected', part.refusal ?? REASONS.notFound, 'lookup', now, rules);
}

const decided = ({ wentBack: _wentBack, ...part }: PayoutPart): PayoutPart => part;

/**
 * Returns true if a person called everything unpaid that could have been paid since the backup, and no record speaks against
 * it: the next round may be called without asking the records. It counts for one command alone.
 *
 * @param told - What the records say of each payment that is not paid.
 */
export const isFreedByPerson = (
  { parts }: PayoutSituation,
  { at }: WentBack,
  told: readonly Told[],
): boolean =>
  parts.every(
    ({ state, evidence, wentBack }) => state === 'paid' || (evidence === 'person' && wentBack === at),
  ) && told.every(({ kind }) => kind === 'unknown');
