import * as z from 'zod/mini';
import { firstFault } from '../../shared/schema/fault.ts';
import { lazy } from '../../shared/schema/lazy.ts';
import { object } from '../../shared/schema/object.ts';
import { of } from '../../shared/schema/of.ts';
import { oneFrom } from '../../shared/schema/option-values.ts';
import { pathText } from '../../shared/schema/path-text.ts';
import { isRecord, jsonIn } from '../../shared/values.ts';
import { noBrake, type PayerBrake } from '../rules/brake.ts';
import type { CheckedOrder } from '../rules/order.ts';
import {
  PAYOUT_STATES,
  type PayoutEvidence,
  type PayoutSituation,
  type PayoutState,
  readSituation,
  SITUATION_VERSION,
} from '../rules/situation.ts';
import type { RowKind } from './query.ts';

// The columns, in each form in which drivers give values of their types. Of a flag there is one: text is no truth.

const text = /* @__PURE__ */ lazy(() => z.string({ error: 'must be text' }));
const maybeText = /* @__PURE__ */ lazy(() => z.nullable(text()));
const flag = /* @__PURE__ */ lazy(() => z.boolean({ error: 'must be true or false' }));

/** A number, a bigint, a number as text, or a Date in place of its milliseconds. */
function numberFrom(value: unknown): number {
  if (typeof value === 'string')
    return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
  if (value instanceof Date) return value.getTime();
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

const numeric = (isRight: (value: number) => boolean, error: string) =>
  z.pipe(
    z.custom<unknown>((value) => isRight(numberFrom(value)), { error, params: { kind: 'type' } }),
    z.transform(numberFrom),
  );
const whole = /* @__PURE__ */ lazy(() => numeric(Number.isSafeInteger, 'must be a whole number'));
const time = /* @__PURE__ */ lazy(() => numeric(Number.isFinite, 'must be a number of milliseconds'));

/**
 * Text of JSON that the payouts wrote. The value is the one that was parsed, never zod's copy: an order is compared by its
 * text.
 */
const json = <T>(schema: () => z.ZodMiniType<T>, read: (text: string) => unknown = jsonIn) =>
  z.pipe(
    text(),
    z.transform((written, context): T => {
      const value = read(written);
      const { error } = schema().safeParse(value);
      if (error !== undefined) {
        const { path, why } = firstFault(error.issues);
        const place = pathText(['JSON', ...path]);
        const message = `is not what payouts store: \`${place}\` ${why}. Something else has changed it: restore the row`;
        context.issues.push({ code: 'custom', message, input: written, params: { kind: 'rule' } });
      }
      // The schema's verdict gives it its type.
      return value as T;
    }),
  );

const evidence = () => z.nullable(oneFrom<PayoutEvidence>(['response', 'event', 'lookup', 'person']));
const state = () => oneFrom(PAYOUT_STATES);
/** A word of a list to which a later release may add. */
const openText = <Word extends string>() =>
  z.custom<Word>((value) => typeof value === 'string', { error: 'must be text', params: { kind: 'type' } });
const places = () => z.array(z.number());
const reason = () => z.nullable(z.string());

const order = /* @__PURE__ */ lazy(() =>
  of<CheckedOrder>()(
    object({
      id: z.string(),
      group: z.nullable(z.string()),
      payer: z.string(),
      recipients: z.array(
        object({
          id: z.string(),
          payee: z.union([object({ userId: z.string() }), object({ walletAddress: z.string() })]),
          amount: z.string(),
        }),
      ),
      currency: z.string(),
      chain: z.string(),
      requireApproval: z.boolean(),
    }),
  ),
);

const maybeTime = () => z.nullable(z.number());

const ownSituation = /* @__PURE__ */ lazy(() =>
  of<PayoutSituation>()(
    object({
      version: z.number(),
      order: order(),
      round: z.number(),
      parts: z.array(
        object({
          requestId: z.string(),
          places: places(),
          body: z.string(),
          state: state(),
          reason: reason(),
          evidence: evidence(),
          since: z.number(),
          heard: z.number(),
          transferId: reason(),
          phase: oneFrom(['begin', 'call', 'look', 'done']),
          due: z.number(),
          token: reason(),
          begun: maybeTime(),
          firstBegun: maybeTime(),
          doubtSince: maybeTime(),
          refusedKey: z.boolean(),
          refusal: reason(),
          failures: z.number(),
          pauses: z.number(),
          looks: z.number(),
          mayHaveMoved: z.boolean(),
          others: z.array(object({ place: z.number(), state: state(), reason: z.string() })),
        }),
      ),
      split: z.array(z.string()),
      notices: z.array(
        object({ requestId: z.string(), kind: z.string(), detail: z.string(), at: z.number() }),
      ),
      news: z.array(
        object({
          place: z.number(),
          requestId: z.string(),
          from: state(),
          to: state(),
          reason: reason(),
          transferId: reason(),
        }),
      ),
      wait: z.number(),
      done: z.boolean(),
    }),
  ),
);

/** What a later release wrote is left alone: no more is read of it. */
const isOfLaterRelease = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.version === 'number' &&
  value.version > SITUATION_VERSION &&
  isRecord(value.order) &&
  typeof value.order.payer === 'string' &&
  Array.isArray(value.parts);

const situation = /* @__PURE__ */ lazy(() =>
  json(
    () =>
      z.union([
        ownSituation(),
        z.custom<PayoutSituation>(isOfLaterRelease, {
          error: 'must be a payout',
          params: { kind: 'rule' },
        }),
      ]),
    (written) => {
      try {
        return readSituation(written);
      } catch {
        return undefined;
      }
    },
  ),
);

const storedBrake = /* @__PURE__ */ lazy(() =>
  of<Partial<PayerBrake>>()(
    object({
      pausedUntil: z.optional(z.number()),
      reason: z.optional(reason()),
      pauses: z.optional(z.number()),
      refusals: z.optional(z.number()),
      since: z.optional(z.number()),
    }),
  ),
);
const brake = /* @__PURE__ */ lazy(() =>
  z.pipe(
    json(storedBrake),
    z.transform((stored): PayerBrake => ({ ...noBrake, ...stored })),
  ),
);

const row = <Row>(name: string, schema: () => z.ZodMiniType<Row>): RowKind<Row> => ({
  name,
  schema: lazy(schema),
});

/** A row that is only counted. */
export const anyRow = row('a table of payouts', () => object({ one: whole() }));
export const keyRow = row('a table of payouts', () => object({ key: text() }));
export const countRow = row('a table of payouts', () => object({ count: whole() }));
export const nowRow = row('the clock', () => object({ now: time() }));
export const idRow = row('`payout_message`', () => object({ id: text() }));
export const holdIdRow = row('`payout_hold`', () => object({ hold_id: text() }));
export const orderRow = row('`payout`', () => object({ key: text(), order_text: text() }));
export const requestRow = row('a table of payouts', () => object({ request_id: text() }));
export const payerRow = row('`payout`', () => object({ payer: text() }));
export const keyOfPayerRow = row('`payout`', () => object({ key: text(), payer: text() }));
export const nameRow = row('a list of names', () => object({ name: text() }));

export const payoutRow = row('`payout`', () =>
  object({ situation: situation(), version: whole(), job_id: text(), now: time() }),
);
export const jobRow = row('`payout`', () =>
  object({ key: text(), payer: text(), version: whole(), job_id: text() }),
);
export const gateRow = row('`payout`', () => object({ is_cancelled: flag(), is_held: flag(), now: time() }));
export const roundRow = row('`payout`', () =>
  object({
    key: text(),
    payer: text(),
    id: text(),
    round: whole(),
    order_text: text(),
    situation: situation(),
    version: whole(),
  }),
);
export const otherRoundRow = row('`payout`', () => object({ situation: situation(), is_unread: flag() }));
export const placeRow = row('`payout`', () => object({ payer: text(), group_name: maybeText(), id: text() }));
export const reviewRow = row('`payout`', () => object({ situation: situation(), problem: maybeText() }));
export const messageRow = row('`payout_message`', () => object({ id: text(), message: text() }));
export const takenRow = row('`payout_name`', () => object({ scope: text(), folded: text() }));
export const ownerRow = row('`payout_name`', () =>
  object({ scope: text(), folded: text(), name: text(), payer: maybeText() }),
);
export const brakeRow = row('`payout_payer`', () =>
  object({ payer: text(), brake: brake(), version: whole(), now: time() }),
);
export const holdRow = row('`payout_hold`', () =>
  object({
    payer: maybeText(),
    group_name: maybeText(),
    id: maybeText(),
    held_by: text(),
    reason: text(),
    at: time(),
  }),
);
export const recipientRow = row('`payout_recipient`', () =>
  object({
    key: text(),
    place: whole(),
    payer: text(),
    id: text(),
    group_name: maybeText(),
    recipient: text(),
    request_id: text(),
    amount: text(),
    currency: text(),
    state: openText<PayoutState>(),
    reason: maybeText(),
    evidence: z.nullable(openText<PayoutEvidence>()),
    transfer_id: maybeText(),
    since: time(),
  }),
);
export const summaryRow = row('`payout_recipient`', () =>
  object({
    state: openText<PayoutState>(),
    reason: maybeText(),
    currency: text(),
    recipients: whole(),
    amount: text(),
    oldest: time(),
  }),
);

/** A job of pg-boss, as its handler gets it. */
export const bossJob = row('the jobs of pg-boss', () =>
  object({ id: text(), data: object({ key: text() }) }),
);
/** A job of the repair has no data. */
export const repairJob = row('the jobs of pg-boss', () => object({ id: text() }));
export const foundJob = row('the jobs of pg-boss', () => object({ state: text() }));

/** A row of each type that the payouts read. */
export const probeRow = row('a probe', () =>
  object({
    is_held: flag(),
    is_cancelled: flag(),
    version: whole(),
    count: whole(),
    now: time(),
    job_id: text(),
    order_text: text(),
    group_name: maybeText(),
  }),
);
