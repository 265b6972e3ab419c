import * as z from 'zod/mini';
import { lazy, looseObject } from '../../shared/schema/schema.ts';
import type { PayoutEvidence, PayoutState } from '../rules/situation.ts';
import { flag, json, maybeText, openText, text, time, whole } from './columns.ts';
import type { CommandKind } from './command-kinds.ts';
import type { RowKind } from './query.ts';
import { brake, record, situation } from './stored-json.ts';

const row = <Row>(name: string, schema: () => z.ZodMiniType<Row>): RowKind<Row> => ({
  name,
  schema: lazy(schema),
});

/** A row that is only counted. */
export const anyRow = row('a table of payouts', () => looseObject({ one: whole() }));
export const keyRow = row('a table of payouts', () => looseObject({ key: text() }));
export const countRow = row('a table of payouts', () => looseObject({ count: whole() }));
export const nowRow = row('the clock', () => looseObject({ now: time() }));
export const schemaRow = row('the connection', () => looseObject({ schema: maybeText() }));
export const versionRow = row('`payout_migration`', () => looseObject({ version: whole() }));
export const idRow = row('`payout_message`', () => looseObject({ id: text() }));
export const holdIdRow = row('`payout_hold`', () => looseObject({ hold_id: text() }));
export const orderRow = row('`payout`', () => looseObject({ key: text(), order_text: text() }));
export const requestRow = row('a table of payouts', () => looseObject({ request_id: text() }));
export const payerRow = row('`payout`', () => looseObject({ payer: text() }));
export const keyOfPayerRow = row('`payout`', () => looseObject({ key: text(), payer: text() }));
export const nameRow = row('a list of names', () => looseObject({ name: text() }));

/** Unread messages: the id, the text and the time of each. */
const messages = () => json(() => z.array(z.tuple([z.string(), z.string(), z.number()])));

/** What is asked in the transaction that stores a step. */
export const besideRow = row('a table of payouts', () =>
  looseObject({
    is_unread: flag(),
    is_early: flag(),
    brake: z.nullable(brake()),
    brake_version: z.nullable(whole()),
  }),
);

/** What speaks against a call. */
const gateColumns = () => ({
  is_cancelled: flag(),
  is_held: flag(),
  hold_id: maybeText(),
  brake: z.nullable(brake()),
  brake_version: z.nullable(whole()),
});

/** The last command `restored`, and that which the row knows. */
const commandColumns = () => ({
  restored: whole(),
  command: z.nullable(whole()),
  command_at: z.nullable(time()),
  command_since: z.nullable(time()),
});

