import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import { canonical, checkMonth, checkRequestId, checkState, refuse } from '../rules/checks.ts';
import type { PayoutState } from '../rules/payment.ts';

/** The payouts that are held, resumed or cancelled: all of them, a payer's, a month's, an employee's or a payment's. */
export interface PayoutScope {
  /** The user who pays, by the service's id. Default: all payers of these payouts. */
  readonly payer?: string;
  /** The month of the payroll, `YYYY-MM`. Default: all months. */
  readonly month?: string;
  /** Your id of the employee. A payout of a batch holds its batch. */
  readonly employee?: string;
  /** The idempotency key of a payment. */
  readonly requestId?: string;
}

/** The payouts to hold or to cancel, and the person who decides it. */
export interface PayoutDecision extends PayoutScope {
  /** The name of the person who decides. Default `unknown`. */
  readonly by?: string;
  /** Stored with the decision. */
  readonly reason?: string;
}

/** A filter for the payouts of a decision. All fields that are given must fit. An employee is one payout of a batch. */
export interface PayoutFilter extends PayoutScope {
  /** One of `PAYOUT_STATES`. */
  readonly state?: PayoutState;
  /** The whole reason, as `payouts.list` shows it. */
  readonly reason?: string;
}

const scopeNames = { payer: true, month: true, employee: true, requestId: true } as const;
const decisionNames: OptionNames<PayoutDecision> = { ...scopeNames, by: true, reason: true };
const filterNames: OptionNames<PayoutFilter> = { ...scopeNames, state: true, reason: true };

/** Refuses a decision. */
export function refuseDecision(problem: string): never {
  refuse(`${problem} Nothing was changed.`);
}

/** Checked values for a statement. Null fits every payment. */
export interface Selection {
  readonly payers: readonly string[];
  readonly month: string | null;
  readonly employee: string | null;
  readonly requestId: string | null;
  /** True if `requestId` selects the payments, too, that took over its payouts under keys of their own. */
  readonly isScope: boolean;
  readonly state: string | null;
  readonly reason: string | null;
}

/** Checks the scope of a hold, of its end or of a cancellation. The reason in it is that of the decision. */
export function checkScope(scope: PayoutDecision, payers: readonly string[]): Selection {
  refuseUnknown(scope, decisionNames, refuseDecision, {}, 'a field');
  return { ...placeOf(scope, payers), isScope: true, state: null, reason: null };
}

/** Checks a filter. */
export function checkFilter(filter: PayoutFilter, payers: readonly string[]): Selection {
  refuseUnknown(filter, filterNames, refuseDecision, {}, 'a field');
  refuseLost(filter, ['state', 'reason']);
  const { state, reason } = filter;
  if (reason !== undefined && typeof reason !== 'string') refuseDecision('reason must be text.');
  return {
    ...placeOf(filter, payers),
    isScope: false,
    state: state === undefined ? null : checkState(state),
    reason: reason ?? null,
  };
}

/** Another way to write a name or a month would select nothing, and look like a payroll without such payouts. */
function placeOf(scope: PayoutScope, payers: readonly string[]) {
  refuseLost(scope, ['payer', 'month', 'employee', 'requestId']);
  const payer = scope.payer === undefined ? undefined : canonical('payer', scope.payer);
  if (payer !== undefined && !payers.includes(payer))
    refuseDecision('payer is not a payer of these payouts.');
  return {
    payers: payer === undefined ? payers : [payer],
    month: scope.month === undefined ? null : checkMonth(scope.month),
    employee: scope.employee === undefined ? null : canonical('employee', scope.employee),
    requestId: scope.requestId === undefined ? null : checkRequestId(scope.requestId),
  };
}

/** Refuses a field that has lost its value. Without it, a decision about one payout would be one about all of them. */
function refuseLost<Given extends object>(given: Given, names: readonly (string & keyof Given)[]): void {
  for (const name of names) {
    if (Object.hasOwn(given, name) && given[name] === undefined)
      refuseDecision(`${name} is undefined. Give it a value, or leave it out to decide about all.`);
  }
}

/** The condition for a payment `p` that pays what another key was for: a batch was split, or paid under a new key. */
export const succeeds = (key: string): string => `exists (select from payout_past past
  join payout_order o using (payer, month, employee) where past.request_id = ${key} and o.request_id = p.request_id)`;

/** The condition for a payment `p` that a person holds. */
export const HELD = `exists (select from payout_hold h where h.payer = p.payer
  and (h.month is null or h.month = p.month)
  and (h.request_id is null or h.request_id = p.request_id or ${succeeds('h.request_id')})
  and (h.employee is null or exists (select from payout_order o
    where o.request_id = p.request_id and o.employee = h.employee)))`;

/** The condition for a payment `p` within a selection, whose values are the first seven of the statement. */
export const WITHIN = `p.state <> 'replaced' and p.payer = any($1::text[])
  and ($2::text is null or p.month = $2)
  and ($4::uuid is null or p.request_id = $4 or ($7::boolean and ${succeeds('$4')}))
  and ($3::text is null or exists (select from payout_order o where o.request_id = p.request_id and o.employee = $3))
  and (coalesce($5, $6) is null or ${fits('p')} or exists (select from payout_order o
    where o.request_id = p.request_id and o.state is not null and ${fits('o')}))`;

/** The condition for a row with the state and the reason of a selection. */
function fits(row: 'p' | 'o'): string {
  return `(($5::text is null or ${row}.state = $5) and ($6::text is null or ${row}.reason = $6))`;
}

/** The values of `WITHIN`. */
export const valuesOf = (selection: Selection): unknown[] => [
  selection.payers,
  selection.month,
  selection.employee,
  selection.requestId,
  selection.state,
  selection.reason,
  selection.isScope,
];
