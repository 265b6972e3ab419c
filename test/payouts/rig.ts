import type { PayoutMessage, PayoutOptions, PayoutOrder, PayoutSituation } from '../../src/payouts/index.ts';
import { beginPayout, checkPayouts } from '../../src/payouts/index.ts';
import type { PayerEffect } from '../../src/payouts/rules/brake.ts';
import type { Told } from '../../src/payouts/rules/went-back.ts';
import { type Gate, type StepContext, stepperFrom } from '../../src/payouts/step.ts';
import {
  APIError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
} from '../../src/shared/errors/index.ts';

export const START = 1_800_000_000_000;
export const MINUTE = 60_000;

/** What the service answers to a call: a record, or an error. */
export type Answer = { readonly record: object } | { readonly error: unknown };

/** A call as the client got it. */
interface Called {
  readonly body: Record<string, unknown>;
  readonly options: { readonly inDoubt?: boolean; readonly retries?: number; readonly deadline?: number };
}

export interface Rig {
  readonly calls: Called[];
  readonly errors: unknown[];
  readonly effects: PayerEffect[];
  situation: PayoutSituation;
  now: number;
  gate: Omit<Gate, 'now'>;
  /** What the records of the payer say of a payment in question. */
  told: Told | { readonly until: number } | undefined;
  /** What is kept of them. */
  kept: StepContext['kept'];
  /** Takes one step. Without `knows`, the step is taken by a process that began nothing. */
  step(message?: PayoutMessage, process?: 'another'): Promise<PayoutSituation>;
  /** Takes steps until the payout waits, or is done. */
  settle(): Promise<PayoutSituation>;
  /** The state and the reason of each payment. */
  states(): string[];
}

export interface RigOptions extends Partial<Omit<PayoutOptions, 'payments'>> {
  readonly order?: Partial<PayoutOrder>;
  /** The answers, in their order, of which the last one comes again; or what the service makes of a body. */
  readonly answers?: readonly Answer[] | ((body: Called['body']) => Answer);
}

export const order = (more: Partial<PayoutOrder> = {}): PayoutOrder => ({
  id: 'O-1',
  payer: 'payer',
  recipients: [{ userId: 'payee', amount: '25.50' }],
  currency: 'usdc',
  chain: 'POLYGON',
  ...more,
});

/** Takes steps of one payout without an engine, with a clock of its own. */
export function rigOf({ order: more = {}, answers = [{ error: lost() }], ...options }: RigOptions = {}): Rig {
  const [checked] = checkPayouts([order(more)]);
  if (checked === undefined) throw new Error('no order');
  const calls: Called[] = [];
  const errors: unknown[] = [];
  const create = async (body: Called['body'], given: Called['options']): Promise<object> => {
    calls.push({ body, options: given });
    const answer =
      typeof answers === 'function' ? answers(body) : answers[Math.min(calls.length, answers.length) - 1];
    if (answer === undefined || 'error' in answer) throw answer?.error;
    return answer.record;
  };
  const given = {
    payments: { transfers: { create, createBatch: create } },
    onError: (error: unknown) => errors.push(error),
    ...options,
  };
  // The client is a model of the real one: it has what a step reads of it.
  const make = () => stepperFrom(given as unknown as PayoutOptions);
  const stepper = make();
  const rig: Rig = {
    calls,
    errors,
    effects: [],
    situation: beginPayout(checked, { now: START }),
    now: START,
    gate: { may: 'pay' },
    told: undefined,
    kept: undefined,
    async step(message, process) {
      const world: StepContext = {
        now: () => rig.now,
        gate: async () => ({ ...rig.gate, now: rig.now }),
        ...(rig.told !== undefined && { told: async () => rig.told ?? { kind: 'unknown' } }),
        ...(rig.kept !== undefined && { kept: rig.kept }),
        note: async (_payer, effect) => void (effect.kind !== 'unclear' && rig.effects.push(effect)),
      };
      const by = process === 'another' ? make() : stepper;
      // What is stored is text.
      rig.situation = JSON.parse(JSON.stringify(await by.step(world, rig.situation, message)));
      return rig.situation;
    },
    async settle() {
      for (let turn = 0; turn < 60; turn += 1) {
        await rig.step();
        if (rig.situation.done || rig.situation.wait > 0) break;
      }
      return rig.situation;
    },
    states: () => rig.situation.parts.map(({ state, reason }) => `${state} ${reason ?? '-'}`),
  };
  return rig;
}

export const record = (status: string, more: object = {}): { readonly record: object } => ({
  record: { transferType: 'WALLET.TRANSFER', transferDetails: { id: 't1', status, ...more } },
});
export const lost = () => new ConnectionError('reset', { outcome: 'unknown' });
export const notSent = () => new ConnectionError('refused', { outcome: 'not-sent' });
export const invalid = () => new InvalidRequestError('a field', { field: 'amount' });
export const known = () =>
  new ConflictError('known', {
    ...details(409, 'TRANSACTION_REQUEST_ALREADY_EXISTS'),
    code: 'request_id_known',
    outcome: 'unknown',
  });
export const refusal = (
  status: number,
  name?: string,
  more: {
    readonly outcome?: 'rejected' | 'unknown';
    readonly retryAfter?: number;
    readonly body?: unknown;
  } = {},
) => new APIError('refused', { ...details(status, name), outcome: 'rejected', ...more });

const details = (status: number, name?: string) => ({
  status,
  headers: new Headers(),
  body: { error: name },
  service: name === undefined ? {} : { error: name },
});