export const payoutRow = row('`payout`', () =>
  looseObject({
    situation: situation(),
    version: whole(),
    job_id: text(),
    waits_for: maybeText(),
    unread: z.nullable(messages()),
    ...gateColumns(),
    ...commandColumns(),
    now: time(),
  }),
);
/** A row that was woken, with its new job. */
export const wokenRow = row('`payout`', () => looseObject({ key: text(), payer: text(), job_id: text() }));
export const jobRow = row('`payout`', () =>
  looseObject({ key: text(), payer: text(), version: whole(), job_id: text(), now: time() }),
);
export const gateRow = row('`payout`', () =>
  looseObject({
    ...gateColumns(),
    version: whole(),
    command: whole(),
    system_identifier: maybeText(),
    timeline: maybeText(),
    known_identifier: maybeText(),
    known_timeline: maybeText(),
    now: time(),
  }),
);
export const roundRow = row('`payout`', () =>
  looseObject({
    key: text(),
    payer: text(),
    id: text(),
    round: whole(),
    order_text: text(),
    situation: situation(),
    version: whole(),
    is_archived: flag(),
  }),
);
export const otherRoundRow = row('`payout`', () =>
  looseObject({ situation: situation(), is_unread: flag() }),
);
export const placeRow = row('`payout`', () =>
  looseObject({ payer: text(), group_name: maybeText(), id: text() }),
);
export const orderNameRow = row('`payout_recipient`', () => looseObject({ payer: text(), id: text() }));
export const groupRow = row('`payout_recipient`', () => looseObject({ group_name: text(), payer: text() }));
export const groupedOrderRow = row('`payout_recipient`', () =>
  looseObject({ group_name: text(), payer: text(), id: text() }),
);
export const archivableRow = row('`payout`', () =>
  looseObject({ key: text(), version: whole(), payer: text(), id: text(), may_go: flag() }),
);
export const situationRow = row('`payout`', () => looseObject({ key: text(), situation: situation() }));
export const reviewRow = row('`payout`', () =>
  looseObject({
    payer: text(),
    id: text(),
    round: whole(),
    situation: situation(),
    problem: maybeText(),
    ...commandColumns(),
  }),
);
export const reviewCountRow = row('`payout`', () =>
  looseObject({ undecided: whole(), notice: whole(), problem: whole(), hold: whole() }),
);
export const takenRow = row('`payout_name`', () => looseObject({ scope: text(), folded: text() }));
export const ownerRow = row('`payout_name`', () =>
  looseObject({ scope: text(), folded: text(), name: text(), payer: maybeText() }),
);
export const brakeRow = row('`payout_payer`', () =>
  looseObject({ payer: text(), brake: brake(), version: whole(), now: time() }),
);
/** A payer whose job is late. */
export const lateWakeRow = row('`payout_payer`', () =>
  looseObject({ payer: text(), job_id: text(), now: time() }),
);
/** A payer with the job that wakes the payouts which wait for the payer. */
export const wakeRow = row('`payout_payer`', () =>
  looseObject({ payer: text(), brake: brake(), job_id: maybeText(), now: time() }),
);
export const holdRow = row('`payout_hold`', () =>
  looseObject({
    hold_id: text(),
    payer: maybeText(),
    group_name: maybeText(),
    id: maybeText(),
    held_by: text(),
    reason: text(),
    at: time(),
  }),
);
export const commandRow = row('`payout_command`', () =>
  looseObject({
    command_id: text(),
    at: time(),
    kind: openText<CommandKind>(),
    decided_by: text(),
    reason: maybeText(),
    payer: maybeText(),
    group_name: maybeText(),
    id: maybeText(),
    request_id: maybeText(),
    state: z.nullable(openText<PayoutState>()),
    transfer_id: maybeText(),
    new_request_id: maybeText(),
  }),
);
export const recipientRow = row('`payout_recipient`', () =>
  looseObject({
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
export const listedPayoutRow = row('`payout`', () =>
  looseObject({ key: text(), situation: situation(), created_at: time() }),
);
export const summaryRow = row('`payout_recipient`', () =>
  looseObject({
    state: openText<PayoutState>(),
    reason: maybeText(),
    currency: text(),
    recipients: whole(),
    amount: text(),
    oldest: time(),
  }),
);

export const identityRow = row('the connection', () =>
  looseObject({ system_identifier: maybeText(), timeline: maybeText() }),
);
export const restoredRow = row('`payout_restored`', () =>
  looseObject({ number: whole(), since: time(), system_identifier: maybeText(), timeline: maybeText() }),
);
export const momentRow = row('a table of payouts', () => looseObject({ at: z.nullable(time()) }));
export const walkRow = row('`payout_walk`', () =>
  looseObject({ is_over: flag(), is_whole: flag(), has_unknown: flag() }),
);
export const keptRow = row('`payout_record`', () =>
  looseObject({ transfer_id: text(), request_id: text(), record: record() }),
);
export const knownPaymentRow = row('`payout`', () =>
  looseObject({ request_id: text(), situation: situation(), now: time() }),
);

/** A job of pg-boss, as its handler gets it: it looks at a payout. */
export const bossJob = row('the jobs of pg-boss', () =>
  looseObject({ id: text(), data: looseObject({ key: text() }) }),
);
/** A job that looks at a payer. */
export const payerJob = row('the jobs of pg-boss', () =>
  looseObject({ id: text(), data: looseObject({ payer: text() }) }),
);
export const foundJob = row('the jobs of pg-boss', () =>
  looseObject({
    state: text(),
    startedOn: z.nullish(time()),
    expireInSeconds: z.nullish(whole()),
    heartbeatOn: z.nullish(time()),
    heartbeatSeconds: z.nullish(whole()),
  }),
);

/** A row of each type that the payouts read. */
export const probeRow = row('a probe', () =>
  looseObject({
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
  looseObject({ schema: maybeText(), name: maybeText(), kind: maybeText(), owner: maybeText() }),
);
export const catalogColumn = row('the catalog', () =>
  looseObject({ relation: text(), column_name: text(), type: text(), must_be_given: flag() }),
);
/** A column of a unique index. */
export const catalogUnique = row('the catalog', () =>
  looseObject({ relation: text(), index_name: text(), column_name: text() }),
);
