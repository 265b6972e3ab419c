import * as z from 'zod/mini';
import { nearestName } from '../../shared/option-names.ts';
import { oneFrom, validDate } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { canonical, checkedInput, type InputWords, refuseInput, storedName } from '../rules/checks.ts';
import { PAYOUT_STATES, type PayoutState } from '../rules/situation.ts';
import type { Sql } from './engine.ts';
import { select } from './query.ts';
import { anyRow, keyRow, nameRow, payerRow, placeRow, requestRow } from './rows.ts';

/** What a command is about: everything, or a payer, a group, a payout, or what is in all of them. */
export interface PayoutScope {
  /** The user who pays. */
  readonly payer?: string;
  /** Your own name of a set of payouts. */
  readonly group?: string;
  /** The order, by your own name. */
  readonly id?: string;
}

/** Which recipients are listed. */
export interface PayoutFilter extends PayoutScope {
  /** One of `PAYOUT_STATES`. */
  readonly state?: PayoutState;
  /** A reason, as `summary` shows it. */
  readonly reason?: string;
}

/** Which recipients are listed, and of which time. */
export interface PayoutListFilter extends PayoutFilter {
  /** The first instant of a range: payments that were called in it, those of earlier rounds, too. */
  readonly since?: Date;
  /** The first instant after the range. */
  readonly until?: Date;
}

/** A scope as the statements read it: null for any. */
export interface CheckedScope {
  /** The user who pays, by the service's id. */
  readonly payer: string | null;
  /** Your own name of a set of payouts. */
  readonly group: string | null;
  /** The order, by your own name. */
  readonly id: string | null;
}

/** A name that is left out by mistake must not select everything: a given one may not be undefined. */
export const scopeFields = /* @__PURE__ */ lazy(() => ({
  payer: z.exactOptional(storedName()),
  group: z.exactOptional(storedName()),
  id: z.exactOptional(storedName()),
}));

const scopeSchema = /* @__PURE__ */ lazy(() => matching<PayoutScope>()(strictObject(scopeFields())));

const filterFields = /* @__PURE__ */ lazy(() => ({
  ...scopeFields(),
  state: z.optional(oneFrom(PAYOUT_STATES)),
  reason: z.optional(storedName()),
}));

const filterSchema = /* @__PURE__ */ lazy(() => matching<PayoutFilter>()(strictObject(filterFields())));

const listFilterSchema = /* @__PURE__ */ lazy(() =>
  matching<PayoutListFilter>()(
    strictObject({ ...filterFields(), since: z.optional(validDate()), until: z.optional(validDate()) }),
  ),
);

const hints = { month: '`group`', employee: '`id`' };
const scopeWords: InputWords = { subject: 'The scope', hints, end: ' Nothing was changed.' };

/** Checks the scope of a command. */
export const checkScope = (scope: PayoutScope): CheckedScope =>
  scopeFrom(checkedInput(scopeSchema(), scope, scopeWords));

export const scopeFrom = ({ payer, group, id }: PayoutScope): CheckedScope => ({
  payer: nameFrom(payer),
  group: nameFrom(group),
  id: nameFrom(id),
});

const nameFrom = (name: string | undefined): string | null => (name === undefined ? null : canonical(name));

/** A filter as the statements read it. */
export type CheckedFilter = CheckedScope & { readonly state: string | null; readonly reason: string | null };

export const checkFilter = (given: PayoutFilter = {}): CheckedFilter =>
  filterFrom(checkedInput(filterSchema(), given, filterWords));

export const filterWords: InputWords = { subject: 'The filter', hints };

const filterFrom = (filter: PayoutFilter): CheckedFilter => ({
  ...scopeFrom(filter),
  state: filter.state ?? null,
  reason: nameFrom(filter.reason),
});

/** The same of a list. Times are in milliseconds since 1970. */
export function checkListFilter(
  given: PayoutListFilter = {},
): CheckedFilter & { readonly since: number | null; readonly until: number | null } {
  const filter = checkedInput(listFilterSchema(), given, filterWords);
  return { ...filterFrom(filter), ...timesFrom(filter) };
}

