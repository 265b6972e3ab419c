import * as z from 'zod/mini';
import { lazy } from '../../shared/schema/lazy.ts';
import { object } from '../../shared/schema/object.ts';
import type { PayoutEvidence, PayoutState } from '../rules/situation.ts';
import { flag, maybeText, openText, text, time, whole } from './columns.ts';
import type { RowKind } from './query.ts';
import { brake, situation } from './stored-json.ts';

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

/** What has a name: a relation of some kind, or a type of another kind. */
export const catalogRelation = row('the catalog', () =>
  object({ schema: maybeText(), name: maybeText(), kind: maybeText(), owner: maybeText() }),
);
export const catalogColumn = row('the catalog', () =>
  object({ relation: text(), column_name: text(), type: text(), must_be_given: flag() }),
);
/** A column of a unique index. */
export const catalogUnique = row('the catalog', () =>
  object({ relation: text(), index_name: text(), column_name: text() }),
);
