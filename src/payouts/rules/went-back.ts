import { applyShown } from './apply-record.ts';
import { keyOfHalf, keyOfRound, readBody } from './body.ts';
import { plainId, requestIdOf } from './evidence.ts';
import { halvesOf } from './halves.ts';
import { cancelPayment } from './person.ts';
import { mayBePaid, REASONS } from './reasons.ts';
import { detailsIn, differencesOfPayment, type TransferRecord } from './record.ts';
import type { Rules } from './rules.ts';
import type { PayoutNotice, PayoutPart, PayoutSituation } from './situation.ts';
import { awake, move, noticeOf, scheduled, type Transition, toUndecided } from './transition.ts';

/** A command that says that the database went back. Its times are milliseconds since 1970. */
export interface WentBack {
  /** Higher than that of each command before, also of one that was lost. */
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
          due: part.phase === 'begin' ? part.due : at,
          token: null,
          doubtSince: Math.min(part.doubtSince ?? since, since),
          wentBack: at,
        }
      : part,
  ),
});

/**
 * Returns true for a payment that the records decide: it may be called, or nothing but a lost response speaks for a transfer.
 * One whose transfer was shown meanwhile, or about which a person decides, is looked up like any other.
 */
export const isInQuestion = (part: PayoutPart): boolean => part.wentBack !== undefined && mayBePaid(part);

/** What the records of a payer say of a payment before its call. */
export type Told =
  /** Its own record, or several under its key. */
  | { readonly kind: 'record'; readonly records: readonly TransferRecord[] }
  /** Records of its halves, and of theirs: the batch was split. */
  | { readonly kind: 'half'; readonly records: readonly TransferRecord[] }
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

/** The most recipients of a batch: a round that corrects an order, or the order that was lost, may have had as many. */
const MOST_RECIPIENTS = 50;

/** The halves of a batch, and theirs: their keys follow from its own. */
export function halvesUnder(requestId: string, recipients = MOST_RECIPIENTS): string[] {
  if (recipients < 2) return [];
  const middle = Math.ceil(recipients / 2);
  const [first, second] = [keyOfHalf(requestId, 1), keyOfHalf(requestId, 2)];
  return [first, second, ...halvesUnder(first, middle), ...halvesUnder(second, recipients - middle)];
}

/**
 * Returns the keys whose records say something of a payment.
 *
 * @param recipients - The most recipients of the lost order, and of a later round.
 */
export function keysOfPayment(
  situation: Pick<PayoutSituation, 'order' | 'round'>,
  { requestId }: Pick<PayoutPart, 'requestId'>,
  recipients = MOST_RECIPIENTS,
): KeysOfPayment {
  return {
    own: requestId,
    halves: halvesUnder(requestId, recipients),
    later: keysOfLaterRounds(situation, recipients),
  };
}

function keysOfLaterRounds(
  { order, round }: Pick<PayoutSituation, 'order' | 'round'>,
  recipients: number,
): string[] {
  const rounds = Array.from({ length: LATER_ROUNDS }, (_none, place) =>
    keyOfRound(order.payer, order.id, round + 1 + place),
  );
  return rounds.flatMap((key) => [key, ...halvesUnder(key, recipients)]);
}

/** Returns the keys, after its own, that may have been paid in place of a payment. */
export const keysFollowing = (situation: PayoutSituation, part: PayoutPart): string[] => [
  ...halvesUnder(part.requestId, part.places.length),
  ...keysOfLaterRounds(situation, situation.order.recipients.length),
];

/**
 * What a record means that is heard under a key which follows from a payment; undefined where the key does not. A payment that
 * asks the records asks once more. For any other it is a notice, and a half, also one that failed, keeps it from being paid again.
 */
