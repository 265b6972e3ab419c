import type { TransferQuery } from '../client/index.ts';
import { PaymentsError } from '../shared/errors/index.ts';
import { callService } from './call-service.ts';
import { reporting } from './report-failure.ts';
import { applyCall } from './rules/apply-call.ts';
import { applyAbsence, applySilence } from './rules/apply-lookup.ts';
import { applyShown } from './rules/apply-record.ts';
import { beginAttempt, loseAttempt, takeBackAttempt } from './rules/attempt.ts';
import type { PayerBrake, PayerEffect } from './rules/brake.ts';
import { hear, paymentCalledUnpaid } from './rules/hear.ts';
import { cancelPayment } from './rules/person.ts';
import { type Rules, rulesFrom } from './rules/rules.ts';
import {
  finish,
  type PayoutPart,
  type PayoutSituation,
  quietFrom,
  SEND_LIMIT,
  SITUATION_VERSION,
  WHEN_WOKEN,
} from './rules/situation.ts';
import type { Transition } from './rules/transition.ts';
import { applyTold, isInQuestion, type Told } from './rules/went-back.ts';
import type { PayoutClient, PayoutOptions, TransferLookup } from './step-options.ts';

/** How long a call may take. It ends within the minute in which it may be sent: a slow token sends nothing later. */
const CALL_DEADLINE = 55_000;

/** A call that has less time than this left is not begun: it would end in doubt. */
const LEAST_TIME = SEND_LIMIT - CALL_DEADLINE;

/** How long a payout that is held waits before it is asked for again. */
const HELD = 60_000;

/** What a step needs of the world. `now` is the clock of whoever stores the situations. */
export interface StepContext {
  readonly now: () => number;
  /** Asks whether a call may begin; the time is that of the answer. */
  readonly gate: (situation: PayoutSituation, part: PayoutPart, isCall: boolean) => Promise<Gate>;
  /** Notes what a call means for its payer; `seen` is that of the gate. */
  readonly note: (payer: string, effect: PayerEffect, seen: number) => Promise<void>;
  /** Asks the records of the payer about a payment in question; a time is that at which to ask again. */
  readonly told?: (
    situation: PayoutSituation,
    part: PayoutPart,
  ) => Promise<Told | { readonly until: number }>;
  /** What the records say that are kept already. */
  readonly kept?: (situation: PayoutSituation, part: PayoutPart) => Promise<Told>;
  /** The time at which the message of the step was stored; default: now. */
  readonly said?: number | undefined;
}

/** Whether a call may begin. */
export interface Gate {
  readonly may: 'pay' | 'wait' | 'cancel';
  readonly now: number;
  /** The last pause of the payer, by its `since`. */
  readonly seen?: number;
  /** The time at which to ask again; the reason is a code. */
  readonly until?: number;
  readonly reason?: string;
  /** True where whoever stores the situation wakes it: no time brings it back. */
  readonly isWoken?: boolean;
}

/** The step with what it remembers: the tokens of the attempts that this process stored and has not sent yet. */
export interface Stepper {
  readonly rules: Rules;
  readonly step: (
    world: StepContext,
    situation: PayoutSituation,
    message?: unknown,
  ) => Promise<PayoutSituation>;
  readonly onError: (error: unknown) => void;
}

/** The answer for a payer who is paused. */
export const waiting = ({ reason }: PayerBrake, now: number, until: number): Gate => ({
  may: 'wait',
  now,
  until,
  ...(reason !== null && { reason }),
});

/** Makes a step of options that are checked. */
export function stepperFrom(options: PayoutOptions): Stepper {
  const { payments, transfers, once = false } = options;
  const lookup = options.lookup ?? (transfers && ((query: TransferQuery) => transfers.find(query)));
  const rules = rulesFrom(options, lookup !== undefined);
  const tokens = new Set<string>();
  const onError = reporting(options.onError);
  const parts: StepParts = { payments, lookup, once, rules, tokens, onError };
  return { rules, onError, step: (world, situation, message) => takeStep(parts, world, situation, message) };
}

interface StepParts {
  readonly payments: PayoutClient;
  readonly lookup: TransferLookup | undefined;
  readonly once: boolean;
  readonly rules: Rules;
  readonly tokens: Set<string>;
  readonly onError: (error: unknown) => void;
}

async function takeStep(
  parts: StepParts,
  world: StepContext,
  stored: PayoutSituation,
  message: unknown,
): Promise<PayoutSituation> {
  // A later release wrote it, and knows more of it.
  if (stored.version > SITUATION_VERSION) return { ...stored, wait: Math.max(stored.wait, HELD) };
  const situation = { ...stored, news: [] };
  const now = world.now();
  if (message !== undefined) {
    const unpaid = paymentCalledUnpaid(situation, message);
    const told = unpaid && (await world.kept?.(situation, unpaid));
    return finish(situation, hear(situation, message, now, parts.rules, world.said, told), now);
  }
  const part = nextPart(situation, now);
  if (part === undefined) return finish(situation, situation, now);
  const transition = await phases[part.phase](parts, world, situation, part);
  const after = replaced(situation, part, transition);
  return finish(situation, after, world.now());
}

/** A payment that has a next step. */
type OpenPart = PayoutPart & { readonly phase: Exclude<PayoutPart['phase'], 'done'> };

const isOpen = (part: PayoutPart): part is OpenPart => part.phase !== 'done';

