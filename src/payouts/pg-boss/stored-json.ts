import * as z from 'zod/mini';
import { oneFrom } from '../../shared/schema/option-values.ts';
import { lazy, looseObject, matching } from '../../shared/schema/schema.ts';
import { isRecord } from '../../shared/values.ts';
import { noBrake, type PayerBrake } from '../rules/brake.ts';
import type { CheckedOrder } from '../rules/order.ts';
import type { TransferRecord } from '../rules/record.ts';
import {
  PAYOUT_STATES,
  type PayoutEvidence,
  type PayoutSituation,
  readSituation,
  SITUATION_VERSION,
} from '../rules/situation.ts';
import { json } from './columns.ts';

// What the payouts store as text of JSON.

const evidence = () => z.nullable(oneFrom<PayoutEvidence>(['response', 'event', 'lookup', 'person']));
const state = () => oneFrom(PAYOUT_STATES);
const places = () => z.array(z.number());
const reason = () => z.nullable(z.string());

const order = /* @__PURE__ */ lazy(() =>
  matching<CheckedOrder>()(
    looseObject({
      id: z.string(),
      group: z.nullable(z.string()),
      payer: z.string(),
      recipients: z.array(
        looseObject({
          id: z.string(),
          payee: z.union([looseObject({ userId: z.string() }), looseObject({ walletAddress: z.string() })]),
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
  matching<PayoutSituation>()(
    looseObject({
      version: z.number(),
      order: order(),
      round: z.number(),
      parts: z.array(
        looseObject({
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
          others: z.array(looseObject({ place: z.number(), state: state(), reason: z.string() })),
          wentBack: z.optional(z.number()),
        }),
      ),
      split: z.array(z.string()),
      notices: z.array(
        looseObject({ requestId: z.string(), kind: z.string(), detail: z.string(), at: z.number() }),
      ),
      news: z.array(
        looseObject({
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

/** The column with the situation of a payout. */
export const situation = /* @__PURE__ */ lazy(() =>
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

/** The column with a record of a transfer. */
export const record = /* @__PURE__ */ lazy(() =>
  json(() =>
    matching<TransferRecord>()(
      looseObject({ transferType: z.optional(z.unknown()), transferDetails: z.optional(z.unknown()) }),
    ),
  ),
);

const storedBrake = /* @__PURE__ */ lazy(() =>
  matching<Partial<PayerBrake>>()(
    looseObject({
      pausedUntil: z.optional(z.number()),
      reason: z.optional(reason()),
      pauses: z.optional(z.number()),
      trialUntil: z.optional(z.number()),
      refusals: z.optional(z.number()),
      since: z.optional(z.number()),
      pace: z.optional(z.number()),
      next: z.optional(z.number()),
    }),
  ),
);
/** The column with the brake of a payer. */
export const brake = /* @__PURE__ */ lazy(() =>
  z.pipe(
    json(storedBrake),
    z.transform((stored): PayerBrake => ({ ...noBrake, ...stored })),
  ),
);