/** A range of time as the statements read it. */
export function timesFrom({
  since,
  until,
}: {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}) {
  if (since !== undefined && until !== undefined && !(since < until))
    refuseInput('The filter: `until` must be later than `since`.');
  return { since: since?.getTime() ?? null, until: until?.getTime() ?? null };
}

/** The condition under which a row of `payout` or `payout_recipient` is in a scope: its values are $1 to $3. */
export const IN_SCOPE =
  '($1::text is null or payer = $1) and ($2::text is null or group_name = $2) and ($3::text is null or id = $3)';

/**
 * The condition under which a hold or a command may be about what is in a scope: one about everything is about each payer.
 * Which groups an id has been in is not asked.
 */
export const MAY_BE_ABOUT = `($1::text is null or payer is null or payer = $1)
  and ($2::text is null or group_name is null or group_name = $2) and ($3::text is null or id is null or id = $3)`;

export const scopeValues = ({ payer, group, id }: CheckedScope): (string | null)[] => [payer, group, id];

/**
 * Refuses a scope that no payout has, with the nearest name: a stop that stops nothing must not look like one. An id is unique
 * for its payer alone.
 */
export async function refuseEmpty(sql: Sql, scope: CheckedScope): Promise<void> {
  if (scope.id !== null && scope.payer === null) {
    const payers = await select(
      sql,
      payerRow,
      `select distinct payer from payout where ${IN_SCOPE} limit 2`,
      scopeValues(scope),
    );
    if (payers.length > 1)
      refuseInput(
        `Several payers have a payout ${JSON.stringify(scope.id)}: name the payer, too. Nothing was changed.`,
      );
  }
  const rows = await select(
    sql,
    anyRow,
    `select 1 as one from payout where ${IN_SCOPE} limit 1`,
    scopeValues(scope),
  );
  if (rows.length > 0 || (scope.payer ?? scope.group ?? scope.id) === null) return;
  const archived = await select(
    sql,
    anyRow,
    `select 1 as one from payout_archive where ${IN_SCOPE} limit 1`,
    scopeValues(scope),
  );
  if (archived.length > 0)
    refuseInput('All payouts of the scope are archived: each of them is final. Nothing was changed.');
  for (const [name, column, value] of [
    ['payer', 'payer', scope.payer],
    ['group', 'group_name', scope.group],
    ['id', 'id', scope.id],
  ] as const) {
    if (value === null) continue;
    const known = await select(
      sql,
      nameRow,
      `select distinct ${column} as name from payout where ${column} is not null order by name limit 10000`,
    );
    const names = known.map((one) => one.name);
    if (names.includes(value)) continue;
    const meant = nearestName(value, names);
    const advice = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
    refuseInput(`No payout has the ${name} ${JSON.stringify(value)}.${advice} Nothing was changed.`);
  }
  const nearest = await select(
    sql,
    placeRow,
    `select payer, group_name, id from payout where case when $2::text is null then group_name = $1 else id = $2 end
     order by payer, id limit 1`,
    [scope.group, scope.id],
  );
  const [one] = nearest;
  const advice =
    one === undefined
      ? ''
      : ` The nearest is payout ${JSON.stringify(one.id)} of payer ${JSON.stringify(one.payer)}${one.group_name === null ? '' : ` in group ${JSON.stringify(one.group_name)}`}.`;
  refuseInput(`No payout has all of these.${advice} Nothing was changed.`);
}

/** Refuses a key that no payment has, with the nearest: that of a payout whose own name was given, or one that is alike. */
export async function refuseUnknownPayment(sql: Sql, requestId: string): Promise<never> {
  const named = await select(
    sql,
    keyRow,
    'select key from payout where id = $1 order by round desc limit 1',
    [requestId],
  );
  const known = await select(
    sql,
    requestRow,
    'select request_id from payout_request order by request_id limit 10000',
  );
  const [own] = named;
  const meant = nearestName(
    requestId,
    known.map((one) => one.request_id),
  );
  const shown = JSON.stringify(requestId);
  const advice =
    own !== undefined
      ? ` The payment of payout ${shown} is ${JSON.stringify(own.key)}.`
      : meant !== undefined
        ? ` Did you mean ${JSON.stringify(meant)}?`
        : ' `review` and `list` show them.';
  refuseInput(`No payment has the requestId ${shown}.${advice} Nothing was changed.`);
}
