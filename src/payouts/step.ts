import * as z from 'zod/mini';
import type { PaymentsClient, TransferList, TransferQuery } from '../client/index.ts';
import { PaymentsError } from '../shared/errors/index.ts';
import { functionOf } from '../shared/schema/option-values.ts';
import { flag, lazy, matching, strictObject } from '../shared/schema/schema.ts';
import { isRecord } from '../shared/values.ts';
import { type PaymentBody, readBody } from './rules/body.ts';
import { afterCall, mayCallFor, noBrake, type PayerBrake, type PayerEffect } from './rules/brake.ts';
import { type CallProof, proofOfError, proofOfRecord } from './rules/call-proof.ts';
import { checkedSettings } from './rules/checks.ts';
import { hear, type PayoutMessage, seeShown } from './rules/hear.ts';
import type { CheckedOrder } from './rules/order.ts';
import type { TransferRecord } from './rules/record.ts';
import { type RuleOptions, type Rules, ruleFields, rulesFrom } from './rules/rules.ts';
import {
  type Sight,
  seeAbsence,
  seeBegin,
  seeCall,
  seeCancel,
  seeLost,
  seeNothing,
  seeNotSent,
} from './rules/see.ts';
import {
  finish,
  type PayoutPart,
  type PayoutSituation,
  SEND_LIMIT,
  SITUATION_VERSION,
} from './rules/situation.ts';

/**
 * Reads a transfer from the service. Resolves with null only where the service says that there is none. Resolves with
 * undefined, or throws, where the service does not say.
 */
export type TransferLookup = (query: TransferQuery) => PromiseLike<TransferRecord | null | undefined>;

/** The part of a `PaymentsClient` that pays. */
export type PayoutClient = Pick<PaymentsClient, 'transfers'>;

/** The parts and limits of payouts. */
export interface PayoutOptions extends RuleOptions {
  /** The client. Its `retries` do not matter: each retry is a step. */
  readonly payments: PayoutClient;
  /** The service's list of transfers, made by `transfersFrom`. It turns doubts into evidence: it is the `lookup`, too. */
  readonly transfers?: TransferList<TransferRecord>;
  /** Looks a transfer up in another way, where the service has such an operation. */
  readonly lookup?: TransferLookup;
  /**
   * Asked before each attempt is stored, and again before it is sent: your own holds. `wait` asks again in a minute; `cancel`
   * ends the payout, or leaves it `undecided` if an earlier attempt is in doubt.
   */
  readonly mayCall?: (order: CheckedOrder, requestId: string) => Promise<'pay' | 'wait' | 'cancel'>;
  /** Called with each failure that is no evidence, such as one of `lookup`. Default: `console.error` of its name. */
  readonly onError?: (error: unknown) => void;
  /**
   * True only if the engine gives each step to one process once, and calls `callLost` after a step that failed, such as a
   * Temporal activity with one attempt. Default false: then the step itself notices a call that nobody knows of.
   */
  readonly once?: boolean;
}

/** Takes a payout a step further. */
export type PayoutStep = (situation: PayoutSituation, message?: PayoutMessage) => Promise<PayoutSituation>;

const isTransferList = (value: unknown): boolean =>
  isRecord(value) && typeof value.find === 'function' && typeof value.between === 'function';

const isClient = (value: unknown): boolean =>
  isRecord(value) && isRecord(value.transfers) && typeof value.transfers.create === 'function';

/** The fields of the schema of options that contain those of a step, but for `once`. */
export const stepFields = /* @__PURE__ */ lazy(() => ({
  ...ruleFields(),
  payments: z.custom<PayoutClient>(isClient, {
    error: 'must be a PaymentsClient',
    params: { kind: 'type' },
  }),
  transfers: z.optional(
    z.custom<TransferList<TransferRecord>>(isTransferList, {
      error: 'must be what `transfersFrom` returns',
      params: { kind: 'type' },
    }),
  ),
  lookup: z.optional(functionOf<TransferLookup>()),
  mayCall: z.optional(functionOf<NonNullable<PayoutOptions['mayCall']>>()),
  onError: z.optional(functionOf<NonNullable<PayoutOptions['onError']>>()),
}));

const stepOptions = /* @__PURE__ */ lazy(() =>
  matching<PayoutOptions>()(strictObject({ ...stepFields(), once: z.optional(flag()) })),
);

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