export function applyFollowing(
  situation: PayoutSituation,
  part: PayoutPart,
  requestId: string | undefined,
  now: number,
): Transition | undefined {
  if (part.wentBack === undefined || requestId === undefined) return undefined;
  const { halves, later } = keysOfPayment(situation, part);
  const isOneOf = (keys: readonly string[]) => keys.some((key) => plainId(key) === plainId(requestId));
  const isHalf = isOneOf(halves);
  if (!isHalf && !isOneOf(later)) return undefined;
  if (isInQuestion(part)) return { parts: [awake(part, now)] };
  const contradiction = noticeOf(part, 'CONTRADICTION', `${requestId} by event`, now);
  if (isHalf) {
    const mayHaveMoved = part.mayHaveMoved || part.state !== 'paid';
    return { parts: [awake({ ...part, mayHaveMoved }, now)], notices: [contradiction] };
  }
  if (part.state !== 'paid')
    return { parts: [part], notices: [noticeOf(part, REASONS.wentBack, requestId, now)] };
  // A later round may have paid whom this one did not.
  const isOfOthers = situation.parts.some(({ state }) => state !== 'paid');
  return { parts: [part], notices: isOfOthers ? [] : [contradiction] };
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
  const ofHalves = halves.flatMap(recordsOf);
  if (ofHalves.length > 0) return { kind: 'half', records: ofHalves };
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
  switch (told.kind) {
    case 'half': {
      const halves = halvesOf(order, part, now);
      const others = told.records.filter((record) => !isOfHalf(order, part, record, now));
      // The lost order had other recipients: which of these were paid is not known.
      if (halves === undefined || others.length > 0) {
        const keys = others.map((record) => requestIdOf(detailsIn(record))).join(', ');
        const notices = [noticeOf(part, REASONS.otherRecord, keys, now)];
        return { parts: [leftToPerson({ ...part, mayHaveMoved: true }, now, rules)], notices };
      }
      const { wentBack, doubtSince } = part;
      const asking = halves.map((half) => ({ ...half, wentBack, doubtSince }));
      return { parts: isCancelled(part) ? asking.map((half) => cancelPayment(half, now, rules)) : asking };
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

/** Returns true for a record of a half as this order makes it, or of a half of that. */
function isOfHalf(
  order: PayoutSituation['order'],
  part: PayoutPart,
  record: TransferRecord,
  now: number,
): boolean {
  return (halvesOf(order, part, now) ?? []).some((half) => {
    const body = readBody(half.body);
    const isFit = body !== undefined && differencesOfPayment(record, body, null, 'lookup').length === 0;
    return isFit || isOfHalf(order, half, record, now);
  });
}

/**
 * Returns true if the records end a payment, or split it: then they come before a person who calls it unpaid.
 */
export const isDecidedByRecords = (
  order: PayoutSituation['order'],
  part: PayoutPart,
  told: Told,
  now: number,
  rules: Rules,
): boolean =>
  isInQuestion(part) &&
  (told.kind === 'record' || told.kind === 'half') &&
  isDecided(applyTold(order, part, told, now, rules).parts);

/** Why a person who calls such a payment unpaid is refused. */
export const shownByRecords = ({ requestId }: PayoutPart): string =>
  `A record shows a transfer of payment ${requestId}, or of a half of it. A worker reads it: look at the payout after that. The payment was not called unpaid.`;

/** The halves of a cancelled batch are undecided, and ask for themselves. */
const isDecided = (parts: readonly PayoutPart[]): boolean =>
  parts.length > 1 || parts.some(({ state }) => state !== 'undecided');

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

/** What a person said of a cancelled payment stays its reason, and that of its halves. A service may call a failure so, too. */
const isCancelled = ({ state, reason }: PayoutPart): boolean =>
  state === 'undecided' && reason === REASONS.cancelledInDoubt;

const leftToPerson = (part: PayoutPart, now: number, rules: Rules): PayoutPart =>
  isCancelled(part) ? scheduled(part, now, rules) : toUndecided(part, REASONS.wentBack, now, rules);

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