/** The payment whose step is due: one that is in a call comes first. */
function nextPart({ parts }: PayoutSituation, now: number): OpenPart | undefined {
  const open = parts.filter(isOpen);
  return open.find(({ phase }) => phase === 'call') ?? open.find(({ due }) => due <= now);
}

function replaced(situation: PayoutSituation, part: PayoutPart, transition: Transition): PayoutSituation {
  const [first, ...others] = transition.parts;
  const notices = [...situation.notices, ...(transition.notices ?? [])];
  const parts = situation.parts.flatMap((one) => (one === part ? transition.parts : [one]));
  if (first === undefined || others.length === 0) return { ...situation, parts, notices };
  return {
    ...situation,
    parts,
    split: [...situation.split, part.requestId],
    // A person confirms the notices of a payment, and a batch that was split is none.
    notices: notices.map((one) =>
      one.requestId === part.requestId ? { ...one, requestId: first.requestId } : one,
    ),
  };
}

type Phase = (
  parts: StepParts,
  world: StepContext,
  situation: PayoutSituation,
  part: PayoutPart,
) => Promise<Transition>;

const phases: Readonly<Record<OpenPart['phase'], Phase>> = {
  begin: async ({ rules, tokens }, world, situation, part) => {
    const gate = await world.gate(situation, part, false);
    if (gate.may !== 'pay') return { parts: [stopped(part, gate, rules)] };
    if (isInQuestion(part)) {
      const told = await askRecords(world, situation, part, rules);
      if ('until' in told) return { parts: [{ ...part, due: told.until }] };
      return applyTold(situation.order, part, told, world.now(), rules);
    }
    const token = crypto.randomUUID();
    tokens.add(token);
    return { parts: [beginAttempt(part, token, world.now(), rules)] };
  },
  call: async (stepParts, world, situation, part) => {
    const { payments, rules, tokens, once, onError } = stepParts;
    // Taken back at once: of two steps of this process, one alone calls.
    const isOurs = tokens.delete(part.token ?? '');
    if (!once && !isOurs) return { parts: [loseAttempt(part, world.now())] };
    const gate = await world.gate(situation, part, true);
    if (gate.may !== 'pay') return { parts: [stopped(part, gate, rules)] };
    // Read after the answer has come: a process may have stood still while it waited.
    const age = Math.max(gate.now, world.now()) - (part.begun ?? 0);
    const left = Math.floor(SEND_LIMIT - age);
    if (!(age >= 0 && left >= LEAST_TIME)) return { parts: [takeBackAttempt(part, gate.now)] };
    const proof = await callService(payments, part, Math.min(CALL_DEADLINE, left), onError);
    const transition = applyCall(situation, part, proof, world.now(), rules);
    await world.note(situation.order.payer, transition.effect ?? { kind: 'unclear' }, gate.seen ?? 0);
    return transition;
  },
  look: async (stepParts, world, situation, looked) => {
    const { lookup, rules, onError } = stepParts;
    const { order } = situation;
    let part = looked;
    if (isInQuestion(part)) {
      const told = await askRecords(world, situation, part, rules);
      if ('until' in told) return { parts: [{ ...part, due: told.until }] };
      const transition = applyTold(order, part, told, world.now(), rules);
      if (told.kind !== 'unknown') return transition;
      // A lookup may still find its own transfer.
      part = transition.parts[0] ?? part;
    }
    const asked = world.now();
    if (lookup === undefined) return { parts: [applySilence(part, asked, rules)] };
    try {
      const { requestId, transferId, firstBegun } = part;
      const query = {
        requestId,
        transferId: transferId ?? undefined,
        payer: order.payer,
        since: firstBegun ?? 0,
      };
      const record = await lookup(query);
      const now = world.now();
      if (record === null) return applyAbsence(order, part, asked, now, rules);
      const transition = record === undefined ? undefined : applyShown(part, record, 'lookup', now, rules);
      if (record !== undefined && transition === undefined)
        onError(new PaymentsError(NO_RECORD, { code: 'response_validation', outcome: 'unknown' }));
      return transition ?? { parts: [applySilence(part, now, rules)] };
    } catch (error) {
      onError(error);
      return { parts: [applySilence(part, world.now(), rules)] };
    }
  },
};

/** The records count once what was under way when the command was given has ended. */
async function askRecords(
  world: StepContext,
  situation: PayoutSituation,
  part: PayoutPart,
  { quiet }: Rules,
): Promise<Told | { readonly until: number }> {
  const from = quietFrom(part, quiet);
  if (world.now() < from) return { until: from };
  return (await world.told?.(situation, part)) ?? { kind: 'unknown' };
}

const NO_RECORD =
  '`lookup` returned what is no record of a transfer: it has no `transferDetails` with an `id` and a `status`, or is an error. It proves nothing: return the record as the service shows it.';

function stopped(part: PayoutPart, { may, now, until, reason, isWoken }: Gate, rules: Rules): PayoutPart {
  if (may === 'cancel') return cancelPayment(part, now, rules);
  if (isWoken) return takeBackAttempt(part, WHEN_WOKEN, reason ?? 'HELD');
  const wait = Math.max(1000, (until ?? now + HELD) - now) * (1 + rules.random() * 0.25);
  return takeBackAttempt(part, now + wait, reason ?? 'HELD');
}