/**
 * Makes the function that takes a payout a step further. All rules are inside, and nothing but this function calls the
 * service. Store each result before you call it again. Pauses and counts of payers are those of this process:
 * a payer that `maxRefusals` stops waits until it ends. `payoutsOnPgBoss` keeps them in the database.
 *
 * @param options - The client, the lookup and the limits.
 * @throws ConfigurationError when an option is out of its limits.
 * @example
 * ```ts
 * import { drivePayout, payoutSteps } from 'stablecoin-payments/payouts';
 *
 * const step = payoutSteps({ payments, lookup });
 * await drivePayout({ advance: (situation, message) => engine.run(() => step(situation, message)), waitFor }, order);
 * ```
 */
export function payoutSteps(options: PayoutOptions): PayoutStep {
  const checked = checkedSettings(stepOptions(), options, 'The options of `payoutSteps`');
  const stepper = stepperFrom(checked);
  const { mayCall } = checked;
  const brakes = new Map<string, PayerBrake>();
  const held = new Set<string>();
  const world: StepContext = {
    now: Date.now,
    gate: async ({ order }, part, isCall) => {
      const may = (await mayCall?.(order, part.requestId)) ?? 'pay';
      const now = Date.now();
      if (may !== 'pay') return { may, now };
      if (held.has(order.payer)) return { may: 'wait', now, reason: 'TOO_MANY_REFUSALS' };
      const brake = brakes.get(order.payer) ?? noBrake;
      const verdict = mayCallFor(brake, now);
      const seen = brake.since;
      if (verdict === 'pay') return { may, now, seen };
      if ('waitUntil' in verdict) return waiting(brake, now, verdict.waitUntil);
      if (isCall) brakes.set(order.payer, verdict.take);
      return { may, now, seen };
    },
    note: async (payer, effect, seen) => {
      const brakeBefore = brakes.get(payer) ?? noBrake;
      const { brake, isHeld } = afterCall(brakeBefore, effect, seen, Date.now(), stepper.rules);
      brakes.set(payer, brake);
      if (isHeld) held.add(payer);
    },
  };
  return (situation, message) => stepper.step(world, situation, message);
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
  if (message !== undefined) return finish(situation, hear(situation, message, now, parts.rules), now);
  const part = nextPart(situation, now);
  if (part === undefined) return finish(situation, situation, now);
  const sight = await phases[part.phase](parts, world, situation, part);
  const after = replaced(situation, part, sight);
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

function replaced(situation: PayoutSituation, part: PayoutPart, sight: Sight): PayoutSituation {
  const isSplit = sight.parts.length > 1;
  return {
    ...situation,
    parts: situation.parts.flatMap((one) => (one === part ? sight.parts : [one])),
    split: isSplit ? [...situation.split, part.requestId] : situation.split,
    notices: [...situation.notices, ...(sight.notices ?? [])],
  };
}

type Phase = (
  parts: StepParts,
  world: StepContext,
  situation: PayoutSituation,
  part: PayoutPart,
) => Promise<Sight>;

const phases: Readonly<Record<OpenPart['phase'], Phase>> = {
  begin: async ({ rules, tokens }, world, situation, part) => {
    const gate = await world.gate(situation, part, false);
    if (gate.may !== 'pay') return { parts: [stopped(part, gate, rules)] };
    const token = crypto.randomUUID();
    tokens.add(token);
    return { parts: [seeBegin(part, token, world.now(), rules)] };
  },
  call: async (stepParts, world, situation, part) => {
    const { rules, tokens, once } = stepParts;
    // Taken back at once: of two steps of this process, one alone calls.
    const isOurs = tokens.delete(part.token ?? '');
    if (!once && !isOurs) return { parts: [seeLost(part, world.now())] };
    const gate = await world.gate(situation, part, true);
    if (gate.may !== 'pay') return { parts: [stopped(part, gate, rules)] };
    // Read after the answer has come: a process may have stood still while it waited.
    const age = Math.max(gate.now, world.now()) - (part.begun ?? 0);
    const left = Math.floor(SEND_LIMIT - age);
    if (!(age >= 0 && left >= LEAST_TIME)) return { parts: [seeNotSent(part, gate.now)] };
    const proof = await callService(stepParts, part, Math.min(CALL_DEADLINE, left));
    const sight = seeCall(situation, part, proof, world.now(), rules);
    await world.note(situation.order.payer, sight.effect ?? { kind: 'unclear' }, gate.seen ?? 0);
    return sight;
  },
  look: async (stepParts, world, { order }, part) => {
    const { lookup, rules, onError } = stepParts;
    const asked = world.now();
    if (lookup === undefined) return { parts: [seeNothing(part, asked, rules)] };
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
      if (record === null) return seeAbsence(order, part, asked, now, rules);
      const sight = record === undefined ? undefined : seeShown(part, record, 'lookup', now, rules);
      if (record !== undefined && sight === undefined)
        onError(new PaymentsError(NO_RECORD, { code: 'response_validation', outcome: 'unknown' }));
      return sight ?? { parts: [seeNothing(part, now, rules)] };
    } catch (error) {
      onError(error);
      return { parts: [seeNothing(part, world.now(), rules)] };
    }
  },
};

const NO_RECORD =
  '`lookup` returned what is no record of a transfer: it has no `transferDetails` with an `id` and a `status`, or is an error. It proves nothing: return the record as the service shows it.';

function stopped(part: PayoutPart, { may, now, until, reason }: Gate, rules: Rules): PayoutPart {
  if (may === 'cancel') return seeCancel(part, now, rules);
  const wait = Math.max(1000, (until ?? now + HELD) - now) * (1 + rules.random() * 0.25);
  return seeNotSent(part, now + wait, reason ?? 'HELD');
}

/** Calls the service once. The stored text is what every attempt sends. */
async function callService(
  { payments, onError }: StepParts,
  part: PayoutPart,
  deadline: number,
): Promise<CallProof> {
  const body = readBody(part.body);
  if (body === undefined) return { kind: 'refused', reason: 'BODY_NOT_READABLE' };
  const options = { retries: 0, deadline, ...(part.doubtSince !== null && { inDoubt: true }) };
  try {
    return proofOfRecord(await send(payments, body, options), body, part.places);
  } catch (error) {
    const proof = proofOfError(error, body, part.places);
    if (proof.kind === 'open' && proof.reason === 'CALL_FAILED') onError(error);
    return proof;
  }
}

type CallOptions = Parameters<PayoutClient['transfers']['create']>[1];
type SingleParams = Parameters<PayoutClient['transfers']['create']>[0];
type BatchParams = Parameters<PayoutClient['transfers']['createBatch']>[0];

const send = (
  { transfers }: PayoutClient,
  body: PaymentBody,
  options: CallOptions,
): PromiseLike<TransferRecord> =>
  isBatch(body) ? transfers.createBatch(body, options) : transfers.create(toSingle(body), options);

const isBatch = (body: PaymentBody): body is PaymentBody & BatchParams => 'batch' in body.destination;

const toSingle = (body: PaymentBody): PaymentBody & SingleParams => {
  if (!isSingle(body)) throw new TypeError('The stored body is neither a transfer nor a batch.');
  return body;
};

const isSingle = (body: PaymentBody): body is PaymentBody & SingleParams =>
  !('batch' in body.destination) && body.amount !== undefined;

/** One that throws must not end the step. */
const reporting =
  (report: (error: unknown) => void = (error) => console.error('payouts:', nameAndCode(error))) =>
  (error: unknown): void => {
    try {
      report(error);
    } catch (thrown) {
      console.error('payouts: onError threw', nameAndCode(thrown));
    }
  };

/** The name and the code: a message from outside may contain what must not be printed. */
function nameAndCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}

/**
 * Returns the situation after a step that failed in an engine that gives it to one process once: nobody knows what became of
 * the call. A pure function.
 *
 * @param situation - The situation that the failed step was given.
 * @example
 * ```ts
 * import { callLost } from 'stablecoin-payments/payouts';
 *
 * const advance = (situation, message) => activity.step(situation, message).catch(() => callLost(situation));
 * ```
 */
export const callLost = (situation: PayoutSituation): PayoutSituation => ({
  ...situation,
  parts: situation.parts.map((part) =>
    part.phase === 'call' ? seeLost(part, part.begun ?? part.due) : part,
  ),
  // The step before has told them.
  news: [],
  wait: 0,
});
